// Building nets from joints, and what their joints do (net.h).
#include "rods/net.h"

#include "base/error.h"
#include "math/quat.h"
#include "rods/net_pairs.h"

#include <stdlib.h>
#include <string.h>

// Nodes farther apart than this share of a segment are not meant to be one point.
static const double apart_limit = 1e-3;

cdg_net_member cdg_net_member_of(const cdg_rod *rod, uint32_t number, size_t node) {
    cdg_net_member member = {.rod = number, .node = node, .defined = node, .left = {1, 0, 0, 0}, .right = {1, 0, 0, 0}};
    if (node >= rod_user_node_count(rod)) return member; // refused by cdg_net_build
    node = member.node = rod_user_node(rod, node);
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    if (left != SIZE_MAX) member.left = rod_quat(rod->q, left);
    if (right != SIZE_MAX) member.right = rod_quat(rod->q, right);
    return member;
}

// ---- joints ---------------------------------------------------------------------------------------------------------

static cdg_result check_member(cdg_rod *const *rods, size_t rod_count, const cdg_net_member *member, cdg_error *error) {
    if (member->rod >= rod_count) return cdg_fail(error, CDG_ERROR_ARGUMENT, "a joint names a rod that is not there");
    const cdg_rod *rod = rods[member->rod];
    if (member->defined >= rod_user_node_count(rod) || member->node >= rod->node_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a joint names node %zu of rod '%s', which has %zu nodes",
                        member->node, rod->name, rod_user_node_count(rod));
    return CDG_OK;
}

static double segment_at(const cdg_rod *rod, size_t node) {
    size_t right = rod_right_element(rod, node);
    return rod->rest_length[right != SIZE_MAX ? right : rod_left_element(rod, node)];
}

static cdg_result check_joined(cdg_rod *const *rods, const cdg_net_member *a, const cdg_net_member *b,
                               cdg_error *error) {
    const cdg_rod *rod_a = rods[a->rod], *rod_b = rods[b->rod];
    double distance = vec3_distance(rod_vec3(rod_a->x, a->node), rod_vec3(rod_b->x, b->node));
    double limit = apart_limit * fmin(segment_at(rod_a, a->node), segment_at(rod_b, b->node));
    if (distance <= limit) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "node %zu of rod '%s' and node %zu of rod '%s' are %.3g m apart and cannot be joined; move one rod "
                    "so that they meet, or join it at a place such as '%s.along(30 %%)'",
                    a->defined, rod_a->name, b->defined, rod_b->name, distance, rod_a->name);
}

// All members of all joints have the number of the joint they belong to; joints that share a node get one number.

static int compare_nodes(const void *left, const void *right) {
    const cdg_net_asked *a = left, *b = right;
    if (a->member.rod != b->member.rod) return a->member.rod < b->member.rod ? -1 : 1;
    if (a->member.node != b->member.node) return a->member.node < b->member.node ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_joints(const void *left, const void *right) {
    const cdg_net_asked *a = left, *b = right;
    if (a->joint != b->joint) return a->joint < b->joint ? -1 : 1;
    return compare_nodes(left, right);
}

static size_t find_root(size_t *parent, size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Joints whose members include the same node are one: union by the lower number.
static void unite(cdg_net_asked *members, size_t count, size_t *parent) {
    qsort(members, count, sizeof *members, compare_nodes);
    for (size_t i = 1; i < count; i++) {
        const cdg_net_asked *a = &members[i - 1], *b = &members[i];
        if (a->member.rod != b->member.rod || a->member.node != b->member.node) continue;
        size_t x = find_root(parent, a->joint), y = find_root(parent, b->joint);
        if (x < y)
            parent[y] = x;
        else
            parent[x] = y;
    }
    for (size_t i = 0; i < count; i++) members[i].joint = find_root(parent, members[i].joint);
    qsort(members, count, sizeof *members, compare_joints);
}

// ---- segments -------------------------------------------------------------------------------------------------------

typedef struct pair_end {
    uint32_t rod, pair;
    size_t element;
    bool is_b;
} pair_end;

static int compare_ends(const void *left, const void *right) {
    const pair_end *a = left, *b = right;
    if (a->rod != b->rod) return a->rod < b->rod ? -1 : 1;
    if (a->element != b->element) return a->element < b->element ? -1 : 1;
    if (a->pair != b->pair) return a->pair < b->pair ? -1 : 1;
    return (int)a->is_b - (int)b->is_b;
}

static cdg_result list_segments(cdg_net *net, cdg_error *error) {
    size_t count = 2 * net->pair_count;
    pair_end *ends = calloc(count + 1, sizeof *ends);
    net->segments = calloc(count + 1, sizeof *net->segments);
    if (ends == NULL || net->segments == NULL) {
        free(ends);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a net of %zu rods", net->rod_count);
    }
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        ends[2 * k] = (pair_end){pair->rod_a, (uint32_t)k, pair->element_a, false};
        ends[2 * k + 1] = (pair_end){pair->rod_b, (uint32_t)k, pair->element_b, true};
    }
    qsort(ends, count, sizeof *ends, compare_ends);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || ends[i].rod != ends[i - 1].rod || ends[i].element != ends[i - 1].element)
            net->segments[net->segment_count++] = (cdg_net_segment){.rod = ends[i].rod, .element = ends[i].element};
        uint32_t index = (uint32_t)(net->segment_count - 1);
        cdg_net_pair *pair = &net->pairs[ends[i].pair];
        if (!pair->is_within) net->segments[index].pair_count++;
        if (ends[i].is_b)
            pair->segment_b = index;
        else
            pair->segment_a = index;
    }
    free(ends);
    return CDG_OK;
}

