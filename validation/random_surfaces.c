// Surfaces to mesh: random ones, tubes along curves, and blocks of cubes.
#include "validation/random_surfaces.h"

#include "math/random.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- growing a surface ----------------------------------------------------------------------------------------------

static bool begin(size_t points, size_t triangles, cdg_mesh *out) {
    out->points = realloc(out->points, (out->point_count + points) * sizeof *out->points);
    out->triangles = realloc(out->triangles, (out->triangle_count + triangles) * sizeof *out->triangles);
    return out->points != NULL && out->triangles != NULL;
}

static void add_triangle(cdg_mesh *out, size_t a, size_t b, size_t c) {
    uint32_t *t = out->triangles[out->triangle_count++];
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}

// Two triangles for each cell of a grid that is closed both ways.
static void add_ring_of_rings(cdg_mesh *out, size_t first, size_t n, size_t m) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            size_t p = first + i * m + j, q = first + (i + 1) % n * m + j;
            size_t u = first + i * m + (j + 1) % m, v = first + (i + 1) % n * m + (j + 1) % m;
            add_triangle(out, p, q, v);
            add_triangle(out, p, v, u);
        }
}

double surface_volume(const cdg_mesh *surface) {
    double sum = 0;
    for (size_t t = 0; t < surface->triangle_count; t++) {
        const uint32_t *c = surface->triangles[t];
        sum += vec3_dot(surface->points[c[0]], vec3_cross(surface->points[c[1]], surface->points[c[2]])) / 6;
    }
    return sum;
}

// ---- tubes ----------------------------------------------------------------------------------------------------------

// The normal carried along without twist; after one round it is turned by an angle.
static cdg_vec3 carry_normal(const cdg_vec3 *curve, size_t sections, size_t i, cdg_vec3 normal, cdg_vec3 *tangent) {
    *tangent = vec3_normalize(vec3_sub(curve[(i + 1) % sections], curve[(i + sections - 1) % sections]));
    return vec3_normalize(vec3_mad(normal, -vec3_dot(normal, *tangent), *tangent));
}

static double angle_after_a_round(const cdg_vec3 *curve, size_t sections) {
    cdg_vec3 tangent, first = carry_normal(curve, sections, 0, vec3(0, 0, 1), &tangent), last = first;
    for (size_t i = 1; i <= sections; i++) last = carry_normal(curve, sections, i % sections, last, &tangent);
    return atan2(vec3_dot(vec3_cross(first, last), tangent), vec3_dot(first, last));
}

