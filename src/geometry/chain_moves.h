// How far the nodes of a chain have moved from earlier positions, in a step in which they move along straight lines:
// bounds for all nodes, and for the two ends of an edge. Compiled once for each instruction set.
#ifndef CDG_GEOMETRY_CHAIN_MOVES_H
#define CDG_GEOMETRY_CHAIN_MOVES_H

#include <stddef.h>

typedef struct chain_moves {
    const double *from[3], *to[3]; // m, by node: at the start and at the end of the step
    const double *at[3];           // m, by node: the earlier positions
    const double *length;          // m, by edge
    size_t node_count;             // at least one
} chain_moves;

typedef struct chain_moves_kernels {
    // Grows the box to hold the moves of all nodes from `at` to both ends of the step, and so to any time between.
    // Whether the moves of the ends of every edge differ by at most `share` of its length, at all times; if not, or
    // where anything is not a number, the box is unfinished.
    int (*measure)(const chain_moves *chain, double share, double low[3], double high[3]);
} chain_moves_kernels;

const chain_moves_kernels *chain_moves_choose(void);

// chain_moves_simd.c
extern const chain_moves_kernels chain_moves_base, chain_moves_avx2, chain_moves_avx512;

#endif
