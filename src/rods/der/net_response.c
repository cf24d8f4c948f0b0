// How the candidate of joined der rods answers additional forces (rod_model.h: net_response_size): all of them at once,
// by the Hessian that Newton's method uses, as single rods do (der/response.c), factored as a sparse matrix.
#include "rods/der/net.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// At the head of the response memory; behind it the factors, two vectors of all unknowns, and which nodes are held.
typedef struct kept_response {
    block_matrix matrix;
    double *right, *spare; // 4 * blocks
    bool *is_held;         // of each node
} kept_response;

static size_t head_bytes(void) { return der_bytes(sizeof(kept_response)); }
static size_t matrix_bytes(const der_net_plan *plan) {
    return der_bytes(BLOCK_DOUBLES * (plan->most_blocks + plan->most_entries) * sizeof(double));
}
static size_t vector_bytes(const der_net_plan *plan) { return der_bytes(4 * plan->most_blocks * sizeof(double)); }
// Of all rods: they are numbered with room for as many as there may be.
static size_t most_nodes(const cdg_net *net) {
    size_t count = 0;
    for (size_t r = 0; r < net->rod_count; r++) count += net->rods[r]->node_capacity;
    return count;
}

size_t der_net_response_size(const cdg_net *net) {
    const der_net_plan *plan = net->plan;
    return head_bytes() + matrix_bytes(plan) + 2 * vector_bytes(plan) + der_bytes(most_nodes(net));
}

static kept_response *place(const der_net_plan *plan, void *memory) {
    kept_response *r = memory;
    char *next = (char *)memory + head_bytes();
    block_matrix_place(&r->matrix, plan->pattern, (double *)(void *)next);
    next += matrix_bytes(plan);
    r->right = (double *)(void *)next;
    r->spare = (double *)(void *)(next + vector_bytes(plan));
    r->is_held = (bool *)(void *)(next + 2 * vector_bytes(plan));
    return r;
}

static bool keep(der_net_system *system, double geometric) {
    double value = 0;
    for (size_t r = 0; r < system->net->rod_count; r++) {
        strip_clear(&system->works[r].matrix);
        value += der_chain_assemble(&system->chains[r], &system->works[r].matrix, geometric);
    }
    value += der_net_assemble(system, geometric);
    if (!isfinite(value)) return false;
    der_net_factor(system);
    return !system->matrix.is_broken && system->matrix.negative_count == 0;
}

cdg_result der_keep_net_response(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                                 void *response, cdg_error *error) {
    const der_net_plan *plan = net->plan;
    der_scheme s = der_net_scheme(net, step);
    der_net_system system = der_net_pose(net, s, loads, scratch);
    der_net_hold_points(net, system.chains);
    kept_response *r = place(plan, response);
    system.matrix = r->matrix;
    for (size_t k = 0; k < net->rod_count; k++) {
        if (!der_implicit_resume(net->rods[k], s, &system.chains[k], &system.works[k]))
            return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                            "an edge of rod '%s' turned back on itself in a step of %g s: there is no candidate to "
                            "answer contact from; use a shorter step",
                            net->rods[k]->name, step);
        der_chain_settle_tension(&system.chains[k]);
        for (size_t i = 0; i < net->rods[k]->node_count; i++)
            r->is_held[plan->first[k] + i] = !(system.chains[k].weight[i] < INFINITY);
    }
    bool is_good = keep(&system, 1) || keep(&system, 0);
    r->matrix = system.matrix;
    if (is_good) return CDG_OK;
    return cdg_fail(
        error, CDG_ERROR_NO_CONVERGENCE,
        "the net's answer to contact cannot be found: stiffness and inertia of its parts are too far apart; "
        "use a larger time step or stiffnesses that differ less");
}

void der_respond_net(const cdg_net *net, void *response, double *const force[3], const double *torque,
                     double *const move[3], double *turn) {
    const der_net_plan *plan = net->plan;
    const kept_response *r = response;
    memset(r->right, 0, 4 * plan->pattern->count * sizeof(double));
    for (size_t rod = 0, from = 0; rod < net->rod_count; from += net->rods[rod++]->node_capacity)
        for (size_t i = 0; i < net->rods[rod]->node_count; i++) {
            size_t number = plan->first[rod] + i;
            for (size_t k = 0; k < 3 && !r->is_held[number]; k++)
                r->right[4 * plan->block[number] + k] += force[k][from + i];
            if (i < net->rods[rod]->element_count) r->right[4 * plan->angle[number] + 3] += torque[from + i];
        }
    block_solve(&r->matrix, r->right, r->spare);
    for (size_t rod = 0, from = 0; rod < net->rod_count; from += net->rods[rod++]->node_capacity)
        for (size_t i = 0; i < net->rods[rod]->node_count; i++) {
            size_t number = plan->first[rod] + i;
            for (size_t k = 0; k < 3; k++)
                move[k][from + i] = r->is_held[number] ? 0 : r->right[4 * plan->block[number] + k];
            if (i < net->rods[rod]->element_count) turn[from + i] = r->right[4 * plan->angle[number] + 3];
        }
}
