// Triangle meshes of obstacles and bodies in run.h5.
#include "output/run_mesh.h"

#include "base/error.h"
#include "output/disk.h"

#include <stdlib.h>

bool cdg_run_create_block(hid_t group, cdg_hdf5_block *block, uint64_t file_size) {
    (void)file_size;
    return cdg_hdf5_create_block(group, block);
}

bool cdg_run_mesh_visit(cdg_run_mesh *mesh, hid_t group, cdg_run_visit visit, uint64_t file_size) {
    cdg_hdf5_block vertices = {.name = "vertices",
                               .type = H5T_NATIVE_DOUBLE,
                               .rank = 2,
                               .size = {mesh->vertex_count, 3},
                               .units = "m",
                               .description = "corners of the mesh, its own axes"};
    cdg_hdf5_block triangles = {.name = "triangles",
                                .type = H5T_NATIVE_UINT64,
                                .rank = 2,
                                .size = {mesh->triangle_count, 3},
                                .units = "1",
                                .description = "corners of each triangle, counter-clockwise from outside"};
    if (!visit(group, &vertices, file_size) || !visit(group, &triangles, file_size)) return false;
    *mesh = (cdg_run_mesh){vertices.offset, triangles.offset, (size_t)vertices.size[0], (size_t)triangles.size[0]};
    return true;
}

cdg_result cdg_run_mesh_write(const cdg_run_mesh *mesh, const cdg_vec3 *vertices, const uint32_t (*triangles)[3],
                              int descriptor, const char *path, cdg_error *error) {
    size_t count = mesh->triangle_count;
    uint64_t(*wide)[3] = malloc((count + 1) * sizeof *wide);
    if (wide == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    for (size_t t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) wide[t][k] = triangles[t][k];
    cdg_result result =
        cdg_disk_write_at(descriptor, path, vertices, mesh->vertex_count * sizeof *vertices, mesh->vertices, error);
    if (result == CDG_OK)
        result = cdg_disk_write_at(descriptor, path, wide, count * sizeof *wide, mesh->triangles, error);
    free(wide);
    return result;
}
