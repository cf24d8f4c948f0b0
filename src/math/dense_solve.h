// Dense systems by elimination with row pivoting, for a few hundred unknowns. The loops are compiled once for each
// instruction set (dense_solve_simd.c).
#ifndef CDG_MATH_DENSE_SOLVE_H
#define CDG_MATH_DENSE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

// Solves m x = right in place; m, size x size by rows, is overwritten. False: singular to rounding.
bool dense_solve(double *m, size_t size, double *right);

// dense_solve_simd.c
#define DENSE_DECLARE(suffix) bool dense_solve##suffix(double *m, size_t size, double *right);
DENSE_DECLARE(_base)
DENSE_DECLARE(_avx2)
DENSE_DECLARE(_avx512)
#undef DENSE_DECLARE

#endif
