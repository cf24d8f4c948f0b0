// A rod put together by hand, in a random pose, for tests of parts that only read and write its arrays.
#ifndef CDG_TESTS_HAND_ROD_H
#define CDG_TESTS_HAND_ROD_H

#include <stdlib.h>

#include "math/random.h"
#include "world/world.h"

enum { HAND_ROD_HOLDS = 8 };

static inline double *hand_array(cdg_rod *rod, size_t count) { // from the rod's one block
    double *array = (double *)rod->memory + rod->memory_size;
    rod->memory_size += count; // counts doubles here
    return array;
}

static inline void hand_arrays(cdg_rod *rod, double **arrays, int components, size_t count) {
    for (int k = 0; k < components; k++) arrays[k] = hand_array(rod, count);
}

// Uneven lengths, masses and radii; random frames, velocities and candidate. Every section array has stride 1.
static inline cdg_rod *hand_rod(cdg_random *random, size_t element_count, bool is_closed) {
    cdg_rod *rod = calloc(1, sizeof *rod);
    assert_non_null(rod);
    size_t nodes = element_count + !is_closed, elements = element_count;
    rod->memory = calloc(60 * (nodes + elements), sizeof(double));
    assert_non_null(rod->memory);
    rod->is_closed = is_closed;
    rod->node_count = nodes;
    rod->element_count = elements;
    rod->section_stride = 1;
    rod->rest_length = hand_array(rod, elements);
    rod->node_mass = hand_array(rod, nodes);
    rod->radius = hand_array(rod, nodes);
    hand_arrays(rod, rod->stretch_stiffness, 3, elements);
    hand_arrays(rod, rod->frame_inertia, 3, elements);
    hand_arrays(rod, rod->bend_stiffness, 3, nodes);
    hand_arrays(rod, rod->rest_turn, 4, nodes);
    hand_arrays(rod, rod->x, 3, nodes);
    hand_arrays(rod, rod->v, 3, nodes);
    hand_arrays(rod, rod->x_next, 3, nodes);
    hand_arrays(rod, rod->q, 4, elements);
    hand_arrays(rod, rod->q_next, 4, elements);
    hand_arrays(rod, rod->w, 3, elements);
    for (size_t j = 0; j < elements; j++) {
        rod->rest_length[j] = random_in(random, 0.5, 1.5);
        rod->length += rod->rest_length[j];
        for (int k = 0; k < 3; k++) {
            rod->stretch_stiffness[k][j] = random_in(random, 10, 20);
            rod->frame_inertia[k][j] = random_in(random, 0.01, 0.02);
        }
        rod_set_quat(rod->q, j, random_rotation(random));
        rod_set_quat(rod->q_next, j, quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(random, 0.3))));
        rod_set_vec3(rod->w, j, random_vec3(random, 1));
    }
    for (size_t i = 0; i < nodes; i++) {
        rod->node_mass[i] = random_in(random, 0.1, 0.3);
        rod->mass += rod->node_mass[i];
        rod->radius[i] = random_in(random, 0.01, 0.02);
        for (int k = 0; k < 3; k++) rod->bend_stiffness[k][i] = random_in(random, 1, 2);
        rod_set_quat(rod->rest_turn, i, quat_identity());
        rod_set_vec3(rod->x, i, random_vec3(random, 2));
        rod_set_vec3(rod->x_next, i, vec3_add(rod_vec3(rod->x, i), random_vec3(random, 0.1)));
        rod_set_vec3(rod->v, i, random_vec3(random, 3));
    }
    rod->holds = calloc(HAND_ROD_HOLDS, sizeof *rod->holds); // holds_before stays NULL: only the step uses it
    assert_non_null(rod->holds);
    rod->hold_capacity = HAND_ROD_HOLDS;
    rod->support_at = malloc(nodes * sizeof *rod->support_at);
    assert_non_null(rod->support_at);
    for (size_t i = 0; i < nodes; i++) rod->support_at[i] = CDG_NO_INDEX;
    return rod;
}

static inline void hand_rod_free(cdg_rod *rod) {
    free(rod->holds);
    free(rod->support_at);
    free(rod->memory);
    free(rod);
}

// Turns and shifts the whole state: x -> turn x + shift, frames, velocities and candidate along.
static inline void hand_rod_transform(cdg_rod *rod, cdg_quat turn, cdg_vec3 shift) {
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, vec3_add(quat_rotate(turn, rod_vec3(rod->x, i)), shift));
        rod_set_vec3(rod->x_next, i, vec3_add(quat_rotate(turn, rod_vec3(rod->x_next, i)), shift));
        rod_set_vec3(rod->v, i, quat_rotate(turn, rod_vec3(rod->v, i)));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        rod_set_quat(rod->q, j, quat_multiply(turn, rod_quat(rod->q, j)));
        rod_set_quat(rod->q_next, j, quat_multiply(turn, rod_quat(rod->q_next, j)));
    }
}

// A world of such rods, its supports and loads in the caller's arrays, chained as the world does it.
static inline uint32_t hand_generation(uint32_t rod_index) { return 5 + rod_index; }

static inline void hand_world(cdg_world *world, world_rod *rods, size_t rod_count) {
    *world = (cdg_world){.rods = rods, .rod_count = rod_count, .step = 0.1, .first_load_of_every = CDG_NO_INDEX};
    static cdg_handle_slot slots[8]; // the same for every world
    assert_true(rod_count <= sizeof slots / sizeof *slots);
    world->handles[WORLD_RODS] = (cdg_handles){.slots = slots, .slot_count = rod_count, .count = rod_count};
    for (uint32_t i = 0; i < rod_count; i++) {
        slots[i] = (cdg_handle_slot){.generation = hand_generation(i), .index = i, .is_used = true};
        rods[i].first_support = rods[i].first_load = CDG_NO_INDEX;
    }
}

static inline void hand_chain_support(cdg_world *world) { // the last one in world->supports
    uint32_t index = (uint32_t)world->support_count - 1;
    world->supports[index].next_of_rod = CDG_NO_INDEX;
    uint32_t *link = &world->rods[world->supports[index].rod_index].first_support;
    while (*link != CDG_NO_INDEX) link = &world->supports[*link].next_of_rod;
    *link = index;
    uint32_t *at =
        &world->rods[world->supports[index].rod_index].rod->support_at[world->supports[index].def.place.index];
    world->supports[index].before_at_node = *at;
    *at = index;
}

static inline void hand_chain_load(cdg_world *world) { // the last one in world->loads
    uint32_t index = (uint32_t)world->load_count - 1, index1 = world->loads[index].def.place.rod.index1;
    world->loads[index].next = CDG_NO_INDEX;
    uint32_t *link = index1 != 0 ? &world->rods[index1 - 1].first_load : &world->first_load_of_every;
    while (*link != CDG_NO_INDEX) link = &world->loads[*link].next;
    *link = index;
}

static inline cdg_place hand_place(uint32_t rod_index, cdg_place_kind kind, size_t index) {
    return (cdg_place){.rod = {rod_index + 1, hand_generation(rod_index)}, .kind = kind, .index = index};
}

#endif
