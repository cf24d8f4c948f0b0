// Embedding of points in a mesh: a grid of cells names the tetrahedra whose boxes touch each; a point that is in none
// takes the nearest tetrahedron, by growing rings of cells.
#include "base/error.h"
#include "base/parallel.h"
#include "meshing/tetrahedron.h"
#include "meshing/triangle.h"

#include <cordage/meshing.h>

#include <stdlib.h>

typedef struct grid {
    const cdg_mesh *mesh;
    const cdg_vec3 *points;
    cdg_embedding *out;
    double *distance; // of each point from the mesh
    cdg_vec3 low;
    double cell;
    long count[3];
    size_t *start;
    uint32_t *list;
} grid;

static void element_corners(const cdg_mesh *mesh, size_t t, cdg_vec3 out[4]) {
    for (int k = 0; k < 4; k++) out[k] = mesh->points[mesh->tetrahedra[t][k]];
}

// Weights of the corners at a point; of a flat element all on the first.
static void find_weights(const cdg_vec3 c[4], cdg_vec3 p, double out[4]) {
    double volume = tetrahedron_volume6(c);
    for (int k = 0; k < 4; k++) {
        cdg_vec3 moved[4] = {c[0], c[1], c[2], c[3]};
        moved[k] = p;
        out[k] = volume != 0 ? tetrahedron_volume6(moved) / volume : (k == 0);
    }
}

static double element_distance(const cdg_vec3 c[4], cdg_vec3 p) { // of a point outside
    static const unsigned char faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    double least = HUGE_VAL;
    for (int f = 0; f < 4; f++) {
        cdg_vec3 triangle[3] = {c[faces[f][0]], c[faces[f][1]], c[faces[f][2]]};
        least = fmin(least, vec3_distance(triangle_nearest(triangle, p), p));
    }
    return least;
}

// ---- grid -----------------------------------------------------------------------------------------------------------

static long cell_along(const grid *g, double x, double low, int axis) {
    double at = floor((x - low) / g->cell);
    return at < 0 ? 0 : at >= (double)g->count[axis] ? g->count[axis] - 1 : (long)at;
}

static void cell_of(const grid *g, cdg_vec3 p, long out[3]) {
    out[0] = cell_along(g, p.x, g->low.x, 0);
    out[1] = cell_along(g, p.y, g->low.y, 1);
    out[2] = cell_along(g, p.z, g->low.z, 2);
}

static size_t cell_number(const grid *g, const long at[3]) {
    return (size_t)((at[2] * g->count[1] + at[1]) * g->count[0] + at[0]);
}

static void element_cells(const grid *g, size_t t, long first[3], long last[3]) {
    cdg_vec3 c[4], low, high;
    element_corners(g->mesh, t, c);
    low = high = c[0];
    for (int k = 1; k < 4; k++) {
        low = vec3(fmin(low.x, c[k].x), fmin(low.y, c[k].y), fmin(low.z, c[k].z));
        high = vec3(fmax(high.x, c[k].x), fmax(high.y, c[k].y), fmax(high.z, c[k].z));
    }
    cell_of(g, low, first);
    cell_of(g, high, last);
}

// Counts (list NULL) or enters each element in the cells of its box.
static void visit_elements(grid *g) {
    for (size_t t = 0; t < g->mesh->tetrahedron_count; t++) {
        long first[3], last[3], at[3];
        element_cells(g, t, first, last);
        for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
            for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
                for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                    size_t cell = cell_number(g, at);
                    if (g->list == NULL) {
                        g->start[cell + 2]++;
                    } else {
                        g->list[g->start[cell + 1]++] = (uint32_t)t;
                    }
                }
    }
}

static void place_grid(grid *g) {
    const cdg_mesh *m = g->mesh;
    cdg_vec3 low = m->points[m->tetrahedra[0][0]], high = low;
    for (size_t i = 0; i < 4 * m->tetrahedron_count; i++) {
        cdg_vec3 p = m->points[m->tetrahedra[i / 4][i % 4]];
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    cdg_vec3 e = vec3_sub(high, low);
    double longest = fmax(e.x, fmax(e.y, e.z)), cells = fmin(256, cbrt((double)m->tetrahedron_count) + 1);
    g->low = low;
    g->cell = longest > 0 ? longest / cells * (1 + 1e-12) : 1;
    g->count[0] = (long)(e.x / g->cell) + 1;
    g->count[1] = (long)(e.y / g->cell) + 1;
    g->count[2] = (long)(e.z / g->cell) + 1;
}

static bool build_grid(grid *g) {
    place_grid(g);
    size_t cells = (size_t)g->count[0] * (size_t)g->count[1] * (size_t)g->count[2];
    g->start = calloc(cells + 2, sizeof *g->start);
    if (g->start == NULL) return false;
    visit_elements(g);
    for (size_t c = 0; c < cells; c++) g->start[c + 2] += g->start[c + 1];
    g->list = malloc((g->start[cells + 1] + 1) * sizeof *g->list);
    if (g->list == NULL) return false;
    visit_elements(g);
    return true;
}

// ---- points ---------------------------------------------------------------------------------------------------------

typedef struct best_element {
    uint32_t element;
    double distance; // 0 inside
    double weight[4];
} best_element;

static void try_cell(const grid *g, const long at[3], cdg_vec3 p, best_element *best) {
    size_t cell = cell_number(g, at);
    for (size_t i = g->start[cell]; i < g->start[cell + 1] && best->distance > 0; i++) {
        cdg_vec3 c[4];
        double weight[4];
        element_corners(g->mesh, g->list[i], c);
        find_weights(c, p, weight);
        double least = fmin(fmin(weight[0], weight[1]), fmin(weight[2], weight[3]));
        double distance = least >= -1e-12 ? 0 : element_distance(c, p);
        if (!(distance < best->distance)) continue;
        *best = (best_element){g->list[i], distance, {weight[0], weight[1], weight[2], weight[3]}};
    }
}

static bool is_on_ring(const long at[3], const long middle[3], long ring) {
    for (int a = 0; a < 3; a++)
        if (labs(at[a] - middle[a]) == ring) return true;
    return false;
}

static void try_ring(const grid *g, const long middle[3], long ring, cdg_vec3 p, best_element *best) {
    long at[3], first[3], last[3];
    for (int a = 0; a < 3; a++) {
        first[a] = middle[a] - ring < 0 ? 0 : middle[a] - ring;
        last[a] = middle[a] + ring >= g->count[a] ? g->count[a] - 1 : middle[a] + ring;
    }
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++)
                if (is_on_ring(at, middle, ring)) try_cell(g, at, p, best);
}

