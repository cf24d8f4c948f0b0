// Distances of pairs of segments (pair_gaps.h), for each instruction set; the way is that of segment_pair.c.
#include "contact/pair_gaps.h"
#include "math/simd.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

SIMD_INLINE simd_double clamp01(simd_double a) {
    a = simd_max(a, simd_broadcast(0)); // not-a-number becomes 0
    return simd_select(a < 1, a, simd_broadcast(1));
}

SIMD_INLINE simd_vec3 minus(simd_vec3 a, simd_vec3 b) { return (simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SIMD_INLINE simd_double dot(simd_vec3 a, simd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Component c of lane i is that of segment number[i].
SIMD_INLINE void load(const double *segments, const uint32_t number[SIMD_LANES], simd_double out[CDG_SEGMENT_SIZE]) {
    for (int first = 0; first < CDG_SEGMENT_SIZE; first += SIMD_LANES) {
        for (int i = 0; i < SIMD_LANES; i++)
            __builtin_memcpy(&out[first + i], segments + (size_t)CDG_SEGMENT_SIZE * number[i] + first, sizeof *out);
        simd_transpose(&out[first]);
    }
}

// Gaps of as many pairs as there are lanes; returns the overlaps as shares.
SIMD_INLINE simd_double find(const double *segments, const double *moves, const uint32_t a[SIMD_LANES],
                             const uint32_t b[SIMD_LANES], double most, double *gaps) {
    static const double parallel = 1e-30;
    simd_double p[CDG_SEGMENT_SIZE], q[CDG_SEGMENT_SIZE], move;
    load(segments, a, p);
    load(segments, b, q);
    for (int i = 0; i < SIMD_LANES; i++) simd_lanes(&move)[i] = moves[a[i]] + moves[b[i]];
    simd_vec3 a0 = {p[0], p[1], p[2]}, da = minus((simd_vec3){p[3], p[4], p[5]}, a0);
    simd_vec3 b0 = {q[0], q[1], q[2]}, db = minus((simd_vec3){q[3], q[4], q[5]}, b0);
    simd_vec3 r = minus(a0, b0), n = simd_cross(da, db);
    simd_double aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), ar = dot(da, r), br = dot(db, r), nn = dot(n, n);
    simd_double inverse_aa = 1 / aa, inverse_bb = 1 / bb;
    simd_double beside = 0.5 * (clamp01(-ar * inverse_aa) + clamp01((ab - ar) * inverse_aa));
    simd_double s = simd_select(nn > parallel * aa * bb, clamp01(dot(n, simd_cross(db, r)) / nn), beside);
    simd_double t = clamp01((ab * s + br) * inverse_bb);
    s = clamp01((ab * t - ar) * inverse_aa);
    simd_vec3 between = {r.x + s * da.x - t * db.x, r.y + s * da.y - t * db.y, r.z + s * da.z - t * db.z};
    simd_double sum = p[6] + s * (p[7] - p[6]) + q[6] + t * (q[7] - q[6]);
    simd_double largest = simd_max(p[6], p[7]) + simd_max(q[6], q[7]);
    simd_double gap = simd_sqrt(dot(between, between)) - sum;
    simd_mask is_known = move <= most * sum;
    simd_double out = simd_select(is_known, gap, simd_broadcast(-__builtin_inf()));
    __builtin_memcpy(gaps, &out, sizeof out);
    return -gap / largest;
}

cdg_gap_kernel JOIN(cdg_gap_kernel, CDG_SIMD_SUFFIX);

double JOIN(cdg_gap_kernel, CDG_SIMD_SUFFIX)(const double *segments, const double *moves, const cdg_box_pair *pairs,
                                             size_t pair_count, double most, double *gaps) {
    simd_double deepest = simd_broadcast(0);
    for (size_t first = 0; first < pair_count; first += SIMD_LANES) {
        uint32_t a[SIMD_LANES], b[SIMD_LANES];
        size_t count = pair_count - first < SIMD_LANES ? pair_count - first : SIMD_LANES;
        for (size_t i = 0; i < SIMD_LANES; i++) {
            const cdg_box_pair *pair = &pairs[first + (i < count ? i : 0)];
            a[i] = pair->a, b[i] = pair->b;
        }
        double found[SIMD_LANES];
        deepest = simd_max(deepest, find(segments, moves, a, b, most, found));
        __builtin_memcpy(gaps + first, found, count * sizeof *gaps);
    }
    double out = 0;
    for (size_t i = 0; i < SIMD_LANES; i++) out = simd_get(&deepest, i) > out ? simd_get(&deepest, i) : out;
    return out;
}
