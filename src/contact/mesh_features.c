// Cones of edges and corners (mesh_features.h): an edge or a corner is locally nearest to a point where no triangle
// at it rises towards that point.
#include "contact/mesh_features.h"

#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

// Sines: by how much a cone is made wider at most, never by more than the surface bends there, so that flat parts have
// none; bends below which an edge is flat; rounding.
static const double widest = 0.05, flat = 1e-6, rounding = 1e-9;

void cdg_mesh_features_free(cdg_mesh_features *f) {
    free(f->edges);
    free(f->wings);
    free(f->first_neighbour);
    free(f->neighbours);
    free(f->sharpness);
    free(f->edge_of);
    free(f->corners_of);
    *f = (cdg_mesh_features){0};
}

static bool reserve(cdg_mesh_features *f, size_t vertex_count, size_t triangle_count) {
    f->edges = malloc(3 * triangle_count * sizeof *f->edges);
    f->wings = malloc(3 * triangle_count * sizeof *f->wings);
    f->first_neighbour = calloc(vertex_count + 1, sizeof *f->first_neighbour);
    f->neighbours = malloc(6 * triangle_count * sizeof *f->neighbours);
    f->sharpness = calloc(vertex_count, sizeof *f->sharpness);
    f->edge_of = malloc(triangle_count * sizeof *f->edge_of);
    f->corners_of = calloc(triangle_count, sizeof *f->corners_of);
    return f->edges != NULL && f->wings != NULL && f->first_neighbour != NULL && f->neighbours != NULL &&
           f->sharpness != NULL && f->edge_of != NULL && f->corners_of != NULL;
}

// From the edge to a corner opposite, across the edge.
static cdg_vec3 wing_to(cdg_vec3 from, cdg_vec3 to, cdg_vec3 corner) {
    cdg_vec3 along = vec3_normalize(vec3_sub(to, from)), out = vec3_sub(corner, from);
    cdg_vec3 across = vec3_mad(out, -vec3_dot(out, along), along);
    return vec3_norm(across) > rounding * vec3_norm(out) ? vec3_normalize(across) : vec3(0, 0, 0);
}

static double widening_of(const cdg_vec3 *wings, uint32_t count) {
    if (count != 2) return count == 1 ? widest : rounding;
    double bend = vec3_norm(vec3_add(wings[0], wings[1])); // twice the sine of half the angle that it turns by
    return bend < flat ? 0 : fmin(bend, widest);
}

static void list_edges(cdg_mesh_features *f, const cdg_vec3 *vertices, size_t triangle_count,
                       const uint32_t (*triangles)[3], const cdg_half_edge *half) {
    uint32_t wing_count = 0;
    for (size_t i = 0, end; i < 3 * triangle_count; i = end) {
        uint32_t low = half[i].low, high = half[i].high, number = (uint32_t)f->edge_count++;
        cdg_mesh_edge *edge = &f->edges[number];
        *edge = (cdg_mesh_edge){.corner = {low, high}, .first_wing = wing_count};
        for (end = i; end < 3 * triangle_count && half[end].low == low && half[end].high == high; end++) {
            f->edge_of[half[end].triangle][half[end].side] = end == i ? number : CDG_NO_EDGE;
            cdg_vec3 opposite = vertices[triangles[half[end].triangle][half[end].side]];
            f->wings[wing_count++] = wing_to(vertices[low], vertices[high], opposite);
        }
        edge->wing_count = wing_count - edge->first_wing;
        edge->widening = widening_of(&f->wings[edge->first_wing], edge->wing_count);
    }
}

// The edges of corner i begin at first_neighbour[i]: they are counted first, then filled in.
static void list_neighbours(cdg_mesh_features *f, size_t vertex_count) {
    for (size_t e = 0; e < f->edge_count; e++)
        for (int k = 0; k < 2; k++) f->first_neighbour[f->edges[e].corner[k]]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= vertex_count; i++) {
        sum += f->first_neighbour[i];
        f->first_neighbour[i] = sum; // the end; each that is put in brings it nearer to the start
    }
    for (size_t e = 0; e < f->edge_count; e++)
        for (int k = 0; k < 2; k++)
            f->neighbours[--f->first_neighbour[f->edges[e].corner[k]]] = f->edges[e].corner[1 - k];
}

// Seen along the mean of its edges, backwards.
static double sharpness_of(const cdg_mesh_features *f, const cdg_vec3 *vertices, size_t corner) {
    cdg_vec3 sum = {0, 0, 0};
    for (uint32_t i = f->first_neighbour[corner]; i < f->first_neighbour[corner + 1]; i++)
        sum = vec3_add(sum, vec3_normalize(vec3_sub(vertices[f->neighbours[i]], vertices[corner])));
    cdg_vec3 mean = vec3_normalize(sum);
    double least = widest;
    for (uint32_t i = f->first_neighbour[corner]; i < f->first_neighbour[corner + 1]; i++)
        least = fmin(least, vec3_dot(mean, vec3_normalize(vec3_sub(vertices[f->neighbours[i]], vertices[corner]))));
    return least > flat ? least : 0;
}

bool cdg_mesh_features_build(const cdg_vec3 *vertices, size_t vertex_count, size_t triangle_count,
                             const uint32_t (*triangles)[3], const cdg_half_edge *half_edges, cdg_mesh_features *out) {
    cdg_mesh_features f = {0};
    *out = f;
    bool *is_taken = calloc(vertex_count, sizeof *is_taken);
    if (!reserve(&f, vertex_count, triangle_count) || is_taken == NULL) {
        free(is_taken);
        cdg_mesh_features_free(&f);
        return false;
    }
    list_edges(&f, vertices, triangle_count, triangles, half_edges);
    list_neighbours(&f, vertex_count);
    for (size_t i = 0; i < vertex_count; i++) f.sharpness[i] = sharpness_of(&f, vertices, i);
    for (size_t t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            if (!is_taken[triangles[t][k]]) f.corners_of[t] |= (uint8_t)(1 << k);
            is_taken[triangles[t][k]] = true;
        }
    free(is_taken);
    *out = f;
    return true;
}

bool cdg_mesh_edge_is_nearest(const cdg_mesh_features *f, uint32_t index, cdg_vec3 between) {
    const cdg_mesh_edge *edge = &f->edges[index];
    if (edge->widening == 0) return false;
    double size = vec3_norm(between), most = -HUGE_VAL, sum = 0;
    for (uint32_t i = 0; i < edge->wing_count; i++) {
        double rise = vec3_dot(between, f->wings[edge->first_wing + i]);
        most = fmax(most, rise);
        sum += rise;
    }
    // In a hollow the wings rise together.
    return most <= (sum < 0 ? edge->widening : rounding) * size;
}

bool cdg_mesh_corner_is_nearest(const cdg_mesh_features *f, const cdg_vec3 *vertices, uint32_t corner,
                                cdg_vec3 between) {
    double size = vec3_norm(between), sum = 0, most = -HUGE_VAL;
    for (uint32_t i = f->first_neighbour[corner]; i < f->first_neighbour[corner + 1]; i++) {
        cdg_vec3 along = vec3_normalize(vec3_sub(vertices[f->neighbours[i]], vertices[corner]));
        double rise = vec3_dot(between, along);
        most = fmax(most, rise);
        sum += rise;
    }
    return most <= (sum < 0 ? fmax(f->sharpness[corner], rounding) : rounding) * size;
}
