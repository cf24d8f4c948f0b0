// Triangles, edges and vertices of surfaces in one numbering (surfaces.h).
#include "contact/surfaces.h"

#include "math/vec3.h"

#include <stdlib.h>

void cdg_surfaces_free(cdg_surfaces *it) {
    free(it->first_vertex);
    free(it->first_edge);
    free(it->first_triangle);
    free(it->thickness);
    free(it->passes_itself);
    free(it->vertices);
    free(it->edges);
    free(it->triangles);
    *it = (cdg_surfaces){0};
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// An edge as one of its triangles has it.
typedef struct half_edge {
    uint32_t low, high; // vertices
    uint32_t triangle, index;
} half_edge;

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_half_edges(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    int order = compare_numbers(x->low, y->low);
    if (order == 0) order = compare_numbers(x->high, y->high);
    if (order == 0) order = compare_numbers(x->triangle, y->triangle);
    return order != 0 ? order : compare_numbers(x->index, y->index);
}

// Edges are numbered in the order of their ends; those of one surface follow each other, because its vertices do.
static bool find_edges(cdg_surfaces *it) {
    size_t count = 3 * it->triangle_count;
    half_edge *halves = malloc((count + 1) * sizeof *halves);
    if (halves == NULL) return false;
    for (uint32_t t = 0; t < it->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = it->triangles[t].corner[(k + 1) % 3], b = it->triangles[t].corner[(k + 2) % 3];
            halves[3 * t + k] = (half_edge){a < b ? a : b, a < b ? b : a, t, k};
        }
    qsort(halves, count, sizeof *halves, compare_half_edges);
    for (size_t i = 0; i < count; i++) {
        const half_edge *half = &halves[i];
        cdg_surface_triangle *triangle = &it->triangles[half->triangle];
        bool is_new = i == 0 || half->low != half[-1].low || half->high != half[-1].high;
        if (is_new)
            it->edges[it->edge_count++] =
                (cdg_surface_edge){.end = {half->low, half->high}, .triangle = half->triangle};
        triangle->edge[half->index] = (uint32_t)it->edge_count - 1;
        triangle->owns_edge[half->index] = is_new;
    }
    free(halves);
    return true;
}

// ---- building -------------------------------------------------------------------------------------------------------

static cdg_result check(const cdg_proxy *proxy, cdg_error *error) {
    if (!(proxy->thickness > 0) || !isfinite(proxy->thickness))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the surface of '%s' is %g m thick for contact; it must be positive",
                        proxy->name, proxy->thickness);
    for (size_t t = 0; t < proxy->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t corner = proxy->triangles[t][k];
            if (corner >= proxy->point_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT,
                                "triangle %zu of the surface of '%s' names point %u; there are %zu", t, proxy->name,
                                corner, proxy->point_count);
            if (corner == proxy->triangles[t][(k + 1) % 3])
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "triangle %zu of the surface of '%s' has point %u twice", t,
                                proxy->name, corner);
        }
    return CDG_OK;
}

static cdg_vec3 rest_of(const cdg_proxy *proxy, size_t i) {
    if (proxy->rest != NULL) return proxy->rest[i];
    size_t at = proxy_node(proxy, i);
    return vec3(proxy->now[0][at], proxy->now[1][at], proxy->now[2][at]);
}

static bool reserve(cdg_surfaces *it) {
    it->first_vertex = calloc(it->count + 1, sizeof *it->first_vertex);
    it->first_edge = calloc(it->count + 1, sizeof *it->first_edge);
    it->first_triangle = calloc(it->count + 1, sizeof *it->first_triangle);
    it->thickness = calloc(it->count + 1, sizeof *it->thickness);
    it->passes_itself = calloc(it->count + 1, sizeof *it->passes_itself);
    it->vertices = calloc(it->vertex_count + 1, sizeof *it->vertices);
    it->edges = calloc(3 * it->triangle_count + 1, sizeof *it->edges);
    it->triangles = calloc(it->triangle_count + 1, sizeof *it->triangles);
    return it->first_vertex != NULL && it->first_edge != NULL && it->first_triangle != NULL && it->thickness != NULL &&
           it->passes_itself != NULL && it->vertices != NULL && it->edges != NULL && it->triangles != NULL;
}

