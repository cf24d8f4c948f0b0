// Factors of dense symmetric positive definite matrices in single precision, for a few hundred unknowns: a third of the
// work of an inverse, while a solve reads as much memory as a product with one. For solvers that look at what is left
// in double precision. The loops are compiled once for each instruction set (dense_factor_simd.c).
#ifndef CDG_MATH_DENSE_FACTOR_H
#define CDG_MATH_DENSE_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

enum { DENSE_FACTOR_BLOCK = 16 };

// What a matrix of `size` is made up to by rows of the identity: numbers of a row, and rows. Vectors have as many, too.
static inline size_t dense_factor_row(size_t size) {
    return (size + DENSE_FACTOR_BLOCK - 1) / DENSE_FACTOR_BLOCK * DENSE_FACTOR_BLOCK;
}

// Numbers of a factor, which is best aligned to whole blocks' rows.
static inline size_t dense_factor_numbers(size_t size) {
    size_t row = dense_factor_row(size);
    return row * (2 * row + DENSE_FACTOR_BLOCK);
}

// The diagonal and what is below of m, size x size, with `more` added to the diagonal, as `factor`: M with
// M^T M = m, lower, in blocks, each of which solves read in one piece and in the order of memory. False: not positive
// definite to rounding.
bool dense_factor_make(const double *m, size_t size, const double *more, float *factor);
// Replaces the right side x by the solution; what is behind its last number is 0 or becomes so.
void dense_factor_solve(const float *factor, size_t size, float *x);

// dense_factor_simd.c; `row`: dense_factor_row; m, row x row, is lost; `packed`: the blocks
#define DENSE_FACTOR_DECLARE(suffix)                                                                                   \
    bool dense_factor_eliminate##suffix(float *m, size_t row, float *packed);                                          \
    void dense_factor_solve##suffix(const float *packed, size_t row, float *x);
DENSE_FACTOR_DECLARE(_base)
DENSE_FACTOR_DECLARE(_avx2)
DENSE_FACTOR_DECLARE(_avx512)
#undef DENSE_FACTOR_DECLARE

#endif
