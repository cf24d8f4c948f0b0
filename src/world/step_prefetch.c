// Fetching ahead what the rods that follow need.
//
// With thousands of rods, waiting for their arrays and what stands around them (structs, supports, holds) takes as long
// as working on them: it is asked for while the rods before are worked on.
#include "world/step.h"

#include <stddef.h>

enum { CACHE_LINE = 64, FETCH_DISTANCE = 8 };

static const cdg_rod *rod_at(const cdg_world *world, size_t index) {
    return index < world->rod_count ? world->rods[index].rod : NULL;
}

// What predicting a rod touches, whose own struct has been fetched.
static void list_rod(const cdg_world *world, size_t index, cdg_soon *soon) {
    const cdg_rod *rod = rod_at(world, index);
    if (rod == NULL) return;
    uint32_t support = world->rods[index].first_support;
    cdg_soon_add(soon, rod->x[0], rod_state_bytes(rod));
    if (rod->x_before[0] != NULL) cdg_soon_add(soon, rod->x_before[0], rod_state_bytes(rod));
    cdg_soon_add(soon, rod->line_mass, 3 * CACHE_LINE);
    cdg_soon_add(soon, rod->node_mass, CACHE_LINE);
    if (support != CDG_NO_INDEX) cdg_soon_add(soon, &world->supports[support], sizeof *world->supports);
    // Another thread may exchange them right now; either is as good to fetch.
    if (rod->hold_capacity > 0)
        cdg_soon_add(soon, __atomic_load_n(&rod->holds_before, __ATOMIC_RELAXED), sizeof *rod->holds);
}

// Of the team after `team` all; of the one after that its structs, which say where the rest is.
void cdg_prefetch_list(const cdg_world *world, const world_team *team, cdg_soon *soon) {
    soon->count = 0;
    for (size_t i = 0; i < team->count; i++) {
        const cdg_rod *later = rod_at(world, team->first + 2 * team->count + i);
        list_rod(world, team->first + team->count + i, soon);
        if (later != NULL) cdg_soon_add(soon, later, offsetof(cdg_rod, name));
    }
}

// What says where a world's rod is, a link each time, then the rod: `worlds` are the next of a lane and those after.
void cdg_prefetch_world(cdg_world *const worlds[4], cdg_soon *soon) {
    if (worlds[3] != NULL) cdg_soon_add(soon, worlds[3], sizeof *worlds[3]);
    if (worlds[2] != NULL) cdg_soon_add(soon, worlds[2]->rods, sizeof *worlds[2]->rods);
    const cdg_rod *later = worlds[1] != NULL ? rod_at(worlds[1], 0) : NULL;
    if (later != NULL) cdg_soon_add(soon, later, offsetof(cdg_rod, name));
    if (worlds[0] != NULL) list_rod(worlds[0], 0, soon);
}

static void fetch_bytes(const void *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch((const char *)at + i, 1, 2);
}

// For rods one by one: their arrays are read from end to end, which the processor foresees by itself.
void cdg_prefetch_next(const cdg_world *world, const world_team *team) {
    cdg_soon soon;
    cdg_prefetch_list(world, team, &soon);
    for (size_t i = 0; i < soon.count; i++)
        if (soon.blocks[i].bytes < sizeof(cdg_rod)) fetch_bytes(soon.blocks[i].at, soon.blocks[i].bytes);
}

// What committing a rod touches: of its struct; then, when that is there, what it points to.
void cdg_prefetch_commit(const cdg_world *world, size_t index) {
    const cdg_rod *later = rod_at(world, index + 2 * FETCH_DISTANCE), *next = rod_at(world, index + FETCH_DISTANCE);
    if (later != NULL) {
        fetch_bytes(later, offsetof(cdg_rod, section_stride));
        fetch_bytes(later->x, offsetof(cdg_rod, name) - offsetof(cdg_rod, x));
    }
    if (next == NULL) return;
    uint32_t support = world->rods[index + FETCH_DISTANCE].first_support;
    if (support != CDG_NO_INDEX) fetch_bytes(&world->supports[support], sizeof *world->supports);
    if (next->hold_capacity > 0) fetch_bytes(next->holds, sizeof *next->holds);
}

// Positions and frames, as outputs read them, and how they turn at rest: of few nodes each, so that the processor
// foresees nothing by itself.
void cdg_prefetch_shape(const cdg_world *world, size_t index, bool with_rest) {
    enum { NEAR = 2, FAR = 6, NODES_MAX = 64 };
    const cdg_rod *later = rod_at(world, index + FAR), *next = rod_at(world, index + NEAR);
    if (later != NULL) {
        fetch_bytes(later, offsetof(cdg_rod, section_stride));
        fetch_bytes(later->x, offsetof(cdg_rod, name) - offsetof(cdg_rod, x));
    }
    if (next == NULL || next->node_count > NODES_MAX) return;
    size_t bytes = next->node_count * sizeof(double);
    for (int k = 0; k < 3; k++) fetch_bytes(next->x[k], bytes);
    for (int k = 0; k < 4; k++) fetch_bytes(next->q[k], bytes);
    for (int k = 0; k < 4 && with_rest && !next->has_one_turn; k++) fetch_bytes(next->rest_turn[k], bytes);
}

// All of a state, or of a candidate, as energies read it, with what stands beside it.
void cdg_prefetch_state(const cdg_world *world, size_t index, bool is_candidate) {
    enum { NEAR = 4, FAR = 10, NODES_MAX = 128 };
    const cdg_rod *later = rod_at(world, index + FAR), *next = rod_at(world, index + NEAR);
    if (later != NULL) fetch_bytes(later, offsetof(cdg_rod, name));
    if (next == NULL || next->node_count > NODES_MAX) return;
    fetch_bytes(is_candidate ? next->x_next[0] : next->x[0], rod_state_bytes(next));
    fetch_bytes(next->rest_length, next->element_count * sizeof(double));
    fetch_bytes(next->node_mass, next->node_count * sizeof(double));
    for (int k = 0; k < 4 && !next->has_one_turn; k++)
        fetch_bytes(next->rest_turn[k], next->node_count * sizeof(double));
}
