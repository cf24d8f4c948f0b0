// What is on a rod when it is cut, or made whole again: each thing stays at its place in the material.
#include "world/cuts.h"

#include <stdlib.h>
#include <string.h>

// Between the numbering of a rod of `count` elements before it is cut at node `at`, and that of its parts.
typedef struct numbering {
    uint32_t rod, second; // indices; second is CDG_NO_INDEX for a ring
    size_t at, count;
    bool is_undone; // back
} numbering;

// To the part's or the whole's number.
static size_t move_element(const numbering *n, uint32_t *rod, size_t element) {
    if (n->second == CDG_NO_INDEX) return (element + (n->is_undone ? n->at : n->count - n->at)) % n->count;
    if (n->is_undone) {
        bool is_second = *rod == n->second;
        *rod = n->rod;
        return is_second ? element + n->at : element;
    }
    if (element < n->at) return element;
    *rod = n->second;
    return element - n->at;
}

// A node at the cut stays with the part before it: it is that one's last.
static size_t move_node(const numbering *n, uint32_t *rod, size_t node) {
    if (n->second == CDG_NO_INDEX) {
        if (n->is_undone) return (node + n->at) % n->count;
        size_t moved = (node + n->count - n->at) % n->count;
        return moved > 0 ? moved : n->count;
    }
    if (n->is_undone) return move_element(n, rod, node);
    return node <= n->at ? node : move_element(n, rod, node);
}

static bool concerns(const numbering *n, uint32_t rod) { return rod == n->rod || rod == n->second; }

static void move_place(const cdg_world *world, const numbering *n, cdg_place *place) {
    uint32_t rod = place->rod.index1 - 1;
    place->index =
        place->kind == CDG_PLACE_NODE ? move_node(n, &rod, place->index) : move_element(n, &rod, place->index);
    place->rod = cdg_world_rod_id(world, rod);
}

// ---- supports and welds ---------------------------------------------------------------------------------------------

static void append_support(cdg_world *world, uint32_t rod_index, uint32_t index) {
    world_rod *entry = &world->rods[rod_index];
    world_support *support = &world->supports[index];
    cdg_rod *rod = entry->rod;
    size_t node = support->def.place.index, last = rod_user_node_count(rod) - 1;
    support->rod_index = rod_index;
    support->next_of_rod = CDG_NO_INDEX;
    support->before_at_node = rod->support_at[node];
    support->hold = CDG_NO_INDEX;
    rod->support_at[node] = index;
    if (entry->last_support == CDG_NO_INDEX)
        entry->first_support = index;
    else
        world->supports[entry->last_support].next_of_rod = index;
    entry->last_support = index;
    rod->support_count++;
    bool is_inner = rod->is_closed || (node > 0 && node < last);
    if (is_inner && support->def.kind != CDG_SUPPORT_PIN) rod->has_inner_frame_support = true;
    if (support->weld1 == 0) return;
    entry->has_weld = true;
    world->welds[support->weld1 - 1].def.place = support->def.place;
}

static void forget_supports(world_rod *entry) {
    entry->first_support = entry->last_support = CDG_NO_INDEX;
    entry->has_weld = false;
    entry->rod->support_count = entry->rod->hold_count = entry->rod->hold_before_count = 0;
    entry->rod->has_inner_frame_support = false;
    for (size_t i = 0; entry->rod->support_at != NULL && i < rod_user_node_count(entry->rod); i++)
        entry->rod->support_at[i] = CDG_NO_INDEX;
}

static void move_supports(cdg_world *world, const numbering *n, const uint32_t *list, size_t count) {
    forget_supports(&world->rods[n->rod]);
    if (n->second != CDG_NO_INDEX) forget_supports(&world->rods[n->second]);
    for (size_t k = 0; k < count; k++) {
        cdg_place *place = &world->supports[list[k]].def.place;
        move_place(world, n, place);
        append_support(world, place->rod.index1 - 1, list[k]);
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static void append_load(cdg_world *world, uint32_t index) {
    world_rod *rod = &world->rods[world->loads[index].def.place.rod.index1 - 1];
    world->loads[index].next = CDG_NO_INDEX;
    if (rod->last_load == CDG_NO_INDEX)
        rod->first_load = index;
    else
        world->loads[rod->last_load].next = index;
    rod->last_load = index;
}

// Those that act on the whole rod stay with its first part; copies for the other are the caller's.
static void move_chain(cdg_world *world, const numbering *n, uint32_t first) {
    for (uint32_t i = first, next; i != CDG_NO_INDEX; i = next) {
        next = world->loads[i].next;
        cdg_load_def *def = &world->loads[i].def;
        if (cdg_load_acts_at_place(def->kind))
            move_place(world, n, &def->place);
        else
            def->place.rod = cdg_world_rod_id(world, n->rod);
        append_load(world, i);
    }
}

static void move_loads(cdg_world *world, const numbering *n) {
    world_rod *rod = &world->rods[n->rod], *second = n->second != CDG_NO_INDEX ? &world->rods[n->second] : NULL;
    uint32_t chain = rod->first_load, other = second != NULL ? second->first_load : CDG_NO_INDEX;
    rod->first_load = rod->last_load = CDG_NO_INDEX;
    if (second != NULL) second->first_load = second->last_load = CDG_NO_INDEX;
    move_chain(world, n, chain);
    move_chain(world, n, other);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

static void move_joints(cdg_world *world, const numbering *n) {
    for (size_t j = 0; j < world->joint_count; j++)
        for (size_t m = 0; m < world->joints[j].count; m++) {
            cdg_net_member *member = &world->joints[j].members[m];
            if (!concerns(n, member->rod)) continue;
            member->defined = member->node = move_node(n, &member->rod, member->defined);
            world->nets_are_old = true;
        }
}

// ---- grips ----------------------------------------------------------------------------------------------------------

static void move_grips(cdg_world *world, const numbering *n) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (grip->is_of_body || !concerns(n, grip->object)) continue;
        if (grip->is_holding) world->rods[grip->object].grip_count--;
        grip->def.place.index = move_element(n, &grip->object, grip->def.place.index);
        grip->def.place.rod = cdg_world_rod_id(world, grip->object);
        cdg_grip_find_place(world, grip);
        if (grip->is_holding) world->rods[grip->object].grip_count++;
    }
    for (int k = 0; k < 2; k++) {
        world_rod *entry = k == 0 ? &world->rods[n->rod] : n->second != CDG_NO_INDEX ? &world->rods[n->second] : NULL;
        if (entry != NULL && entry->rod != NULL) entry->rod->is_gripped = entry->grip_count > 0;
    }
}

void cdg_cuts_move(cdg_world *world, const cdg_cut_change *change) {
    numbering defined = {change->rod, change->second, change->at, change->count, change->is_undone};
    move_supports(world, &defined, change->supports, change->support_count);
    move_loads(world, &defined);
    move_joints(world, &defined);
    move_grips(world, &defined);
}
