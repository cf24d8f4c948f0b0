// The faces of a mesh that a picture shows.
#include "render/mesh_faces.h"

#include "base/error.h"
#include "math/vec3.h"
#include "meshing/faces.h"

#include <stdlib.h>
#include <string.h>

void cdg_mesh_faces_free(cdg_mesh_faces *faces) {
    free(faces->corners);
    *faces = (cdg_mesh_faces){0};
}

static cdg_result no_memory(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the faces of the mesh");
}

static void find_box(const cdg_vec3 *points, size_t count, cdg_mesh_faces *out) {
    out->low = out->high = count > 0 ? points[0] : vec3(0, 0, 0);
    for (size_t i = 1; i < count; i++) {
        cdg_vec3 p = points[i];
        out->low = vec3(fmin(out->low.x, p.x), fmin(out->low.y, p.y), fmin(out->low.z, p.z));
        out->high = vec3(fmax(out->high.x, p.x), fmax(out->high.y, p.y), fmax(out->high.z, p.z));
    }
}

static bool is_removed(const cdg_cut_plane *cut, const cdg_mesh_faces *faces, cdg_vec3 sum, double count) {
    if (cut == NULL) return false;
    return cdg_cut_plane_removes(cut, vec3_lerp(faces->low, faces->high, 0.5), vec3_scale(1 / count, sum));
}

// ---- tetrahedra -----------------------------------------------------------------------------------------------------

static void find_hidden(const cdg_mesh *mesh, const cdg_cut_plane *cut, cdg_mesh_faces *out, bool *hidden) {
    for (size_t i = 0; i < mesh->tetrahedron_count; i++) {
        cdg_vec3 sum = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) sum = vec3_add(sum, mesh->points[mesh->tetrahedra[i][k]]);
        hidden[i] = is_removed(cut, out, sum, 4);
        out->hidden_count += hidden[i];
    }
}

typedef enum face_kind { FACE_UNSEEN, FACE_OUTER, FACE_INNER } face_kind;

static face_kind kind_of(const uint32_t *mate, const bool *hidden, uint32_t face) {
    if (hidden[face / 4]) return FACE_UNSEEN;
    if (mate[face] == CDG_NO_FACE || mate[face] == CDG_OVERFULL_FACE)
        return FACE_OUTER; // of three or more all are drawn
    return hidden[mate[face] / 4] ? FACE_INNER : FACE_UNSEEN;
}

static void put_faces(const cdg_mesh *mesh, const uint32_t *mate, const bool *hidden, face_kind wanted,
                      cdg_mesh_faces *out, size_t *count) {
    size_t index = out->outer_count; // inner ones follow
    for (uint32_t face = 0; face < 4 * mesh->tetrahedron_count; face++) {
        if (kind_of(mate, hidden, face) != wanted) continue;
        if (out->corners != NULL) {
            uint32_t points[3];
            cdg_face_points(mesh, face, points);
            for (int k = 0; k < 3; k++) out->corners[index + *count][k] = mesh->points[points[k]];
        }
        ++*count;
    }
}

// Counts first, then writes.
static cdg_result list_faces(const cdg_mesh *mesh, const uint32_t *mate, const bool *hidden, cdg_mesh_faces *out,
                             cdg_error *error) {
    size_t outer = 0, inner = 0;
    put_faces(mesh, mate, hidden, FACE_OUTER, out, &outer);
    put_faces(mesh, mate, hidden, FACE_INNER, out, &inner);
    out->corners = malloc((outer + inner + 1) * sizeof *out->corners);
    if (out->corners == NULL) return no_memory(error);
    put_faces(mesh, mate, hidden, FACE_OUTER, out, &out->outer_count);
    size_t written = 0;
    put_faces(mesh, mate, hidden, FACE_INNER, out, &written);
    out->inner_count = written;
    return CDG_OK;
}

cdg_result cdg_mesh_faces_of_tetrahedra(const cdg_mesh *mesh, const cdg_cut_plane *cut, cdg_mesh_faces *out,
                                        cdg_error *error) {
    *out = (cdg_mesh_faces){0};
    if (mesh->tetrahedron_count >= UINT32_MAX / 4)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a mesh of %zu tetrahedra is too large to be drawn",
                        mesh->tetrahedron_count);
    find_box(mesh->points, mesh->point_count, out);
    uint32_t *mate = malloc((4 * mesh->tetrahedron_count + 1) * sizeof *mate);
    bool *hidden = calloc(mesh->tetrahedron_count + 1, sizeof *hidden);
    bool has_memory = mate != NULL && hidden != NULL && cdg_faces_match(mesh, NULL, NULL, mate);
    if (has_memory) find_hidden(mesh, cut, out, hidden);
    cdg_result result = has_memory ? list_faces(mesh, mate, hidden, out, error) : no_memory(error);
    free(mate);
    free(hidden);
    if (result != CDG_OK) cdg_mesh_faces_free(out);
    return result;
}

// ---- triangles ------------------------------------------------------------------------------------------------------

cdg_result cdg_mesh_faces_of_triangles(const cdg_mesh *mesh, const cdg_cut_plane *cut, cdg_mesh_faces *out,
                                       cdg_error *error) {
    *out = (cdg_mesh_faces){0};
    find_box(mesh->points, mesh->point_count, out);
    out->corners = malloc((mesh->triangle_count + 1) * sizeof *out->corners);
    if (out->corners == NULL) return no_memory(error);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        cdg_vec3 sum = vec3(0, 0, 0), *corners = out->corners[out->outer_count];
        for (int k = 0; k < 3; k++) {
            corners[k] = mesh->points[mesh->triangles[i][k]];
            sum = vec3_add(sum, corners[k]);
        }
        bool is_hidden = is_removed(cut, out, sum, 3);
        out->hidden_count += is_hidden;
        out->outer_count += !is_hidden;
    }
    return CDG_OK;
}
