// Vectors of CDG_SIMD_DOUBLES doubles for the files that are compiled once for each instruction set (*_simd.c).
// Built on the vector extensions of GCC and Clang, so that one source serves 2, 4 and 8 lanes.
#ifndef CDG_MATH_SIMD_H
#define CDG_MATH_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if CDG_SIMD_DOUBLES != 2 && CDG_SIMD_DOUBLES != 4 && CDG_SIMD_DOUBLES != 8
#error "CDG_SIMD_DOUBLES must be 2, 4 or 8"
#endif

// Vectors are passed in registers only within a function: everything here and built on it is inlined.
#define SIMD_INLINE static inline __attribute__((always_inline))

enum { SIMD_LANES = CDG_SIMD_DOUBLES };

typedef double simd_double __attribute__((vector_size(8 * CDG_SIMD_DOUBLES)));
typedef int64_t simd_mask __attribute__((vector_size(8 * CDG_SIMD_DOUBLES))); // each lane all ones or all zeros

// One lane of a vector in memory. Clang writes v[lane] = a by way of a whole vector when the lane is not a constant.
typedef double __attribute__((may_alias)) simd_lane;

typedef struct simd_vec3 {
    simd_double x, y, z;
} simd_vec3;

typedef struct simd_quat {
    simd_double w, x, y, z;
} simd_quat;

// Vectors at any address. (GCC copies by memcpy in halves, and the processor stalls when the whole is read soon after.)
typedef double simd_loose __attribute__((vector_size(8 * CDG_SIMD_DOUBLES), aligned(8), may_alias));
SIMD_INLINE simd_double simd_load(const double *from) { return *(const simd_loose *)from; }
SIMD_INLINE void simd_store(double *to, simd_double a) { *(simd_loose *)to = a; }

SIMD_INLINE simd_lane *simd_lanes(simd_double *v) { return (simd_lane *)v; }
SIMD_INLINE double simd_get(const simd_double *v, size_t lane) { return ((const simd_lane *)v)[lane]; }

SIMD_INLINE simd_double simd_broadcast(double a) {
    return a - (simd_double){0}; // a scalar operand is spread over the lanes; minus zero keeps every value, -0.0 too
}

// mask ? a : b
SIMD_INLINE simd_double simd_select(simd_mask mask, simd_double a, simd_double b) {
    return (simd_double)((mask & (simd_mask)a) | (~mask & (simd_mask)b));
}

// a > b ? a : b
SIMD_INLINE simd_double simd_max(simd_double a, simd_double b) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_double)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return simd_select(a > b, a, b);
#endif
}

// a < b ? a : b
SIMD_INLINE simd_double simd_min(simd_double a, simd_double b) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_double)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return simd_select(a < b, a, b);
#endif
}

SIMD_INLINE simd_double simd_abs(simd_double a) { return (simd_double)((simd_mask)a & INT64_MAX); }

// |a| with the sign of b.
SIMD_INLINE simd_double simd_with_sign(simd_double a, simd_double b) {
    return (simd_double)(((simd_mask)a & INT64_MAX) | ((simd_mask)b & INT64_MIN));
}

SIMD_INLINE simd_double simd_keep(simd_mask mask, simd_double a) { return (simd_double)(mask & (simd_mask)a); }

// Whether any lane is set.
SIMD_INLINE bool simd_any(simd_mask mask) {
#if CDG_SIMD_DOUBLES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif CDG_SIMD_DOUBLES == 4
    return _mm256_movemask_pd((__m256d)mask) != 0;
#else
    return (mask[0] | mask[1]) != 0;
#endif
}

// Lanes whose bit in `bits` is clear.
SIMD_INLINE simd_mask simd_mask_without(uint32_t bits) {
#if CDG_SIMD_DOUBLES == 8
    simd_mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
#elif CDG_SIMD_DOUBLES == 4
    simd_mask bit = {1, 2, 4, 8};
#else
    simd_mask bit = {1, 2};
#endif
    return (bit & (int64_t)bits) == 0;
}

SIMD_INLINE simd_double simd_sqrt(simd_double a) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_sqrt_pd((__m512d)a);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_double)_mm256_sqrt_pd((__m256d)a);
#elif defined(__x86_64__)
    return (simd_double)_mm_sqrt_pd((__m128d)a);
#else
    for (int lane = 0; lane < SIMD_LANES; lane++) a[lane] = __builtin_sqrt(a[lane]);
    return a;
