// Guides of strands in a world: all of them with their clamps, or nothing.
#include "base/error.h"
#include "world/world.h"

#include <cordage/strands.h>

cdg_result cdg_world_add_strands(cdg_world *world, const cdg_strands *strands, cdg_rod_id *ids) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (strands == NULL) return cdg_fail_null(&world->error, "strands");
    if (ids == NULL) return cdg_fail_null(&world->error, "ids");
    cdg_error_clear(&world->error);
    cdg_result result = CDG_OK;
    size_t added = 0;
    for (size_t i = 0; i < strands->rod_count && result == CDG_OK; i++) {
        result = cdg_world_add_rod(world, &strands->rods[i], &ids[i]);
        if (result != CDG_OK) break;
        added++;
        cdg_support_def clamp = strands->clamps[i];
        clamp.place.rod = ids[clamp.place.rod.index1 - 1];
        result = cdg_world_add_support(world, &clamp, NULL);
    }
    if (result == CDG_OK) return CDG_OK;
    cdg_error kept = world->error;
    for (size_t i = 0; i < added; i++) cdg_world_remove_rod(world, ids[i]); // takes its supports along
    world->error = kept;
    return result;
}
