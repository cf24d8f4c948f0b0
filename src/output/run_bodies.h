// Rigid bodies in run.h5: /bodies/NAME/{position, orientation, velocity, angular_velocity} at every output, shape and
// mass as attributes, and for meshes /bodies/NAME/{vertices, triangles}. A run without bodies has no such group.
#ifndef CDG_OUTPUT_RUN_BODIES_H
#define CDG_OUTPUT_RUN_BODIES_H

#include <cordage/body.h>

// The one list of what is stored of a body at every output: X(name, components, units, description).
#define CDG_RUN_BODY_LIST(X)                                                                                           \
    X(position, 3, "m", "where the body's origin is, world axes")                                                      \
    X(orientation, 4, "1", "how it is turned, unit quaternion w x y z")                                                \
    X(velocity, 3, "m/s", "of its centre of mass, world axes")                                                         \
    X(angular_velocity, 3, "rad/s", "how it turns, world axes")

typedef struct cdg_run_body_entry { // byte offsets in the file
    cdg_body_id id;
    cdg_body_info info;
#define CDG_RUN_BODY_OFFSET(name, components, units, text) uint64_t name;
    CDG_RUN_BODY_LIST(CDG_RUN_BODY_OFFSET)
#undef CDG_RUN_BODY_OFFSET
    uint64_t mesh[2]; // [vertices, 3] doubles, [triangles, 3] 64-bit integers
} cdg_run_body_entry;

typedef struct cdg_run_bodies {
    cdg_run_body_entry *entries;
    size_t count;
    bool owns_info; // names and meshes were read from a file
} cdg_run_bodies;

cdg_result cdg_run_bodies_make(const cdg_world *world, cdg_run_bodies *out, cdg_error *error);
cdg_result cdg_run_bodies_copy(const cdg_run_bodies *from, cdg_run_bodies *out, cdg_error *error);
void cdg_run_bodies_free(cdg_run_bodies *bodies);

double cdg_run_bodies_numbers(const cdg_run_bodies *bodies, size_t frame_count); // 8 bytes each

// As for obstacles (output/run_obstacles.h). `file` is HDF5's identifier.
bool cdg_run_bodies_create(cdg_run_bodies *bodies, int64_t file, size_t frame_count);
bool cdg_run_bodies_find(cdg_run_bodies *bodies, int64_t file, size_t frame_count, uint64_t file_size);
// What bodies a file has, in the order of the scene; meshes are read from `descriptor`.
bool cdg_run_bodies_discover(cdg_run_bodies *out, int64_t file, size_t frame_count, uint64_t file_size,
                             const char *path);

cdg_result cdg_run_bodies_write_shapes(const cdg_run_bodies *bodies, int descriptor, const char *path,
                                       cdg_error *error);
cdg_result cdg_run_bodies_write_frame(const cdg_run_bodies *bodies, const cdg_world *world, size_t frame,
                                      int descriptor, const char *path, cdg_error *error);
cdg_result cdg_run_bodies_read_pose(const cdg_run_bodies *bodies, size_t body, size_t frame, int descriptor,
                                    const char *path, cdg_vec3 *position, cdg_quat *orientation, cdg_error *error);

#endif
