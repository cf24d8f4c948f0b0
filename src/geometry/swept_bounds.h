// Bounds of a stretch of a chain of nodes that moves from one place to another, nodes going straight: the box that
// holds it all the way, and how straight it stays. Compiled once for each instruction set.
#ifndef CDG_GEOMETRY_SWEPT_BOUNDS_H
#define CDG_GEOMETRY_SWEPT_BOUNDS_H

#include <stddef.h>

// Nodes first to end - 1 and the edges between them.
typedef struct swept_chain {
    const double *from[3], *to[3]; // m, by node
    const double *rest_length;     // m, by edge
    size_t first, end;
} swept_chain;

typedef struct swept_kernels {
    // Makes the box hold the chain; corners as they are at first are kept in it.
    void (*grow_box)(const swept_chain *chain, double low[3], double high[3]);
    // Whether every edge goes along `axis` by at least `share` of its rest length, at all times. False also where
    // anything is not a number.
    int (*goes_along)(const swept_chain *chain, const double axis[3], double share);
} swept_kernels;

const swept_kernels *swept_kernels_choose(void);

// swept_bounds_simd.c
extern const swept_kernels swept_kernels_base, swept_kernels_avx2, swept_kernels_avx512;

#endif
