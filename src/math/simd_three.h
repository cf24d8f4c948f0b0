// Numbers that come in threes, one three after the other in memory, as vectors: of a vector's length of threes the
// first numbers, the second and the third.
#ifndef CDG_MATH_SIMD_THREE_H
#define CDG_MATH_SIMD_THREE_H

#include "math/simd.h"

SIMD_INLINE void simd_take_three(const double *from, simd_double out[3]) {
    simd_double a = simd_load(from), b = simd_load(from + SIMD_LANES), c = simd_load(from + 2 * SIMD_LANES);
#if CDG_SIMD_DOUBLES == 8
    simd_double first = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
    simd_double second = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
    simd_double third = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
    out[0] = __builtin_shufflevector(first, c, 0, 1, 2, 3, 4, 5, 10, 13);
    out[1] = __builtin_shufflevector(second, c, 0, 1, 2, 3, 4, 8, 11, 14);
    out[2] = __builtin_shufflevector(third, c, 0, 1, 2, 3, 4, 9, 12, 15);
#elif CDG_SIMD_DOUBLES == 4
    simd_double first = __builtin_shufflevector(a, b, 0, 3, 6, -1), second = __builtin_shufflevector(a, b, 1, 4, 7, -1);
    simd_double third = __builtin_shufflevector(a, b, 2, 5, -1, -1);
    out[0] = __builtin_shufflevector(first, c, 0, 1, 2, 5);
    out[1] = __builtin_shufflevector(second, c, 0, 1, 2, 6);
    out[2] = __builtin_shufflevector(third, c, 0, 1, 4, 7);
#else
    out[0] = __builtin_shufflevector(a, b, 0, 3);
    out[1] = __builtin_shufflevector(a, c, 1, 2);
    out[2] = __builtin_shufflevector(b, c, 0, 3);
#endif
}

SIMD_INLINE void simd_put_three(double *to, const simd_double in[3]) {
    simd_double a = in[0], b = in[1], c = in[2];
#if CDG_SIMD_DOUBLES == 8
    simd_double first = __builtin_shufflevector(a, b, 0, 8, -1, 1, 9, -1, 2, 10);
    simd_double second = __builtin_shufflevector(a, b, -1, 3, 11, -1, 4, 12, -1, 5);
    simd_double third = __builtin_shufflevector(a, b, 13, -1, 6, 14, -1, 7, 15, -1);
    simd_store(to, __builtin_shufflevector(first, c, 0, 1, 8, 3, 4, 9, 6, 7));
    simd_store(to + SIMD_LANES, __builtin_shufflevector(second, c, 10, 1, 2, 11, 4, 5, 12, 7));
    simd_store(to + 2 * SIMD_LANES, __builtin_shufflevector(third, c, 0, 13, 2, 3, 14, 5, 6, 15));
#elif CDG_SIMD_DOUBLES == 4
    simd_double first = __builtin_shufflevector(a, b, 0, 4, -1, 1);
    simd_double second = __builtin_shufflevector(a, b, 5, -1, 2, 6),
                third = __builtin_shufflevector(a, b, -1, 3, 7, -1);
    simd_store(to, __builtin_shufflevector(first, c, 0, 1, 4, 3));
    simd_store(to + SIMD_LANES, __builtin_shufflevector(second, c, 0, 5, 2, 3));
    simd_store(to + 2 * SIMD_LANES, __builtin_shufflevector(third, c, 6, 1, 2, 7));
#else
    simd_store(to, __builtin_shufflevector(a, b, 0, 2));
    simd_store(to + SIMD_LANES, __builtin_shufflevector(c, a, 0, 3));
    simd_store(to + 2 * SIMD_LANES, __builtin_shufflevector(b, c, 1, 3));
#endif
}

#endif
