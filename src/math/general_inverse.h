// The inverse of a dense matrix without any symmetry, for a few hundred unknowns.
#ifndef CDG_MATH_GENERAL_INVERSE_H
#define CDG_MATH_GENERAL_INVERSE_H

#include <stdbool.h>
#include <stddef.h>

// out = m^-1, both size x size, rows first, by Gauss and Jordan's elimination with partial pivoting; m is lost. False:
// it is singular, or not finite.
bool general_invert(double *m, size_t size, double *out);

#endif
