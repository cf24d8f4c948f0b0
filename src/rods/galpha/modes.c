// Vibrations of a galpha rod about a state. A step of implicit Euler from rest, without damping, takes a small move x
// of poses to (K + s M)^-1 s M x with s = 1/step^2: that is the operator of a subspace iteration (subspace.h), and one
// elimination serves all of it. K is that of the two-point equations, symmetric but for their discretisation.
#include "rods/galpha/galpha.h"

#include "base/error.h"
#include "math/subspace.h"
#include "rods/galpha/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = GALPHA_SHAPE };

typedef struct euler_step {
    cdg_rod bare; // the rod without its damping
    galpha_step step;
    galpha_work *work;
    galpha_node *moved;       // node_count
    const galpha_node *state; // node_count
    double *balance;          // residual at the state, node_count * 12
    double rate2;             // 1/s^2
} euler_step;

// The right side is the change of what is unbalanced when the step begins at the moved poses.
static void apply(void *user, const double *x, double *out) {
    euler_step *o = user;
    size_t nodes = o->bare.node_count;
    double largest = 1e-300, length = o->bare.length / (double)o->bare.element_count;
    for (size_t i = 0; i < FIELDS * nodes; i++) largest = fmax(largest, fabs(x[i]) / (i % FIELDS < 3 ? length : 1));
    double share = 1e-3 / largest; // turns so small that they are vectors
    for (size_t i = 0; i < nodes; i++) {
        const double *v = x + FIELDS * i;
        o->moved[i] = o->state[i];
        o->moved[i].position = vec3_mad(o->state[i].position, share, vec3(v[0], v[1], v[2]));
        cdg_quat turn = quat_exp(vec3_scale(share, vec3(v[3], v[4], v[5])));
        o->moved[i].frame = quat_normalize(quat_multiply(turn, o->state[i].frame));
    }
    galpha_step step = o->step;
    step.old = o->moved;
    memcpy(o->work->attempt, o->work->trial, nodes * sizeof *o->work->trial);
    for (size_t i = 0; i < nodes; i++) galpha_update_trial(&step, i, &o->work->attempt[i]);
    galpha_find_residual(&step, o->work->attempt, o->work->residual);
    for (size_t i = 0; i < TWO_POINT_FIELDS * nodes; i++) o->work->residual[i] -= o->balance[i];
    two_point_kernels_get()->solve(o->work->factors, o->bare.element_count, o->work->residual, o->work->correction);
    for (size_t i = 0; i < nodes; i++) {
        const double *c = o->work->correction[i];
        for (size_t k = 0; k < FIELDS; k++)
            out[FIELDS * i + k] = (k < 3 ? step.length_scale : 1) * c[k] / (share * o->rate2);
    }
}

// Below all eigenvalues: compression N lowers them to -N^2/(4 B m) at most, and bending or twisting moments act as a
// compression of M^2 over the softest stiffness would. A factor of four for what this leaves out.
static double choose_rate2(const cdg_rod *rod, const galpha_node *state) {
    double compression = 0, moment = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        compression = fmax(compression, -state[j].middle_force.z);
        moment = fmax(moment, vec3_norm(galpha_moment_of(rod, j, state[j].darboux)));
    }
    double soft = INFINITY;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++) soft = fmin(soft, rod->bend_stiffness[k][i * rod->section_stride]);
    if (!(soft > 0)) soft = fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
    if (!(soft > 0)) return cdg_rod_eigenvalue_scale(rod);
    double force = compression + moment * moment / soft;
    return cdg_rod_eigenvalue_scale(rod) + force * force * rod->length / (soft * rod->mass);
}

// Masses of nodes and of their sections' turns.
static void set_masses(const cdg_rod *rod, const galpha_hold_pair *holds, double *mass) {
    const galpha_rest *rest = galpha_rest_of(rod);
    for (size_t i = 0; i < rod->node_count; i++) {
        double length = rod_cell_length(rod, i);
        const double inertia[3] = {rest[i].inertia.x, rest[i].inertia.y, rest[i].inertia.z};
        double largest = fmax(inertia[0], fmax(inertia[1], inertia[2]));
        for (size_t k = 0; k < 3; k++) mass[FIELDS * i + k] = rod->node_mass[i];
        // Turns are about fixed axes, so which of the three it is depends on the frame: the largest stands for all.
        for (size_t k = 3; k < FIELDS; k++) mass[FIELDS * i + k] = length * largest;
    }
    for (int end = 0; end < 2; end++) {
        double *at = mass + FIELDS * (end == 0 ? 0 : rod->element_count);
        if (!holds->has_hold[end]) continue;
        for (size_t k = 0; k < 3 && holds->hold[end].holds_position; k++) at[k] = 0;
        for (size_t k = 3; k < FIELDS && holds->hold[end].frame_hold == CDG_HOLD_FRAME; k++) at[k] = 0;
    }
}

