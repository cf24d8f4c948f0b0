// Joints of the world: rods that are joined, directly or through others, form a net (rods/net.h).
#include "adapt/resolution.h"
#include "base/error.h"
#include "world/place.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

cdg_joint_def cdg_joint_def_default(void) { return (cdg_joint_def){.stiffness = 1}; }

static void free_nets(cdg_world *world) {
    for (size_t i = 0; i < world->net_count; i++) cdg_net_destroy(world->nets[i]);
    free(world->nets);
    free(world->net_rods);
    world->nets = NULL;
    world->net_rods = NULL;
    world->net_count = 0;
}

void cdg_joints_free(cdg_world *world) {
    free_nets(world);
    for (size_t i = 0; i < world->joint_count; i++) free(world->joints[i].members);
    free(world->joints);
}

void cdg_joints_forget(cdg_world *world, size_t count) {
    while (world->joint_count > count) {
        free(world->joints[--world->joint_count].members);
        cdg_handles_close_up(&world->handles[WORLD_JOINTS], world->joint_count);
    }
    cdg_bodies_forget(world);
    world->nets_are_old = true;
    world_renew(world);
}

bool cdg_joints_hold_rod(const cdg_world *world, uint32_t rod_index) {
    for (size_t j = 0; j < world->joint_count; j++)
        for (size_t m = 0; m < world->joints[j].count; m++)
            if (world->joints[j].members[m].rod == rod_index) return true;
    return false;
}

double cdg_joints_energy(const cdg_world *world, bool of_candidate) {
    double sum = 0;
    for (size_t i = 0; i < world->net_count; i++) {
        const cdg_net *net = world->nets[i];
        for (size_t k = 0; k < net->pair_count; k++) {
            const cdg_net_pair *pair = &net->pairs[k];
            const cdg_rod *a = net->rods[pair->rod_a], *b = net->rods[pair->rod_b];
            if (!cdg_net_pair_acts(net, pair)) continue;
            sum += cdg_net_pair_energy(pair, rod_quat(of_candidate ? a->q_next : a->q, pair->element_a),
                                       rod_quat(of_candidate ? b->q_next : b->q, pair->element_b));
        }
    }
    return sum;
}

static void follow_in(const cdg_net *net, const cdg_rod *rod) {
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        size_t count = net->joints[j].count, from = 0;
        while (from < count && net->rods[members[from].rod] != rod) from++;
        if (from == count) continue;
        for (size_t m = 0; m < count; m++) {
            cdg_rod *other = net->rods[members[m].rod];
            rod_set_vec3(other->x, members[m].node, rod_vec3(rod->x, members[from].node));
            rod_set_vec3(other->v, members[m].node, rod_vec3(rod->v, members[from].node));
        }
    }
}

void cdg_joints_follow(const cdg_world *world, const cdg_rod *rod) {
    for (size_t i = 0; i < world->net_count; i++) {
        const cdg_net *net = world->nets[i];
        bool is_here = false;
        for (size_t r = 0; r < net->rod_count && !is_here; r++) is_here = net->rods[r] == rod;
        if (!is_here) continue;
        follow_in(net, rod);
        for (size_t r = 0; r < net->rod_count; r++) net->rods[r]->has_history = false;
    }
}

// ---- forming nets ---------------------------------------------------------------------------------------------------

static uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static cdg_result check_models(cdg_world *world, const world_joint *joint) {
    const cdg_rod *first = world->rods[joint->members[0].rod].rod;
    for (size_t m = 0; m < joint->count; m++) {
        const cdg_rod *rod = world->rods[joint->members[m].rod].rod;
        if (rod->model != first->model)
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "rods '%s' (model %s) and '%s' (model %s) cannot be joined; give them the same model",
                            first->name, first->model->name, rod->name, rod->model->name);
        if (rod->model->net.predict == NULL || !rod->model->net.supports_joints(rod))
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "rod '%s': the model '%s', as it is set up here, has no joints; models that have: corde, "
                            "der with integrator implicit, and pobd with solver gauss_seidel",
                            rod->name, rod->model->name);
    }
    return CDG_OK;
}

