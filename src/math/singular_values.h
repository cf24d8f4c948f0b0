// Singular values of tall matrices with few columns: which combinations of unknowns a system determines, and how well.
#ifndef CDG_MATH_SINGULAR_VALUES_H
#define CDG_MATH_SINGULAR_VALUES_H

#include <stddef.h>

// A = U S V^T with A as columns of `rows` numbers, column c at a + c * rows. On return the columns are U S, falling in
// length; s has the lengths (columns of them) and v the columns of V, column k at v + k * columns. Any shape. Small
// values are as good, relative to themselves, as the columns allow (one-sided Jacobi rotations).
void singular_values(double *a, size_t rows, size_t columns, double *s, double *v);

#endif
