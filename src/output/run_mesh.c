// Triangle meshes and poses of obstacles and bodies in run.h5.
#define _POSIX_C_SOURCE 200809L
#include "output/run_mesh.h"

#include "base/error.h"
#include "output/disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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

bool cdg_run_mesh_read(const cdg_run_mesh *mesh, uint64_t file_size, const char *path, cdg_vec3 **vertices,
                       uint32_t (**triangles)[3]) {
    size_t vertex_count = mesh->vertex_count, triangle_count = mesh->triangle_count;
    *vertices = NULL, *triangles = NULL;
    if (vertex_count > file_size / 24 || triangle_count > file_size / 24 || vertex_count > UINT32_MAX) return false;
    *vertices = calloc(vertex_count + 1, sizeof **vertices);
    *triangles = calloc(triangle_count + 1, sizeof **triangles);
    uint64_t(*wide)[3] = calloc(triangle_count + 1, sizeof *wide);
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    cdg_error error;
    bool is_good =
        *vertices != NULL && *triangles != NULL && wide != NULL && descriptor >= 0 &&
        cdg_disk_read_at(descriptor, path, *vertices, vertex_count * sizeof **vertices, mesh->vertices, &error) ==
            CDG_OK &&
        cdg_disk_read_at(descriptor, path, wide, triangle_count * sizeof *wide, mesh->triangles, &error) == CDG_OK;
    for (size_t t = 0; t < triangle_count && is_good; t++)
        for (int k = 0; k < 3 && is_good; k++) {
            is_good = wide[t][k] < vertex_count;
            (*triangles)[t][k] = (uint32_t)wide[t][k];
        }
    if (descriptor >= 0) close(descriptor);
    free(wide);
    return is_good;
}

// ---- of an object's shape -------------------------------------------------------------------------------------------

const char *const cdg_run_shape_kinds[] = {
#define SHAPE_NAME(id, name, text) name,
    CDG_SHAPE_LIST(SHAPE_NAME)
#undef SHAPE_NAME
};

static cdg_run_mesh mesh_of(const uint64_t at[2], const cdg_shape *shape) {
    return (cdg_run_mesh){at[0], at[1], shape->mesh.point_count, shape->mesh.triangle_count};
}

bool cdg_run_shape_visit(uint64_t at[2], cdg_shape *shape, hid_t group, cdg_run_visit visit, uint64_t file_size) {
    if (shape->kind != CDG_SHAPE_MESH) return true;
    cdg_run_mesh mesh = mesh_of(at, shape);
    if (!cdg_run_mesh_visit(&mesh, group, visit, file_size)) return false;
    at[0] = mesh.vertices, at[1] = mesh.triangles;
    shape->mesh.point_count = mesh.vertex_count, shape->mesh.triangle_count = mesh.triangle_count;
    return true;
}

cdg_result cdg_run_shape_write(const uint64_t at[2], const cdg_shape *shape, int descriptor, const char *path,
                               cdg_error *error) {
    if (shape->kind != CDG_SHAPE_MESH) return CDG_OK;
    cdg_run_mesh mesh = mesh_of(at, shape);
    return cdg_run_mesh_write(&mesh, shape->mesh.points, (const uint32_t(*)[3])shape->mesh.triangles, descriptor, path,
                              error);
}

bool cdg_run_shape_read(const uint64_t at[2], cdg_shape *shape, uint64_t file_size, const char *path) {
    if (shape->kind != CDG_SHAPE_MESH) return true;
    cdg_run_mesh mesh = mesh_of(at, shape);
    return cdg_run_mesh_read(&mesh, file_size, path, &shape->mesh.points, &shape->mesh.triangles);
}

void cdg_run_shape_free(cdg_shape *shape) {
    free(shape->mesh.points);
    free(shape->mesh.triangles);
    shape->mesh.points = NULL, shape->mesh.triangles = NULL;
}

double cdg_run_shape_numbers(const cdg_shape *shape) {
    return 3 * ((double)shape->mesh.point_count + (double)shape->mesh.triangle_count);
}

cdg_result cdg_run_pose_read(uint64_t position_at, uint64_t orientation_at, size_t frame, int descriptor,
                             const char *path, cdg_vec3 *position, cdg_quat *orientation, cdg_error *error) {
    cdg_result result = cdg_disk_read_at(descriptor, path, position, sizeof *position,
                                         position_at + (uint64_t)frame * sizeof *position, error);
    if (result != CDG_OK) return result;
    return cdg_disk_read_at(descriptor, path, orientation, sizeof *orientation,
                            orientation_at + (uint64_t)frame * sizeof *orientation, error);
}
