// How galpha rods take part in following a path of equilibria (rod_path.h): one elimination along the rod serves both
// the correction and the rate by which the equilibrium moves with time.
#include "rods/galpha/galpha.h"

#include "rods/galpha/parts.h"
#include "rods/rod_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct galpha_path {
    cdg_rod *rod;
    const cdg_rod_loads *loads;
    void *scratch;
    galpha_scratch m; // work.trial is where the iteration is
    galpha_hold_pair holds;
    galpha_step step;
} galpha_path;

static size_t path_size(const cdg_rod *rod) { return TWO_POINT_FIELDS * rod->node_count; }

static void path_close(void *path) {
    galpha_path *p = path;
    if (p == NULL) return;
    free(p->scratch);
    free(p);
}

static void *path_open(cdg_rod *rod, const cdg_rod_loads *loads) {
    galpha_path *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->rod = rod;
    p->loads = loads;
    p->scratch = aligned_alloc(64, galpha_scratch_size(rod));
    if (p->scratch == NULL) {
        path_close(p);
        return NULL;
    }
    galpha_lay_out(rod, p->scratch, &p->m);
    return p;
}

static void set_loads(galpha_path *p) {
    galpha_set_loads(p->rod, p->loads, p->m.loads);
    p->holds = galpha_holds_at(p->rod, &p->m.state[0][0], &p->m.state[0][p->rod->element_count], 1);
}

static bool path_start(void *path) {
    galpha_path *p = path;
    galpha_read_at_rest(p->rod, p->m.state[0]);
    p->step = (galpha_step){.rod = p->rod,
                            .old = p->m.state[0],
                            .rest = galpha_rest_of(p->rod),
                            .loads = p->m.loads,
                            .scheme = galpha_scheme_euler(),
                            .holds = &p->holds};
    galpha_step_prepare(&p->step);
    set_loads(p);
    galpha_start_trial(&p->step, p->m.work.trial);
    return true;
}

static void measure(const galpha_path *p, const double *correction, cdg_rod_correction *out) {
    const cdg_rod *rod = p->rod;
    *out = (cdg_rod_correction){.force = 1e-7 * rod->stretch_stiffness[2][0]}; // a rod at rest has rounding only
    for (size_t j = 0; j < rod->element_count; j++) {
        galpha_element e;
        galpha_measure_element(&p->step, j, &p->m.work.trial[j], &p->m.work.trial[j + 1], &e);
        out->force = fmax(out->force, fmax(vec3_norm(e.force), vec3_norm(e.moment) / rod->rest_length[j]));
        out->residual = fmax(out->residual, vec3_norm(e.force_balance));
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        const double *c = correction + TWO_POINT_FIELDS * i;
        out->move = fmax(out->move, p->step.length_scale * vec3_norm(vec3(c[0], c[1], c[2])));
    }
}

static bool path_solve(void *path, cdg_rod_set_time *set_time, void *user, double time, double change,
                       double *correction, double *rate, cdg_rod_correction *out) {
    galpha_path *p = path;
    size_t size = path_size(p->rod), elements = p->rod->element_count;
    double(*solution)[TWO_POINT_FIELDS] = p->m.work.correction, *residual = p->m.work.residual, sum = 0;
    set_time(user, time + change);
    set_loads(p);
    galpha_find_residual(&p->step, p->m.work.trial, rate);
    set_time(user, time);
    set_loads(p);
    galpha_find_residual(&p->step, p->m.work.trial, residual);
    for (size_t i = 0; i < size; i++) rate[i] = (rate[i] - residual[i]) / change;
    if (!galpha_factorise(&p->step, &p->m.work)) return false;
    two_point_kernels_get()->solve(p->m.work.factors, elements, residual, solution);
    memcpy(correction, solution, size * sizeof(double));
    memcpy(residual, rate, size * sizeof(double));
    two_point_kernels_get()->solve(p->m.work.factors, elements, residual, solution);
    memcpy(rate, solution, size * sizeof(double));
    measure(p, correction, out);
    for (size_t i = 0; i < size; i++) sum += fabs(correction[i]) + fabs(rate[i]);
    return isfinite(sum);
}

static bool path_advance(void *path, const double *direction) {
    galpha_path *p = path;
    for (size_t i = 0; i < p->rod->node_count; i++) { // turns beyond a radian are not what a linear step knows
        const double *c = direction + TWO_POINT_FIELDS * i;
        if (!(vec3_norm(vec3(c[3], c[4], c[5])) <= 1)) return false;
    }
    memcpy(p->m.work.again, direction, path_size(p->rod) * sizeof(double));
    galpha_apply(&p->step, p->m.work.trial, p->m.work.again, 1, p->m.work.attempt);
    galpha_trial *held = p->m.work.trial;
    p->m.work.trial = p->m.work.attempt;
    p->m.work.attempt = held;
    galpha_accept(&p->step, p->m.work.trial, p->m.state[1]);
    galpha_set_state(p->rod, p->m.state[1]);
    return true;
}

static double path_dot(const cdg_rod *rod, const double *a, const double *b) {
    double sum = 0, scale = rod->length / (double)rod->element_count; // length_scale of every step
    for (size_t i = 0; i < rod->node_count; i++)
        for (size_t k = 0; k < 3; k++)
            sum += rod->node_mass[i] * a[TWO_POINT_FIELDS * i + k] * b[TWO_POINT_FIELDS * i + k];
    return sum * scale * scale / rod->mass;
}

static void path_finish(void *path) {
    galpha_path *p = path;
    galpha_accept(&p->step, p->m.work.trial, p->m.state[1]);
    galpha_set_state(p->rod, p->m.state[1]);
    galpha_set_reactions(p->rod, &p->m.work.trial[0], &p->m.work.trial[p->rod->element_count]);
}

static bool path_unbalanced(void *path, double *out) {
    galpha_path *p = path;
    set_loads(p);
    galpha_find_residual(&p->step, p->m.work.trial, out);
    return true;
}

static void path_answer(void *path, double *right) {
    galpha_path *p = path;
    two_point_kernels_get()->solve(p->m.work.factors, p->rod->element_count, right, p->m.work.correction);
    memcpy(right, p->m.work.correction, path_size(p->rod) * sizeof(double));
}

const struct cdg_rod_path_operations galpha_path_operations = {
    .size = path_size,
    .open = path_open,
    .close = path_close,
    .start = path_start,
    .solve = path_solve,
    .advance = path_advance,
    .dot = path_dot,
    .finish = path_finish,
    .unbalanced = path_unbalanced,
    .answer = path_answer,
};
