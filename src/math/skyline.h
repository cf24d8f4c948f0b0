// Cholesky's factor of a sparse symmetric matrix, from the first entry of each row to the diagonal (its skyline).
//
// Rows go by fours: a group has the columns from its first, a multiple of four, to its last row's diagonal, and stores
// the four rows' entries of a column side by side, so that a vector is four rows.
#ifndef CDG_MATH_SKYLINE_H
#define CDG_MATH_SKYLINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct skyline {
    size_t count; // rows, a multiple of four: those beyond the last that is used have diagonals of 1 and nothing else
    const uint32_t *left; // of each group: its first column's group
    const size_t *start;  // of each group: where its entries begin, in doubles
    double *value;        // the matrix' lower half; then the factor, with the inverse of its diagonal
} skyline;

// Where groups begin, from `left`. Returns how many doubles there are.
size_t skyline_lay_out(const uint32_t *left, size_t count, size_t *start);

// The entry of a row and a column, which must not be left of the group's first.
static inline double *skyline_entry(const skyline *s, size_t row, size_t column) {
    size_t group = row / 4;
    return &s->value[s->start[group] + 4 * (column - 4 * (size_t)s->left[group]) + row % 4];
}

// The factor. Rows whose pivot is not above `least` cannot be told from others: their unknowns stay 0.
void skyline_factor(const skyline *s, const double *least);
// Replaces x, `count` numbers, by the solution.
void skyline_solve(const skyline *s, double *x);

typedef struct skyline_kernels {
    void (*factor)(const skyline *s, const double *least);
    void (*solve)(const skyline *s, double *x);
} skyline_kernels;

extern const skyline_kernels skyline_kernels_base, skyline_kernels_avx2, skyline_kernels_avx512;

#endif
