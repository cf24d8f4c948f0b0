// The boundary of a tetrahedral mesh: faces of one element alone, with their points numbered anew.
#include "base/error.h"
#include "meshing/faces.h"
#include "meshing/mesh_work.h"

#include <stdlib.h>

static size_t count_boundary(const uint32_t *mate, size_t half_faces) {
    size_t count = 0;
    for (size_t h = 0; h < half_faces; h++) count += mate[h] == CDG_NO_FACE;
    return count;
}

// Numbers points in the order in which faces meet them; `number` is UINT32_MAX where there is none yet.
static bool collect(const cdg_mesh *mesh, const uint32_t *mate, cdg_patience *patience, uint32_t *number,
                    uint32_t *source, cdg_mesh *out) {
    for (size_t h = 0; h < 4 * mesh->tetrahedron_count; h++) {
        if (!cdg_patience_lasts_at(patience, h)) return false;
        if (mate[h] != CDG_NO_FACE) continue;
        uint32_t points[3];
        cdg_face_points(mesh, (uint32_t)h, points);
        for (int k = 0; k < 3; k++) {
            if (number[points[k]] == UINT32_MAX) {
                source[out->point_count] = points[k];
                out->points[out->point_count] = mesh->points[points[k]];
                number[points[k]] = (uint32_t)out->point_count++;
            }
            out->triangles[out->triangle_count][k] = number[points[k]];
        }
        out->triangle_count++;
    }
    return true;
}

static bool is_in_range(const cdg_mesh *mesh) {
    for (size_t i = 0; i < 4 * mesh->tetrahedron_count; i++)
        if (mesh->tetrahedra[i / 4][i % 4] >= mesh->point_count) return false;
    return true;
}

cdg_result cdg_mesh_boundary(const cdg_mesh *mesh, cdg_mesh *out, uint32_t **source_points, cdg_error *error) {
    return cdg_mesh_boundary_patiently(mesh, NULL, out, source_points, error);
}

cdg_result cdg_mesh_boundary_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh *out,
                                       uint32_t **source_points, cdg_error *error) {
    if (mesh == NULL || out == NULL) return cdg_fail_null(error, mesh == NULL ? "mesh" : "out");
    *out = (cdg_mesh){0};
    if (source_points != NULL) *source_points = NULL;
    if (mesh->tetrahedron_count > UINT32_MAX / 4 - 1 || !is_in_range(mesh))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "boundary of a mesh: a tetrahedron names a point that the mesh does not have; cdg_mesh_check "
                        "tells which");
    uint32_t *mate = malloc((4 * mesh->tetrahedron_count + 1) * sizeof *mate);
    uint32_t *number = malloc((mesh->point_count + 1) * sizeof *number);
    uint32_t *source = malloc((mesh->point_count + 1) * sizeof *source);
    bool has_memory = mate != NULL && number != NULL && source != NULL && cdg_faces_match(mesh, NULL, patience, mate);
    if (has_memory) {
        size_t count = count_boundary(mate, 4 * mesh->tetrahedron_count);
        out->points = malloc((mesh->point_count + 1) * sizeof *out->points);
        out->triangles = malloc((count + 1) * sizeof *out->triangles);
        has_memory = out->points != NULL && out->triangles != NULL;
    }
    if (has_memory) {
        for (size_t p = 0; p < mesh->point_count; p++) number[p] = UINT32_MAX;
        has_memory = collect(mesh, mate, patience, number, source, out);
    }
    if (!has_memory) cdg_mesh_free(out);
    free(mate);
    free(number);
    if (has_memory && source_points != NULL) {
        *source_points = source;
    } else {
        free(source);
    }
    return has_memory ? CDG_OK : cdg_mesh_work_fail(patience, "for the boundary of a mesh", error);
}
