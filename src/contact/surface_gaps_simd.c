// Distances of pairs of edges, and of vertices and triangles (surface_gaps.h), for each instruction set; the ways are
// those of segment_pair.c and point_triangle.c.
#include "contact/surface_gaps.h"
#include "math/simd.h"

#include <math.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// Beyond the limits of a primitive by more than rounding, of its size; and of distances.
static const double beyond = 1e-6, rounding = 1e-9;

SIMD_INLINE simd_vec3 minus(simd_vec3 a, simd_vec3 b) { return (simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SIMD_INLINE simd_vec3 mad(simd_vec3 a, simd_double s, simd_vec3 b) {
    return (simd_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
SIMD_INLINE simd_double dot(simd_vec3 a, simd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMD_INLINE simd_double clamp01(simd_double a) {
    a = simd_max(a, simd_broadcast(0)); // not-a-number becomes 0
    return simd_min(a, simd_broadcast(1));
}

// As many pairs as there are lanes; past the end the first is there again.
typedef struct lanes {
    cdg_kept_pair *at[SIMD_LANES];
    simd_vec3 x[4];
    simd_double sum;
    size_t count;
} lanes;

// One point of each lane. Three doubles are read at once, and turned in registers.
#if CDG_SIMD_DOUBLES == 8
SIMD_INLINE simd_double two_points(const double *low, const double *high) {
    return (simd_double)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_maskz_loadu_pd(7, low)),
                                           _mm256_maskz_loadu_pd(7, high), 1);
}

SIMD_INLINE simd_vec3 load_point(const double *const from[SIMD_LANES]) {
    simd_double p0 = two_points(from[0], from[2]), p1 = two_points(from[1], from[3]);
    simd_double p2 = two_points(from[4], from[6]), p3 = two_points(from[5], from[7]);
    simd_double xz0 = __builtin_shufflevector(p0, p1, 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double xz1 = __builtin_shufflevector(p2, p3, 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double y0 = __builtin_shufflevector(p0, p1, 1, 9, 3, 11, 5, 13, 7, 15);
    simd_double y1 = __builtin_shufflevector(p2, p3, 1, 9, 3, 11, 5, 13, 7, 15);
    return (simd_vec3){__builtin_shufflevector(xz0, xz1, 0, 1, 4, 5, 8, 9, 12, 13),
                       __builtin_shufflevector(y0, y1, 0, 1, 4, 5, 8, 9, 12, 13),
                       __builtin_shufflevector(xz0, xz1, 2, 3, 6, 7, 10, 11, 14, 15)};
}
#elif CDG_SIMD_DOUBLES == 4
SIMD_INLINE simd_vec3 load_point(const double *const from[SIMD_LANES]) {
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    simd_double row[SIMD_LANES];
    for (int i = 0; i < SIMD_LANES; i++) row[i] = (simd_double)_mm256_maskload_pd(from[i], three);
    simd_transpose(row);
    return (simd_vec3){row[0], row[1], row[2]};
}
#else
SIMD_INLINE simd_vec3 load_point(const double *const from[SIMD_LANES]) {
    return (simd_vec3){{from[0][0], from[1][0]}, {from[0][1], from[1][1]}, {from[0][2], from[1][2]}};
}
#endif

SIMD_INLINE lanes load(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x) {
    lanes out;
    out.count = count < SIMD_LANES ? count : SIMD_LANES;
    for (size_t i = 0; i < SIMD_LANES; i++) {
        out.at[i] = &pairs[which[i < out.count ? i : 0]];
        simd_lanes(&out.sum)[i] = out.at[i]->sum;
    }
    for (int k = 0; k < 4; k++) {
        const double *from[SIMD_LANES];
        for (size_t i = 0; i < SIMD_LANES; i++) from[i] = x + 3 * (size_t)out.at[i]->point[k];
        out.x[k] = load_point(from);
    }
    return out;
}

SIMD_INLINE simd_mask is_within(simd_double distance2, simd_double sum, double share) {
    simd_double most = share * (1 + rounding) * sum;
    return distance2 < most * most;
}

// Where lanes are nearest.
typedef struct nearest {
    simd_double first, second, distance2;
    simd_vec3 between;
} nearest;

// Marks what is due, and writes the nearest points of all that are.
SIMD_INLINE void mark(const lanes *it, simd_mask is_due, const nearest *at, cdg_pair_nearest *found) {
    int64_t due[SIMD_LANES];
    __builtin_memcpy(due, &is_due, sizeof due);
    for (size_t i = 0; i < it->count; i++) {
        it->at[i]->is_due |= due[i] != 0;
        if (!it->at[i]->is_due) continue;
        found[i] =
            (cdg_pair_nearest){simd_get(&at->first, i),
                               simd_get(&at->second, i),
                               {simd_get(&at->between.x, i), simd_get(&at->between.y, i), simd_get(&at->between.z, i)},
                               sqrt(simd_get(&at->distance2, i))};
    }
}

SIMD_INLINE void put_distances(const lanes *it, simd_double distance2) {
    for (size_t i = 0; i < it->count; i++) it->at[i]->start_distance = sqrt(simd_get(&distance2, i));
}

SIMD_INLINE simd_mask is_between(simd_double w) { return (w >= surface_gaps_limit) & (1 - w >= surface_gaps_limit); }

// The point on the edge from the origin along `edge` that is nearest, [0, 1].
SIMD_INLINE simd_double along(simd_vec3 p, simd_vec3 edge) { return clamp01(dot(p, edge) / dot(edge, edge)); }

static void look_at_edges(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x,
                          cdg_gap_limits limits, cdg_pair_nearest *found) {
    static const double parallel = 1e-30;
    for (size_t first = 0; first < count; first += SIMD_LANES) {
        lanes it = load(pairs, which + first, count - first, x);
        simd_vec3 da = minus(it.x[1], it.x[0]), db = minus(it.x[3], it.x[2]), r = minus(it.x[0], it.x[2]);
        simd_vec3 n = simd_cross(da, db);
        simd_double aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), ar = dot(da, r), br = dot(db, r);
        simd_double nn = dot(n, n), inverse_aa = 1 / aa, inverse_bb = 1 / bb;
        simd_double beside = 0.5 * (clamp01(-ar * inverse_aa) + clamp01((ab - ar) * inverse_aa));
        simd_double s = simd_select(nn > parallel * aa * bb, clamp01(dot(n, simd_cross(db, r)) / nn), beside);
        simd_double t = clamp01((ab * s + br) * inverse_bb);
        s = clamp01((ab * t - ar) * inverse_aa);
        simd_vec3 between = mad(mad(r, s, da), -t, db);
        nearest at = {s, t, dot(between, between), between};
        if (found == NULL) {
            put_distances(&it, at.distance2);
            continue;
        }
        // The nearest points of nearly parallel edges are uncertain: all count but the ends themselves.
        simd_mask is_even = (nn < 1e-8 * aa * bb) & is_between(s) & is_between(t);
        simd_mask is_inside = (s > beyond) & (s < 1 - beyond) & (t > beyond) & (t < 1 - beyond);
        simd_mask is_due = is_within(at.distance2, it.sum, limits.deep) |
                           (is_within(at.distance2, it.sum, limits.near) & (is_inside | is_even));
        mark(&it, is_due, &at, found + first);
    }
}

// Whether triangles stand for the limits where they are nearest, of the lanes that are asked about.
SIMD_INLINE simd_mask has_limits(const lanes *it, const nearest *at, simd_mask is_asked) {
    simd_mask out = {0};
    for (size_t i = 0; i < it->count; i++) {
        if (is_asked[i] == 0) continue;
        double second = simd_get(&at->first, i), third = simd_get(&at->second, i);
        const double w[3] = {1 - second - third, second, third};
        out[i] = surface_gaps_is_own(it->at[i]->limits, w) ? -1 : 0;
    }
    return out;
}

// The better of what there is and a point by the weights of the second and third corner.
SIMD_INLINE void offer(nearest *best, simd_vec3 p, simd_vec3 e0, simd_vec3 e1, simd_double w1, simd_double w2,
                       simd_mask is_on) {
    simd_vec3 between = mad(mad(p, -w1, e0), -w2, e1);
    simd_double distance2 = dot(between, between);
    simd_mask is_nearer = is_on & (distance2 < best->distance2);
    best->first = simd_select(is_nearer, w1, best->first);
    best->second = simd_select(is_nearer, w2, best->second);
    best->distance2 = simd_select(is_nearer, distance2, best->distance2);
    best->between.x = simd_select(is_nearer, between.x, best->between.x);
    best->between.y = simd_select(is_nearer, between.y, best->between.y);
    best->between.z = simd_select(is_nearer, between.z, best->between.z);
}

static void look_at_triangles(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x,
                              cdg_gap_limits limits, cdg_pair_nearest *found) {
    simd_double zero = simd_broadcast(0);
    simd_mask all = ~(simd_mask){0};
    for (size_t first = 0; first < count; first += SIMD_LANES) {
        lanes it = load(pairs, which + first, count - first, x);
        simd_vec3 p = minus(it.x[0], it.x[1]), e0 = minus(it.x[2], it.x[1]), e1 = minus(it.x[3], it.x[1]);
        simd_vec3 n = simd_cross(e0, e1);
        simd_double nn = dot(n, n);
        simd_double w1 = dot(n, simd_cross(p, e1)) / nn, w2 = dot(n, simd_cross(e0, p)) / nn;
        simd_mask is_inside = (w1 > -beyond) & (w2 > -beyond) & (w1 + w2 < 1 + beyond);
        nearest at = {zero, zero, dot(p, p), p};
        offer(&at, p, e0, e1, w1, w2, (w1 >= 0) & (w2 >= 0) & (w1 + w2 <= 1));
        simd_double third = along(minus(p, e0), minus(e1, e0));
        offer(&at, p, e0, e1, along(p, e0), zero, all);
        offer(&at, p, e0, e1, zero, along(p, e1), all);
        offer(&at, p, e0, e1, 1 - third, third, all);
        if (found == NULL) {
            put_distances(&it, at.distance2);
            continue;
        }
        simd_mask is_flat = ~(nn > 0);
        simd_mask is_near = is_within(at.distance2, it.sum, limits.near), is_limit = is_near & ~is_inside;
        if (simd_any(is_limit)) is_limit = is_limit & has_limits(&it, &at, is_limit);
        simd_mask is_due = is_within(at.distance2, it.sum, limits.deep) | is_flat | (is_near & is_inside) | is_limit;
        mark(&it, is_due, &at, found + first);
    }
}

extern const cdg_surface_gap_kernels JOIN(cdg_surface_gap_kernels, CDG_SIMD_SUFFIX);
const cdg_surface_gap_kernels JOIN(cdg_surface_gap_kernels, CDG_SIMD_SUFFIX) = {look_at_edges, look_at_triangles};
