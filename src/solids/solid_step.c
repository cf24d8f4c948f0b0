// One step of a solid, whatever integrates it: the candidate, and its acceptance.
#include "base/error.h"
#include "solids/solid_model.h"

#include <string.h>

double cdg_solid_stable_step(const cdg_solid *s) {
    double rate = s->largest_rate, damped = 0.5 * rate * s->def.damping_time;
    if (s->model->predict != NULL) return INFINITY; // any step
    const double share = 0.7;                       // of the limit at rest: compressed elements swing faster
    return share * 2 / rate * (sqrt(1 + damped * damped) - damped);
}

cdg_result cdg_solid_predict(cdg_solid *s, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                             cdg_error *error) {
    *out = (cdg_solid_result){0};
    cdg_result result = s->model->predict != NULL ? s->model->predict(s, step, gravity, threads, out, error)
                        : s->def.integrator == CDG_SOLID_EXPLICIT
                            ? cdg_solid_predict_explicit(s, step, gravity, threads, out, error)
                            : cdg_solid_predict_implicit(s, step, gravity, threads, out, error);
    for (size_t i = 0; i < s->node_count && result == CDG_OK; i++)
        if (!vec3_is_finite(solid_vec3(s->x_next, i)) || !vec3_is_finite(solid_vec3(s->v_next, i)))
            result = cdg_fail(error, CDG_ERROR_NOT_FINITE,
                              "node %zu is no longer at a finite place; a shorter step "
                              "or more damping may help",
                              i);
    return result;
}

static void swap(double *a[3], double *b[3]) {
    for (int k = 0; k < 3; k++) {
        double *kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

void cdg_solid_commit(cdg_solid *s, double step) {
    if (s->x_before[0] != NULL) {
        swap(s->x_before, s->x);
        swap(s->v_before, s->v);
        s->has_history = true;
        s->history_step = step;
    }
    if (s->model->predict != NULL) {
        s->was_touched = s->was_touched || !s->has_history;
        s->history_step = fmax(s->history_step, step);
        s->has_history = true;
    }
    swap(s->x, s->x_next);
    swap(s->v, s->v_next);
}