static cdg_net_joint_def as_asked(const world_joint *joint, const cdg_net_member *members) {
    cdg_net_joint_def def = {members, joint->count, joint->stiffness, joint->has_axes, {0}};
    memcpy(def.axes, joint->axes, sizeof def.axes);
    return def;
}

// One net from all joints whose rods have the root `root`. `number` gives each rod's number in its net.
static cdg_result form_net(cdg_world *world, uint32_t root, uint32_t *parent, uint32_t *number, uint32_t *indices,
                           cdg_rod **rods, cdg_net_joint_def *defs, cdg_net_member *members) {
    size_t rod_count = 0, joint_count = 0, member_count = 0;
    for (uint32_t i = 0; i < world->rod_count; i++) {
        if (world->rods[i].rod == NULL || find_root(parent, i) != root) continue;
        number[i] = (uint32_t)rod_count;
        indices[rod_count] = i;
        rods[rod_count++] = world->rods[i].rod;
    }
    for (size_t j = 0; j < world->joint_count; j++) {
        const world_joint *joint = &world->joints[j];
        if (find_root(parent, joint->members[0].rod) != root) continue;
        defs[joint_count++] = as_asked(joint, members + member_count);
        for (size_t m = 0; m < joint->count; m++) {
            cdg_net_member *member = &members[member_count++];
            *member = joint->members[m];
            member->node = rod_user_node(world->rods[member->rod].rod, member->defined);
            member->rod = number[member->rod];
        }
    }
    cdg_result result =
        cdg_net_build(rods, rod_count, defs, joint_count, &world->nets[world->net_count], &world->error);
    if (result != CDG_OK) return result;
    cdg_net *net = world->nets[world->net_count++];
    for (size_t k = 0; k < net->pair_count; k++)
        if (net->pairs[k].is_within) net->rods[net->pairs[k].rod_a]->has_inner_joint = true;
    return rods[0]->model->net.prepare != NULL ? rods[0]->model->net.prepare(net, &world->error) : CDG_OK;
}

// Nodes that rods which adapt share with others: a change of resolution leaves them where they are, and the elements
// beside them as long as they are.
static void mark_joined(const cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->adapt != NULL) memset(rod->adapt->joined, 0, rod->node_count);
    }
    for (size_t j = 0; j < world->joint_count; j++)
        for (size_t m = 0; m < world->joints[j].count; m++) {
            const cdg_net_member *member = &world->joints[j].members[m];
            const cdg_rod *rod = world->rods[member->rod].rod;
            if (rod->adapt != NULL) rod->adapt->joined[rod_user_node(rod, member->defined)] = 1;
        }
}

void cdg_joints_renumber(cdg_world *world) {
    if (world->adapting_count == 0) return;
    mark_joined(world);
    for (size_t n = 0; n < world->net_count; n++) {
        cdg_net *net = world->nets[n];
        bool is_any = false;
        for (size_t r = 0; r < net->rod_count && !is_any; r++) is_any = net->rods[r]->adapt != NULL;
        if (!is_any) continue;
        cdg_net_renumber(net);
        if (net->rods[0]->model->net.settle != NULL) net->rods[0]->model->net.settle(net);
    }
}

// Gives all rods of a net the same root, the lowest of their indices.
static void find_nets(const cdg_world *world, uint32_t *parent) {
    for (uint32_t i = 0; i < world->rod_count; i++) parent[i] = i;
    for (size_t j = 0; j < world->joint_count; j++)
        for (size_t m = 1; m < world->joints[j].count; m++) {
            uint32_t a = find_root(parent, world->joints[j].members[0].rod);
            uint32_t b = find_root(parent, world->joints[j].members[m].rod);
            parent[a > b ? a : b] = a > b ? b : a;
        }
}