// ---- building -------------------------------------------------------------------------------------------------------

static cdg_result check_stiffness(const cdg_net_joint_def *def, cdg_error *error) {
    for (int k = 0; k < 3 && def->has_axes; k++)
        if (!(def->axes[k] >= 0))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "the stiffness of a joint about its axis %d is %g N m; it is not negative, and infinite "
                            "where the joint is rigid",
                            k + 1, def->axes[k]);
    if (!def->has_axes && !(def->stiffness >= 0 && isfinite(def->stiffness)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "the stiffness of a joint is %g; it is a factor, 1 as within a rod, and not negative",
                        def->stiffness);
    return CDG_OK;
}

static cdg_result collect(cdg_rod *const *rods, size_t rod_count, const cdg_net_joint_def *joints, size_t joint_count,
                          cdg_net_asked *members, cdg_error *error) {
    size_t count = 0;
    for (size_t j = 0; j < joint_count; j++) {
        cdg_result stiffness = check_stiffness(&joints[j], error);
        if (stiffness != CDG_OK) return stiffness;
        if (joints[j].count < 2)
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "a joint needs at least two nodes, not %zu", joints[j].count);
        for (size_t m = 0; m < joints[j].count; m++) {
            cdg_result result = check_member(rods, rod_count, &joints[j].members[m], error);
            if (result == CDG_OK && m > 0)
                result = check_joined(rods, &joints[j].members[0], &joints[j].members[m], error);
            if (result != CDG_OK) return result;
            members[count] = (cdg_net_asked){joints[j].members[m], j, j, count, 0, &joints[j]};
            count++;
        }
    }
    return CDG_OK;
}

// Joints and their members without repetitions.
static void lay_out(cdg_net *net, const cdg_net_request *asked, size_t count) {
    cdg_net_asked *members = asked->items;
    for (size_t i = 0; i < count; i++) {
        bool is_new_joint = i == 0 || members[i].joint != members[i - 1].joint;
        bool is_repeated = !is_new_joint && members[i].member.rod == members[i - 1].member.rod &&
                           members[i].member.node == members[i - 1].member.node;
        members[i].index = net->member_count - (is_repeated ? 1 : 0);
        if (is_repeated) continue;
        if (is_new_joint) net->joints[net->joint_count++] = (cdg_net_joint){net->member_count, 0};
        asked->first[net->member_count] = i;
        net->members[net->member_count++] = members[i].member;
        net->joints[net->joint_count - 1].count++;
    }
    asked->first[net->member_count] = count;
}

// One position for all copies from the start.
static void settle(const cdg_net *net) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *first = &net->members[net->joints[j].first];
        cdg_vec3 position = rod_vec3(net->rods[first->rod]->x, first->node);
        for (size_t m = 1; m < net->joints[j].count; m++)
            rod_set_vec3(net->rods[first[m].rod]->x, first[m].node, position);
    }
}

