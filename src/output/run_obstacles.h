// Obstacles in run.h5: /obstacles/NAME/{position, orientation} at every output, the shape as attributes, and for meshes
// /obstacles/NAME/{vertices, triangles}. A run without obstacles has no such group.
#ifndef CDG_OUTPUT_RUN_OBSTACLES_H
#define CDG_OUTPUT_RUN_OBSTACLES_H

#include <cordage/obstacle.h>

typedef struct cdg_run_obstacle_entry { // byte offsets in the file
    cdg_obstacle_id id;
    cdg_obstacle_info info;
    uint64_t position, orientation; // [outputs, 3] and [outputs, 4] doubles
    uint64_t mesh[2];               // [vertices, 3] doubles, [triangles, 3] 64-bit integers
} cdg_run_obstacle_entry;

typedef struct cdg_run_obstacles {
    cdg_run_obstacle_entry *entries;
    size_t count;
    bool owns_info; // names and meshes were read from a file
} cdg_run_obstacles;

cdg_result cdg_run_obstacles_make(const cdg_world *world, cdg_run_obstacles *out, cdg_error *error);
cdg_result cdg_run_obstacles_copy(const cdg_run_obstacles *from, cdg_run_obstacles *out, cdg_error *error);
void cdg_run_obstacles_free(cdg_run_obstacles *obstacles);

double cdg_run_obstacles_numbers(const cdg_run_obstacles *obstacles, size_t frame_count); // 8 bytes each

// Makes groups, attributes and datasets, or finds the datasets again; sets the offsets. `file` is HDF5's identifier
// (hid_t), whose header is not for all to see. False on failure.
bool cdg_run_obstacles_create(cdg_run_obstacles *obstacles, int64_t file, size_t frame_count);
bool cdg_run_obstacles_find(cdg_run_obstacles *obstacles, int64_t file, size_t frame_count, uint64_t file_size);
// What obstacles a file has, in the order of the scene; meshes are read from `path`.
bool cdg_run_obstacles_discover(cdg_run_obstacles *out, int64_t file, size_t frame_count, uint64_t file_size,
                                const char *path);

cdg_result cdg_run_obstacles_write_shapes(const cdg_run_obstacles *obstacles, int descriptor, const char *path,
                                          cdg_error *error);
cdg_result cdg_run_obstacles_write_frame(const cdg_run_obstacles *obstacles, const cdg_world *world, size_t frame,
                                         int descriptor, const char *path, cdg_error *error);
cdg_result cdg_run_obstacles_read_pose(const cdg_run_obstacles *obstacles, size_t obstacle, size_t frame,
                                       int descriptor, const char *path, cdg_vec3 *position, cdg_quat *orientation,
                                       cdg_error *error);

#endif