cdg_result cdg_joints_form_nets(cdg_world *world) {
    if (!world->nets_are_old) return CDG_OK;
    free_nets(world);
    for (uint32_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) world->rods[i].rod->has_inner_joint = false;
    mark_joined(world);
    if (world->joint_count == 0) {
        world->nets_are_old = false;
        return CDG_OK;
    }
    size_t rods = world->rod_count, joints = world->joint_count, members = 0;
    for (size_t j = 0; j < joints; j++) members += world->joints[j].count;
    uint32_t *parent = calloc(rods, sizeof *parent), *number = calloc(rods, sizeof *number);
    cdg_rod **net_rods = calloc(rods, sizeof(cdg_rod *));
    cdg_net_joint_def *defs = calloc(joints, sizeof *defs);
    cdg_net_member *net_members = calloc(members, sizeof *net_members);
    world->nets = calloc(joints, sizeof(cdg_net *));
    world->net_rods = calloc(rods, sizeof *world->net_rods);
    cdg_result result = CDG_OK;
    if (parent != NULL && number != NULL && net_rods != NULL && defs != NULL && net_members != NULL &&
        world->nets != NULL && world->net_rods != NULL) {
        find_nets(world, parent);
        for (uint32_t i = 0, placed = 0; i < rods && result == CDG_OK; i++) {
            if (world->rods[i].rod == NULL || parent[i] != i || !cdg_joints_hold_rod(world, i)) continue;
            result = form_net(world, i, parent, number, world->net_rods + placed, net_rods, defs, net_members);
            if (result == CDG_OK) placed += (uint32_t)world->nets[world->net_count - 1]->rod_count;
        }
    } else {
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for nets of %zu joints", joints);
    }
    free(parent);
    free(number);
    free(net_rods);
    free(defs);
    free(net_members);
    if (result == CDG_OK) world->nets_are_old = false;
    return result;
}

// ---- adding ---------------------------------------------------------------------------------------------------------

static cdg_result read_member(cdg_world *world, const cdg_place *place, const world_joint *joint, size_t number) {
    cdg_result placed = cdg_place_check_rod(place, "a joint joins nodes of rods", &world->error);
    if (placed != CDG_OK) return placed;
    const cdg_rod *rod = cdg_world_get_rod(world, place->rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the joint names a rod that does not exist");
    if (place->kind != CDG_PLACE_NODE || place->index >= rod_user_node_count(rod))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a joint joins nodes; rod '%s' has nodes 0 to %zu",
                        rod->name, rod_user_node_count(rod) - 1);
    cdg_net_member *members = joint->members;
    members[number] = cdg_net_member_of(rod, place->rod.index1 - 1, place->index);
    for (size_t k = 0; k < number; k++)
        if (members[k].rod == members[number].rod && members[k].defined == members[number].defined)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "the joint names node %zu of rod '%s' twice; a joint needs different nodes", place->index,
                            rod->name);
    return CDG_OK;
}

// Builds a net of this joint alone, so that a mistake is told where it is made.
static cdg_result try_joint(cdg_world *world, const world_joint *joint) {
    cdg_net *trial = NULL;
    cdg_rod **rods = calloc(joint->count, sizeof(cdg_rod *));
    cdg_net_member *members = calloc(joint->count, sizeof *members);
    cdg_result result;
    if (rods != NULL && members != NULL) {
        for (size_t m = 0; m < joint->count; m++) {
            rods[m] = world->rods[joint->members[m].rod].rod;
            members[m] = joint->members[m];
            members[m].node = rod_user_node(rods[m], members[m].defined);
            members[m].rod = (uint32_t)m;
        }
        cdg_net_joint_def one = as_asked(joint, members);
        result = cdg_net_build(rods, joint->count, &one, 1, &trial, &world->error);
    } else {
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a joint");
    }
    cdg_net_destroy(trial);
    free(rods);
    free(members);
    return result;
}

