// Inverses of dense symmetric positive definite matrices, for a few hundred unknowns, and products with them. Of each
// the diagonal and what is below count; what is above it is not read, and an inverse leaves anything there. The loops
// are compiled once for each instruction set (dense_inverse_simd.c).
#ifndef CDG_MATH_DENSE_INVERSE_H
#define CDG_MATH_DENSE_INVERSE_H

#include <stdbool.h>
#include <stddef.h>

// Inverts m, size x size, in place. False: it is not positive definite to rounding, and lost.
bool dense_invert(double *m, size_t size);
// out = m x for a symmetric m.
void dense_multiply(const double *m, size_t size, const double *x, double *out);

enum { DENSE_PANEL = 8 };
// Of an inverse on its way: rows `first` and on become d, the inverse of their own block, times themselves, where this
// block counts as the identity. Products are rounded before they are added, whatever the instruction set.
void dense_scale_panel(double *m, size_t size, size_t first, double d[DENSE_PANEL][DENSE_PANEL]);

// dense_inverse_simd.c
#define DENSE_DECLARE(suffix)                                                                                          \
    bool dense_invert##suffix(double *m, size_t size);                                                                 \
    void dense_multiply##suffix(const double *m, size_t size, const double *x, double *out);
DENSE_DECLARE(_base)
DENSE_DECLARE(_avx2)
DENSE_DECLARE(_avx512)
#undef DENSE_DECLARE

#endif
