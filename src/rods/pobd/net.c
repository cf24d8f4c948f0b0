// One step of joined pobd rods: their problems (pobd/problem.h) become one, with the points that rods share as common
// unknowns and with the energies of the joints' pairs, and Gauss-Seidel goes from rod to rod.
//
// A shared point has the weight of all its copies and the mean of their targets, so each rod's own sweep moves it as
// the point it is; before the next rod's turn the copies there are set to where it is now. That is Gauss-Seidel over
// the constraints of all rods, as if the point were stored once.
//
// Pairs. The energy 2 v^T K v (net.h) is that of a constraint C = v with compliance A = (4 K)^-1. With the gradients
//     J_b = (w + [v]x)/2,   J_a = -(w - [v]x) R(r)^T/2,   J J^T = (1 - v v^T)/4 for each
// a projection is, as for the cells of a rod (pobd/projection_simd.h),
//     y = D^-1 (v + mu),   mu -= A y,   theta_b = -w_b J_b^T y,   theta_a = -w_a J_a^T y,   D = (w_a + w_b)/4 + A.
// Kelvin-Voigt damping with time tau raises K by 1 + tau/h and makes the strain before, times (tau/h)/(1 + tau/h), the
// rest value.
#include "rods/pobd/net.h"
#include "rods/pobd/options.h"

#include "base/scratch.h"
#include "math/symmetric3.h"
#include "rods/pobd/gauss_seidel.h"
#include "rods/pobd/parts.h"

#include <assert.h>
#include <string.h>

typedef struct pair_work {
    pobd_spot a, b;
    double weight_a, weight_b;   // inverse
    symmetric3 compliance, gain; // A, D^-1
    double sign;                 // of the error, chosen once a step: that with w >= 0
    cdg_vec3 mu;
    bool acts;
} pair_work;

typedef struct net_work {
    pobd_gauss_seidel_parts parts;
    pobd_step *steps;       // of each rod
    pobd_spot *spots;       // of each member
    pair_work *pairs;       // of each pair
    size_t *first_member;   // rod_count + 1: indices in members_of_rod
    size_t *members_of_rod; // members in order of their rods
    size_t *joint_of;       // of each member
} net_work;

bool pobd_supports_joints(const cdg_rod *rod) { return is_gauss_seidel(rod) && !pobd_options(rod)->paper_stiffness; }

// ---- scratch --------------------------------------------------------------------------------------------------------

static net_work carve(const cdg_net *net, cdg_scratch *s) {
    net_work work = {.parts = pobd_gauss_seidel_best_parts()};
    work.steps = cdg_scratch_take(s, net->rod_count * sizeof *work.steps);
    work.spots = cdg_scratch_take(s, net->member_count * sizeof *work.spots);
    work.pairs = cdg_scratch_take(s, net->pair_count * sizeof *work.pairs);
    work.first_member = cdg_scratch_take(s, (net->rod_count + 1) * sizeof *work.first_member);
    work.members_of_rod = cdg_scratch_take(s, net->member_count * sizeof *work.members_of_rod);
    work.joint_of = cdg_scratch_take(s, net->member_count * sizeof *work.joint_of);
    return work;
}

static size_t rod_bytes(const cdg_rod *rod) { return cdg_scratch_aligned(pobd_scratch_size(rod)); }

size_t pobd_net_scratch_size(const cdg_net *net) {
    cdg_scratch counting = {0};
    (void)carve(net, &counting);
    for (size_t i = 0; i < net->rod_count; i++) {
        cdg_rod largest = rod_largest(net->rods[i]);
        counting.bytes += rod_bytes(&largest);
    }
    return counting.bytes;
}

// ---- points ---------------------------------------------------------------------------------------------------------

static void list_members(const cdg_net *net, const net_work *work) {
    size_t *first = work->first_member;
    memset(first, 0, (net->rod_count + 1) * sizeof *first);
    for (size_t m = 0; m < net->member_count; m++) first[net->members[m].rod + 1]++;
    for (size_t r = 0; r < net->rod_count; r++) first[r + 1] += first[r];
    for (size_t j = 0; j < net->joint_count; j++)
        for (size_t m = net->joints[j].first; m < net->joints[j].first + net->joints[j].count; m++) {
            work->joint_of[m] = j;
            work->members_of_rod[first[net->members[m].rod]++] = m;
        }
    for (size_t r = net->rod_count; r > 0; r--) first[r] = first[r - 1];
    first[0] = 0;
}

