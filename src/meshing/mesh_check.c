// Looking for what is wrong with a mesh: every fault of the public list is counted, with the first place.
#include "base/error.h"
#include "meshing/faces.h"
#include "meshing/fans.h"
#include "meshing/mesh_work.h"
#include "meshing/tetrahedron.h"

#include <stdlib.h>
#include <string.h>

static void add_fault(cdg_mesh_fault *fault, size_t where) {
    if (fault->count == 0) fault->first = (uint32_t)where;
    fault->count++;
}

// ---- points and elements --------------------------------------------------------------------------------------------

static bool names_real_points(const cdg_mesh *mesh, size_t t) {
    const uint32_t *c = mesh->tetrahedra[t];
    for (int k = 0; k < 4; k++)
        if (c[k] >= mesh->point_count) return false;
    return c[0] != c[1] && c[0] != c[2] && c[0] != c[3] && c[1] != c[2] && c[1] != c[3] && c[2] != c[3];
}

// Rounding of six times the volume, of numbers as large as these corners'.
static double volume_rounding(const cdg_vec3 p[4]) {
    double size = 0, coordinate = 0;
    for (int k = 1; k < 4; k++) size = fmax(size, vec3_distance(p[k], p[0]));
    for (int k = 0; k < 4; k++) coordinate = fmax(coordinate, vec3_norm(p[k]));
    return 8 * 2.2e-16 * size * size * (size + coordinate);
}

static void check_volume(const cdg_mesh *mesh, size_t t, cdg_mesh_faults *out) {
    cdg_vec3 p[4];
    for (int k = 0; k < 4; k++) {
        p[k] = mesh->points[mesh->tetrahedra[t][k]];
        if (!vec3_is_finite(p[k])) return;
    }
    double volume = tetrahedron_volume6(p);
    if (fabs(volume) <= volume_rounding(p)) {
        add_fault(&out->flat, t);
    } else if (volume < 0) {
        add_fault(&out->inverted, t);
    }
}

static bool check_points(const cdg_mesh *mesh, const bool *skip, cdg_patience *patience, bool *is_used,
                         cdg_mesh_faults *out) {
    for (size_t t = 0; t < mesh->tetrahedron_count; t++) {
        if (!cdg_patience_lasts_at(patience, t)) return false;
        for (int k = 0; k < 4 && !skip[t]; k++) is_used[mesh->tetrahedra[t][k]] = true;
    }
    for (size_t p = 0; p < mesh->point_count; p++) {
        if (!vec3_is_finite(mesh->points[p])) add_fault(&out->not_finite, p);
        if (!is_used[p]) add_fault(&out->unused_point, p);
    }
    return true;
}

// ---- duplicates -----------------------------------------------------------------------------------------------------

typedef struct sorted_element {
    uint32_t corner[4], index;
} sorted_element;

static sorted_element sort_corners(const uint32_t corners[4], uint32_t index) {
    sorted_element e = {.index = index};
    memcpy(e.corner, corners, sizeof e.corner);
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && e.corner[k - 1] > e.corner[k]; k--) {
            uint32_t kept = e.corner[k];
            e.corner[k] = e.corner[k - 1];
            e.corner[k - 1] = kept;
        }
    return e;
}

static int compare_elements(const void *a, const void *b) {
    const sorted_element *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->corner[k] != y->corner[k]) return x->corner[k] < y->corner[k] ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// Two elements of the same points share all four faces, so only those with an overfull or a shared face in `mate` that
// leads to the same element four times need be looked at; sorting those alone keeps this cheap.
static bool check_duplicates(const cdg_mesh *mesh, const bool *skip, const uint32_t *mate, cdg_patience *patience,
                             cdg_mesh_faults *out) {
    size_t count = 0;
    sorted_element *elements = malloc((mesh->tetrahedron_count + 1) * sizeof *elements);
    if (elements == NULL) return false;
    for (size_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *m = mate + 4 * t;
        bool is_candidate = true;
        if (!cdg_patience_lasts_at(patience, t)) break;
        for (int k = 0; k < 4; k++)
            is_candidate = is_candidate && m[k] != CDG_NO_FACE &&
                           (m[k] == CDG_OVERFULL_FACE || m[0] == CDG_OVERFULL_FACE || m[k] / 4 == m[0] / 4);
        if (is_candidate && !skip[t]) elements[count++] = sort_corners(mesh->tetrahedra[t], (uint32_t)t);
    }
    qsort(elements, count, sizeof *elements, compare_elements);
    uint32_t first = UINT32_MAX;
    for (size_t i = 1; i < count; i++)
        if (memcmp(elements[i].corner, elements[i - 1].corner, sizeof elements[i].corner) == 0) {
            out->duplicate.count++;
            if (elements[i].index < first) first = elements[i].index;
        }
    if (out->duplicate.count > 0) out->duplicate.first = first;
    free(elements);
    return !cdg_patience_is_over(patience);
}

// ---- faces and boundary ---------------------------------------------------------------------------------------------

static bool run_the_same_way(const cdg_mesh *mesh, uint32_t a, uint32_t b) {
    uint32_t p[3], q[3];
    cdg_face_points(mesh, a, p);
    cdg_face_points(mesh, b, q);
    int at = q[0] == p[0] ? 0 : q[1] == p[0] ? 1 : 2;
    return q[(at + 1) % 3] == p[1];
}

static bool is_positive(const cdg_mesh *mesh, size_t t) {
    cdg_vec3 p[4];
    for (int k = 0; k < 4; k++) p[k] = mesh->points[mesh->tetrahedra[t][k]];
    return tetrahedron_volume6(p) > 0;
}

