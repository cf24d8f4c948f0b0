// Primitives of surfaces, and what meets them, as points and weights: where two of them are nearest.
#ifndef CDG_CONTACT_SURFACE_FEATURE_H
#define CDG_CONTACT_SURFACE_FEATURE_H

#include "contact/contacts.h"
#include "contact/point_triangle.h"
#include "contact/segment_pair.h"
#include "math/vec3.h"

// One, two or three points of the pieces, which a point on them is the weighted sum of.
typedef struct feature {
    cdg_contact_side side;
    int count;
    uint32_t point[3];
    double radius[2]; // m, at the first point and at the last
    uint32_t end;     // of a segment with one point: which
} feature;

typedef struct nearest_points {
    double weight[2][3];
    cdg_vec3 between; // from the second to the first
    double distance;
} nearest_points;

// For which of its limits a triangle stands (surface_gaps.h).
static inline uint8_t surface_limits(const cdg_surface_triangle *t) {
    unsigned out = 0;
    for (int k = 0; k < 3; k++) out |= (unsigned)t->owns_edge[k] << k | (unsigned)t->owns_corner[k] << (3 + k);
    return (uint8_t)out;
}

static inline feature surface_feature(const cdg_pieces *p, uint32_t kind, uint32_t number) {
    const cdg_surfaces *s = &p->surfaces;
    feature it = {.side = {.kind = (cdg_side_kind)kind, .element = (uint32_t)p->element_count}};
    const uint32_t *first;
    if (kind == CDG_SIDE_VERTEX) {
        it.count = 1;
        it.point[0] = s->vertices[number].point;
        it.side.object = s->vertices[number].surface;
        first = s->first_vertex;
    } else if (kind == CDG_SIDE_EDGE) {
        it.count = 2;
        for (int k = 0; k < 2; k++) it.point[k] = s->edges[number].point[k];
        it.side.object = surfaces_of_edge(s, number);
        first = s->first_edge;
    } else {
        it.count = 3;
        for (int k = 0; k < 3; k++) it.point[k] = s->triangles[number].point[k];
        it.side.object = s->triangles[number].surface;
        first = s->first_triangle;
    }
    it.side.primitive = number - first[it.side.object];
    it.radius[0] = it.radius[1] = s->thickness[it.side.object];
    return it;
}

static inline feature segment_feature(const cdg_pieces *p, uint32_t e, bool is_whole, uint32_t end) {
    feature it = {.side = {CDG_SIDE_SEGMENT, p->object_of[e], pieces_local(p, e), e}, .count = is_whole ? 2 : 1};
    for (uint32_t k = 0; k < 2; k++) {
        it.point[k] = p->ends[e][is_whole ? k : end];
        it.radius[k] = p->radius[e][is_whole ? k : end];
    }
    it.end = end;
    return it;
}

static inline double radius_at(const feature *it, const double w[3]) {
    return it->count == 2 ? w[0] * it->radius[0] + w[1] * it->radius[1] : it->radius[0];
}
static inline double largest_radius(const feature *it) { return fmax(it->radius[0], it->radius[1]); }

static inline void read_points(const feature *it, const cdg_vec3 *x, cdg_vec3 out[3]) {
    for (int k = 0; k < it->count; k++) out[k] = x[it->point[k]];
}

static inline cdg_vec3 point_of(const feature *it, const cdg_vec3 *x, const double w[3]) {
    cdg_vec3 sum = vec3_scale(w[0], x[it->point[0]]);
    for (int k = 1; k < it->count; k++) sum = vec3_mad(sum, w[k], x[it->point[k]]);
    return sum;
}

static inline nearest_points closest(int count_a, const cdg_vec3 *a, const cdg_vec3 *b) {
    nearest_points out = {.weight = {{1, 0, 0}, {1, 0, 0}}};
    if (count_a == 2) {
        cdg_closest found = cdg_segments_closest(a[0], a[1], b[0], b[1]);
        out.weight[0][0] = 1 - found.s, out.weight[0][1] = found.s;
        out.weight[1][0] = 1 - found.t, out.weight[1][1] = found.t;
        out.between = found.between;
        out.distance = sqrt(found.distance2);
        return out;
    }
    int triangle = count_a == 3 ? 0 : 1;
    cdg_point_closest found = count_a == 3 ? cdg_point_triangle_closest(b[0], a) : cdg_point_triangle_closest(a[0], b);
    for (int k = 0; k < 3; k++) out.weight[triangle][k] = found.weights[k];
    out.between = count_a == 3 ? vec3_scale(-1, found.between) : found.between;
    out.distance = sqrt(found.distance2);
    return out;
}

#endif