static void embed_one(void *user, size_t index, int thread) {
    grid *g = user;
    (void)thread;
    long middle[3], rings = g->count[0] + g->count[1] + g->count[2];
    cdg_vec3 p = g->points[index];
    cell_of(g, p, middle);
    best_element best = {.distance = HUGE_VAL};
    // what lies beyond a ring is at least as far from the point's own cell, and so from the point's foot on the grid
    cdg_vec3 foot = vec3(fmax(g->low.x, fmin(p.x, g->low.x + g->cell * (double)g->count[0])),
                         fmax(g->low.y, fmin(p.y, g->low.y + g->cell * (double)g->count[1])),
                         fmax(g->low.z, fmin(p.z, g->low.z + g->cell * (double)g->count[2])));
    double beside = vec3_distance(p, foot);
    for (long ring = 0; ring < rings; ring++) {
        double nearest = (double)(ring - 1) * g->cell;
        if (best.distance == 0 || (ring > 1 && best.distance < sqrt(nearest * nearest + beside * beside))) break;
        try_ring(g, middle, ring, p, &best);
    }
    g->out->tetrahedron[index] = best.element;
    for (int k = 0; k < 4; k++) g->out->weight[index][k] = best.weight[k];
    g->distance[index] = best.distance;
}

static cdg_result check_input(const cdg_mesh *mesh, const cdg_vec3 *points, size_t count, cdg_error *error) {
    if (mesh->tetrahedron_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "embed in a mesh: it has no tetrahedra");
    for (size_t i = 0; i < 4 * mesh->tetrahedron_count; i++) {
        uint32_t p = mesh->tetrahedra[i / 4][i % 4];
        if (p >= mesh->point_count || !vec3_is_finite(mesh->points[p]))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "embed in a mesh: point %u of tetrahedron %zu is not there or not finite", p, i / 4);
    }
    for (size_t i = 0; i < count; i++)
        if (!vec3_is_finite(points[i]))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "embed in a mesh: point %zu is not finite", i);
    return CDG_OK;
}

cdg_result cdg_mesh_embed(const cdg_mesh *mesh, const cdg_vec3 *points, size_t point_count, int thread_count,
                          cdg_embedding *out, cdg_error *error) {
    if (mesh == NULL || out == NULL) return cdg_fail_null(error, mesh == NULL ? "mesh" : "out");
    if (points == NULL && point_count > 0) return cdg_fail_null(error, "points");
    *out = (cdg_embedding){0};
    cdg_result result = check_input(mesh, points, point_count, error);
    if (result != CDG_OK) return result;
    grid g = {.mesh = mesh, .points = points, .out = out, .distance = malloc((point_count + 1) * sizeof *g.distance)};
    *out = (cdg_embedding){.point_count = point_count,
                           .tetrahedron = malloc((point_count + 1) * sizeof *out->tetrahedron),
                           .weight = malloc((point_count + 1) * sizeof *out->weight)};
    bool has_memory = g.distance != NULL && out->tetrahedron != NULL && out->weight != NULL && build_grid(&g);
    if (has_memory)
        cdg_parallel_for(point_count, thread_count > 0 ? thread_count : cdg_parallel_default_threads(), embed_one, &g);
    for (size_t i = 0; has_memory && i < point_count; i++) {
        out->outside_count += g.distance[i] > 0;
        out->farthest = fmax(out->farthest, g.distance[i]);
    }
    free(g.distance);
    free(g.start);
    free(g.list);
    if (has_memory) return CDG_OK;
    cdg_embedding_free(out);
    return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to embed %zu points in a mesh", point_count);
}

void cdg_embedding_positions(const cdg_embedding *embedding, const cdg_mesh *mesh, const cdg_vec3 *mesh_points,
                             cdg_vec3 *out) {
    if (embedding == NULL || mesh == NULL || mesh_points == NULL || out == NULL) return;
    for (size_t i = 0; i < embedding->point_count; i++) {
        const uint32_t *corners = mesh->tetrahedra[embedding->tetrahedron[i]];
        out[i] = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) out[i] = vec3_mad(out[i], embedding->weight[i][k], mesh_points[corners[k]]);
    }
}
