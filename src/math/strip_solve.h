// Direct solution of symmetric systems on a chain of nodes with four unknowns each, of which the first three (a
// position) also couple to the last but one node: y_i with y_{i+1} and with the first three of y_{i+2}. That is the
// pattern of springs over three nodes. Elimination along the chain makes no fill: time and memory are linear.
//
// The factors are L D L^T without exchange of rows, so an indefinite matrix is factored, too, and the signs of D tell
// how many eigenvalues are negative (Sylvester). A ring of nodes is opened at eight unknowns, its border.
#ifndef CDG_MATH_STRIP_SOLVE_H
#define CDG_MATH_STRIP_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    STRIP_ROW = 12,  // doubles: row k of node i holds its products with y_i (4), y_{i+1} (4), y_{i+2} (3), right side
    STRIP_NODE = 48, // row k of node i starts at [STRIP_NODE * i + STRIP_ROW * k]
    STRIP_NEXT = 4,  // where in a row
    STRIP_AFTER_NEXT = 8, // where in a row
    STRIP_RIGHT = 11,     // where in a row
    STRIP_BORDER = 8,     // unknowns
    STRIP_RING_NODE = 32, // doubles: row k of node i holds its products with the border at [32 i + 8 k]
};

// A matrix, and after strip_factor its factors in the same place. Rows of the last nodes hold zeros where there is no
// next node. With one right side in the rows; further ones by strip_solve_more.
typedef struct strip {
    double *rows; // STRIP_NODE * count, 64-byte aligned
    size_t count; // nodes, without those of the border
    double *ring; // STRIP_RING_NODE * count, 64-byte aligned; NULL: an open chain without border
    double border[STRIP_BORDER][STRIP_BORDER]; // the border with itself, both triangles
    double border_right[STRIP_BORDER];
    size_t negative_count; // pivots that are not positive, set by strip_factor: as many negative eigenvalues
    bool is_broken;        // a pivot was zero or not a number: the factors are of no use
} strip;

void strip_clear(strip *s);

// Factors and eliminates the right side.
void strip_factor(strip *s);
// After strip_factor: the solution, 4 * count doubles, and the border's eight (may be NULL for an open chain).
void strip_substitute(const strip *s, double *solution, double *border_solution);
// The same matrix with another right side, in place.
void strip_solve_more(const strip *s, double *right, double *border_right);

#define STRIP_DECLARE(suffix)                                                                                          \
    void strip_factor##suffix(strip *s);                                                                               \
    void strip_substitute##suffix(const strip *s, double *solution, double *border_solution);
STRIP_DECLARE(_base)
STRIP_DECLARE(_avx2)
STRIP_DECLARE(_avx512)
#undef STRIP_DECLARE

#endif
