// Symmetric tridiagonal systems, open or closed to a ring, without pivoting: for matrices that are positive definite or
// nearly so.
#ifndef CDG_MATH_TRIDIAGONAL_H
#define CDG_MATH_TRIDIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

// Solves in place of `right`: diagonal[i], and off[i] between i and i + 1; off[count - 1] between the last and the
// first when the chain is a ring (count >= 3), else ignored. `diagonal` is destroyed; `spare` has room for count
// doubles (used by rings only, may be NULL otherwise). False when a pivot is not positive.
bool tridiagonal_solve(size_t count, double *diagonal, const double *off, double *right, bool is_ring, double *spare);

#endif
