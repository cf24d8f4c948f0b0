// Places of rods that were cut: from the rod as it was made to the parts that it has since, and back.
#include "math/vec3.h"
#include "world/cuts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The rod as it was before its first cut, or as it is.
static const cdg_rod *root_rod(const cdg_world *world, uint32_t root) {
    for (size_t i = 0; i < world->cut_count; i++)
        if (world->cuts[i].root == root) return world->cuts[i].whole;
    return world->rods[root].rod;
}

cdg_cut_part cdg_cuts_part_of(const cdg_world *world, uint32_t rod) {
    const world_rod *entry = &world->rods[rod];
    return (cdg_cut_part){entry->root, entry->root_first, rod_user_element_count(entry->rod)};
}

// How far an element is from the first of a part, all round a ring.
static size_t distance_from(const cdg_cut_part *part, size_t element, const cdg_rod *root) {
    size_t count = rod_user_element_count(root);
    return element >= part->first ? element - part->first : root->is_closed ? element + count - part->first : SIZE_MAX;
}

// Whether rod i is the part of the root that has the element, and which of its elements that is.
static bool has_element(const cdg_world *world, uint32_t i, uint32_t root, const cdg_rod *whole, size_t element,
                        size_t *at) {
    if (world->rods[i].rod == NULL || world->rods[i].root != root) return false;
    cdg_cut_part part = cdg_cuts_part_of(world, i);
    *at = distance_from(&part, element, whole);
    return *at < part.count;
}

uint32_t cdg_cuts_find_element(const cdg_world *world, uint32_t root, size_t element, size_t *at) {
    const cdg_rod *whole = root_rod(world, root);
    // First where the root was: there a rod is that nobody cut, and thousands may be asked for one after the other.
    if (has_element(world, root, root, whole, element, at)) return root;
    for (uint32_t i = 0; i < world->rod_count && world->cut_count > 0; i++)
        if (has_element(world, i, root, whole, element, at)) return i;
    *at = element;
    return root;
}

cdg_place cdg_cuts_place_now(const cdg_world *world, cdg_place place) {
    uint32_t root = place.rod.index1 - 1;
    if (world->cut_count == 0 || place.rod.index1 == 0 || root >= world->rod_count || world->rods[root].rod == NULL ||
        world->rods[root].root != root)
        return place;
    const cdg_rod *whole = root_rod(world, root);
    bool is_node = place.kind == CDG_PLACE_NODE, is_first = is_node && place.index == 0 && !whole->is_closed;
    size_t count = rod_user_element_count(whole), at;
    // what is at a cut stays with the part before it
    size_t element = !is_node || is_first ? place.index : (place.index + count - 1) % count;
    uint32_t rod = cdg_cuts_find_element(world, root, element, &at);
    place.rod = cdg_world_rod_id(world, rod);
    place.index = is_node && !is_first ? at + 1 : at;
    if (world->rods[rod].rod->is_closed) place.index %= count;
    return place;
}

cdg_place cdg_cuts_place_then(const cdg_world *world, cdg_place place) {
    if (place.rod.index1 == 0 || place.rod.index1 > world->rod_count) return place;
    const world_rod *rod = &world->rods[place.rod.index1 - 1];
    const cdg_rod *whole = root_rod(world, rod->root);
    size_t count = rod_user_element_count(whole), index = rod->root_first + place.index;
    place.index = whole->is_closed ? index % count : index;
    place.rod = cdg_world_rod_id(world, rod->root);
    return place;
}

cdg_cut_span cdg_cuts_span(const cdg_world *world, const cdg_cut_part *part) {
    size_t at;
    uint32_t index = cdg_cuts_find_element(world, part->root, part->first, &at);
    const cdg_rod *rod = world->rods[index].rod;
    size_t all = rod_user_element_count(rod), end = at + part->count, first = rod_user_node(rod, at);
    size_t elements = part->count == all             ? rod->element_count
                      : !rod->is_closed || end < all ? rod_user_node(rod, end) - first
                                                     : rod->element_count - first + rod_user_node(rod, end - all);
    return (cdg_cut_span){cdg_world_rod_id(world, index), first, elements + 1, elements};
}

