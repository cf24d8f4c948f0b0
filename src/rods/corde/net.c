// Joined corde rods (net.h; Spillmann and Teschner, Cosserat Nets, section VI): the rods take the same sub-steps at the
// same time. Torques of the joints' pairs of segments act on the elements as loads do, and after every change of the
// nodes' velocities the copies of a shared point get the mean by mass, which is the velocity of one point under the
// forces of all. Both keep linear and angular momentum to rounding.
//
// Friction of a pair, Kelvin-Voigt: with the rate u of 2 v (net.h) the moment m gets tau K u more. Taken at the present
// rates that would be stable only for tiny steps. So it is F u with
//   F = ((tau K)^-1 + h S)^-1,   S = sum over both frames of (n + 1) W,
// W the frame's inverse inertia (constraint: across the tangent that of its nodes) and n the number of pairs it is in:
// as if each pair alone were solved implicitly, with the inertia shared out among all of them and the cells, so that
// they cannot overshoot together. In rigid motion u is zero.
#include "rods/corde/corde.h"
#include "rods/corde/options.h"

#include "base/error.h"
#include "base/scratch.h"
#include "math/quat.h"
#include "math/symmetric3.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool corde_supports_joints(const cdg_rod *rod) {
    (void)rod;
    return true;
}

// ---- stability ------------------------------------------------------------------------------------------------------

// What pairs add to the row sums of corde/stability.c, for one rod after the other in two arrays.
typedef struct net_sums {
    double *on_frames, *on_nodes;
    size_t *first_element, *first_node; // of each rod
} net_sums;

static size_t far_node(const cdg_rod *rod, size_t element, bool is_first) {
    return is_first ? element : rod_next_node(rod, element);
}

static void add_pair(const cdg_net *net, const cdg_net_pair *pair, const net_sums *sums) {
    double largest = symmetric3_bound(symmetric3_from(pair->stiffness));
    const uint32_t rods[2] = {pair->rod_a, pair->rod_b};
    const size_t elements[2] = {pair->element_a, pair->element_b};
    double slopes = 0; // what the turns of both segments by nodes' displacements sum up to, 1/m
    for (int side = 0; side < 2; side++) slopes += 2 / net->rods[rods[side]]->rest_length[elements[side]];
    for (int side = 0; side < 2; side++) {
        const cdg_rod *rod = net->rods[rods[side]];
        sums->on_frames[sums->first_element[rods[side]] + elements[side]] += largest;
        for (int end = 0; end < 2; end++) {
            size_t node = sums->first_node[rods[side]] + far_node(rod, elements[side], end == 0);
            sums->on_nodes[node] += largest * slopes / rod->rest_length[elements[side]]; // N/m
        }
    }
}

// Forces on the copies of a point move all of them; then over masses.
static void finish_nodes(const cdg_net *net, const net_sums *sums, double *masses) {
    for (size_t r = 0; r < net->rod_count; r++)
        memcpy(masses + sums->first_node[r], net->rods[r]->node_mass, net->rods[r]->node_count * sizeof *masses);
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        double sum = 0, mass = 0;
        for (size_t m = 0; m < net->joints[j].count; m++) {
            size_t node = sums->first_node[members[m].rod] + members[m].node;
            sum += sums->on_nodes[node];
            mass += masses[node];
        }
        for (size_t m = 0; m < net->joints[j].count; m++) {
            size_t node = sums->first_node[members[m].rod] + members[m].node;
            sums->on_nodes[node] = sum;
            masses[node] = mass;
        }
    }
    for (size_t r = 0; r < net->rod_count; r++)
        for (size_t i = 0; i < net->rods[r]->node_count; i++)
            sums->on_nodes[sums->first_node[r] + i] /= masses[sums->first_node[r] + i];
}

// Memory for the sums, of as many nodes and elements as the rods may have: the net's plan.
typedef struct net_plan {
    net_sums sums;
    double *masses;
} net_plan;

static void free_plan(void *plan) { free(plan); }