// With the elimination for the shift -rate2.
static subspace_result find_with_shift(euler_step *o, double rate2, subspace_problem *problem, size_t count,
                                       double *eigenvalues, double *shapes) {
    o->rate2 = rate2;
    o->step.step_rate = sqrt(rate2);
    problem->shift = -rate2;
    galpha_step_prepare(&o->step);
    galpha_start_trial(&o->step, o->work->trial);
    galpha_find_residual(&o->step, o->work->trial, o->balance);
    if (!galpha_factorise(&o->step, o->work)) return SUBSPACE_NOT_CONVERGED;
    return subspace_find(problem, count, eigenvalues, shapes);
}

// A shift that is below all eigenvalues for sure may be a thousand times as far from them as they are from each other,
// and subspaces hardly turn then. So it comes nearer by what is known, and goes back when it has passed one.
static subspace_result find_nearer_and_nearer(euler_step *o, double rate2, subspace_problem *problem, size_t count,
                                              double *eigenvalues, double *shapes) {
    enum { ATTEMPTS = 12, ROUNDS = 60 };
    const double nearer = 30, near = 100; // by how much at once; how much farther than the lowest it may stay
    double passed = 0;                    // rate2 that was too small
    double least = 0.1 * cdg_rod_eigenvalue_scale(&o->bare); // a free rod has eigenvalues of nothing
    subspace_result found = SUBSPACE_NOT_CONVERGED;
    problem->rounds = ROUNDS;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        found = find_with_shift(o, rate2, problem, count, eigenvalues, shapes);
        if (found == SUBSPACE_NO_MEMORY || found == SUBSPACE_TOO_FEW) return found;
        double lowest = eigenvalues[0], size = fmax(least, fabs(lowest));
        double next = fmax(rate2 / nearer, fmax(3 * fmax(0, -lowest), 0.3 * size));
        if (found == SUBSPACE_NOT_BELOW)
            passed = rate2, next = 5 * rate2;
        else if (passed > 0)
            next = fmax(next, sqrt(passed * rate2));
        bool is_near = found == SUBSPACE_DONE && rate2 <= near * size;
        if (is_near || (found != SUBSPACE_NOT_BELOW && next > 0.7 * rate2)) break;
        rate2 = next;
    }
    if (found == SUBSPACE_DONE) return found;
    problem->rounds = 0;
    return find_with_shift(o, rate2, problem, count, eigenvalues, shapes);
}

cdg_result galpha_find_modes_at(const cdg_rod *rod, const galpha_node *state, const galpha_loads *loads,
                                const galpha_hold_pair *holds, galpha_work *work, size_t count, double *eigenvalues,
                                double *shapes, cdg_error *error) {
    size_t nodes = rod->node_count;
    euler_step o = {.bare = *rod, .work = work, .state = state};
    memset(o.bare.damping_time, 0, sizeof o.bare.damping_time);
    o.step = (galpha_step){.rod = &o.bare,
                           .old = state,
                           .rest = galpha_rest_of(rod),
                           .loads = loads,
                           .scheme = galpha_scheme_euler(),
                           .holds = holds};
    o.moved = malloc(nodes * sizeof *o.moved);
    o.balance = malloc(TWO_POINT_FIELDS * nodes * sizeof *o.balance);
    double *mass = malloc(FIELDS * nodes * sizeof *mass);
    cdg_result result = CDG_OK;
    if (o.moved == NULL || o.balance == NULL || mass == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);
    } else {
        set_masses(rod, holds, mass);
        subspace_problem problem = {.size = FIELDS * nodes, .mass = mass, .apply = apply, .user = &o};
        subspace_result found =
            find_nearer_and_nearer(&o, choose_rate2(rod, state), &problem, count, eigenvalues, shapes);
        if (found == SUBSPACE_NO_MEMORY)
            result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);
        else if (found == SUBSPACE_TOO_FEW)
            result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                              "rod '%s' has %zu modes, not %zu; ask for fewer modes, or give it more elements",
                              rod->name, subspace_free_count(&problem), count);
        else if (found != SUBSPACE_DONE)
            result = cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the modes of rod '%s' have not converged", rod->name);
    }
    free(o.moved);
    free(o.balance);
    free(mass);
    return result;
}
