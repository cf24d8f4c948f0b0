// Obstacles in a world: adding, finding, reading back.
#include "base/error.h"
#include "math/quat.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- obstacles ------------------------------------------------------------------------------------------------------

cdg_result cdg_world_add_obstacle(cdg_world *world, const cdg_obstacle_def *def, cdg_obstacle_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    char chosen[40];
    const char *name = def->name;
    if (name == NULL) { // the first number that is free
        for (size_t number = world->obstacle_count + 1; name == NULL; number++) {
            snprintf(chosen, sizeof chosen, "obstacle_%zu", number);
            if (cdg_world_find_obstacle(world, chosen).index1 == 0) name = chosen;
        }
    }
    cdg_result result =
        cdg_world_check_name(world, "an obstacle", name, cdg_world_find_obstacle(world, name).index1 != 0);
    if (result != CDG_OK) return result;
    if (world->obstacle_count == world->obstacle_capacity) {
        size_t capacity = world->obstacle_capacity > 0 ? 2 * world->obstacle_capacity : 4;
        cdg_obstacle *grown = realloc(world->obstacles, capacity * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for obstacle '%s'", name);
        world->obstacles = grown;
        world->obstacle_capacity = capacity;
    }
    if (!cdg_handles_reserve(&world->handles[WORLD_OBSTACLES]))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for obstacle '%s'", name);
    result = cdg_obstacle_build(def, name, &world->obstacles[world->obstacle_count], &world->error);
    if (result != CDG_OK) return result;
    world->obstacle_count++;
    world->motion_count += def->motion_count;
    world_renew(world); // contact may begin now
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_OBSTACLES]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_obstacle_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_obstacle(cdg_world *world, cdg_obstacle_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_OBSTACLES, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the obstacle no longer exists");
    cdg_leads_leave_obstacle(world, (uint32_t)index);
    world->motion_count -= world->obstacles[index].def.motion_count;
    cdg_obstacle_free(&world->obstacles[index]);
    world->obstacle_count--;
    memmove(&world->obstacles[index], &world->obstacles[index + 1],
            (world->obstacle_count - index) * sizeof *world->obstacles);
    cdg_handles_close_up(&world->handles[WORLD_OBSTACLES], index);
    cdg_contacts_forget(&world->contacts, CDG_SIDE_OBSTACLE, (uint32_t)index);
    world->scratch_size = 0;
    return CDG_OK;
}

void cdg_world_free_obstacles(cdg_world *world) {
    for (size_t i = 0; i < world->obstacle_count; i++) cdg_obstacle_free(&world->obstacles[i]);
    free(world->obstacles);
}

size_t cdg_world_obstacle_count(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->obstacle_count;
}

cdg_obstacle_id cdg_world_obstacle_at(const cdg_world *world, size_t index) {
    if (world == NULL) return (cdg_obstacle_id){0};
    cdg_handle handle = cdg_handles_at(&world->handles[WORLD_OBSTACLES], index);
    return CDG_HANDLE_AS(cdg_obstacle_id, handle);
}

cdg_obstacle_id cdg_world_find_obstacle(const cdg_world *world, const char *name) {
    if (world == NULL) return (cdg_obstacle_id){0};
    for (size_t i = 0; i < world->obstacle_count; i++)
        if (name != NULL && strcmp(world->obstacles[i].name, name) == 0) return cdg_world_obstacle_at(world, i);
    return (cdg_obstacle_id){0};
}

cdg_obstacle *cdg_world_get_obstacle(const cdg_world *world, cdg_obstacle_id id) {
    size_t index = WORLD_INDEX(world, WORLD_OBSTACLES, id);
    return index != SIZE_MAX ? &world->obstacles[index] : NULL;
}

cdg_result cdg_obstacle_get_info(const cdg_world *world, cdg_obstacle_id id, cdg_obstacle_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_obstacle *o = cdg_world_get_obstacle(world, id);
    if (o == NULL) return CDG_ERROR_STALE;
    *out = (cdg_obstacle_info){.name = o->name,
                               .shape = o->def.shape,
                               .is_moving = o->def.motion_count > 0,
                               .friction = o->def.friction < 0 ? world->contact_def.friction : o->def.friction};
    out->shape.is_surface = o->mesh.is_surface;
    out->shape.mesh = cdg_contact_mesh_surface(&o->mesh);
    return CDG_OK;
}

cdg_result cdg_obstacle_get_pose(const cdg_world *world, cdg_obstacle_id id, cdg_vec3 *position,
                                 cdg_quat *orientation) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_obstacle *o = cdg_world_get_obstacle(world, id);
    if (o == NULL) return CDG_ERROR_STALE;
    cdg_pose pose = cdg_obstacle_pose(o, world->time);
    if (position != NULL) *position = pose.position;
    if (orientation != NULL) *orientation = pose.orientation;
    return CDG_OK;
}
