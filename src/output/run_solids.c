// Obstacles and bodies of a run seen as one list.
#include "output/run_solids.h"

#include "base/error.h"
#include "math/quat.h"

size_t cdg_run_solid_count(const cdg_run_reader *reader) { return reader->obstacle_count + reader->body_count; }

static cdg_obstacle_kind kind_of(cdg_body_kind kind) {
    switch (kind) {
    case CDG_BODY_SPHERE: return CDG_OBSTACLE_SPHERE;
    case CDG_BODY_BOX: return CDG_OBSTACLE_BOX;
    case CDG_BODY_CAPSULE: return CDG_OBSTACLE_CAPSULE;
    case CDG_BODY_CYLINDER: return CDG_OBSTACLE_CYLINDER;
    case CDG_BODY_MESH: return CDG_OBSTACLE_MESH;
    case CDG_BODY_KIND_COUNT: break;
    }
    return CDG_OBSTACLE_KIND_COUNT;
}

cdg_run_solid cdg_run_solid_get(const cdg_run_reader *reader, size_t solid) {
    if (solid < reader->obstacle_count) {
        const cdg_obstacle_info *info = &reader->obstacles[solid].info;
        return (cdg_run_solid){.shape = *info, .is_still = !info->is_moving};
    }
    const cdg_body_info *info = &reader->bodies[solid - reader->obstacle_count].info;
    return (cdg_run_solid){.shape = {.name = info->name,
                                     .kind = kind_of(info->kind),
                                     .is_moving = true,
                                     .radius = info->radius,
                                     .length = info->length,
                                     .size = info->size,
                                     .vertices = info->vertices,
                                     .vertex_count = info->vertex_count,
                                     .triangles = info->triangles,
                                     .triangle_count = info->triangle_count},
                           .is_free = !info->is_fixed};
}

cdg_result cdg_run_solid_pose(const cdg_run_reader *reader, size_t frame, size_t solid, cdg_vec3 *position,
                              cdg_quat *orientation, cdg_error *error) {
    bool is_obstacle = solid < reader->obstacle_count;
    cdg_result result =
        is_obstacle ? cdg_run_reader_obstacle(reader, frame, solid, position, orientation, error)
                    : cdg_run_reader_body(reader, frame, solid - reader->obstacle_count, position, orientation, error);
    if (result != CDG_OK) return result;
    double size = quat_dot(*orientation, *orientation);
    if (!vec3_is_finite(*position) || !(size > 0 && isfinite(size)))
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the pose of %s '%s' is not a finite number; the run is damaged, run the scene anew",
                        reader->directory, is_obstacle ? "obstacle" : "body",
                        cdg_run_solid_get(reader, solid).shape.name);
    *orientation = quat_normalize(*orientation);
    return CDG_OK;
}
