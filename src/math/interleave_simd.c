// Interleaving (interleave.h), vectors of each array at once.
#include "math/interleave.h"

#include "math/simd_three.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

// The first numbers of a and b in turn, and the last ones.
SIMD_INLINE void zip(simd_double a, simd_double b, simd_double *first, simd_double *last) {
#if CDG_SIMD_DOUBLES == 8
    *first = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    *last = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#elif CDG_SIMD_DOUBLES == 4
    *first = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    *last = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#else
    *first = __builtin_shufflevector(a, b, 0, 2);
    *last = __builtin_shufflevector(a, b, 1, 3);
#endif
}

SIMD_INLINE void put_two(double *to, simd_double a, simd_double b) {
    simd_double first, last;
    zip(a, b, &first, &last);
    simd_store(to, first);
    simd_store(to + SIMD_LANES, last);
}

// Fours are twos of twos.
SIMD_INLINE void put_four(double *to, const simd_double in[4]) {
    simd_double even[2], odd[2];
    zip(in[0], in[2], &even[0], &even[1]);
    zip(in[1], in[3], &odd[0], &odd[1]);
    for (int k = 0; k < 2; k++) put_two(to + 2 * k * SIMD_LANES, even[k], odd[k]);
}

static void interleave(const double *const *from, size_t components, size_t count, double *to) {
    size_t i = 0;
    if (components == 1) {
        memcpy(to, from[0], count * sizeof *to);
        return;
    }
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        simd_double in[INTERLEAVE_MAX];
        for (size_t k = 0; k < components; k++) in[k] = simd_load(from[k] + i);
        double *at = to + i * components;
        if (components == 2) put_two(at, in[0], in[1]);
        if (components == 3) simd_put_three(at, in);
        if (components == 4) put_four(at, in);
    }
    for (; i < count; i++)
        for (size_t k = 0; k < components; k++) to[i * components + k] = from[k][i];
}

// Some at a time, which the compiler makes vectors of.
static void narrow(const double *from, size_t count, float *to) {
    enum { AT_ONCE = 16 };
    size_t i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        float one[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++) one[k] = (float)from[i + (size_t)k];
        memcpy(to + i, one, sizeof one);
    }
    for (; i < count; i++) {
        double number = from[i];
        to[i] = (float)number;
    }
}

const interleave_kernels VARIANT(interleave_kernels) = {.interleave = interleave, .narrow = narrow};
