// The state of rods and of what holds them in a snapshot.
#include "world/tape.h"
#include "world/world.h"

#include <string.h>

static void pass_sections(cdg_tape *t, cdg_rod *rod) {
    cdg_tape_pass(t, rod->line_mass, rod->element_count);
    cdg_tape_pass_several(t, rod->stretch_stiffness, 3, rod->element_count);
    cdg_tape_pass_several(t, rod->frame_inertia, 3, rod->element_count);
    cdg_tape_pass_several(t, rod->bend_stiffness, 3, rod->node_count);
    cdg_tape_pass(t, rod->radius, rod->node_count);
}

// Resolution, with the constants that go with it. Counting takes the rod to be as large as it may become.
static void pass_resolution(cdg_tape *t, cdg_rod *rod) {
    cdg_rod_adapt *adapt = rod->adapt;
    cdg_tape_pass_count(t, &rod->element_count);
    if (t->direction == CDG_TAPE_LOAD) rod->node_count = rod->element_count + (rod->is_closed ? 0 : 1);
    cdg_tape_pass_count(t, &adapt->halved_count);
    cdg_tape_pass_flag(t, &adapt->is_new);
    cdg_tape_pass_index(t, &adapt->split_count);
    cdg_tape_pass_index(t, &adapt->merge_count);
    for (int k = 0; k < CDG_ADAPT_REFUSALS; k++)
        cdg_tape_pass_index(t, &adapt->refused[0][k]), cdg_tape_pass_index(t, &adapt->refused[1][k]);
    cdg_tape_pass(t, &adapt->given, 1);
    cdg_tape_pass(t, &adapt->scale, 1);
    cdg_tape_pass_bytes(t, adapt->level, rod->element_count);
    cdg_tape_pass_bytes(t, adapt->part, rod->element_count);
    for (size_t j = 0; j < rod->element_count; j++) {
        double calm = (double)adapt->calm[j];
        cdg_tape_pass(t, &calm, 1);
        if (t->direction == CDG_TAPE_LOAD) adapt->calm[j] = (float)calm;
    }
    cdg_tape_pass(t, adapt->arc, rod->node_count);
    cdg_tape_pass(t, &adapt->shifted, 1);
    if (t->direction == CDG_TAPE_LOAD) memset(adapt->beside, 0, rod->node_capacity * sizeof *adapt->beside);
    for (size_t i = 0; i < rod->node_count; i++) {
        uint64_t finest = adapt->finest[i];
        cdg_tape_pass_index(t, &finest);
        if (t->direction == CDG_TAPE_LOAD) adapt->finest[i] = (uint32_t)finest;
        cdg_rod_beside *beside = rod_beside(rod, i);
        cdg_tape_pass(t, &beside->shift.x, 3);
        cdg_tape_pass(t, &beside->roll, 1);
        cdg_tape_pass(t, &beside->node_roll, 1);
    }
    for (size_t i = 0; i < adapt->user_node_count; i++) {
        uint64_t node = adapt->user_node[i];
        cdg_tape_pass_index(t, &node);
        if (t->direction == CDG_TAPE_LOAD) adapt->user_node[i] = (uint32_t)node;
    }
    cdg_tape_pass(t, rod->rest_length, rod->element_count);
    cdg_tape_pass(t, rod->node_mass, rod->node_count);
    if (!rod->has_one_turn) cdg_tape_pass_several(t, rod->rest_turn, 4, rod->node_count);
    if (rod->rest_curl[0] != NULL) cdg_tape_pass_several(t, rod->rest_curl, 3, rod->node_count);
    if (rod->section_stride != 0) pass_sections(t, rod);
    if (t->direction == CDG_TAPE_LOAD) cdg_rod_adapt_settle(rod);
}

static void pass_rod(cdg_tape *t, cdg_rod *rod) {
    if (rod->adapt != NULL) pass_resolution(t, rod);
    cdg_tape_pass_several(t, rod->x, 3, rod->node_count);
    cdg_tape_pass_several(t, rod->v, 3, rod->node_count);
    cdg_tape_pass_several(t, rod->q, 4, rod->element_count);
    cdg_tape_pass_several(t, rod->w, 3, rod->element_count);
    if (rod->twist != NULL) cdg_tape_pass(t, rod->twist, rod->node_count);
    if (rod->tension != NULL) cdg_tape_pass(t, rod->tension, rod->element_count);
    if (rod->x_before[0] != NULL) {
        cdg_tape_pass_several(t, rod->x_before, 3, rod->node_count);
        cdg_tape_pass_several(t, rod->v_before, 3, rod->node_count);
        cdg_tape_pass_several(t, rod->q_before, 4, rod->element_count);
        cdg_tape_pass_several(t, rod->w_before, 3, rod->element_count);
    }
    if (rod->own_count > 0) cdg_tape_pass(t, rod->own, rod->own_count);
    cdg_tape_pass_flag(t, &rod->has_history);
    cdg_tape_pass(t, &rod->history_step, 1);
    cdg_tape_pass(t, &rod->calm_substep, 1);
}

// Forces that were set for nodes of another resolution.
static void forget_forces(world_rod *entry, const cdg_rod *rod) {
    size_t count = rod->node_count + rod->element_count;
    if (entry->own_forces != NULL) memset(entry->own_forces, 0, 2 * count * sizeof *entry->own_forces);
}

void cdg_rods_snapshot(cdg_world *world, cdg_tape *t) {
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        cdg_rod largest = t->direction == CDG_TAPE_COUNT ? rod_largest(rod) : *rod;
        size_t nodes = rod->node_count;
        pass_rod(t, t->direction == CDG_TAPE_COUNT ? &largest : rod);
        if (rod->node_count != nodes) forget_forces(&world->rods[i], rod);
    }
    if (t->direction == CDG_TAPE_LOAD && world->adapting_count > 0) cdg_adapt_restore(world);
    for (size_t i = 0; i < world->support_count; i++) { // so that probes of reactions agree, too
        cdg_tape_pass_vec3(t, &world->supports[i].force);
        cdg_tape_pass_vec3(t, &world->supports[i].moment);
        cdg_tape_pass_flag(t, &world->supports[i].is_released); // whether steps are divided for its motion
    }
}