// Copies get the common target and the weight of all; where one is held, all are.
static void unite_points(const cdg_net *net, const net_work *work) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        size_t count = net->joints[j].count;
        cdg_vec3 sum = vec3(0, 0, 0);
        double weight = 0;
        for (size_t m = 0; m < count && weight < HUGE_VAL; m++) {
            double own = work->steps[members[m].rod].node_weight[members[m].node];
            cdg_vec3 x = rod_vec3(net->rods[members[m].rod]->x_next, members[m].node);
            sum = own < HUGE_VAL ? vec3_mad(sum, own, x) : x;
            weight += own;
        }
        if (weight < HUGE_VAL) sum = vec3_scale(1 / weight, sum);
        for (size_t m = 0; m < count; m++) {
            rod_set_vec3(net->rods[members[m].rod]->x_next, members[m].node, sum);
            work->steps[members[m].rod].node_weight[members[m].node] = weight;
        }
    }
}

// Gauss-Seidel has no use for a stiffness that is negative: the cell of neighbours in a rod goes, and their pair stands
// for all of it.
static void take_cells_away(const cdg_net *net, const net_work *work) {
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        for (int axis = 0; axis < 3 && pair->is_within; axis++)
            work->steps[pair->rod_a].bend_stiffness[axis][pair->node_a] = 0;
    }
}

static void copy_point(pobd_spot from, pobd_spot to) {
    for (size_t k = 0; k < 3; k++) to.first[k * to.stride] = from.first[k * from.stride];
}

// A rod's turn is over: what it shares with others is theirs now.
static void pass_on(const cdg_net *net, const net_work *work, size_t rod) {
    for (size_t i = work->first_member[rod]; i < work->first_member[rod + 1]; i++) {
        size_t from = work->members_of_rod[i];
        const cdg_net_joint *joint = &net->joints[work->joint_of[from]];
        for (size_t m = joint->first; m < joint->first + joint->count; m++)
            if (m != from) copy_point(work->spots[from], work->spots[m]);
    }
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static cdg_quat frame_of(pobd_spot at) {
    return quat_normalize(quat(at.first[0], at.first[at.stride], at.first[2 * at.stride], at.first[3 * at.stride]));
}

static void turn_frame(pobd_spot at, cdg_quat q, cdg_vec3 half_turn) {
    const double root2 = 1.4142135623730951; // what pobd_spot has frames times
    cdg_quat change = quat_multiply(q, quat(0, half_turn.x, half_turn.y, half_turn.z));
    at.first[0] = root2 * (q.w + change.w);
    at.first[at.stride] = root2 * (q.x + change.x);
    at.first[2 * at.stride] = root2 * (q.y + change.y);
    at.first[3 * at.stride] = root2 * (q.z + change.z);
}

static cdg_vec3 strain_before(const cdg_net *net, const cdg_net_pair *pair, bool is_older) {
    const cdg_rod *a = net->rods[pair->rod_a], *b = net->rods[pair->rod_b];
    cdg_quat from = rod_quat(is_older ? a->q_before : a->q, pair->element_a);
    cdg_quat to = rod_quat(is_older ? b->q_before : b->q, pair->element_b);
    return quat_imaginary(cdg_net_pair_error(pair, from, to));
}

static void start_pair(const cdg_net *net, const net_work *work, const cdg_net_pair *pair, pair_work *out) {
    const pobd_step *a = &work->steps[pair->rod_a], *b = &work->steps[pair->rod_b];
    out->a = work->parts.frame(a->solver_scratch, pair->element_a);
    out->b = work->parts.frame(b->solver_scratch, pair->element_b);
    out->weight_a = 1 / a->problem.frame_weight[0][a->problem.has_one_frame_weight ? 0 : pair->element_a];
    out->weight_b = 1 / b->problem.frame_weight[0][b->problem.has_one_frame_weight ? 0 : pair->element_b];
    double damping = pair->damping_time / b->scheme.h;
    const double *own = pair->is_within ? pair->instead : pair->stiffness;
    symmetric3 stiffness = symmetric3_scale(4 * (1 + damping), symmetric3_from(own));
    // No stiffness about some axis: as good as none, so that the inverse exists.
    double least = 1e-12 * symmetric3_trace(stiffness);
    out->compliance = symmetric3_inverse(symmetric3_add_diagonal(stiffness, least));
    out->gain = symmetric3_inverse(symmetric3_add_diagonal(out->compliance, (out->weight_a + out->weight_b) / 4));
    out->mu = vec3(0, 0, 0);
    out->acts = cdg_net_pair_acts(net, pair);
    if (damping > 0) {
        cdg_vec3 before = strain_before(net, pair, false);
        bool has_older = a->scheme.history != 0 && b->scheme.history != 0;
        if (has_older) before = vec3_mad(before, b->scheme.history, vec3_sub(before, strain_before(net, pair, true)));
        out->mu = vec3_scale(-damping / (1 + damping), before);
    }
    cdg_quat error = quat_multiply(quat_conjugate(pair->rest), quat_relative(frame_of(out->a), frame_of(out->b)));
    out->sign = error.w < 0 ? -1 : 1;
}

static void project_pair(const cdg_net_pair *pair, pair_work *work) {
    cdg_quat a = frame_of(work->a), b = frame_of(work->b);
    cdg_quat error = quat_multiply(quat_conjugate(pair->rest), quat_relative(a, b));
    double w = work->sign * error.w;
    cdg_vec3 v = vec3_scale(work->sign, quat_imaginary(error));
    cdg_vec3 y = symmetric3_times(work->gain, vec3_add(v, work->mu));
    work->mu = vec3_sub(work->mu, symmetric3_times(work->compliance, y));
    cdg_vec3 along = vec3_scale(w / 2, y), across = vec3_scale(0.5, vec3_cross(v, y));
    turn_frame(work->b, b, vec3_scale(-work->weight_b / 2, vec3_sub(along, across)));
    turn_frame(work->a, a, vec3_scale(work->weight_a / 2, quat_rotate(pair->rest, vec3_add(along, across))));
}

// ---- the step -------------------------------------------------------------------------------------------------------

// A support at a shared point holds all of it: what the copies of rods without one lack is its load, too.
static void add_reactions(const cdg_net *net, const net_work *work, const cdg_rod_loads *loads) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        cdg_hold *holder = cdg_net_holder(net, j);
        if (holder == NULL) continue;
        for (size_t m = 0; m < net->joints[j].count; m++) {
            const cdg_rod *rod = net->rods[members[m].rod];
            if (cdg_net_position_hold(rod, members[m].node) != NULL) continue;
            const pobd_step *posed = &work->steps[members[m].rod];
            cdg_vec3 missing =
                pobd_missing_force(rod, &posed->problem, posed->scheme, &loads[members[m].rod], members[m].node);
            holder->force = vec3_add(holder->force, missing);
        }
    }
}

