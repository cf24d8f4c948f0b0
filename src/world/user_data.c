// The program's own pointers with what has handles: they lie in the handles' slots.
#include "base/error.h"
#include "world/world.h"

#include <cordage/user_data.h>

cdg_result cdg_world_set_user_data(cdg_world *world, void *data) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    world->user_data = data;
    return CDG_OK;
}

void *cdg_world_user_data(const cdg_world *world) { return world != NULL ? world->user_data : NULL; }

static cdg_result set(cdg_world *world, world_kind kind, cdg_handle id, void *data, const char *name) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    if (WORLD_INDEX(world, kind, id) == SIZE_MAX)
        return cdg_fail(&world->error, CDG_ERROR_STALE, "the %s no longer exists", name);
    world->handles[kind].slots[id.index1 - 1].user_data = data;
    return CDG_OK;
}

static void *get(const cdg_world *world, world_kind kind, cdg_handle id) {
    if (world == NULL || WORLD_INDEX(world, kind, id) == SIZE_MAX) return NULL;
    return world->handles[kind].slots[id.index1 - 1].user_data;
}

#define CDG_USER_DATA(kind, KIND, text)                                                                                \
    cdg_result cdg_##kind##_set_user_data(cdg_world *world, cdg_##kind##_id id, void *data) {                          \
        return set(world, KIND, CDG_HANDLE_AS(cdg_handle, id), data, text);                                            \
    }                                                                                                                  \
    void *cdg_##kind##_user_data(const cdg_world *world, cdg_##kind##_id id) {                                         \
        return get(world, KIND, CDG_HANDLE_AS(cdg_handle, id));                                                        \
    }

CDG_USER_DATA(rod, WORLD_RODS, "rod")
CDG_USER_DATA(support, WORLD_SUPPORTS, "support")
CDG_USER_DATA(load, WORLD_LOADS, "load")
CDG_USER_DATA(joint, WORLD_JOINTS, "joint")
CDG_USER_DATA(obstacle, WORLD_OBSTACLES, "obstacle")
CDG_USER_DATA(body, WORLD_BODIES, "body")
CDG_USER_DATA(weld, WORLD_WELDS, "weld")
CDG_USER_DATA(solid, WORLD_SOLIDS, "solid")
CDG_USER_DATA(solid_support, WORLD_SOLID_SUPPORTS, "support")
CDG_USER_DATA(solid_load, WORLD_SOLID_LOADS, "load")
CDG_USER_DATA(tie, WORLD_TIES, "tie")
CDG_USER_DATA(grip, WORLD_GRIPS, "grip")
