// Structures in a world: all of their rods and joints, or nothing.
#include "base/error.h"
#include "world/world.h"

#include <cordage/structure.h>
#include <stdlib.h>

static cdg_result add_all(cdg_world *world, const cdg_structure *structure, cdg_rod_id *ids, size_t *added) {
    cdg_result result = CDG_OK;
    for (; *added < structure->rod_count && result == CDG_OK; *added += result == CDG_OK)
        result = cdg_world_add_rod(world, &structure->rods[*added], &ids[*added]);
    for (size_t j = 0; j < structure->joint_count && result == CDG_OK; j++) {
        cdg_joint_def def = structure->joints[j];
        cdg_place *places = calloc(def.place_count, sizeof *places);
        if (places == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a joint");
        for (size_t m = 0; m < def.place_count; m++) {
            places[m] = def.places[m];
            places[m].rod = ids[def.places[m].rod.index1 - 1];
        }
        def.places = places;
        result = cdg_world_add_joint(world, &def, NULL);
        free(places);
    }
    return result;
}

cdg_result cdg_world_add_structure(cdg_world *world, const cdg_structure_def *def) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_structure *structure = NULL;
    cdg_error_clear(&world->error);
    cdg_result result = cdg_structure_expand(def, &structure, &world->error);
    if (result != CDG_OK) return result;
    size_t joints_before = world->joint_count, added = 0;
    cdg_rod_id *ids = calloc(structure->rod_count, sizeof *ids);
    result = ids != NULL ? add_all(world, structure, ids, &added)
                         : cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for structure '%s'", def->name);
    if (result != CDG_OK) {
        cdg_error kept = world->error;
        cdg_joints_forget(world, joints_before);
        for (size_t i = 0; i < added; i++) cdg_world_remove_rod(world, ids[i]);
        world->error = kept;
    }
    free(ids);
    cdg_structure_destroy(structure);
    return result;
}
