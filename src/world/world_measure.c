// Fields of the world's rods (fields/field.h), as probes, run files and programs read them.
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

cdg_turn_error cdg_world_turn_error(const cdg_world *world, cdg_rod_id *rod) {
    cdg_turn_error worst = {0};
    for (size_t i = 0; i < world->rod_count; i++) {
        if (world->rods[i].rod == NULL) continue;
        cdg_turn_error here = cdg_rod_turn_error(world->rods[i].rod);
        if (!(here.error > worst.error)) continue;
        worst = here;
        *rod = cdg_world_rod_id(world, i);
    }
    return worst;
}
