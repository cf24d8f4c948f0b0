// Reading rods in place and by name: views of the state without a copy, and every field that a run file would hold.
#include "base/error.h"
#include "world/world.h"

#include <cordage/control.h>

#include <string.h>

// Components of a state lie at one distance in the rod's block (rod_build.c), and commit swaps whole sets of them.
static cdg_state_view view_of(double *const *components, size_t component_count, size_t count) {
    return (cdg_state_view){.data = components[0],
                            .count = count,
                            .components = component_count,
                            .entry_stride = 1,
                            .component_stride = (size_t)(components[1] - components[0])};
}

cdg_result cdg_rod_view(const cdg_world *world, cdg_rod_id id, cdg_state_kind kind, cdg_state_view *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    switch (kind) {
    case CDG_STATE_POSITIONS: *out = view_of(rod->x, 3, rod->node_count); return CDG_OK;
    case CDG_STATE_VELOCITIES: *out = view_of(rod->v, 3, rod->node_count); return CDG_OK;
    case CDG_STATE_FRAMES: *out = view_of(rod->q, 4, rod->element_count); return CDG_OK;
    case CDG_STATE_ANGULAR_VELOCITIES: *out = view_of(rod->w, 3, rod->element_count); return CDG_OK;
    case CDG_STATE_KIND_COUNT: break;
    }
    return CDG_ERROR_ARGUMENT;
}

size_t cdg_field_shape_count(void) { return CDG_FIELD_COUNT; }

cdg_result cdg_field_shape_at(size_t index, cdg_field_shape *out) {
    if (out == NULL || index >= CDG_FIELD_COUNT) return CDG_ERROR_ARGUMENT;
    cdg_field_info info = cdg_field_get((cdg_field)index);
    *out = (cdg_field_shape){.name = info.name,
                             .unit = info.units,
                             .text = info.description,
                             .is_per_element = info.per == CDG_FIELD_PER_ELEMENT,
                             .components = info.component_count};
    return CDG_OK;
}

cdg_result cdg_rod_measure_field(cdg_world *world, cdg_rod_id id, const char *name, double *out, size_t capacity) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (name == NULL) return cdg_fail_null(&world->error, "name");
    if (out == NULL) return cdg_fail_null(&world->error, "out");
    cdg_error_clear(&world->error);
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    cdg_field field;
    if (!cdg_field_find(name, &field))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "there is no field '%.60s'; cdg_field_shape_at lists all, such as positions and moment", name);
    cdg_field_info info = cdg_field_get(field);
    size_t needed = cdg_field_entries(&info, rod->node_count, rod->element_count) * info.component_count;
    if (capacity < needed)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "field '%s' of rod '%s' has %zu numbers, and there is room "
                        "for %zu",
                        name, rod->name, needed, capacity);
    cdg_field_measure_all(field, rod, out);
    return CDG_OK;
}

// ---- what a world is told from outside ------------------------------------------------------------------------------

cdg_result cdg_support_get_pose(const cdg_world *world, cdg_support_id id, cdg_vec3 *position, cdg_quat *frame) {
    if (world == NULL || position == NULL || frame == NULL) return CDG_ERROR_ARGUMENT;
    const world_support *support = cdg_world_get_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    cdg_support_pose(support, world->time, position, frame);
    return CDG_OK;
}

size_t cdg_world_support_count(const cdg_world *world) { return world != NULL ? world->support_count : 0; }

cdg_support_id cdg_world_support_at(const cdg_world *world, size_t index) {
    if (world == NULL || index >= world->support_count || world->supports[index].weld1 != 0) return (cdg_support_id){0};
    cdg_handle handle = cdg_handles_in_slot(&world->handles[WORLD_SUPPORTS], index);
    return CDG_HANDLE_AS(cdg_support_id, handle);
}

cdg_result cdg_support_get_info(const cdg_world *world, cdg_support_id id, cdg_support_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const world_support *support = cdg_world_get_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    *out = (cdg_support_info){support->def.kind, support->def.place, support->def.motion_count > 0};
    return CDG_OK;
}

cdg_vec3 cdg_world_gravity(const cdg_world *world) { return world != NULL ? world->def.gravity : (cdg_vec3){0}; }

cdg_result cdg_rod_get_forces(const cdg_world *world, cdg_rod_id id, cdg_vec3 *forces, cdg_vec3 *torques) {
    if (world == NULL || forces == NULL || torques == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    const cdg_vec3 *own = world->rods[id.index1 - 1].own_forces;
    memset(forces, 0, rod->node_count * sizeof *forces);
    memset(torques, 0, rod->element_count * sizeof *torques);
    if (own == NULL) return CDG_OK;
    memcpy(forces, own, rod->node_count * sizeof *forces);
    memcpy(torques, own + rod->node_count, rod->element_count * sizeof *torques);
    return CDG_OK;
}
