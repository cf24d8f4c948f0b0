// Equilibria of galpha rods, found by the same equations without inertia, their stability, and vibrations.
#include "rods/galpha/galpha.h"
#include "rods/galpha/options.h"

#include "base/error.h"
#include "rods/galpha/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A step of implicit Euler from rest; INFINITY: without inertia. The old state is then in state[1].
static bool step_from_rest(const cdg_rod *rod, galpha_scratch *m, const galpha_hold_pair *holds, double step,
                           cdg_rod_equilibrium *out) {
    for (size_t i = 0; i < rod->node_count; i++) { // at rest
        galpha_node *n = &m->state[0][i];
        *n = (galpha_node){.position = n->position,
                           .frame = n->frame,
                           .darboux = n->darboux,
                           .force = n->force,
                           .middle_force = n->middle_force};
    }
    galpha_step s = {
        .rod = rod,
        .old = m->state[0],
        .rest = galpha_rest_of(rod),
        .loads = m->loads,
        .scheme = galpha_scheme_euler(),
        .step_rate = 1 / step,
        .holds = holds,
    };
    galpha_step_prepare(&s);
    galpha_outcome outcome = galpha_solve(&s, &m->work);
    out->iterations += outcome.iterations;
    out->history[out->history_count++ % CDG_HISTORY_SIZE] = outcome.correction;
    if (!outcome.is_solved) return false;
    galpha_accept(&s, m->work.trial, m->state[1]);
    galpha_node *solved = m->state[1];
    m->state[1] = m->state[0];
    m->state[0] = solved;
    return true;
}

// m: how far a node moves or the surface of its section turns, at most.
static double largest_move(const cdg_rod *rod, const galpha_node *a, const galpha_node *b) {
    double most = 0, length = rod->length / (double)rod->element_count;
    for (size_t i = 0; i < rod->node_count; i++) {
        double turn = vec3_norm(quat_log(quat_relative(a[i].frame, b[i].frame)));
        most = fmax(most, fmax(vec3_distance(a[i].position, b[i].position), length * turn));
    }
    return most;
}

// Inertia with zero velocity holds the rod back less and less, and the last solution, without inertia, is the
// equilibrium under these loads. Leaves it in state[0]. Where a rod is free to turn or to move, as one that spins in
// its pins, there is no step without inertia; then it is at rest when a step far longer than its slowest motion moves
// it nowhere.
static bool relax(const cdg_rod *rod, galpha_scratch *m, const galpha_hold_pair *holds, cdg_rod_equilibrium *out) {
    char reason[256];
    double usual = cdg_galpha_model.advise_step(rod, reason), step = INFINITY;
    double still = galpha_options(rod)->tolerance * rod->length / (double)rod->element_count;
    bool is_at_rest = false;
    for (int attempt = 0; attempt < 300 && step > 1e-8 * usual; attempt++) {
        if (!step_from_rest(rod, m, holds, step, out)) {
            if (is_at_rest) return true;
            step = step == INFINITY ? 16 * usual : step / 8;
            continue;
        }
        if (step == INFINITY) return true;
        is_at_rest = step > 1e4 * usual && largest_move(rod, m->state[0], m->state[1]) <= still;
        step = step > 1e4 * usual ? INFINITY : 4 * step;
    }
    return false;
}

void galpha_set_state(cdg_rod *rod, const galpha_node *state) {
    memcpy(rod->own, state, rod->node_count * sizeof *state);
    galpha_forget_steps(rod);
    galpha_write_arrays(rod, state, rod->x, rod->v, rod->q, rod->w);
    rod->has_history = true; // at rest: all rates are zero
}

void galpha_read_at_rest(const cdg_rod *rod, galpha_node *out) {
    if (rod->has_history)
        memcpy(out, rod->own, rod->node_count * sizeof *out);
    else
        galpha_read_arrays(rod, out);
    for (size_t i = 0; i < rod->node_count; i++) {
        galpha_node *n = &out[i];
        n->velocity = n->spin = n->position_rate = n->frame_rate = vec3(0, 0, 0);
        n->force_per_mass = n->moment_per_length = vec3(0, 0, 0);
        n->acceleration = n->momentum_rate = n->stretch_rate = n->bend_rate = vec3(0, 0, 0);
    }
}

