// From a strip (strip_solve.h) to the records that answer loads on it outwards (outward.h, thin chains): node i has the
// position x_i and the turn t_i of the element that starts there; the last node's turn is a stand-in with a unit row.
#ifndef CDG_MATH_STRIP_OUTWARD_H
#define CDG_MATH_STRIP_OUTWARD_H

#include "math/outward.h"
#include "math/strip_solve.h"

// Of an assembled strip, which stays as it is, without its border; count - 1 records. False when the matrix is not
// positive definite.
bool strip_outward(const strip *s, double *records);

#define STRIP_OUTWARD_DECLARE(suffix) bool strip_outward##suffix(const strip *s, double *records);
STRIP_OUTWARD_DECLARE(_base)
STRIP_OUTWARD_DECLARE(_avx2)
STRIP_OUTWARD_DECLARE(_avx512)
#undef STRIP_OUTWARD_DECLARE

#endif
