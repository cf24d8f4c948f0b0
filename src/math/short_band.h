// Symmetric positive definite band systems of at most 40 unknowns, in well under a microsecond. Their size makes the
// chain of dependent operations what counts, not their number: rows stand at their columns, so that what one pivot
// stores the next one loads as it was stored, without waiting for memory. Compiled once for each instruction set
// (short_band_simd.c).
#ifndef CDG_MATH_SHORT_BAND_H
#define CDG_MATH_SHORT_BAND_H

#include <stdbool.h>
#include <stddef.h>

enum { SHORT_BAND_SIZE = 40, SHORT_BAND_WIDTH = 12, SHORT_BAND_STRIDE = 56 };

// Entry (i, j) with i <= j <= i + width is rows[i][j]; what else there is in a row is of no use.
typedef struct short_band {
    size_t size, width;
    _Alignas(32) double rows[SHORT_BAND_SIZE][SHORT_BAND_STRIDE];
} short_band;

void short_band_clear(short_band *m, size_t size, size_t width);
// Factors in place. False when the matrix is not positive definite.
bool short_band_factor(short_band *m);
// With the factors, in place of the right side.
void short_band_solve(const short_band *m, double *right);

#define SHORT_BAND_DECLARE(suffix)                                                                                     \
    void short_band_clear##suffix(short_band *m, size_t size, size_t width);                                           \
    bool short_band_factor##suffix(short_band *m);                                                                     \
    void short_band_solve##suffix(const short_band *m, double *right);
SHORT_BAND_DECLARE(_base)
SHORT_BAND_DECLARE(_avx2)
SHORT_BAND_DECLARE(_avx512)
#undef SHORT_BAND_DECLARE

#endif
