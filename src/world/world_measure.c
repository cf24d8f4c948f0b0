// Fields of the world's rods (fields/field.h), as probes, run files and programs read them.
#include "base/parallel.h"
#include "world/step.h"
#include "world/world.h"

cdg_result cdg_world_measure_field(const cdg_world *world, cdg_rod_id id, cdg_field field, double *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_field_measure_all(field, rod, out);
    return CDG_OK;
}

cdg_result cdg_world_measure_rod(const cdg_world *world, cdg_rod_id id, double *const out[CDG_FIELD_COUNT]) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_field_measure_rod(rod, out);
    return CDG_OK;
}

cdg_result cdg_world_measure_field_at(const cdg_world *world, cdg_rod_id id, cdg_field field, size_t index,
                                      double *out) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_field_measure(field, rod, index, out);
    return CDG_OK;
}

// Rods in a few parts, each looked at by one thread; the parts' worst are compared in order.
enum { TURN_PARTS = 64 };
typedef struct turn_search {
    const cdg_world *world;
    size_t parts;
    cdg_turn_error worst[TURN_PARTS];
    size_t rod[TURN_PARTS];
} turn_search;

static void search_part(void *user, size_t part, int thread) {
    (void)thread;
    turn_search *s = user;
    size_t first = part * s->world->rod_count / s->parts, end = (part + 1) * s->world->rod_count / s->parts;
    for (size_t i = first; i < end; i++) {
        cdg_prefetch_shape(s->world, i, true);
        if (s->world->rods[i].rod == NULL) continue;
        cdg_turn_error here = cdg_rod_turn_error(s->world->rods[i].rod);
        if (here.error > s->worst[part].error) s->worst[part] = here, s->rod[part] = i;
    }
}

cdg_turn_error cdg_world_turn_error(const cdg_world *world, cdg_rod_id *rod) {
    turn_search s = {.world = world, .parts = world->rod_count > TURN_PARTS ? TURN_PARTS : 1};
    cdg_parallel_for(s.parts, s.parts > 1 ? world->thread_count : 1, search_part, &s);
    cdg_turn_error worst = {0};
    for (size_t part = 0; part < s.parts; part++) {
        if (!(s.worst[part].error > worst.error)) continue;
        worst = s.worst[part];
        *rod = cdg_world_rod_id(world, s.rod[part]);
    }
    return worst;
}
