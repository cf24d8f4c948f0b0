// Points in the order in which triangles name them; tetrahedra are found among those around a triangle's first corner.
#include "output/solid_surface.h"

#include "base/error.h"

#include <stdlib.h>

static bool has_node(const uint32_t tetrahedron[4], uint32_t node) {
    return tetrahedron[0] == node || tetrahedron[1] == node || tetrahedron[2] == node || tetrahedron[3] == node;
}

// Which tetrahedra each node is a corner of: those of node i are around[begin[i]] to around[begin[i + 1] - 1].
static void list_around(const cdg_run_solid_entry *solid, uint32_t *begin, uint32_t *around) {
    for (size_t i = 0; i < solid->node_count + 2; i++) begin[i] = 0;
    for (size_t t = 0; t < solid->tetrahedron_count; t++)
        for (int k = 0; k < 4; k++) begin[solid->tetrahedra[t][k] + 2]++;
    for (size_t i = 2; i < solid->node_count + 2; i++) begin[i] += begin[i - 1];
    for (size_t t = 0; t < solid->tetrahedron_count; t++)
        for (int k = 0; k < 4; k++) around[begin[solid->tetrahedra[t][k] + 1]++] = (uint32_t)t;
}

static bool find_tetrahedra(const cdg_run_solid_entry *solid, const uint32_t *begin, const uint32_t *around,
                            uint32_t *out) {
    for (size_t i = 0; i < solid->surface_count; i++) {
        const uint32_t *corner = solid->surface[i];
        out[i] = UINT32_MAX;
        for (uint32_t k = begin[corner[0]]; k < begin[corner[0] + 1] && out[i] == UINT32_MAX; k++) {
            const uint32_t *tetrahedron = solid->tetrahedra[around[k]];
            if (has_node(tetrahedron, corner[1]) && has_node(tetrahedron, corner[2])) out[i] = around[k];
        }
        if (out[i] == UINT32_MAX) return false;
    }
    return true;
}

static void number_points(const cdg_run_solid_entry *solid, uint32_t *point_of, cdg_solid_surface *out) {
    for (size_t i = 0; i < solid->node_count; i++) point_of[i] = UINT32_MAX;
    for (size_t i = 0; i < solid->surface_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t node = solid->surface[i][k];
            if (point_of[node] == UINT32_MAX) {
                point_of[node] = (uint32_t)out->point_count;
                out->nodes[out->point_count++] = node;
            }
            out->triangles[i][k] = point_of[node];
        }
}

cdg_result cdg_solid_surface_make(const cdg_run_solid_entry *solid, cdg_solid_surface *out, cdg_error *error) {
    *out = (cdg_solid_surface){.triangle_count = solid->surface_count,
                               .nodes = malloc((solid->node_count + 1) * sizeof *out->nodes),
                               .triangles = malloc((solid->surface_count + 1) * sizeof *out->triangles),
                               .tetrahedra = malloc((solid->surface_count + 1) * sizeof *out->tetrahedra)};
    uint32_t *begin = malloc((solid->node_count + 2) * sizeof *begin);
    uint32_t *around = malloc((4 * solid->tetrahedron_count + 1) * sizeof *around);
    cdg_result result = CDG_OK;
    if (out->nodes == NULL || out->triangles == NULL || out->tetrahedra == NULL || begin == NULL || around == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the surface of solid '%s'", solid->name);
    } else {
        number_points(solid, begin, out); // `begin` lends its memory
        list_around(solid, begin, around);
        if (!find_tetrahedra(solid, begin, around, out->tetrahedra))
            result =
                cdg_fail(error, CDG_ERROR_FORMAT,
                         "the surface of solid '%s' does not belong to its tetrahedra; the run is damaged, run the "
                         "scene anew",
                         solid->name);
    }
    free(begin);
    free(around);
    if (result != CDG_OK) cdg_solid_surface_free(out);
    return result;
}

void cdg_solid_surface_free(cdg_solid_surface *surface) {
    free(surface->nodes);
    free(surface->triangles);
    free(surface->tetrahedra);
    *surface = (cdg_solid_surface){0};
}