#endif
}

// factor/sqrt(a) to 1e-12 for a from 1e-300 to 1e300. Eight lanes: the processor's estimate and one step of third
// order, which is faster than its division and root; with fewer lanes it is not.
SIMD_INLINE simd_double simd_over_sqrt(double factor, simd_double a) {
#if CDG_SIMD_DOUBLES == 8
    simd_double r = (simd_double)_mm512_rsqrt14_pd((__m512d)a), h = a * r * r; // near 1
    return r * (1.875 * factor + h * (0.375 * factor * h - 1.25 * factor));    // factor/sqrt(h) up to third order
#else
    return simd_sqrt(factor * factor / a);
#endif
}

SIMD_INLINE simd_double simd_inverse_sqrt(simd_double a) { return simd_over_sqrt(1, a); }

// The following are to rounding, for the same a, and faster than the processor's own where there are eight lanes.
SIMD_INLINE simd_double simd_unit_scale(simd_double a) { // 1/sqrt(a)
#if CDG_SIMD_DOUBLES == 8
    simd_double r = simd_inverse_sqrt(a);
    return r + 0.5 * r * (1 - a * r * r);
#else
    return 1 / simd_sqrt(a);
#endif
}

SIMD_INLINE simd_double simd_root(simd_double a) { // sqrt(a)
#if CDG_SIMD_DOUBLES == 8
    simd_double r = simd_inverse_sqrt(a), root = a * r;
    return root + 0.5 * r * (a - root * root);
#else
    return simd_sqrt(a);
#endif
}

SIMD_INLINE simd_double simd_near_inverse(simd_double a) { // 1/a, only to 1e-12
#if CDG_SIMD_DOUBLES == 8
    simd_double r = (simd_double)_mm512_rcp14_pd((__m512d)a), e = 1 - a * r;
    return r + r * (e + e * e);
#else
    return 1 / a;
#endif
}

SIMD_INLINE simd_double simd_near_quotient(simd_double a, simd_double b) { // a/b, only to 1e-12
#if CDG_SIMD_DOUBLES == 8
    return a * simd_near_inverse(b);
#else
    return a / b;
#endif
}

SIMD_INLINE simd_double simd_inverse(simd_double a) { // 1/a
#if CDG_SIMD_DOUBLES == 8
    simd_double r = simd_near_inverse(a);
    return r + r * (1 - a * r);
#else
    return 1 / a;
#endif
}

// The first `count` lanes of a vector, or all if count is larger: what the last vector of an array holds.
#if CDG_SIMD_DOUBLES == 8
typedef __mmask8 simd_part;
SIMD_INLINE simd_part simd_part_of(size_t count) { return (simd_part)(count < 8 ? (1u << count) - 1 : 255); }
#else
typedef size_t simd_part;
SIMD_INLINE simd_part simd_part_of(size_t count) { return count; }
#endif

// The lanes of the part from memory, the others those of `fill`. Nothing else is read.
SIMD_INLINE simd_double simd_load_part(const double *from, simd_part part, simd_double fill) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_mask_loadu_pd((__m512d)fill, part, from);
#else
    if (part >= SIMD_LANES) {
        __builtin_memcpy(&fill, from, sizeof fill);
        return fill;
    }
    for (size_t lane = 0; lane < part; lane++) simd_lanes(&fill)[lane] = from[lane];
    return fill;
#endif
}

// The lanes of the part to memory. Nothing else is written.
SIMD_INLINE void simd_store_part(double *to, simd_part part, simd_double a) {
#if CDG_SIMD_DOUBLES == 8
    _mm512_mask_storeu_pd(to, part, (__m512d)a);
#else
    if (part >= SIMD_LANES) {
        __builtin_memcpy(to, &a, sizeof a);
        return;
    }
    for (size_t lane = 0; lane < part; lane++) to[lane] = simd_get(&a, lane);
#endif
}

// Lane i of the result is array[index[i]], for either kind of index.
#if CDG_SIMD_DOUBLES == 8
#define SIMD_GATHERED                                                                                                  \
    {                                                                                                                  \
        array[index[0]], array[index[1]], array[index[2]], array[index[3]], array[index[4]], array[index[5]],          \
            array[index[6]], array[index[7]]                                                                           \
    }
#elif CDG_SIMD_DOUBLES == 4
#define SIMD_GATHERED                                                                                                  \
    { array[index[0]], array[index[1]], array[index[2]], array[index[3]] }
