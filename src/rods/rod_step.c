// What the steps of several models have in common: accepting a candidate, and a step that is short enough for accuracy.
#include "rods/rod_model.h"

#include <math.h>
#include <stdio.h>

// What was oldest is overwritten next.
static void rotate(double **now, double **next, double **before, int count) {
    for (int k = 0; k < count; k++) {
        double *old = now[k];
        now[k] = next[k];
        next[k] = before[k] != NULL ? before[k] : old;
        if (before[k] != NULL) before[k] = old;
    }
}

void cdg_rod_commit(cdg_rod *rod, double step) {
    double *none = NULL;
    rotate(rod->x, rod->x_next, rod->x_before, 3);
    rotate(rod->v, rod->v_next, rod->v_before, 3);
    rotate(rod->q, rod->q_next, rod->q_before, 4);
    rotate(rod->w, rod->w_next, rod->w_before, 3);
    rotate(&rod->twist, &rod->twist_next, &none, 1);
    rotate(&rod->own, &rod->own_next, &none, 1);
    rod->has_history = rod->x_before[0] != NULL || rod->own != NULL;
    rod->history_step = step;
}

double cdg_rod_bending_period(const cdg_rod *rod) {
    double bend = fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
    double wave_number = 6.283185307179586 / rod->length;
    return 6.283185307179586 / (wave_number * wave_number * sqrt(bend * rod->length / rod->mass));
}

double cdg_rod_advise_by_bending(const cdg_rod *rod, char *reason) {
    double period = cdg_rod_bending_period(rod), wanted = period / 100, step = fmin(fmax(wanted, 1e-4), 5e-3);
    const char *bound = wanted < 1e-4 ? ", but not below 0.1 ms" : wanted > 5e-3 ? ", but not above 5 ms" : "";
    snprintf(reason, 256,
             "%s is stable at any step; for accuracy, a hundredth of the bending period of rod '%.60s', %.3g s%s",
             rod->model->name, rod->name, period, bound);
    return step;
}

double cdg_rod_eigenvalue_scale(const cdg_rod *rod) {
    double softer = fmin(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
    double wave_number = 6.283185307179586 / rod->length;
    double bend = softer > 0 ? softer : fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
    if (!(bend > 0)) bend = 1e-6 * rod->stretch_stiffness[2][0] * rod->length * rod->length; // a rope without any
    return wave_number * wave_number * wave_number * wave_number * bend * rod->length / rod->mass;
}
