// One implicit step of joined der rods: Newton on all of them at once (der/net_system.h), so that shared points and
// stiff joints cost no iterations more than a single rod does.
//
// Each rod poses its own problem (der/setup.c) with its own copy of a shared point. The copies' masses, targets and
// loads add up by themselves, because the copies are one unknown. Pairs are damped as springs are: Kelvin-Voigt with
// time tau is stiffness K (1 + b) about b v_hat/(1 + b), b = tau/h.
#include "rods/der/net.h"
#include "rods/der/options.h"

#include "base/error.h"
#include "rods/der/der.h"
#include "rods/der/net_system.h"

#include <math.h>
#include <string.h>

bool der_supports_joints(const cdg_rod *rod) { return !der_is_explicit(rod); }

cdg_result der_prepare_net(cdg_net *net, cdg_error *error) {
    for (size_t r = 1; r < net->rod_count; r++)
        if (der_options(net->rods[r])->scheme != der_options(net->rods[0])->scheme)
            return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                            "rods '%s' and '%s' are joined, so their der options must have the same scheme",
                            net->rods[0]->name, net->rods[r]->name);
    net->plan = der_net_plan_make(net);
    net->free_plan = der_net_plan_free;
    if (net->plan == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a net of %zu rods", net->rod_count);
    return CDG_OK;
}

void der_settle_net(const cdg_net *net) { der_net_plan_settle(net->plan, net); }

// ---- scratch --------------------------------------------------------------------------------------------------------

static size_t rod_bytes(const cdg_rod *rod) {
    return der_setup_bytes(rod) + der_bytes(der_workspace_doubles(rod->node_count, rod->is_closed) * sizeof(double));
}

size_t der_net_scratch_size(const cdg_net *net) {
    size_t bytes = der_bytes(net->rod_count * sizeof(der_chain)) + der_bytes(net->rod_count * sizeof(der_workspace)) +
                   der_bytes(der_net_system_bytes(net, net->plan));
    for (size_t r = 0; r < net->rod_count; r++) {
        cdg_rod largest = rod_largest(net->rods[r]);
        bytes += rod_bytes(&largest);
    }
    return bytes;
}

// ---- what the net poses ---------------------------------------------------------------------------------------------

// How far supports move the net in the step, on average.
static cdg_vec3 mean_move(const cdg_net *net) {
    cdg_vec3 sum = {0, 0, 0};
    size_t count = 0;
    for (size_t r = 0; r < net->rod_count; r++)
        for (size_t h = 0; h < net->rods[r]->hold_count; h++) {
            const cdg_hold *hold = &net->rods[r]->holds[h];
            if (!hold->holds_position) continue;
            sum = vec3_add(sum, vec3_sub(hold->position, rod_vec3(net->rods[r]->x, hold->node)));
            count++;
        }
    return vec3_scale(count > 0 ? 1 / (double)count : 0, sum);
}

// As cdg_rod_start_from_now, but alike for all copies of a point.
static void start_rod(cdg_rod *rod, cdg_vec3 move) {
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->x_next, i, vec3_add(rod_vec3(rod->x, i), move));
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) rod_set_vec3(rod->x_next, rod->holds[h].node, rod->holds[h].position);
}

// Where one copy of a point is held, all are.
void der_net_hold_points(const cdg_net *net, const der_chain *chains) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        const cdg_hold *holder = cdg_net_holder(net, j);
        for (size_t m = 0; m < net->joints[j].count && holder != NULL; m++) {
            chains[members[m].rod].weight[members[m].node] = INFINITY;
            rod_set_vec3(net->rods[members[m].rod]->x_next, members[m].node, holder->position);
        }
    }
}

static void pose_pair(const cdg_net *net, const cdg_net_pair *pair, der_scheme s, der_pair *out) {
    const cdg_rod *a = net->rods[pair->rod_a], *b = net->rods[pair->rod_b];
    *out = (der_pair){.pair = pair, .factor = cdg_net_pair_acts(net, pair) ? 1 : 0};
    double damping = pair->damping_time / s.h;
    if (!(damping > 0) || out->factor == 0) return;
    cdg_vec3 hat =
        quat_imaginary(cdg_net_pair_error(pair, rod_quat(a->q, pair->element_a), rod_quat(b->q, pair->element_b)));
    if (s.history != 0) {
        cdg_vec3 before = quat_imaginary(
            cdg_net_pair_error(pair, rod_quat(a->q_before, pair->element_a), rod_quat(b->q_before, pair->element_b)));
        hat = vec3_mad(hat, s.history, vec3_sub(hat, before));
    }
    out->factor = 1 + damping;
    out->rest = vec3_scale(damping / (1 + damping), hat);
}

// ---- reactions ------------------------------------------------------------------------------------------------------

// The hold of a node or of the joint that it is in; NULL: it is free.
static cdg_hold *holder_of(const cdg_net *net, uint32_t rod, size_t node) {
    cdg_hold *own = cdg_net_position_hold(net->rods[rod], node);
    if (own != NULL) return own;
    for (size_t j = 0; j < net->joint_count; j++)
        for (size_t m = 0; m < net->joints[j].count; m++) {
            const cdg_net_member *member = &net->members[net->joints[j].first + m];
            if (member->rod == rod && member->node == node) return cdg_net_holder(net, j);
        }
    return NULL;
}

