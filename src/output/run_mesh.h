// Triangle meshes of obstacles and bodies in run.h5: datasets `vertices` and `triangles` in the group of their owner.
#ifndef CDG_OUTPUT_RUN_MESH_H
#define CDG_OUTPUT_RUN_MESH_H

#include "output/hdf5_file.h"

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

#endif