static net_plan *make_plan(const cdg_net *net) {
    size_t elements = 0, nodes = 0, rods = net->rod_count;
    for (size_t r = 0; r < rods; r++) {
        elements += net->rods[r]->element_capacity;
        nodes += net->rods[r]->node_capacity;
    }
    net_plan *plan = malloc(sizeof *plan + (elements + 2 * nodes) * sizeof(double) + 2 * rods * sizeof(size_t));
    if (plan == NULL) return NULL;
    plan->masses = (double *)(plan + 1);
    plan->sums.on_nodes = plan->masses + nodes;
    plan->sums.on_frames = plan->sums.on_nodes + nodes;
    plan->sums.first_element = (size_t *)(plan->sums.on_frames + elements);
    plan->sums.first_node = plan->sums.first_element + rods;
    return plan;
}

void corde_settle_net(const cdg_net *net) {
    const net_plan *plan = net->plan;
    const net_sums *sums = &plan->sums;
    size_t elements = 0, nodes = 0;
    for (size_t r = 0; r < net->rod_count; r++) {
        sums->first_element[r] = elements, sums->first_node[r] = nodes;
        elements += net->rods[r]->element_count, nodes += net->rods[r]->node_count;
    }
    memset(sums->on_frames, 0, elements * sizeof *sums->on_frames);
    memset(sums->on_nodes, 0, nodes * sizeof *sums->on_nodes);
    for (size_t k = 0; k < net->pair_count; k++) // the rods' own cells are counted whole
        if (!net->pairs[k].is_within) add_pair(net, &net->pairs[k], sums);
    finish_nodes(net, sums, plan->masses);
    for (size_t r = 0; r < net->rod_count; r++) {
        corde_limits limits = corde_find_limits_with(net->rods[r], sums->on_frames + sums->first_element[r],
                                                     sums->on_nodes + sums->first_node[r]);
        net->rods[r]->node_step_limit = limits.nodes;
        net->rods[r]->frame_step_limit = limits.frames;
        net->rods[r]->spin_step_limit = limits.spins;
    }
}