// Off an unstable equilibrium: pushed along its lowest mode by a twentieth of an element, then steps of Euler so short
// that the motion grows, until it has come to rest somewhere else. How well does not matter; relax follows.
static void leave(const cdg_rod *rod, galpha_scratch *m, const galpha_hold_pair *holds, double lowest,
                  const double *shape, cdg_rod_equilibrium *out) {
    double largest = 1e-300, length = rod->length / (double)rod->element_count;
    for (size_t i = 0; i < GALPHA_SHAPE * rod->node_count; i++)
        largest = fmax(largest, fabs(shape[i]) * (i % GALPHA_SHAPE < 3 ? 1 : length));
    double factor = 0.05 * length / largest;
    for (size_t i = 0; i < rod->node_count; i++) {
        const double *v = shape + GALPHA_SHAPE * i;
        galpha_node *n = &m->state[0][i];
        n->position = vec3_mad(n->position, factor, vec3(v[0], v[1], v[2]));
        cdg_quat turn = quat_exp(vec3_scale(factor, vec3(v[3], v[4], v[5])));
        n->frame = quat_normalize(quat_multiply(turn, n->frame));
    }
    double step = 1 / sqrt(-4 * lowest), fastest = 0;
    for (int i = 0; i < 400; i++) {
        if (!step_from_rest(rod, m, holds, step, out)) {
            step /= 4;
            continue;
        }
        double move = largest_move(rod, m->state[0], m->state[1]);
        fastest = fmax(fastest, move);
        if (move < 1e-3 * fastest) return;
    }
}

static bool has_torque(const cdg_rod *rod, const cdg_rod_loads *loads) {
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < rod->element_count; j++)
            if (loads->torque[k][j] != 0) return true;
    return false;
}

static void scale_loads(const cdg_rod *rod, galpha_loads *loads, double factor) {
    for (size_t j = 0; j < rod->element_count; j++) {
        loads[j].at_start = vec3_scale(factor, loads[j].at_start);
        loads[j].at_end = vec3_scale(factor, loads[j].at_end);
        loads[j].torque = vec3_scale(factor, loads[j].torque);
    }
}

// Where the whole load, let go at once, folds the rod on its way: loads that grow from a small share of it, each from
// where the one before has come to rest, which the rod's own state keeps.
static bool relax_by_shares(cdg_rod *rod, const cdg_rod_loads *loads, galpha_scratch *m, const galpha_hold_pair *holds,
                            cdg_rod_equilibrium *out) {
    enum { ATTEMPTS = 60 };
    double done = 0, growth = 4;
    for (int attempt = 0; attempt < ATTEMPTS && growth > 1.01; attempt++) {
        double share = done > 0 ? fmin(1, growth * done) : 1.0 / 4096;
        galpha_set_loads(rod, loads, m->loads);
        scale_loads(rod, m->loads, share);
        galpha_read_at_rest(rod, m->state[0]);
        if (!relax(rod, m, holds, out)) {
            growth = sqrt(growth);
            continue;
        }
        done = share;
        if (done == 1) return true;
        galpha_set_state(rod, m->state[0]);
    }
    return false;
}

// Loads may turn with the rod, so they are evaluated anew until that moves nothing.
static bool settle(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user, galpha_scratch *m,
                   const galpha_hold_pair *holds, cdg_rod_equilibrium *out) {
    double scale = rod->length / (double)rod->element_count, change = INFINITY;
    bool is_solved = true;
    for (int round = 0; round < 50 && is_solved && change > galpha_options(rod)->tolerance * scale; round++) {
        galpha_set_loads(rod, loads, m->loads);
        is_solved = relax(rod, m, holds, out) || relax_by_shares(rod, loads, m, holds, out);
        change = 0;
        for (size_t i = 0; i < rod->node_count; i++)
            change = fmax(change, vec3_distance(m->state[0][i].position, rod_vec3(rod->x, i)));
        galpha_set_state(rod, m->state[0]);
        reload(user, rod, loads);
    }
    return is_solved && change <= galpha_options(rod)->tolerance * scale;
}

// N: the largest force that is left on an element of a state at rest.
static double unbalanced(const cdg_rod *rod, const galpha_node *state, const galpha_loads *loads) {
    double most = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 before = quat_rotate(state[j].frame, state[j].force);
        cdg_vec3 beyond = quat_rotate(state[j + 1].frame, state[j + 1].force);
        cdg_vec3 load = vec3_add(loads[j].at_start, loads[j].at_end);
        most = fmax(most, vec3_norm(vec3_add(vec3_sub(beyond, before), load)));
    }
    return most;
}

double galpha_bending_length(const cdg_rod *rod, const galpha_loads *loads) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t j = 0; j < rod->element_count; j++) sum = vec3_add(sum, vec3_add(loads[j].at_start, loads[j].at_end));
    double stiffness = fmin(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
    return cbrt(stiffness * rod->length / vec3_norm(sum));
}

