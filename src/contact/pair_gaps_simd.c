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

typedef struct nearest {
    simd_double s, t, distance;
    simd_vec3 between;
} nearest;

SIMD_INLINE nearest find_nearest(const simd_double p[CDG_SEGMENT_SIZE], const simd_double q[CDG_SEGMENT_SIZE]) {
    static const double parallel = 1e-30;
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
    return (nearest){s, t, simd_sqrt(dot(between, between)), between};
}

// Gaps of as many pairs as there are lanes; returns the overlaps as shares.
SIMD_INLINE simd_double find(const double *segments, const double *moves, const uint32_t a[SIMD_LANES],
                             const uint32_t b[SIMD_LANES], double most, double *gaps) {
    simd_double p[CDG_SEGMENT_SIZE], q[CDG_SEGMENT_SIZE], move;
    load(segments, a, p);
    load(segments, b, q);
    for (int i = 0; i < SIMD_LANES; i++) simd_lanes(&move)[i] = moves[a[i]] + moves[b[i]];
    nearest found = find_nearest(p, q);
    simd_double s = found.s, t = found.t;
    simd_double sum = p[6] + s * (p[7] - p[6]) + q[6] + t * (q[7] - q[6]);
    simd_double largest = simd_max(p[6], p[7]) + simd_max(q[6], q[7]);
    simd_double gap = found.distance - sum;
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

// ---- near pairs -----------------------------------------------------------------------------------------------------

SIMD_INLINE simd_double sum_of_radii(const simd_double p[CDG_SEGMENT_SIZE], const simd_double q[CDG_SEGMENT_SIZE],
                                     const nearest *at) {
    return p[6] + at->s * (p[7] - p[6]) + q[6] + at->t * (q[7] - q[6]);
}

cdg_near_kernel JOIN(cdg_near_kernel, CDG_SIMD_SUFFIX);

void JOIN(cdg_near_kernel, CDG_SIMD_SUFFIX)(const double *segments, const double *starts, const cdg_box_pair *pairs,
                                            size_t pair_count, cdg_near_pair *out) {
    for (size_t first = 0; first < pair_count; first += SIMD_LANES) {
        uint32_t a[SIMD_LANES], b[SIMD_LANES];
        size_t count = pair_count - first < SIMD_LANES ? pair_count - first : SIMD_LANES;
        for (size_t i = 0; i < SIMD_LANES; i++) {
            const cdg_box_pair *pair = &pairs[first + (i < count ? i : 0)];
            a[i] = pair->a, b[i] = pair->b;
        }
        simd_double p[2][CDG_SEGMENT_SIZE], q[2][CDG_SEGMENT_SIZE]; // in the candidate; at the start
        load(segments, a, p[0]);
        load(segments, b, q[0]);
        load(starts, a, p[1]);
        load(starts, b, q[1]);
        nearest now = find_nearest(p[0], q[0]), start = find_nearest(p[1], q[1]);
        // The largest difference of the moves of an end of a and one of b.
        simd_double largest = simd_broadcast(0);
        for (int i = 0; i < 6; i += 3)
            for (int k = 0; k < 6; k += 3) {
                simd_vec3 d = {(p[0][i] - p[1][i]) - (q[0][k] - q[1][k]),
                               (p[0][i + 1] - p[1][i + 1]) - (q[0][k + 1] - q[1][k + 1]),
                               (p[0][i + 2] - p[1][i + 2]) - (q[0][k + 2] - q[1][k + 2])};
                largest = simd_max(largest, dot(d, d));
            }
        simd_double record[8] = {now.s,
                                 now.t,
                                 now.between.x,
                                 now.between.y,
                                 now.between.z,
                                 now.distance,
                                 start.distance - sum_of_radii(p[1], q[1], &start),
                                 simd_sqrt(largest)};
        for (int k = 0; k < 8; k += SIMD_LANES) simd_transpose(&record[k]);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < 8; k += SIMD_LANES)
                __builtin_memcpy((double *)(void *)&out[first + i] + k, &record[k + i], sizeof *record);
    }
}