cdg_result corde_prepare_net(cdg_net *net, cdg_error *error) {
    net->plan = make_plan(net);
    net->free_plan = free_plan;
    if (net->plan == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a net of %zu rods", net->rod_count);
    corde_settle_net(net);
    return CDG_OK;
}

// ---- scratch --------------------------------------------------------------------------------------------------------

typedef struct segment_work {
    cdg_quat frame;
    cdg_vec3 spin;   // rad/s, material axes; with friction only
    cdg_vec3 torque; // N m, of all its pairs
    cdg_vec3 given;  // N m, the load torque, to which that of pairs is added
} segment_work;

typedef struct net_work {
    corde_memory *memory; // of each rod, as are the next three
    corde_state *from, *to;
    corde_substep *steps;
    segment_work *segments; // of each segment
    symmetric3 *friction;   // F of each pair
    cdg_vec3 *given;        // N, of each member: the load force on its node
    bool has_friction;
} net_work;

static bool has_pair_friction(const cdg_net *net) {
    for (size_t k = 0; k < net->pair_count; k++)
        if (net->pairs[k].damping_time > 0) return true;
    return false;
}

static net_work carve(const cdg_net *net, cdg_scratch *s) {
    net_work work = {.has_friction = has_pair_friction(net)};
    work.memory = cdg_scratch_take(s, net->rod_count * sizeof *work.memory);
    work.from = cdg_scratch_take(s, net->rod_count * sizeof *work.from);
    work.to = cdg_scratch_take(s, net->rod_count * sizeof *work.to);
    work.steps = cdg_scratch_take(s, net->rod_count * sizeof *work.steps);
    work.segments = cdg_scratch_take(s, net->segment_count * sizeof *work.segments);
    work.friction = cdg_scratch_take(s, work.has_friction ? net->pair_count * sizeof *work.friction : 0);
    work.given = cdg_scratch_take(s, net->member_count * sizeof *work.given);
    for (size_t r = 0; r < net->rod_count; r++) {
        cdg_rod largest = rod_largest(net->rods[r]);
        void *memory = cdg_scratch_take(s, corde_memory_bytes(&largest, true));
        if (memory != NULL) work.memory[r] = corde_memory_carve(net->rods[r], true, memory);
    }
    return work;
}

size_t corde_net_scratch_size(const cdg_net *net) {
    cdg_scratch counting = {0};
    carve(net, &counting);
    return counting.bytes;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Inverse inertia of an element's frame, material axes, 1/(kg m^2).
static cdg_vec3 inverse_inertia(const cdg_rod *rod, size_t element) {
    double l = rod->rest_length[element];
    size_t at = element * rod->section_stride;
    double axial = 1 / (l * rod->frame_inertia[2][at]);
    if (!corde_is_constraint(rod))
        return vec3(1 / (l * rod->frame_inertia[0][at]), 1 / (l * rod->frame_inertia[1][at]), axial);
    double across = (1 / rod->node_mass[element] + 1 / rod->node_mass[rod_next_node(rod, element)]) / (l * l);
    return vec3(across, across, axial);
}

static void set_friction(const cdg_net *net, const net_work *work, double substep) {
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        work->friction[k] = (symmetric3){0};
        if (!(pair->damping_time > 0) || pair->is_within) continue; // cells of rods have friction of their own
        double share_a = substep * (1 + net->segments[pair->segment_a].pair_count);
        double share_b = substep * (1 + net->segments[pair->segment_b].pair_count);
        cdg_vec3 a = inverse_inertia(net->rods[pair->rod_a], pair->element_a);
        cdg_vec3 b = inverse_inertia(net->rods[pair->rod_b], pair->element_b);
        symmetric3 damping = symmetric3_scale(pair->damping_time, symmetric3_from(pair->stiffness));
        damping = symmetric3_add_diagonal(damping, 1e-12 * symmetric3_trace(damping)); // so that the inverse exists
        symmetric3 sum = symmetric3_add(symmetric3_inverse(damping), symmetric3_diagonal(vec3_scale(share_b, b)));
        sum = symmetric3_add_outer(sum, share_a * a.x, quat_rotate_inverse(pair->rest, vec3(1, 0, 0)));
        sum = symmetric3_add_outer(sum, share_a * a.y, quat_rotate_inverse(pair->rest, vec3(0, 1, 0)));
        sum = symmetric3_add_outer(sum, share_a * a.z, quat_rotate_inverse(pair->rest, vec3(0, 0, 1)));
        work->friction[k] = symmetric3_inverse(sum);
    }
}

// The rate u, in the axes of b.
static cdg_vec3 pair_rate(const cdg_net_pair *pair, cdg_quat e, cdg_vec3 spin_a, cdg_vec3 spin_b) {
    cdg_vec3 a = quat_rotate_inverse(pair->rest, spin_a);
    return vec3_mad(vec3_cross(quat_imaginary(e), vec3_add(spin_b, a)), e.w, vec3_sub(spin_b, a));
}

static void keep_loads(const cdg_net *net, const cdg_rod_loads *loads, const net_work *work) {
    for (size_t i = 0; i < net->segment_count; i++)
        work->segments[i].given = rod_vec3(loads[net->segments[i].rod].torque, net->segments[i].element);
    for (size_t m = 0; m < net->member_count; m++)
        work->given[m] = rod_vec3(loads[net->members[m].rod].force, net->members[m].node);
}

static void restore_torques(const cdg_net *net, const cdg_rod_loads *loads, const net_work *work) {
    for (size_t i = 0; i < net->segment_count; i++)
        rod_set_vec3(loads[net->segments[i].rod].torque, net->segments[i].element, work->segments[i].given);
}

static void restore_forces(const cdg_net *net, const cdg_rod_loads *loads, const net_work *work) {
    for (size_t m = 0; m < net->member_count; m++)
        rod_set_vec3(loads[net->members[m].rod].force, net->members[m].node, work->given[m]);
}

static void load_pairs(const cdg_net *net, const cdg_rod_loads *loads, const net_work *work) {
    segment_work *segments = work->segments;
    for (size_t i = 0; i < net->segment_count; i++) {
        const corde_state *at = &work->from[net->segments[i].rod];
        segments[i].frame = rod_quat(at->q, net->segments[i].element);
        if (work->has_friction) segments[i].spin = rod_vec3(at->w, net->segments[i].element);
        segments[i].torque = segments[i].given;
    }
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        if (!cdg_net_pair_acts(net, pair)) continue;
        segment_work *a = &segments[pair->segment_a], *b = &segments[pair->segment_b];
        cdg_quat e = cdg_net_pair_error(pair, a->frame, b->frame);
        cdg_vec3 m = vec3_scale(2, cdg_net_pair_times(pair->stiffness, quat_imaginary(e)));
        if (work->has_friction)
            m = vec3_add(m, symmetric3_times(work->friction[k], pair_rate(pair, e, a->spin, b->spin)));
        cdg_net_torques torques = cdg_net_torques_of(pair, e, m);
        a->torque = vec3_add(a->torque, torques.on_a);
        b->torque = vec3_add(b->torque, torques.on_b);
    }
    for (size_t i = 0; i < net->segment_count; i++)
        rod_set_vec3(loads[net->segments[i].rod].torque, net->segments[i].element, segments[i].torque);
}

