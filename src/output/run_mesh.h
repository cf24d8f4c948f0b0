// Triangle meshes of obstacles and bodies in run.h5: datasets `vertices` and `triangles` in the group of their owner.
#ifndef CDG_OUTPUT_RUN_MESH_H
#define CDG_OUTPUT_RUN_MESH_H

#include "output/hdf5_file.h"

#include <cordage/shape.h>

// Makes a dataset (cdg_run_create_block) or finds it again (cdg_hdf5_find_block).
typedef bool (*cdg_run_visit)(hid_t group, cdg_hdf5_block *block, uint64_t file_size);
bool cdg_run_create_block(hid_t group, cdg_hdf5_block *block, uint64_t file_size);

typedef struct cdg_run_mesh {
    uint64_t vertices, triangles;        // byte offsets: [vertices, 3] doubles, [triangles, 3] 64-bit integers
    size_t vertex_count, triangle_count; // found: those of the file
} cdg_run_mesh;

bool cdg_run_mesh_visit(cdg_run_mesh *mesh, hid_t group, cdg_run_visit visit, uint64_t file_size);
cdg_result cdg_run_mesh_write(const cdg_run_mesh *mesh, const cdg_vec3 *vertices, const uint32_t (*triangles)[3],
                              int descriptor, const char *path, cdg_error *error);
// Of a file that may be damaged: false unless all is there and fits. The caller frees both, in any case.
bool cdg_run_mesh_read(const cdg_run_mesh *mesh, uint64_t file_size, const char *path, cdg_vec3 **vertices,
                       uint32_t (**triangles)[3]);

// ---- of an object's shape, which is a mesh or not

extern const char *const cdg_run_shape_kinds[]; // their names in run files

// `at`: byte offsets of a mesh's vertices and triangles.

bool cdg_run_shape_visit(uint64_t at[2], cdg_shape *shape, hid_t group, cdg_run_visit visit, uint64_t file_size);
cdg_result cdg_run_shape_write(const uint64_t at[2], const cdg_shape *shape, int descriptor, const char *path,
                               cdg_error *error);
// Of a file that may be damaged: false unless all is there and fits. cdg_run_shape_free frees it, in any case.
bool cdg_run_shape_read(const uint64_t at[2], cdg_shape *shape, uint64_t file_size, const char *path);
void cdg_run_shape_free(cdg_shape *shape);
double cdg_run_shape_numbers(const cdg_shape *shape); // that a file holds of it, 8 bytes each

// A pose at an output: position and orientation are byte offsets of [outputs, 3] and [outputs, 4] doubles.
cdg_result cdg_run_pose_read(uint64_t position_at, uint64_t orientation_at, size_t frame, int descriptor,
                             const char *path, cdg_vec3 *position, cdg_quat *orientation, cdg_error *error);

#endif
