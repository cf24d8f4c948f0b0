// Rows of eight doubles for *_simd.c files: one vector register, or two, or four, as the instruction set has them.
#ifndef CDG_MATH_ROW8_H
#define CDG_MATH_ROW8_H

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// Everything below that takes or returns a vector is inlined, so no calling convention is concerned.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double row8 __attribute__((vector_size(64)));

INLINE row8 read8(const double *from) {
    row8 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE void write8(double *to, row8 value) { memcpy(to, &value, sizeof value); }

#endif