static cdg_result fill(cdg_net *net, const cdg_net_joint_def *joints, size_t joint_count, const cdg_net_request *asked,
                       size_t asked_count, size_t *parent, cdg_error *error) {
    cdg_result result = collect(net->rods, net->rod_count, joints, joint_count, asked->items, error);
    if (result != CDG_OK) return result;
    for (size_t j = 0; j < joint_count; j++) parent[j] = j;
    unite(asked->items, asked_count, parent);
    lay_out(net, asked, asked_count);
    size_t pair_count = 0;
    for (size_t j = 0; j < net->joint_count; j++) pair_count += cdg_net_pairs_bound(net, j);
    net->pairs = calloc(pair_count + 1, sizeof *net->pairs);
    if (net->pairs == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a net of %zu rods", net->rod_count);
    for (size_t j = 0; j < net->joint_count; j++) {
        size_t count;
        result = cdg_net_pairs_find(net, j, asked, net->pairs + net->pair_count, &count, error);
        if (result != CDG_OK) return result;
        net->pair_count += count;
    }
    settle(net);
    return list_segments(net, error);
}

cdg_result cdg_net_build(cdg_rod *const *rods, size_t rod_count, const cdg_net_joint_def *joints, size_t joint_count,
                         cdg_net **out, cdg_error *error) {
    size_t member_count = 0;
    for (size_t j = 0; j < joint_count; j++) member_count += joints[j].count;
    cdg_net *net = calloc(1, sizeof *net);
    cdg_net_request asked = {calloc(member_count + 1, sizeof *asked.items),
                             calloc(member_count + 1, sizeof *asked.first),
                             calloc(member_count + 1, sizeof *asked.reach)};
    size_t *parent = calloc(joint_count + 1, sizeof *parent);
    if (net != NULL) {
        net->rods = calloc(rod_count + 1, sizeof(cdg_rod *));
        net->joints = calloc(joint_count + 1, sizeof *net->joints);
        net->members = calloc(member_count + 1, sizeof *net->members);
    }
    cdg_result result;
    bool has_memory = asked.items != NULL && asked.first != NULL && asked.reach != NULL && parent != NULL;
    if (has_memory && net != NULL && net->rods != NULL && net->joints != NULL && net->members != NULL) {
        memcpy(net->rods, rods, rod_count * sizeof *rods);
        net->rod_count = rod_count;
        result = fill(net, joints, joint_count, &asked, member_count, parent, error);
    } else {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a net of %zu rods", rod_count);
    }
    free(asked.items);
    free(asked.first);
    free(asked.reach);
    free(parent);
    if (result != CDG_OK) {
        cdg_net_destroy(net);
        return result;
    }
    *out = net;
    return CDG_OK;
}

static size_t element_at(const cdg_net *net, const cdg_net_end *end) {
    const cdg_net_member *member = &net->members[end->member];
    const cdg_rod *rod = net->rods[member->rod];
    return end->is_after ? rod_right_element(rod, member->node) : rod_left_element(rod, member->node);
}

void cdg_net_renumber(cdg_net *net) {
    for (size_t m = 0; m < net->member_count; m++)
        net->members[m].node = rod_user_node(net->rods[net->members[m].rod], net->members[m].defined);
    for (size_t k = 0; k < net->pair_count; k++) {
        cdg_net_pair *pair = &net->pairs[k];
        pair->element_a = net->segments[pair->segment_a].element = element_at(net, &pair->end_a);
        pair->element_b = net->segments[pair->segment_b].element = element_at(net, &pair->end_b);
        pair->node_a = net->members[pair->end_a.member].node;
        pair->node_b = net->members[pair->end_b.member].node;
    }
}

void cdg_net_destroy(cdg_net *net) {
    if (net == NULL) return;
    if (net->plan != NULL) net->free_plan(net->plan);
    free(net->rods);
    free(net->joints);
    free(net->members);
    free(net->pairs);
    free(net->segments);
    free(net);
}

// ---- what joints do -------------------------------------------------------------------------------------------------

double cdg_net_pair_energy(const cdg_net_pair *pair, cdg_quat a, cdg_quat b) {
    cdg_vec3 v = quat_imaginary(cdg_net_pair_error(pair, a, b));
    return 2 * vec3_dot(v, cdg_net_pair_times(pair->stiffness, v));
}

static bool is_section_held(const cdg_rod *rod, size_t node) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].node == node && rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME) return true;
    return false;
}

bool cdg_net_pair_acts(const cdg_net *net, const cdg_net_pair *pair) {
    const cdg_rod *a = net->rods[pair->rod_a], *b = net->rods[pair->rod_b];
    if (a->hold_count == 0 || b->hold_count == 0) return true;
    return !is_section_held(a, pair->node_a) || !is_section_held(b, pair->node_b);
}

cdg_hold *cdg_net_position_hold(const cdg_rod *rod, size_t node) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].node == node && rod->holds[h].holds_position) return &rod->holds[h];
    return NULL;
}

cdg_hold *cdg_net_holder(const cdg_net *net, size_t joint) {
    const cdg_net_member *members = &net->members[net->joints[joint].first];
    for (size_t m = 0; m < net->joints[joint].count; m++) {
        cdg_hold *hold = cdg_net_position_hold(net->rods[members[m].rod], members[m].node);
        if (hold != NULL) return hold;
    }
    return NULL;
}

static cdg_result check_holds_of(const cdg_net *net, size_t joint, size_t *failed, cdg_error *error) {
    const cdg_net_member *members = &net->members[net->joints[joint].first], *first = NULL;
    const cdg_hold *agreed = NULL;
    for (size_t m = 0; m < net->joints[joint].count; m++) {
        const cdg_rod *rod = net->rods[members[m].rod];
        const cdg_hold *hold = rod->hold_count > 0 ? cdg_net_position_hold(rod, members[m].node) : NULL;
        if (hold == NULL) continue;
        if (agreed == NULL) {
            agreed = hold;
            first = &members[m];
        } else if (vec3_distance(agreed->position, hold->position) > apart_limit * segment_at(rod, members[m].node)) {
            *failed = members[m].rod;
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "node %zu is joined to node %zu of rod '%s', but their supports hold them %.3g m apart; "
                            "give both the same motion, or hold only one of them",
                            members[m].defined, first->defined, net->rods[first->rod]->name,
                            vec3_distance(agreed->position, hold->position));
        }
    }
    return CDG_OK;
}

cdg_result cdg_net_check_holds(const cdg_net *net, size_t *failed, cdg_error *error) {
    for (size_t j = 0; j < net->joint_count; j++) {
        cdg_result result = check_holds_of(net, j, failed, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
