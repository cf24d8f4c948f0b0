// Steps of an elimination along a strip (strip_solve.h) on rows of eight, for *_simd.c files.
#ifndef CDG_MATH_STRIP_ROWS_H
#define CDG_MATH_STRIP_ROWS_H

#include "math/row8.h"
#include "math/strip_solve.h"

#include <math.h>

enum { LEFT = 7 }; // unknowns that a node leaves to those after it: y_{i+1} and the place of y_{i+2}

// Row of what the node before left, moved on by one node: its columns y_i (4) are the pivot's own, y_{i+1} (3) come
// first now, and the right side stays.
INLINE row8 move_on(row8 row) {
    row8 zero = {0};
    return __builtin_shufflevector(row, zero, 4, 5, 6, 8, 8, 8, 8, 7);
}

// L D L^T of the lower triangle; a becomes L below its diagonal and 1/D on it. Returns how many pivots are negative.
INLINE size_t factor4(double a[4][4], bool *is_broken) {
    size_t negative = 0;
    for (int j = 0; j < 4; j++) {
        double inverse = 1 / a[j][j];
        if (!(fabs(inverse) <= 1e300)) *is_broken = true; // also when it is not a number
        negative += a[j][j] < 0;
        for (int i = j + 1; i < 4; i++) {
            double l = a[i][j] * inverse;
            for (int k = j + 1; k <= i; k++) a[i][k] -= l * a[k][j];
        }
        for (int i = j + 1; i < 4; i++) a[i][j] *= inverse;
        a[j][j] = inverse;
    }
    return negative;
}

INLINE void forward4(double a[4][4], row8 w[4]) {
    w[1] -= a[1][0] * w[0];
    w[2] -= a[2][0] * w[0] + a[2][1] * w[1];
    w[3] -= a[3][0] * w[0] + a[3][1] * w[1] + a[3][2] * w[2];
}

#endif
