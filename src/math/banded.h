// Banded linear systems by LAPACK (the only user of it), in memory of the caller.
#ifndef CDG_MATH_BANDED_H
#define CDG_MATH_BANDED_H

#include <stdbool.h>
#include <stddef.h>

// A general matrix with `width` diagonals below and above the main one; columns of 3 width + 1 entries (LU fills
// `width` more).
typedef struct cdg_banded {
    size_t size, width;
    double *values;
    int *pivots; // size
} cdg_banded;

static inline size_t cdg_banded_column(size_t width) { return 3 * width + 1; }
static inline double *cdg_banded_at(const cdg_banded *a, size_t row, size_t column) { // |row - column| <= width
    return &a->values[column * cdg_banded_column(a->width) + 2 * a->width + row - column];
}

void cdg_banded_clear(const cdg_banded *a);
// Solves a x = right in place, destroying a: LU with partial pivoting (dgbtrf, dgbtrs). false when a is singular.
bool cdg_banded_solve(const cdg_banded *a, double *right);

// Only the factors, in place, with which the caller goes on by himself: column j of the lower one, whose diagonal is 1,
// stands below the diagonal of column j, after rows j and pivots[j] - 1 changed places; the upper one has 2 width
// diagonals above the main one.
bool cdg_banded_factor(const cdg_banded *a);

// A symmetric positive definite matrix, of which only the lower triangle is kept; columns of width + 1 entries.
typedef struct cdg_banded_positive {
    size_t size, width;
    double *values;
} cdg_banded_positive;

static inline double *cdg_banded_positive_at(const cdg_banded_positive *a, size_t row, size_t column) { // row >= column
    return &a->values[column * (a->width + 1) + row - column];
}

void cdg_banded_positive_clear(const cdg_banded_positive *a);
// Solves a x = right in place, destroying a: Cholesky (dpbtrf, dpbtrs). false when a is not positive definite.
bool cdg_banded_positive_solve(const cdg_banded_positive *a, double *right);

#endif