// ---- points ---------------------------------------------------------------------------------------------------------

static cdg_vec3 held_velocity(const cdg_net *net, const net_work *work, size_t joint, const cdg_hold *hold,
                              cdg_vec3 *position) {
    const cdg_net_member *member = &net->members[net->joints[joint].first];
    size_t m = 0;
    while (cdg_net_position_hold(net->rods[member[m].rod], member[m].node) != hold) m++;
    const corde_substep *s = &work->steps[member[m].rod];
    *position = corde_held_position(net->rods[member[m].rod], hold, s->done);
    return vec3_scale(1 / s->step, vec3_sub(*position, rod_vec3(s->from->x, member[m].node)));
}

// Friction looks ahead to the velocities at the end of the sub-step, rod by rod: each copy then needs the force that
// the others exert on it, or a net at rest would seem to move. They are as large as makes all accelerations alike.
static void load_points(const cdg_net *net, const cdg_rod_loads *loads, const net_work *work) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        const cdg_vec3 *given = work->given + net->joints[j].first;
        cdg_vec3 sum = vec3(0, 0, 0), position;
        double mass = 0;
        for (size_t m = 0; m < net->joints[j].count; m++) {
            cdg_vec3 inner = corde_inner_force(&work->memory[members[m].rod].work, members[m].node);
            sum = vec3_add(sum, vec3_add(given[m], inner));
            mass += net->rods[members[m].rod]->node_mass[members[m].node];
        }
        cdg_vec3 acceleration = vec3_scale(1 / mass, sum);
        const cdg_hold *hold = cdg_net_holder(net, j);
        if (hold != NULL) {
            const corde_substep *s = &work->steps[members[0].rod];
            cdg_vec3 wanted = vec3_scale(1 / s->slow, held_velocity(net, work, j, hold, &position));
            acceleration = vec3_scale(1 / s->kick, vec3_sub(wanted, rod_vec3(s->from->v, members[0].node)));
        }
        for (size_t m = 0; m < net->joints[j].count; m++) {
            const cdg_rod *rod = net->rods[members[m].rod];
            cdg_vec3 inner = corde_inner_force(&work->memory[members[m].rod].work, members[m].node);
            cdg_vec3 wanted = vec3_scale(rod->node_mass[members[m].node], acceleration);
            rod_set_vec3(loads[members[m].rod].force, members[m].node, vec3_sub(wanted, inner));
        }
    }
}

// One velocity for all copies; `moves`: and one position, reached with it.
static void merge_points(const cdg_net *net, const net_work *work, bool moves) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        const corde_substep *first = &work->steps[members[0].rod];
        cdg_vec3 velocity, position, momentum = vec3(0, 0, 0);
        double mass = 0;
        const cdg_hold *hold = cdg_net_holder(net, j);
        if (hold != NULL) {
            velocity = held_velocity(net, work, j, hold, &position);
        } else {
            for (size_t m = 0; m < net->joints[j].count; m++) {
                double own = net->rods[members[m].rod]->node_mass[members[m].node];
                momentum = vec3_mad(momentum, own, rod_vec3(work->to[members[m].rod].v, members[m].node));
                mass += own;
            }
            velocity = vec3_scale(1 / mass, momentum);
            position = vec3_mad(rod_vec3(first->from->x, members[0].node), first->step, velocity);
        }
        for (size_t m = 0; m < net->joints[j].count; m++) {
            rod_set_vec3(work->to[members[m].rod].v, members[m].node, velocity);
            if (moves) rod_set_vec3(work->to[members[m].rod].x, members[m].node, position);
        }
    }
}

