// An implicit step of a der rod: the system of der/chain.h with the inertia of implicit Euler or BDF2, by Newton.
#include "rods/der/der.h"
#include "rods/der/options.h"

#include "base/error.h"

#include <math.h>

size_t der_implicit_scratch(const cdg_rod *rod) {
    return der_setup_bytes(rod) + der_workspace_doubles(rod->node_count, rod->is_closed) * sizeof(double);
}

// Velocities from the candidate. Turns of the frames across the rod follow from the nodes.
static bool finish(cdg_rod *rod, const der_chain *c, der_scheme s) {
    double inverse = 1 / s.h, sum = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++) {
            double hat = rod->x[k][i];
            if (s.history != 0) hat += s.history * (hat - rod->x_before[k][i]);
            rod->v_next[k][i] = (rod->x_next[k][i] - hat) * inverse;
            sum += rod->v_next[k][i] * rod->v_next[k][i];
        }
    double drag = 1 + rod->drag_rate * s.h;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 v = vec3_sub(rod_vec3(rod->v_next, rod_next_node(rod, j)), rod_vec3(rod->v_next, j));
        rod->w_next[0][j] = -vec3_dot(v, rod_vec3(c->d2, j)) * c->inverse_length[j];
        rod->w_next[1][j] = vec3_dot(v, rod_vec3(c->d1, j)) * c->inverse_length[j];
        double spin = c->theta[j] / s.step;
        if (!der_is_quasistatic(rod)) {
            // turn_target = turned + h spin_hat/(1 + d h)
            double hat = rod->w[2][j];
            if (s.history != 0) hat += s.history * (hat - rod->w_before[2][j]);
            spin = (c->theta[j] - c->turn_target[j]) * inverse + hat / drag;
        }
        rod->w_next[2][j] = spin;
        sum += spin * spin;
        cdg_quat q = rod_quat(rod->q_next, j);
        if (quat_dot(q, rod_quat(rod->q, j)) < 0) rod_set_quat(rod->q_next, j, quat_negate(q));
    }
    return isfinite(sum);
}

// What a frame has spun in the step, from its speed: finish the other way round.
static double spun(const cdg_rod *rod, const der_chain *c, der_scheme s, size_t j) {
    double spin = rod->w_next[2][j];
    if (der_is_quasistatic(rod)) return spin * s.step;
    double hat = rod->w[2][j];
    if (s.history != 0) hat += s.history * (hat - rod->w_before[2][j]);
    return c->turn_target[j] + s.h * (spin - hat / (1 + rod->drag_rate * s.h));
}

bool der_implicit_resume(const cdg_rod *rod, der_scheme s, const der_chain *c, const der_workspace *work) {
    for (size_t j = 0; j < rod->element_count; j++) work->turn[j] = spun(rod, c, s, j);
    return der_chain_resume(c, work->turn);
}

cdg_result der_implicit_finish(cdg_rod *rod, const der_chain *c, der_scheme s, cdg_error *error) {
    if (finish(rod, c, s)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                    "velocities are not finite; likely a load or a prescribed motion is far too large for the step "
                    "of %g s, or a stiffness or density is wrong by orders of magnitude",
                    s.step);
}

cdg_result der_implicit_predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                                cdg_rod_step_result *result, cdg_error *error) {
    der_scheme s = der_choose_scheme(rod, step);
    der_chain chain;
    der_workspace work;
    char *next = der_setup(rod, s, loads, scratch, &chain);
    der_workspace_place(&work, (double *)(void *)next, rod->node_count, rod->is_closed);
    der_outcome outcome;
    double length = rod->length / (double)rod->element_count, tolerance = der_options(rod)->tolerance * length;
    cdg_result status = CDG_OK;
    if (!loads->starts_from_candidate || !der_implicit_resume(rod, s, &chain, &work) ||
        !der_newton_from_near(&chain, &work, der_options(rod)->iterations, tolerance, &outcome)) {
        cdg_rod_start_from_now(rod);
        status = der_newton(&chain, &work, der_options(rod)->iterations, tolerance, &outcome, error);
    }
    if (status != CDG_OK) return status;
    status = der_implicit_finish(rod, &chain, s, error);
    if (status != CDG_OK) return status;
    der_set_reactions(rod, &chain, s, loads);
    result->iterations = outcome.iterations;
    result->residual = outcome.correction / length;
    return CDG_OK;
}