// Overfull faces are counted once each: where their smallest half-face is, which is told by the elements' order.
static bool check_faces(const cdg_mesh *mesh, const uint32_t *mate, cdg_patience *patience, cdg_mesh_faults *out) {
    size_t overfull = 0;
    for (size_t h = 0; h < 4 * mesh->tetrahedron_count; h++) {
        if (!cdg_patience_lasts_at(patience, h)) return false;
        if (mate[h] == CDG_OVERFULL_FACE) {
            overfull++;
        } else if (mate[h] != CDG_NO_FACE && mate[h] > h && run_the_same_way(mesh, (uint32_t)h, mate[h]) &&
                   is_positive(mesh, h / 4) && is_positive(mesh, mate[h] / 4)) {
            add_fault(&out->folded_face, h / 4);
        }
    }
    if (overfull == 0) return true;
    sorted_element *faces = malloc(overfull * sizeof *faces);
    if (faces == NULL) return false;
    size_t count = 0;
    for (size_t h = 0; h < 4 * mesh->tetrahedron_count; h++) {
        if (mate[h] != CDG_OVERFULL_FACE) continue;
        uint32_t corners[4] = {0};
        cdg_face_points(mesh, (uint32_t)h, corners);
        faces[count++] = sort_corners(corners, (uint32_t)(h / 4));
    }
    qsort(faces, count, sizeof *faces, compare_elements);
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && memcmp(faces[i].corner, faces[i - 1].corner, sizeof faces[i].corner) == 0) continue;
        out->overfull_face.count++;
        if (faces[i].index < first) first = faces[i].index;
    }
    out->overfull_face.first = first;
    free(faces);
    return true;
}

static bool check_boundary(const cdg_mesh *mesh, const bool *skip, const uint32_t *mate, cdg_patience *patience,
                           cdg_mesh_faults *out) {
    size_t count = 0, half_faces = 4 * mesh->tetrahedron_count;
    for (size_t h = 0; h < half_faces; h++) count += mate[h] == CDG_NO_FACE && !skip[h / 4];
    uint32_t(*triangles)[3] = malloc((count + 1) * sizeof *triangles);
    cdg_fans fans = {.fan_count = malloc((mesh->point_count + 1) * sizeof *fans.fan_count),
                     .branching = malloc((mesh->point_count + 1) * sizeof *fans.branching)};
    bool has_memory = triangles != NULL && fans.fan_count != NULL && fans.branching != NULL;
    if (has_memory) {
        count = 0;
        for (size_t h = 0; h < half_faces; h++)
            if (mate[h] == CDG_NO_FACE && !skip[h / 4]) cdg_face_points(mesh, (uint32_t)h, triangles[count++]);
        has_memory = cdg_fans_count((const uint32_t(*)[3])triangles, count, mesh->point_count, patience, &fans);
    }
    for (size_t p = 0; has_memory && p < mesh->point_count; p++) {
        for (uint32_t k = 0; k < fans.branching[p]; k++) add_fault(&out->branching_edge, p);
        if (fans.fan_count[p] > 1) add_fault(&out->pinched_point, p);
    }
    free(triangles);
    free(fans.fan_count);
    free(fans.branching);
    return has_memory;
}

cdg_result cdg_mesh_work_fail(const cdg_patience *patience, const char *what, cdg_error *error) {
    if (cdg_patience_is_over(patience)) return cdg_fail(error, CDG_ERROR_INTERRUPTED, "mesh: stopped on request");
    return cdg_fail(error, CDG_ERROR_MEMORY, "no memory %s", what);
}

cdg_result cdg_mesh_check(const cdg_mesh *mesh, cdg_mesh_faults *out, cdg_error *error) {
    return cdg_mesh_check_patiently(mesh, NULL, out, error);
}

cdg_result cdg_mesh_check_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh_faults *out,
                                    cdg_error *error) {
    if (mesh == NULL || out == NULL) return cdg_fail_null(error, mesh == NULL ? "mesh" : "out");
    *out = (cdg_mesh_faults){0};
    if (mesh->tetrahedron_count > UINT32_MAX / 4 - 1 || mesh->point_count > UINT32_MAX - 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "check a mesh: %zu tetrahedra and %zu points are more than numbers of 32 bits can tell apart",
                        mesh->tetrahedron_count, mesh->point_count);
    bool *skip = calloc(mesh->tetrahedron_count + 1, sizeof *skip);
    bool *is_used = calloc(mesh->point_count + 1, sizeof *is_used);
    uint32_t *mate = malloc((4 * mesh->tetrahedron_count + 1) * sizeof *mate);
    bool has_memory = skip != NULL && is_used != NULL && mate != NULL;
    for (size_t t = 0; has_memory && t < mesh->tetrahedron_count; t++) {
        has_memory = cdg_patience_lasts_at(patience, t);
        skip[t] = !names_real_points(mesh, t);
        if (skip[t]) {
            add_fault(&out->out_of_range, t);
        } else {
            check_volume(mesh, t, out);
        }
    }
    has_memory = has_memory && check_points(mesh, skip, patience, is_used, out) &&
                 cdg_faces_match(mesh, skip, patience, mate) && check_duplicates(mesh, skip, mate, patience, out) &&
                 check_faces(mesh, mate, patience, out) && check_boundary(mesh, skip, mate, patience, out);
    free(skip);
    free(is_used);
    free(mate);
    if (!has_memory) return cdg_mesh_work_fail(patience, "to check a mesh", error);
#define ADD_COUNT(name, text) out->total += out->name.count;
    CDG_MESH_FAULT_LIST(ADD_COUNT)
#undef ADD_COUNT
    return CDG_OK;
}
