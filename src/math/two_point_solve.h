// Linear two-point boundary value problems with twelve unknowns a node: six equations for the first node, twelve for
// each pair of neighbours, six for the last node. Gaussian elimination along the chain with pivoting among rows
// (de Boor and Weiss 1980): the six equations that are known for a node and the twelve of the pair after it eliminate
// the node, and six for the next node are left. Factors are kept, so that more right sides cost little.
#ifndef CDG_MATH_TWO_POINT_SOLVE_H
#define CDG_MATH_TWO_POINT_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    TWO_POINT_FIELDS = 12,
    TWO_POINT_ENDS = 6,
    TWO_POINT_ROWS = TWO_POINT_ENDS + TWO_POINT_FIELDS,
    TWO_POINT_COLUMNS = 2 * TWO_POINT_FIELDS, // unknowns of two nodes
    TWO_POINT_PADDED_ROWS = 24,               // whole vectors
    TWO_POINT_PADDED_FIELDS = 16
};

// The matrix under elimination. Rows 0 to 5 speak of the first node only; the caller writes rows 6 to 17 for a pair:
// columns 0 to 11 first node, 12 to 23 second.
typedef struct two_point_rows {
    _Alignas(64) double row[TWO_POINT_ROWS][TWO_POINT_COLUMNS];
} two_point_rows;

// One pair's share of the factors.
typedef struct two_point_factor {
    // Column by column, so that a right side is treated a vector at a time: what a pivot takes from the rows below it,
    // from the rows above it, and what the second node's unknowns take from the pivot rows. Zeros elsewhere.
    _Alignas(64) double below[TWO_POINT_FIELDS][TWO_POINT_PADDED_ROWS];
    double above[TWO_POINT_FIELDS][TWO_POINT_PADDED_FIELDS];
    double beside[TWO_POINT_FIELDS][TWO_POINT_PADDED_FIELDS];
    double inverse[TWO_POINT_PADDED_FIELDS]; // of the pivots
    int source[TWO_POINT_ROWS];              // where each row stood before
} two_point_factor;

typedef struct two_point_kernels {
    // Eliminates the pair's first node; rows 0 to 5 become the equations of the second node. False when the equations
    // do not determine the first node.
    bool (*eliminate)(two_point_rows *rows, two_point_factor *out);
    // The last node, from rows 0 to 5 and six more in rows 6 to 11 (columns 0 to 11).
    bool (*finish)(two_point_rows *rows, two_point_factor *out);
    // Right sides: `value` has 6 numbers of the first node, 12 of each pair and 6 of the last node, one after the
    // other, and is overwritten; factors[pair_count] is that of `finish`. `out` gets 12 numbers a node.
    void (*solve)(const two_point_factor *factors, size_t pair_count, double *value, double (*out)[TWO_POINT_FIELDS]);
} two_point_kernels;

const two_point_kernels *two_point_kernels_get(void); // for this processor

#define TWO_POINT_DECLARE(suffix) extern const two_point_kernels two_point_kernels##suffix;
TWO_POINT_DECLARE(_base)
#if defined(__x86_64__)
TWO_POINT_DECLARE(_avx2)
TWO_POINT_DECLARE(_avx512)
#endif
#undef TWO_POINT_DECLARE

#endif
