// Surfaces for tests of meshing: spheres, tori, boxes, and ways to damage them.
#ifndef MESH_SHAPES_H
#define MESH_SHAPES_H

#include "math/random.h"
#include "math/vec3.h"

#include <cordage/meshing.h>

#include <stdlib.h>
#include <string.h>

static const double mesh_pi = 3.14159265358979323846;

static inline cdg_mesh shape_begin(size_t points, size_t triangles) {
    return (cdg_mesh){.points = calloc(points + 1, sizeof(cdg_vec3)),
                      .triangles = calloc(triangles + 1, sizeof(uint32_t[3]))};
}
static inline void shape_point(cdg_mesh *s, cdg_vec3 p) { s->points[s->point_count++] = p; }
static inline void shape_triangle(cdg_mesh *s, size_t a, size_t b, size_t c) {
    uint32_t *t = s->triangles[s->triangle_count++];
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}

// A torus about z; n around the axis, m around the tube.
static inline cdg_mesh shape_torus(double radius, double tube, size_t n, size_t m) {
    cdg_mesh s = shape_begin(n * m, 2 * n * m);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double a = 2 * mesh_pi * (double)i / (double)n, b = 2 * mesh_pi * (double)j / (double)m;
            double r = radius + tube * cos(b);
            shape_point(&s, vec3(r * cos(a), r * sin(a), tube * sin(b)));
            size_t p = i * m + j, q = (i + 1) % n * m + j, u = i * m + (j + 1) % m, v = (i + 1) % n * m + (j + 1) % m;
            shape_triangle(&s, p, q, v);
            shape_triangle(&s, p, v, u);
        }
    return s;
}

static inline cdg_mesh shape_sphere(double radius, cdg_vec3 center, size_t n, size_t m) {
    cdg_mesh s = shape_begin(n * m + 2, 2 * n * m);
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double a = mesh_pi * (double)i / (double)n, b = 2 * mesh_pi * (double)j / (double)m;
            shape_point(&s, vec3_mad(center, radius, vec3(sin(a) * cos(b), sin(a) * sin(b), cos(a))));
        }
    size_t top = s.point_count, bottom = top + 1;
    shape_point(&s, vec3_mad(center, radius, vec3(0, 0, 1)));
    shape_point(&s, vec3_mad(center, -radius, vec3(0, 0, 1)));
    for (size_t j = 0; j < m; j++) {
        size_t k = (j + 1) % m;
        shape_triangle(&s, top, j, k);
        shape_triangle(&s, bottom, (n - 2) * m + k, (n - 2) * m + j);
        for (size_t i = 0; i + 2 < n; i++) {
            shape_triangle(&s, i * m + j, (i + 1) * m + j, (i + 1) * m + k);
            shape_triangle(&s, i * m + j, (i + 1) * m + k, i * m + k);
        }
    }
    return s;
}

static inline cdg_mesh shape_box(cdg_vec3 low, cdg_vec3 high) {
    static const unsigned char faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                               {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    cdg_mesh s = shape_begin(8, 12);
    for (int c = 0; c < 8; c++)
        shape_point(&s, vec3(c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z));
    for (int f = 0; f < 12; f++) shape_triangle(&s, faces[f][0], faces[f][1], faces[f][2]);
    return s;
}

// About z; its ends are fans.
static inline cdg_mesh shape_cylinder(double radius, double height, size_t n) {
    cdg_mesh s = shape_begin(2 * n + 2, 4 * n);
    for (size_t i = 0; i < 2 * n; i++) {
        double a = 2 * mesh_pi * (double)(i / 2) / (double)n;
        shape_point(&s, vec3(radius * cos(a), radius * sin(a), (i % 2 == 0 ? -0.5 : 0.5) * height));
    }
    shape_point(&s, vec3(0, 0, -0.5 * height));
    shape_point(&s, vec3(0, 0, 0.5 * height));
    for (size_t i = 0; i < n; i++) {
        size_t j = (i + 1) % n;
        shape_triangle(&s, 2 * i, 2 * j, 2 * j + 1);
        shape_triangle(&s, 2 * i, 2 * j + 1, 2 * i + 1);
        shape_triangle(&s, 2 * n, 2 * j, 2 * i);
        shape_triangle(&s, 2 * n + 1, 2 * i + 1, 2 * j + 1);
    }
    return s;
}

static inline void shape_drop(cdg_mesh *s, double share, uint64_t seed) { // random triangles
    cdg_random random = {seed};
    size_t kept = 0;
    for (size_t t = 0; t < s->triangle_count; t++)
        if (random_unit(&random) >= share) memmove(s->triangles[kept++], s->triangles[t], sizeof *s->triangles);
    s->triangle_count = kept;
}

static inline void shape_flip(cdg_mesh *s, double share, uint64_t seed) {
    cdg_random random = {seed};
    for (size_t t = 0; t < s->triangle_count; t++)
        if (random_unit(&random) < share) {
            uint32_t kept = s->triangles[t][1];
            s->triangles[t][1] = s->triangles[t][2];
            s->triangles[t][2] = kept;
        }
}

static inline void shape_loosen(cdg_mesh *s, double shrink) { // triangles of their own, a little smaller
    cdg_mesh loose = shape_begin(3 * s->triangle_count, s->triangle_count);
    for (size_t t = 0; t < s->triangle_count; t++) {
        cdg_vec3 middle = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) middle = vec3_mad(middle, 1.0 / 3, s->points[s->triangles[t][k]]);
        for (int k = 0; k < 3; k++) shape_point(&loose, vec3_lerp(middle, s->points[s->triangles[t][k]], shrink));
        shape_triangle(&loose, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    cdg_mesh_free(s);
    *s = loose;
}

static inline void shape_join(cdg_mesh *s, cdg_mesh *other) { // takes the other's arrays
    cdg_mesh both = shape_begin(s->point_count + other->point_count, s->triangle_count + other->triangle_count);
    for (size_t p = 0; p < s->point_count; p++) shape_point(&both, s->points[p]);
    for (size_t p = 0; p < other->point_count; p++) shape_point(&both, other->points[p]);
    for (size_t t = 0; t < s->triangle_count; t++)
        shape_triangle(&both, s->triangles[t][0], s->triangles[t][1], s->triangles[t][2]);
    for (size_t t = 0; t < other->triangle_count; t++)
        shape_triangle(&both, s->point_count + other->triangles[t][0], s->point_count + other->triangles[t][1],
                       s->point_count + other->triangles[t][2]);
    cdg_mesh_free(s);
    cdg_mesh_free(other);
    *s = both;
}

static inline double shape_volume(const cdg_mesh *s) { // of a closed one
    double sum = 0;
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *c = s->triangles[t];
        sum += vec3_dot(s->points[c[0]], vec3_cross(s->points[c[1]], s->points[c[2]])) / 6;
    }
    return sum;
}

#endif