static void add_pair_force(const cdg_net *net, const der_chain *chains, uint32_t rod, size_t element,
                           const double gradient[4]) {
    size_t nodes[2] = {element, rod_next_node(net->rods[rod], element)};
    for (int end = 0; end < 2; end++) {
        if (chains[rod].weight[nodes[end]] < INFINITY) continue;
        cdg_hold *holder = holder_of(net, rod, nodes[end]);
        if (holder != NULL)
            holder->force = vec3_mad(holder->force, end == 0 ? -1 : 1, vec3(gradient[0], gradient[1], gradient[2]));
    }
}

// A support at a shared point holds all of it: what the copies of rods without one lack is its load, too, and so is
// what pairs pull at edges that end at held nodes.
static void add_reactions(const cdg_net *net, const der_net_system *system, der_scheme s, const cdg_rod_loads *loads) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        cdg_hold *holder = cdg_net_holder(net, j);
        for (size_t m = 0; m < net->joints[j].count && holder != NULL; m++) {
            uint32_t r = members[m].rod;
            if (cdg_net_position_hold(net->rods[r], members[m].node) != NULL) continue;
            cdg_vec3 missing = der_missing_force(net->rods[r], &system->chains[r], s, &loads[r], members[m].node);
            holder->force = vec3_add(holder->force, missing);
        }
    }
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        const der_chain *a = &system->chains[pair->rod_a], *b = &system->chains[pair->rod_b];
        der_pair_state state;
        der_pair_evaluate(&system->pairs[k], rod_quat(a->q, pair->element_a), a->inverse_length[pair->element_a],
                          rod_quat(b->q, pair->element_b), b->inverse_length[pair->element_b], 1, &state);
        add_pair_force(net, system->chains, pair->rod_a, pair->element_a, state.gradient);
        add_pair_force(net, system->chains, pair->rod_b, pair->element_b, state.gradient + 4);
    }
}

// ---- the step -------------------------------------------------------------------------------------------------------

// Settings of Newton's method for the whole: the strictest of its rods'.
static double tolerance_of(const cdg_net *net, int *iterations) {
    double tolerance = INFINITY;
    *iterations = 1;
    for (size_t r = 0; r < net->rod_count; r++) {
        const cdg_rod *rod = net->rods[r];
        tolerance = fmin(tolerance, der_options(rod)->tolerance * rod->length / (double)rod->element_count);
        if (der_options(rod)->iterations > *iterations) *iterations = der_options(rod)->iterations;
    }
    return tolerance;
}

// Copies of a point must be stepped alike.
der_scheme der_net_scheme(const cdg_net *net, double step) {
    der_scheme s = der_choose_scheme(net->rods[0], step);
    for (size_t r = 1; r < net->rod_count; r++)
        if (der_choose_scheme(net->rods[r], step).history == 0) s = (der_scheme){.step = step, .h = step};
    return s;
}

der_net_system der_net_pose(const cdg_net *net, der_scheme s, const cdg_rod_loads *loads, void *scratch) {
    char *next = scratch;
    der_chain *chains = (der_chain *)(void *)next;
    next += der_bytes(net->rod_count * sizeof *chains);
    der_workspace *works = (der_workspace *)(void *)next;
    next += der_bytes(net->rod_count * sizeof *works);
    der_net_system system = {.net = net, .plan = net->plan, .chains = chains, .works = works};
    der_net_system_place(&system, next);
    next += der_bytes(der_net_system_bytes(net, net->plan));
    for (size_t r = 0; r < net->rod_count; r++) {
        char *after = der_setup(net->rods[r], s, &loads[r], next, &chains[r]);
        der_workspace_place(&works[r], (double *)(void *)after, net->rods[r]->node_count, net->rods[r]->is_closed);
        next += rod_bytes(net->rods[r]);
    }
    for (size_t k = 0; k < net->pair_count; k++) pose_pair(net, &net->pairs[k], s, &system.pairs[k]);
    return system;
}

cdg_result der_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                           cdg_rod_step_result *results, size_t *failed, cdg_error *error) {
    der_scheme s = der_net_scheme(net, step);
    cdg_vec3 move = mean_move(net);
    der_net_system system = der_net_pose(net, s, loads, scratch);
    const der_chain *chains = system.chains;
    der_workspace *works = system.works;
    for (size_t r = 0; r < net->rod_count; r++) start_rod(net->rods[r], move);
    der_net_hold_points(net, chains);

    der_outcome outcome;
    int iterations;
    double tolerance = tolerance_of(net, &iterations);
    der_system all = {chains, works, net->rod_count, &system};
    cdg_result status = der_newton_system(&all, iterations, tolerance, &outcome, error);
    *failed = outcome.failed;
    for (size_t r = 0; r < net->rod_count && status == CDG_OK; r++) {
        cdg_rod *rod = net->rods[r];
        *failed = r;
        status = der_implicit_finish(rod, &chains[r], s, error);
        if (status != CDG_OK) return status;
        der_set_reactions(rod, &chains[r], s, &loads[r]);
        results[r] = (cdg_rod_step_result){.iterations = outcome.iterations,
                                           .residual = outcome.correction * (double)rod->element_count / rod->length};
    }
    if (status == CDG_OK) add_reactions(net, &system, s, loads);
    return status;
}