// ---- what will be ---------------------------------------------------------------------------------------------------

static bool is_taken(const cdg_world *world, const cdg_cut_leaf *leaves, size_t count, const char *name) {
    if (cdg_world_find_rod(world, name).index1 != 0) return true;
    for (size_t i = 0; i < count; i++)
        if (leaves[i].name != NULL && strcmp(leaves[i].name, name) == 0) return true;
    return false;
}

const char *cdg_cuts_name(cdg_world *world, const char *name, const cdg_cut_leaf *leaves, size_t count) {
    size_t size = strlen(name) + 16;
    char *made = malloc(size);
    for (unsigned number = 2; made != NULL; number++) {
        snprintf(made, size, "%s.%u", name, number);
        if (!is_taken(world, leaves, count, made)) break;
    }
    for (size_t i = 0; made != NULL && i < world->part_name_count; i++) {
        if (strcmp(world->part_names[i], made) != 0) continue;
        free(made);
        return world->part_names[i];
    }
    char **grown = made != NULL ? realloc(world->part_names, (world->part_name_count + 1) * sizeof *grown) : NULL;
    if (grown == NULL) return free(made), NULL;
    world->part_names = grown;
    return world->part_names[world->part_name_count++] = made;
}

// The plan that comes next after another (NULL: the first), by time and then in order; NULL: none.
static const struct world_cut *plan_after(const cdg_world *world, const struct world_cut *last) {
    const struct world_cut *best = NULL;
    for (size_t i = 0; i < world->plan_count; i++) {
        const struct world_cut *plan = &world->plans[i];
        bool is_later = last == NULL || plan->time > last->time || (plan->time == last->time && plan > last);
        if (is_later && (best == NULL || plan->time < best->time)) best = plan;
    }
    return best;
}

bool cdg_cuts_are_made(const cdg_world *world, const struct world_cut *plan) {
    for (size_t i = 0; i < world->cut_count; i++)
        if (world->cuts[i].root == plan->root && world->cuts[i].node == plan->node) return true;
    return false;
}

const struct world_cut *cdg_cuts_next_plan(const cdg_world *world) {
    const struct world_cut *plan = plan_after(world, NULL);
    while (plan != NULL && cdg_cuts_are_made(world, plan)) plan = plan_after(world, plan);
    return plan;
}

static bool cut_leaf(cdg_world *world, const struct world_cut *plan, cdg_cut_leaf *leaves, size_t *count) {
    const cdg_rod *root = root_rod(world, plan->root);
    for (size_t i = 0; i < *count; i++) {
        cdg_cut_leaf *leaf = &leaves[i];
        if (leaf->part.root != plan->root) continue;
        if (leaf->is_closed) {
            leaf->part.first = plan->node;
            leaf->is_closed = false;
            leaf->time = plan->time;
            return true;
        }
        size_t before = distance_from(&leaf->part, plan->node, root);
        if (before == 0 || before >= leaf->part.count) continue;
        const char *name = cdg_cuts_name(world, root->name, leaves, *count);
        if (name == NULL) return false;
        leaves[*count] = (cdg_cut_leaf){{plan->root, plan->node, leaf->part.count - before}, name, plan->time, false};
        leaf->part.count = before;
        ++*count;
        return true;
    }
    return true;
}

bool cdg_cuts_leaves(const cdg_world *world, cdg_cut_leaf **out, size_t *count) {
    *count = 0;
    *out = calloc(world->rod_count + world->plan_count + 1, sizeof **out);
    if (*out == NULL) return false;
    for (uint32_t i = 0; i < world->rod_count; i++) {
        if (world->rods[i].rod == NULL) continue;
        (*out)[*count].part = cdg_cuts_part_of(world, i);
        (*out)[*count].is_closed = world->rods[i].rod->is_closed;
        ++*count;
    }
    for (const struct world_cut *plan = plan_after(world, NULL); plan != NULL; plan = plan_after(world, plan)) {
        if (cdg_cuts_are_made(world, plan)) continue;
        if (cut_leaf((cdg_world *)(uintptr_t)world, plan, *out, count)) continue; // names alone are added
        free(*out);
        *out = NULL;
        return false;
    }
    return true;
}
