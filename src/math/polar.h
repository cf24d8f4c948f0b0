// The rotation nearest to a 3 x 3 matrix.
#ifndef CDG_MATH_POLAR_H
#define CDG_MATH_POLAR_H

#include "math/mat3.h"

// The rotation R that makes tr(R^T f) largest: the rotation of the polar decomposition where det f > 0, and the nearest
// one where it is not. Newton's method on unit quaternions from `start`, which takes two or three iterations when that
// is near (a warm start); where it does not get there, the eigenvector of Horn's 4 x 4 matrix. To rounding. A matrix
// for which there is no single one (zero) gives some rotation.
cdg_quat polar_rotation(const mat3 *f, cdg_quat start);

#endif
