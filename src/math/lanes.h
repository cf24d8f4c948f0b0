// SIMD vectors of doubles for *_simd.c files, in the compiler's own vector types: no instruction set is named here.
// LANES must be defined (a power of two); lane_real then has that many doubles.
#ifndef CDG_MATH_LANES_H
#define CDG_MATH_LANES_H

#include <stdint.h>
#include <string.h>

typedef double lane_real __attribute__((vector_size(LANES * 8)));
typedef int64_t lane_mask __attribute__((vector_size(LANES * 8))); // all bits of a lane set: true

static inline lane_real lane_select(lane_mask mask, lane_real x, lane_real y) { // mask ? x : y
    return (lane_real)(((lane_mask)x & mask) | ((lane_mask)y & ~mask));
}
static inline lane_real lane_select_less(lane_real a, lane_real b, lane_real x, lane_real y) { // a < b ? x : y
    return lane_select((lane_mask)(a < b), x, y);
}
static inline lane_real lane_read(const double *from) {
    lane_real value;
    memcpy(&value, from, sizeof value);
    return value;
}
static inline void lane_write(double *to, lane_real value) { memcpy(to, &value, sizeof value); }

#endif