// A support at a shared point holds all of it: what the copies of rods without one lack is its load, too.
static void add_reactions(const cdg_net *net, const net_work *work, const cdg_rod_loads *loads, double weight) {
    for (size_t j = 0; j < net->joint_count; j++) {
        cdg_hold *holder = cdg_net_holder(net, j);
        if (holder == NULL) continue;
        const cdg_net_member *members = &net->members[net->joints[j].first];
        for (size_t m = 0; m < net->joints[j].count; m++) {
            uint32_t r = members[m].rod;
            if (cdg_net_position_hold(net->rods[r], members[m].node) != NULL) continue;
            cdg_vec3 missing =
                corde_missing_force(net->rods[r], &work->memory[r], &work->steps[r], &loads[r], members[m].node);
            holder->force = vec3_mad(holder->force, weight, missing);
        }
    }
}

// ---- the step -------------------------------------------------------------------------------------------------------

// What one sub-step of all rods found out. The first rod that something is wrong with counts.
typedef struct net_failure {
    size_t rod; // SIZE_MAX: none
    cdg_result result;
    bool is_told; // in a sentence
} net_failure;

static void note(net_failure *failure, size_t rod, bool is_finite) {
    if (!is_finite && failure->rod == SIZE_MAX) *failure = (net_failure){rod, CDG_ERROR_NOT_FINITE, false};
}

static void do_substep(const cdg_net *net, const net_work *work, const cdg_rod_loads *loads, double weight,
                       net_failure *failure, cdg_error *error) {
    bool rubs = false;
    load_pairs(net, loads, work);
    for (size_t r = 0; r < net->rod_count; r++) {
        note(failure, r, corde_elastic(net->rods[r], &work->memory[r], &work->steps[r], &loads[r], weight, true));
        rubs = rubs || corde_has_friction(net->rods[r]);
    }
    if (rubs) {
        load_points(net, loads, work);
        for (size_t r = 0; r < net->rod_count; r++) {
            bool is_finite = true;
            cdg_result result =
                corde_rub(net->rods[r], &work->memory[r], &work->steps[r], &loads[r], weight, &is_finite, error);
            note(failure, r, is_finite);
            if (result != CDG_OK) {
                *failure = (net_failure){r, result, true};
                return;
            }
        }
        restore_forces(net, loads, work);
    }
    for (size_t r = 0; r < net->rod_count; r++)
        note(failure, r, corde_move(net->rods[r], &work->memory[r], &work->steps[r], &loads[r]));
    merge_points(net, work, true);
    bool follows = false;
    for (size_t r = 0; r < net->rod_count; r++) {
        if (!corde_is_constraint(net->rods[r])) continue;
        follows = true;
        corde_spin(net->rods[r], &work->memory[r], &work->steps[r]);
    }
    if (follows) merge_points(net, work, true);
    for (size_t r = 0; r < net->rod_count && follows; r++) {
        if (!corde_is_constraint(net->rods[r])) continue;
        note(failure, r, corde_follow(net->rods[r], &work->memory[r], &work->steps[r]));
    }
    if (follows) merge_points(net, work, false);
    for (size_t r = 0; r < net->rod_count; r++)
        corde_react(net->rods[r], &work->memory[r], &work->steps[r], &loads[r], weight);
    add_reactions(net, work, loads, weight);
}

static cdg_result choose_substeps(const cdg_net *net, double step, double *needed, size_t *failed, cdg_error *error) {
    *needed = 1;
    for (size_t r = 0; r < net->rod_count; r++) {
        double own;
        cdg_result result = corde_choose_substeps(net->rods[r], step, &own, error);
        *failed = r;
        if (result != CDG_OK) return result;
        if (own > *needed) *needed = own;
    }
    return CDG_OK;
}

// One for all rods, which have taken the same sub-steps since they are joined.
static double first_kick(const cdg_net *net, double part) {
    for (size_t r = 1; r < net->rod_count; r++)
        if (net->rods[r]->history_step != net->rods[0]->history_step) return part;
    return corde_first_kick(net->rods[0], part);
}