cdg_result pobd_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *memory,
                            cdg_rod_step_result *results, size_t *failed, cdg_error *error) {
    assert(memory != NULL);
    cdg_scratch carving = {.next = memory};
    net_work work = carve(net, &carving);
    list_members(net, &work);
    int iterations = 0;
    for (size_t i = 0; i < net->rod_count; i++) {
        char *own = cdg_scratch_take(&carving, rod_bytes(net->rods[i]));
        pobd_pose(net->rods[i], step, &loads[i], own, &work.steps[i]);
        work.steps[i].problem.is_joined = true;
        if (work.steps[i].problem.iterations > iterations) iterations = work.steps[i].problem.iterations;
    }
    unite_points(net, &work);
    take_cells_away(net, &work);
    for (size_t i = 0; i < net->rod_count; i++) work.parts.begin(&work.steps[i].problem, work.steps[i].solver_scratch);
    for (size_t m = 0; m < net->member_count; m++)
        work.spots[m] = work.parts.node(work.steps[net->members[m].rod].solver_scratch, net->members[m].node);
    for (size_t k = 0; k < net->pair_count; k++) start_pair(net, &work, &net->pairs[k], &work.pairs[k]);

    for (int iteration = 0; iteration < iterations; iteration++) {
        for (size_t k = 0; k < net->pair_count; k++)
            if (work.pairs[k].acts) project_pair(&net->pairs[k], &work.pairs[k]);
        for (size_t i = 0; i < net->rod_count; i++) {
            work.parts.iterate(work.steps[i].solver_scratch, iteration + 1 == iterations);
            pass_on(net, &work, i);
        }
    }

    for (size_t i = 0; i < net->rod_count; i++) {
        pobd_outcome outcome = {.iterations = iterations};
        work.parts.end(work.steps[i].solver_scratch, &outcome);
        pobd_keep_multipliers(&work.parts, &work.steps[i]);
        cdg_result result = pobd_conclude(net->rods[i], step, &loads[i], &work.steps[i], &outcome, &results[i], error);
        if (result != CDG_OK) {
            *failed = i;
            return result;
        }
    }
    add_reactions(net, &work, loads);
    return CDG_OK;
}
