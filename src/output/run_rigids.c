// Obstacles and bodies of a run seen as one list.
#include "output/run_rigids.h"

#include "base/error.h"
#include "math/quat.h"

size_t cdg_run_rigid_count(const cdg_run_reader *reader) { return reader->obstacle_count + reader->body_count; }

cdg_run_rigid cdg_run_rigid_get(const cdg_run_reader *reader, size_t rigid) {
    if (rigid < reader->obstacle_count) {
        const cdg_obstacle_info *info = &reader->obstacles[rigid].info;
        return (cdg_run_rigid){.name = info->name, .shape = info->shape, .is_still = !info->is_moving};
    }
    const cdg_body_info *info = &reader->bodies[rigid - reader->obstacle_count].info;
    return (cdg_run_rigid){.name = info->name, .shape = info->shape, .is_free = !info->is_fixed};
}

cdg_result cdg_run_rigid_pose(const cdg_run_reader *reader, size_t frame, size_t rigid, cdg_vec3 *position,
                              cdg_quat *orientation, cdg_error *error) {
    bool is_obstacle = rigid < reader->obstacle_count;
    cdg_result result =
        is_obstacle ? cdg_run_reader_obstacle(reader, frame, rigid, position, orientation, error)
                    : cdg_run_reader_body(reader, frame, rigid - reader->obstacle_count, position, orientation, error);
    if (result != CDG_OK) return result;
    double size = quat_dot(*orientation, *orientation);
    if (!vec3_is_finite(*position) || !(size > 0 && isfinite(size)))
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the pose of %s '%s' is not a finite number; the run is damaged, run the scene anew",
                        reader->directory, is_obstacle ? "obstacle" : "body", cdg_run_rigid_get(reader, rigid).name);
    *orientation = quat_normalize(*orientation);
    return CDG_OK;
}
