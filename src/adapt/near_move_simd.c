// What may be in the way of a move (near_move.h): boxes of segments, one in each lane, then each that is left against
// all that move.
#include "adapt/near_move.h"

#include "math/simd.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

typedef simd_double real;

SIMD_INLINE uint64_t bits_of(simd_mask mask) {
#if CDG_SIMD_DOUBLES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask);
#elif CDG_SIMD_DOUBLES == 4
    return (uint64_t)_mm256_movemask_pd((__m256d)mask);
#else
    return (uint64_t)((mask[0] & 1) | (mask[1] & 2));
#endif
}

// Of as many segments as there are lanes, those that do not lie beyond one of the box's faces.
SIMD_INLINE uint64_t in_box(const cdg_box *box, double *const x[3], size_t at) {
    simd_mask is_beyond = {0};
    for (int k = 0; k < 3; k++) {
        real a = simd_load(x[k] + at), b = simd_load(x[k] + at + 1);
        is_beyond |= (simd_max(a, b) < box->low[k]) | (simd_min(a, b) > box->high[k]);
    }
    return bits_of(~is_beyond);
}

static bool is_in_box(const cdg_box *box, double *const x[3], size_t i) {
    for (int k = 0; k < 3; k++) {
        double a = x[k][i], b = x[k][i + 1];
        if ((a < box->low[k] && b < box->low[k]) || (a > box->high[k] && b > box->high[k])) return false;
    }
    return true;
}

SIMD_INLINE bool is_near(const cdg_near_move *move, double *const x[3], size_t i, double other) {
    double middle[3], square = 0;
    for (int k = 0; k < 3; k++) {
        double d = x[k][i + 1] - x[k][i];
        middle[k] = 0.5 * (x[k][i] + x[k][i + 1]);
        square += d * d;
    }
    double reach = 0.5 * sqrt(square) + other;
    simd_mask is_any = {0};
    for (size_t at = 0; at < CDG_NEAR_LANES; at += SIMD_LANES) {
        real sum = {0}, most = simd_load(move->reach + at) + reach;
        for (int k = 0; k < 3; k++) {
            real d = simd_load(move->middle[k] + at) - middle[k];
            sum += d * d;
        }
        is_any |= sum <= most * most;
    }
    return simd_any(is_any);
}

uint64_t VARIANT(cdg_near_segments)(const cdg_near_move *move, double *const x[3], size_t first, size_t count,
                                    double other) {
    uint64_t found = 0, near = 0;
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) found |= in_box(&move->box, x, first + i) << i;
    for (; i < count; i++) found |= (uint64_t)is_in_box(&move->box, x, first + i) << i;
    for (; found != 0; found &= found - 1) {
        size_t k = (size_t)__builtin_ctzll(found);
        near |= (uint64_t)is_near(move, x, first + k, other) << k;
    }
    return near;
}