static void add(cdg_surfaces *it, const cdg_proxy *proxy, uint32_t surface, const uint32_t *point_of) {
    uint32_t first = it->first_vertex[surface];
    it->thickness[surface] = proxy->thickness;
    it->passes_itself[surface] = proxy->passes_itself;
    for (size_t i = 0; i < proxy->point_count; i++)
        it->vertices[first + i] = (cdg_surface_vertex){point_of[i], surface, UINT32_MAX, UINT32_MAX, rest_of(proxy, i)};
    for (uint32_t t = 0; t < proxy->triangle_count; t++) {
        uint32_t number = it->first_triangle[surface] + t;
        cdg_surface_triangle *triangle = &it->triangles[number];
        triangle->surface = surface;
        for (int k = 0; k < 3; k++) {
            cdg_surface_vertex *vertex = &it->vertices[first + proxy->triangles[t][k]];
            triangle->corner[k] = first + proxy->triangles[t][k];
            triangle->owns_corner[k] = vertex->triangle == UINT32_MAX;
            if (triangle->owns_corner[k]) vertex->triangle = number;
        }
    }
}

static uint32_t opposite_of(const cdg_surfaces *it, const cdg_surface_edge *edge) {
    const uint32_t *corner = it->triangles[edge->triangle].corner;
    for (int k = 0; k < 2; k++)
        if (corner[k] != edge->end[0] && corner[k] != edge->end[1]) return corner[k];
    return corner[2];
}

void cdg_surfaces_renumber(cdg_surfaces *it, const uint32_t *point_of) {
    for (size_t v = 0; v < it->vertex_count; v++) it->vertices[v].point = point_of[v];
    for (size_t t = 0; t < it->triangle_count; t++)
        for (int k = 0; k < 3; k++) it->triangles[t].point[k] = point_of[it->triangles[t].corner[k]];
    for (size_t e = 0; e < it->edge_count; e++) {
        cdg_surface_edge *edge = &it->edges[e];
        edge->opposite = opposite_of(it, edge);
        edge->point[0] = point_of[edge->end[0]], edge->point[1] = point_of[edge->end[1]];
        edge->point[2] = point_of[edge->opposite];
    }
}

cdg_result cdg_surfaces_build(cdg_surfaces *out, const cdg_proxy *proxies, size_t count, const uint32_t *point_of,
                              cdg_error *error) {
    cdg_surfaces_free(out);
    cdg_surfaces it = {.count = count};
    for (size_t i = 0; i < count; i++) {
        cdg_result result = check(&proxies[i], error);
        if (result != CDG_OK) return result;
        it.vertex_count += proxies[i].point_count;
        it.triangle_count += proxies[i].triangle_count;
    }
    bool is_small = it.vertex_count < UINT32_MAX / 4 && it.triangle_count < UINT32_MAX / 16;
    if (!is_small || !reserve(&it)) {
        cdg_surfaces_free(&it);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of %zu surfaces", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        it.first_vertex[i + 1] = it.first_vertex[i] + (uint32_t)proxies[i].point_count;
        it.first_triangle[i + 1] = it.first_triangle[i] + (uint32_t)proxies[i].triangle_count;
        add(&it, &proxies[i], i, point_of + it.first_vertex[i]);
    }
    if (!find_edges(&it)) {
        cdg_surfaces_free(&it);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of %zu surfaces", count);
    }
    for (uint32_t e = 0; e < it.edge_count; e++) {
        it.first_edge[surfaces_of_edge(&it, e) + 1] = e + 1;
        for (int k = 0; k < 2; k++) {
            uint32_t *first = &it.vertices[it.edges[e].end[k]].edge;
            if (*first == UINT32_MAX) *first = e;
        }
    }
    for (size_t i = 0; i < count; i++) // of one without triangles
        if (it.first_edge[i + 1] < it.first_edge[i]) it.first_edge[i + 1] = it.first_edge[i];
    cdg_surfaces_renumber(&it, point_of);
    *out = it;
    return CDG_OK;
}