static cdg_result fail_to_settle(const cdg_rod *rod, const cdg_rod_equilibrium *found, const galpha_loads *loads,
                                 cdg_error *error) {
    double bend = galpha_bending_length(rod, loads), element = rod->length / (double)rod->element_count;
    if (2 * element > bend && rod->hold_count > 0)
        return cdg_fail(
            error, CDG_ERROR_NO_CONVERGENCE,
            "rod '%s': no equilibrium was found on elements of %.2g m, because the loads bend the rod within "
            "%.2g m: use %.0f elements or more",
            rod->name, element, bend, ceil(2 * rod->length / bend));
    char history[200] = "";
    size_t used = 0;
    int first = found->history_count > 12 ? found->history_count - 12 : 0;
    for (int i = first; i < found->history_count && used < sizeof history - 16; i++)
        used += (size_t)snprintf(history + used, sizeof history - used, "%s%.1e", i > first ? ", " : "",
                                 found->history[i % CDG_HISTORY_SIZE]);
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "rod '%s': no equilibrium was found after %d iterations (last corrections in element lengths: %s); "
                    "likely there is none (a rod that nothing holds), or the load is too sudden: let it grow, or let "
                    "the rod move there in time, with drag; model 'der' finds limp rods' folds that galpha does not",
                    rod->name, found->iterations, history);
}

cdg_result galpha_find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error) {
    enum { PUSHES = 8 };
    void *scratch = aligned_alloc(64, galpha_scratch_size(rod));
    double *shape = malloc(GALPHA_SHAPE * rod->node_count * sizeof *shape);
    *out = (cdg_rod_equilibrium){.is_stable = true, .lowest = NAN};
    if (scratch == NULL || shape == NULL) {
        free(scratch);
        free(shape);
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory", rod->name);
    }
    galpha_scratch m;
    galpha_lay_out(rod, scratch, &m);
    galpha_read_arrays(rod, m.state[0]);
    galpha_hold_pair holds = galpha_holds_at(rod, &m.state[0][0], &m.state[0][rod->element_count], 1);
    bool is_solved = false;
    for (int i = 0; i <= PUSHES; i++) {
        is_solved = settle(rod, loads, reload, user, &m, &holds, out);
        if (!is_solved) break;
        galpha_set_reactions(rod, &m.work.trial[0], &m.work.trial[rod->element_count]);
        cdg_error ignored; // then it is not known
        galpha_set_loads(rod, loads, m.loads);
        if (galpha_find_modes_at(rod, galpha_nodes_of(rod->own), m.loads, &holds, &m.work, 1, &out->lowest, shape,
                                 &ignored) != CDG_OK)
            out->lowest = NAN;
        out->is_stable = !(out->lowest < -1e-6 * cdg_rod_eigenvalue_scale(rod));
        if (out->is_stable || i == PUSHES || has_torque(rod, loads)) break;
        leave(rod, &m, &holds, out->lowest, shape, out);
    }
    galpha_set_loads(rod, loads, m.loads);
    const galpha_node *state = galpha_nodes_of(rod->own);
    for (size_t j = 0; j < rod->element_count; j++) out->force = fmax(out->force, vec3_norm(state[j].middle_force));
    out->residual = unbalanced(rod, state, m.loads);
    cdg_result result = is_solved ? CDG_OK : fail_to_settle(rod, out, m.loads, error);
    free(scratch);
    free(shape);
    return result;
}

cdg_result galpha_find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues,
                             cdg_vec3 *shapes, cdg_error *error) {
    void *scratch = aligned_alloc(64, galpha_scratch_size(rod));
    double *all = calloc(count * GALPHA_SHAPE * rod->node_count, sizeof *all);
    cdg_result result = CDG_OK;
    if (scratch == NULL || all == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for %zu modes", rod->name, count);
    } else {
        galpha_scratch m;
        galpha_lay_out(rod, scratch, &m);
        galpha_read_at_rest(rod, m.state[0]);
        galpha_hold_pair holds = galpha_holds_at(rod, &m.state[0][0], &m.state[0][rod->element_count], 1);
        galpha_set_loads(rod, loads, m.loads);
        result = galpha_find_modes_at(rod, m.state[0], m.loads, &holds, &m.work, count, eigenvalues, all, error);
        for (size_t i = 0; i < count * rod->node_count && shapes != NULL && result == CDG_OK; i++)
            shapes[i] = vec3(all[GALPHA_SHAPE * i], all[GALPHA_SHAPE * i + 1], all[GALPHA_SHAPE * i + 2]);
    }
    free(scratch);
    free(all);
    return result;
}