bool tube_surface(const cdg_vec3 *curve, size_t sections, double radius, int around, cdg_mesh *out) {
    *out = (cdg_mesh){0};
    if (!begin(sections * (size_t)around, 2 * sections * (size_t)around, out)) return false;
    double excess = angle_after_a_round(curve, sections);
    cdg_vec3 normal = vec3(0, 0, 1), tangent;
    for (size_t i = 0; i < sections; i++) {
        normal = carry_normal(curve, sections, i, normal, &tangent);
        cdg_vec3 side = vec3_cross(tangent, normal);
        for (int k = 0; k < around; k++) { // the angle is spread over the round, so that the ends fit
            double a = 2 * pi * k / around - excess * (double)i / (double)sections;
            out->points[out->point_count++] =
                vec3_mad(vec3_mad(curve[i], radius * cos(a), normal), radius * sin(a), side);
        }
    }
    add_ring_of_rings(out, 0, sections, (size_t)around);
    if (surface_volume(out) < 0)
        for (size_t t = 0; t < out->triangle_count; t++) {
            uint32_t kept = out->triangles[t][1];
            out->triangles[t][1] = out->triangles[t][2];
            out->triangles[t][2] = kept;
        }
    return true;
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static bool is_full_at(const int count[3], bool (*is_full)(const int cell[3], int kind), int kind, const int cell[3]) {
    for (int a = 0; a < 3; a++)
        if (cell[a] < 0 || cell[a] >= count[a]) return false;
    return is_full(cell, kind);
}

static void add_side(const int cell[3], int side, double edge, cdg_mesh *out) {
    int a = side / 2, b = (a + 1) % 3, c = (a + 2) % 3, is_far = side % 2 == 0;
    size_t first = out->point_count;
    for (int k = 0; k < 4; k++) {
        double at[3] = {cell[0], cell[1], cell[2]};
        at[a] += is_far;
        at[b] += k == 1 || k == 2;
        at[c] += k >= 2;
        out->points[out->point_count++] = vec3(edge * at[0], edge * at[1], edge * at[2]);
    }
    add_triangle(out, first, first + (is_far ? 1 : 2), first + (is_far ? 2 : 1));
    add_triangle(out, first, first + (is_far ? 2 : 3), first + (is_far ? 3 : 2));
}

bool block_surface(const int count[3], bool (*is_full)(const int cell[3], int kind), int kind, double edge,
                   cdg_mesh *out) {
    *out = (cdg_mesh){0};
    size_t sides = 6 * (size_t)count[0] * (size_t)count[1] * (size_t)count[2];
    if (!begin(4 * sides, 2 * sides, out)) return false;
    int cell[3];
    for (cell[2] = 0; cell[2] < count[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < count[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < count[0]; cell[0]++)
                for (int side = 0; side < 6 && is_full(cell, kind); side++) {
                    int beyond[3] = {cell[0], cell[1], cell[2]};
                    beyond[side / 2] += side % 2 == 0 ? 1 : -1;
                    if (!is_full_at(count, is_full, kind, beyond)) add_side(cell, side, edge, out);
                }
    return true;
}

// ---- random ---------------------------------------------------------------------------------------------------------

// A ball or a torus with dents, turned and stretched.
static bool add_body(cdg_random *random, cdg_mesh *out) {
    size_t n = 6 + (size_t)random_in(random, 0, 20), m = 5 + (size_t)random_in(random, 0, 20), first = out->point_count;
    double hole = random_unit(random) < 0.5 ? random_in(random, 0.3, 1.2) : 0, dent = random_in(random, 0, 0.3);
    cdg_quat turn = random_rotation(random);
    cdg_vec3 stretch = vec3(random_in(random, 0.2, 1), random_in(random, 0.2, 1), random_in(random, 0.2, 1));
    cdg_vec3 middle = random_vec3(random, 0.8);
    if (!begin(n * m, 2 * n * m, out)) return false;
    for (size_t i = 0; i < n * m; i++) {
        size_t row = i / m;
        double a = 2 * pi * (double)row / (double)n, b = 2 * pi * (double)(i % m) / (double)m;
        if (hole == 0) b = b / 2; // half circles from pole to pole, the last of which closes with the first
        double r = 1 + dent * random_in(random, -1, 1);
        double out_from_axis = hole > 0 ? 1 + hole * r * cos(b) : r * sin(b),
               up = hole > 0 ? hole * r * sin(b) : r * cos(b);
        cdg_vec3 p = vec3(stretch.x * out_from_axis * cos(a), stretch.y * out_from_axis * sin(a), stretch.z * up);
        out->points[out->point_count++] = vec3_add(middle, quat_rotate(turn, p));
    }
    add_ring_of_rings(out, first, n, m);
    return true;
}

static void damage(cdg_random *random, cdg_mesh *out) {
    double flip = random_unit(random) < 0.3 ? random_unit(random) : 0;
    double drop = random_unit(random) < 0.3 ? 0.5 * random_unit(random) : 0;
    size_t kept = 0;
    for (size_t t = 0; t < out->triangle_count; t++) {
        bool is_flipped = random_unit(random) < flip, goes = random_unit(random) < drop;
        uint32_t c[3] = {out->triangles[t][0], out->triangles[t][is_flipped ? 2 : 1],
                         out->triangles[t][is_flipped ? 1 : 2]};
        if (!goes) memcpy(out->triangles[kept++], c, sizeof c);
    }
    out->triangle_count = kept;
}

bool random_surface(uint64_t seed, cdg_mesh *out) {
    cdg_random random = {seed * 0x9E3779B97F4A7C15u + 1};
    *out = (cdg_mesh){0};
    int bodies = 1 + (int)random_in(&random, 0, 3);
    for (int i = 0; i < bodies; i++)
        if (!add_body(&random, out)) return false;
    damage(&random, out);
    return true;
}
