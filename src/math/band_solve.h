// Symmetric positive definite band systems by elimination without pivoting: time and memory linear in the size. The
// inner loops are compiled once for each instruction set (band_solve_simd.c).
#ifndef CDG_MATH_BAND_SOLVE_H
#define CDG_MATH_BAND_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

// Entry (i, j) with i <= j <= i + width is at rows[i * (width + 1) + j - i]; entries beyond the last column stay zero.
typedef struct band_matrix {
    double *rows; // band_doubles
    size_t size, width;
} band_matrix;

// A few rows more than the matrix has, so that no loop need look for the end.
static inline size_t band_doubles(size_t size, size_t width) { return (size + width) * (width + 1); }

static inline double *band_entry(const band_matrix *m, size_t i, size_t j) { // i <= j <= i + width
    return &m->rows[i * (m->width + 1) + (j - i)];
}

void band_clear(const band_matrix *m);

// Adds c g g^T for the sparse vector g with `count` entries value[k] at the different indices index[k], all within
// `width` of each other.
void band_add_square(const band_matrix *m, const size_t *index, const double *value, size_t count, double c);

// The same for three vectors at once with entries at the consecutive indices first ... first + count - 1.
enum { BAND_RUN_MAX = 12 };
void band_add_run(const band_matrix *m, size_t first, double value[3][BAND_RUN_MAX], size_t count, const double c[3]);

// Solves m x = right in place; the matrix is overwritten. False when it is not positive definite.
bool band_solve(const band_matrix *m, double *right);

// A chain closed to a ring has neighbours far apart. Folded in the middle, 0, n - 1, 1, n - 2, ..., neighbours are at
// most two entries apart, so a ring's matrix is a band of twice the width.
static inline size_t band_fold(size_t i, size_t count) { return i < (count + 1) / 2 ? 2 * i : 2 * (count - 1 - i) + 1; }

// band_solve_simd.c
#define BAND_DECLARE(suffix)                                                                                           \
    void band_add_run##suffix(const band_matrix *m, size_t first, double value[3][BAND_RUN_MAX], size_t count,         \
                              const double c[3]);                                                                      \
    bool band_solve##suffix(const band_matrix *m, double *right);
BAND_DECLARE(_base)
BAND_DECLARE(_avx2)
BAND_DECLARE(_avx512)
#undef BAND_DECLARE

#endif