static void halve_to_finest(cdg_rod *rod, size_t node, bool is_after) {
    const cdg_rod_adapt *adapt = rod->adapt;
    for (;;) {
        size_t at = rod_user_node(rod, node), j = is_after ? rod_right_element(rod, at) : rod_left_element(rod, at);
        if (j == SIZE_MAX || adapt->level[j] >= adapt->options.levels) return;
        if (rod->rest_length[j] / 2 < rod_adapt_shortest(rod, j) * (1 - 1e-9)) return;
        cdg_resolution_halve(rod, j);
    }
}

// Beside a joint a rod is as fine as it may be, for ever: neither what joins segments nor the shared mass changes then.
// Only before the start, and where the halves of an element lie on its chord: the rod is straight at rest.
static void refine_beside(const cdg_world *world, const world_joint *joint) {
    for (size_t m = 0; m < joint->count && !world->has_started; m++) {
        cdg_rod *rod = world->rods[joint->members[m].rod].rod;
        if (rod->adapt == NULL || !rod->adapt->is_straight) continue;
        size_t before = rod->element_count;
        for (int side = 0; side < 2; side++) halve_to_finest(rod, joint->members[m].defined, side == 1);
        if (rod->element_count != before) cdg_rod_adapt_settle(rod);
    }
}

cdg_result cdg_world_add_joint(cdg_world *world, const cdg_joint_def *def, cdg_joint_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    if (def->places == NULL) return cdg_fail_null(&world->error, "places");
    cdg_error_clear(&world->error);
    if (def->place_count < 2)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a joint needs at least two nodes, not %zu",
                        def->place_count);
    world_joint joint = {.count = def->place_count, .stiffness = def->stiffness, .has_axes = def->has_axes};
    memcpy(joint.axes, def->axes, sizeof joint.axes);
    if (world->joint_count == world->joint_capacity) {
        size_t capacity = world->joint_capacity > 0 ? 2 * world->joint_capacity : 16;
        world_joint *grown = realloc(world->joints, capacity * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a joint");
        world->joints = grown;
        world->joint_capacity = capacity;
    }
    if (!cdg_handles_reserve(&world->handles[WORLD_JOINTS]))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a joint");
    joint.members = calloc(def->place_count, sizeof *joint.members);
    if (joint.members == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a joint");
    cdg_result result = CDG_OK;
    for (size_t m = 0; m < def->place_count && result == CDG_OK; m++)
        result = read_member(world, &def->places[m], &joint, m);
    if (result == CDG_OK) result = check_models(world, &joint);
    if (result == CDG_OK) refine_beside(world, &joint);
    if (result == CDG_OK) result = try_joint(world, &joint);
    if (result != CDG_OK) {
        free(joint.members);
        return result;
    }
    world->joints[world->joint_count++] = joint;
    cdg_bodies_forget(world);
    world->nets_are_old = true;
    world_renew(world);
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_JOINTS]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_joint_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_joint(cdg_world *world, cdg_joint_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_JOINTS, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the joint no longer exists");
    // Nodes that are apart, as in a state of before the joint, make no net: it goes all the same.
    bool makes_net = cdg_joints_form_nets(world) == CDG_OK;
    double before = makes_net ? cdg_joints_energy(world, false) : 0;
    world_joint removed = world->joints[index];
    world->joint_count--;
    memmove(&world->joints[index], &world->joints[index + 1], (world->joint_count - index) * sizeof *world->joints);
    cdg_handles_close_up(&world->handles[WORLD_JOINTS], index);
    for (size_t m = 0; m < removed.count; m++) world->rods[removed.members[m].rod].rod->has_history = false;
    free(removed.members);
    cdg_bodies_forget(world);
    world->nets_are_old = true;
    world_renew(world);
    cdg_error_clear(&world->error);
    if (!makes_net) return CDG_OK; // the next step tells what is wrong with the others
    cdg_result result = cdg_joints_form_nets(world);
    // What its segments were bent against each other is gone with it.
    if (result == CDG_OK && world->has_started) world->energy_at_start += cdg_joints_energy(world, false) - before;
    return result;
}
