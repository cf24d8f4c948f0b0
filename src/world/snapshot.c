// Everything that decides a world's future, as doubles: for a continuation that is identical to the last bit.
#include "base/error.h"
#include "world/world.h"

#include <string.h>

// Either counts, writes or reads, always over the same values in the same order.
typedef enum direction { COUNT, SAVE, LOAD } direction;
typedef struct tape {
    direction direction;
    double *data;
    size_t count;
} tape;

static void pass(tape *t, double *values, size_t count) {
    if (t->direction == SAVE) memcpy(t->data + t->count, values, count * sizeof *values);
    if (t->direction == LOAD) memcpy(values, t->data + t->count, count * sizeof *values);
    t->count += count;
}

static void pass_index(tape *t, uint64_t *value) { // exact up to 2^53 steps
    double as_double = (double)*value;
    pass(t, &as_double, 1);
    if (t->direction == LOAD) *value = (uint64_t)as_double;
}

static void pass_flag(tape *t, bool *value) {
    double as_double = *value ? 1 : 0;
    pass(t, &as_double, 1);
    if (t->direction == LOAD) *value = as_double != 0;
}

static void pass_several(tape *t, double *const *arrays, size_t array_count, size_t count) {
    for (size_t k = 0; k < array_count; k++) pass(t, arrays[k], count);
}

static void pass_rod(tape *t, cdg_rod *rod) {
    pass_several(t, rod->x, 3, rod->node_count);
    pass_several(t, rod->v, 3, rod->node_count);
    pass_several(t, rod->q, 4, rod->element_count);
    pass_several(t, rod->w, 3, rod->element_count);
    if (rod->twist != NULL) pass(t, rod->twist, rod->node_count);
    if (rod->tension != NULL) pass(t, rod->tension, rod->element_count);
    if (rod->x_before[0] != NULL) {
        pass_several(t, rod->x_before, 3, rod->node_count);
        pass_several(t, rod->v_before, 3, rod->node_count);
        pass_several(t, rod->q_before, 4, rod->element_count);
        pass_several(t, rod->w_before, 3, rod->element_count);
    }
    if (rod->own_count > 0) pass(t, rod->own, rod->own_count);
    pass_flag(t, &rod->has_history);
    pass(t, &rod->history_step, 1);
}

static void pass_world(tape *t, cdg_world *world) {
    pass(t, &world->time, 1);
    pass(t, &world->step, 1);
    pass(t, &world->base_time, 1);
    pass_index(t, &world->step_index);
    pass_index(t, &world->base_index);
    pass(t, &world->external_work, 1);
    pass(t, &world->energy_at_start, 1);
    pass_flag(t, &world->has_started);
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) pass_rod(t, world->rods[i].rod);
    for (size_t i = 0; i < world->support_count; i++) { // so that probes of reactions agree, too
        cdg_vec3 *vectors[2] = {&world->supports[i].force, &world->supports[i].moment};
        for (int k = 0; k < 2; k++) {
            pass(t, &vectors[k]->x, 1);
            pass(t, &vectors[k]->y, 1);
            pass(t, &vectors[k]->z, 1);
        }
    }
}

// Counting and saving only read the world; the tape needs one type for both ways.
static cdg_world *unconst(const cdg_world *world) { return (cdg_world *)(uintptr_t)world; }

size_t cdg_world_snapshot_size(const cdg_world *world) {
    tape t = {.direction = COUNT};
    pass_world(&t, unconst(world));
    return t.count;
}

cdg_result cdg_world_snapshot_save(const cdg_world *world, double *out) {
    tape t = {.direction = SAVE, .data = out};
    pass_world(&t, unconst(world));
    return CDG_OK;
}

cdg_result cdg_world_snapshot_load(cdg_world *world, const double *in) {
    cdg_result result = cdg_joints_form_nets(world); // from the rest shape that the joints were made in
    if (result != CDG_OK) return result;
    tape t = {.direction = LOAD, .data = (double *)(uintptr_t)in};
    pass_world(&t, world);
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) cdg_supports_drive(world, (uint32_t)i, world->time);
    return CDG_OK;
}