static void begin_substep(const cdg_net *net, const net_work *work, double step, int count, int i, bool *is_squeezed,
                          bool *is_turned) {
    double part = step / count, kick = i == 0 ? first_kick(net, part) : part;
    for (size_t r = 0; r < net->rod_count; r++) {
        cdg_rod *rod = net->rods[r];
        bool is_spare = (count - 1 - i) % 2 != 0;
        work->to[r] =
            is_spare ? work->memory[r].spare : corde_state_of(rod->x_next, rod->v_next, rod->q_next, rod->w_next);
        work->steps[r] = (corde_substep){.step = part,
                                         .kick = kick,
                                         .slow = 1 / (1 + rod->drag_rate * kick),
                                         .done = i + 1 == count ? 1 : (i + 1) / (double)count,
                                         .from = &work->from[r],
                                         .to = &work->to[r],
                                         .ahead = 1,
                                         .watched = corde_watched(rod, part),
                                         .squeezed = is_squeezed,
                                         .least_cosine = corde_least_cosine,
                                         .turned = is_turned};
        corde_pairs_collect(rod, step, i / (double)count, &work->memory[r].pairs);
    }
}

static bool is_crushed(const cdg_net *net, const net_work *work) {
    for (size_t r = 0; r < net->rod_count; r++)
        if (corde_is_crushed(net->rods[r], &work->steps[r])) return true;
    return false;
}

// The step in `count` sub-steps; false when an element is crushed on the way (corde/corde.c: predict).
static bool take_substeps(const cdg_net *net, const net_work *work, double step, int count, bool may_divide,
                          const cdg_rod_loads *loads, net_failure *failure, cdg_error *error) {
    bool is_squeezed = false, is_turned = false;
    if (work->has_friction) set_friction(net, work, fmax(step / count, first_kick(net, step / count)));
    for (size_t r = 0; r < net->rod_count; r++) {
        cdg_rod *rod = net->rods[r];
        for (size_t h = 0; h < rod->hold_count; h++) rod->holds[h].force = rod->holds[h].moment = vec3(0, 0, 0);
        work->from[r] = corde_state_of(rod->x, rod->v, rod->q, rod->w);
    }
    for (int i = 0; i < count && failure->rod == SIZE_MAX; i++) {
        begin_substep(net, work, step, count, i, &is_squeezed, &is_turned);
        do_substep(net, work, loads, 1.0 / count, failure, error);
        if (may_divide && (is_turned || (is_squeezed && is_crushed(net, work)))) return false;
        memcpy(work->from, work->to, net->rod_count * sizeof *work->from);
    }
    return true;
}

static bool chooses_substeps(const cdg_net *net) {
    for (size_t r = 0; r < net->rod_count; r++)
        if (corde_options(net->rods[r])->substeps != 0) return false;
    return true;
}

cdg_result corde_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *memory,
                             cdg_rod_step_result *results, size_t *failed, cdg_error *error) {
    assert(memory != NULL);
    cdg_scratch carving = {.next = memory};
    net_work work = carve(net, &carving);
    double needed;
    cdg_result result = choose_substeps(net, step, &needed, failed, error);
    if (result != CDG_OK) return result;
    keep_loads(net, loads, &work);
    net_failure failure = {SIZE_MAX, CDG_OK, false};
    int count = (int)needed;
    bool may_divide = chooses_substeps(net);
    while (!take_substeps(net, &work, step, count, may_divide && count <= CORDE_SUBSTEPS_MAX / 2, loads, &failure,
                          error)) {
        restore_torques(net, loads, &work);
        failure = (net_failure){SIZE_MAX, CDG_OK, false};
        count *= 2;
    }
    for (size_t r = 0; r < net->rod_count; r++) {
        results[r] = (cdg_rod_step_result){.iterations = count};
        corde_calm(net->rods[r], step, count);
    }
    restore_torques(net, loads, &work);
    if (failure.rod == SIZE_MAX) return CDG_OK;
    restore_forces(net, loads, &work);
    *failed = failure.rod;
    return failure.is_told ? failure.result : corde_fail_not_finite(net->rods[failure.rod], step / count, error);
}
