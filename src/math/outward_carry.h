// Three loads on an element of an open chain, answered there and on elements after it, all at once: what matrices
// between places on a chain are made of. The chain's compliance is symmetric, so elements before it need not be asked.
#ifndef CDG_MATH_OUTWARD_CARRY_H
#define CDG_MATH_OUTWARD_CARRY_H

#include "math/outward.h"

// Of an element, by rows: its start (3), its turn, its end (3). Columns are the three loads; the fourth is not used.
typedef struct outward_three {
    double row[7][4];
} outward_three;

typedef struct outward_carry {
    const double *records;
    size_t element, end; // it goes on from `element` to `end` - 1,
    double radius; // m, or until nothing moves by more than `cutoff` of the first's moves, radius x turn being one
    double cutoff; // 0: to the end
} outward_carry;

typedef struct outward_carry_kernels {
    // `out` has one for each element. Returns the one before which it ended.
    size_t (*thick)(const outward_carry *carry, const outward_three *load, outward_three *out);
    size_t (*thin)(const outward_carry *carry, const outward_three *load, outward_three *out);
    // block = weight^T moves, of the first three columns of each.
    void (*felt)(const outward_three *weight, const outward_three *moves, double block[3][4]);
} outward_carry_kernels;

const outward_carry_kernels *outward_carry_kernels_choose(void);

// outward_carry_simd.c
extern const outward_carry_kernels outward_carry_kernels_base, outward_carry_kernels_avx2, outward_carry_kernels_avx512;

#endif
