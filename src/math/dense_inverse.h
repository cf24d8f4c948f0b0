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

// The same in single precision, for changes of what was multiplied before: products are three times as quick. All of m
// is there, by rows of dense_single_row(size) numbers, zeros behind the last; x and out have as many.
enum { DENSE_SINGLE = 8 };
static inline size_t dense_single_row(size_t size) { return (size + DENSE_SINGLE - 1) / DENSE_SINGLE * DENSE_SINGLE; }
void dense_make_single(const double *m, size_t size, float *single);
void dense_multiply_single(const float *single, size_t size, const float *x, float *out);

enum { DENSE_PANEL = 8 };
// Of an inverse on its way: rows `first` and on become d, the inverse of their own block, times themselves, where this
// block counts as the identity. Products are rounded before they are added, whatever the instruction set.
void dense_scale_panel(double *m, size_t size, size_t first, double d[DENSE_PANEL][DENSE_PANEL]);

// dense_inverse_simd.c
#define DENSE_DECLARE(suffix)                                                                                          \
    bool dense_invert##suffix(double *m, size_t size);                                                                 \
    void dense_multiply##suffix(const double *m, size_t size, const double *x, double *out);                           \
    void dense_multiply_single##suffix(const float *single, size_t size, const float *x, float *out);
DENSE_DECLARE(_base)
DENSE_DECLARE(_avx2)
DENSE_DECLARE(_avx512)
#undef DENSE_DECLARE

#endif