#else
#define SIMD_GATHERED                                                                                                  \
    { array[index[0]], array[index[1]] }
#endif
SIMD_INLINE simd_double simd_gather(const double *array, const size_t index[SIMD_LANES]) {
    return (simd_double)SIMD_GATHERED;
}
SIMD_INLINE simd_double simd_gather_uint32(const double *array, const uint32_t index[SIMD_LANES]) {
    return (simd_double)SIMD_GATHERED;
}
#undef SIMD_GATHERED

// Every lane moves one up (lane 0 to lane 1, ...); lane 0 of the result is `first`.
SIMD_INLINE simd_double simd_shift_up(simd_double a, double first) {
#if CDG_SIMD_DOUBLES == 8
    a = __builtin_shufflevector(a, a, 0, 0, 1, 2, 3, 4, 5, 6);
#elif CDG_SIMD_DOUBLES == 4
    a = __builtin_shufflevector(a, a, 0, 0, 1, 2);
#else
    a = __builtin_shufflevector(a, a, 0, 0);
#endif
    a[0] = first;
    return a;
}

// Every lane moves one down (lane 1 to lane 0, ...); the last lane of the result is `last`.
SIMD_INLINE simd_double simd_shift_down(simd_double a, double last) {
#if CDG_SIMD_DOUBLES == 8
    a = __builtin_shufflevector(a, a, 1, 2, 3, 4, 5, 6, 7, 7);
#elif CDG_SIMD_DOUBLES == 4
    a = __builtin_shufflevector(a, a, 1, 2, 3, 3);
#else
    a = __builtin_shufflevector(a, a, 1, 1);
#endif
    a[SIMD_LANES - 1] = last;
    return a;
}

// Swaps blocks of SIZE lanes between a and b: a keeps its even blocks and gets those of b after each, b the odd ones.
#if CDG_SIMD_DOUBLES == 8
#define SIMD_SWAP_1(a, b, v, w)                                                                                        \
    a = __builtin_shufflevector(v, w, 0, 8, 2, 10, 4, 12, 6, 14),                                                      \
    b = __builtin_shufflevector(v, w, 1, 9, 3, 11, 5, 13, 7, 15)
#define SIMD_SWAP_2(a, b, v, w)                                                                                        \
    a = __builtin_shufflevector(v, w, 0, 1, 8, 9, 4, 5, 12, 13),                                                       \
    b = __builtin_shufflevector(v, w, 2, 3, 10, 11, 6, 7, 14, 15)
#define SIMD_SWAP_4(a, b, v, w)                                                                                        \
    a = __builtin_shufflevector(v, w, 0, 1, 2, 3, 8, 9, 10, 11),                                                       \
    b = __builtin_shufflevector(v, w, 4, 5, 6, 7, 12, 13, 14, 15)
#elif CDG_SIMD_DOUBLES == 4
#define SIMD_SWAP_1(a, b, v, w)                                                                                        \
    a = __builtin_shufflevector(v, w, 0, 4, 2, 6), b = __builtin_shufflevector(v, w, 1, 5, 3, 7)
#define SIMD_SWAP_2(a, b, v, w)                                                                                        \
    a = __builtin_shufflevector(v, w, 0, 1, 4, 5), b = __builtin_shufflevector(v, w, 2, 3, 6, 7)
#else
#define SIMD_SWAP_1(a, b, v, w) a = __builtin_shufflevector(v, w, 0, 2), b = __builtin_shufflevector(v, w, 1, 3)
#endif

// Lane j of row i becomes lane i of row j.
SIMD_INLINE void simd_transpose(simd_double row[SIMD_LANES]) {
#define SIMD_SWAP_ROWS(size)                                                                                           \
    for (int i = 0; i < SIMD_LANES; i++) {                                                                             \
        if ((i & (size)) != 0) continue;                                                                               \
        simd_double v = row[i], w = row[i + (size)];                                                                   \
        SIMD_SWAP_##size(row[i], row[i + (size)], v, w);                                                               \
    }
#if CDG_SIMD_DOUBLES == 8
    SIMD_SWAP_ROWS(4)
#endif
#if CDG_SIMD_DOUBLES >= 4
    SIMD_SWAP_ROWS(2)
#endif
    SIMD_SWAP_ROWS(1)
#undef SIMD_SWAP_ROWS
}

SIMD_INLINE simd_vec3 simd_cross(simd_vec3 a, simd_vec3 b) {
    return (simd_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
