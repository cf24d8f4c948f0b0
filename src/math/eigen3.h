// Eigenvalues and eigenvectors of symmetric 3 x 3 matrices, by Jacobi rotations, inline.
#ifndef CDG_MATH_EIGEN3_H
#define CDG_MATH_EIGEN3_H

#include "math/mat3.h"

#include <float.h>

// a = v diag(value) v^T; columns of v are the vectors, v is a rotation or a reflection of one. Values are in no order.
static inline void eigen3(mat3 a, double value[3], mat3 *v) {
    *v = mat3_diagonal(1, 1, 1);
    for (int sweep = 0; sweep < 20; sweep++) {
        double off = fabs(a.m[0][1]) + fabs(a.m[0][2]) + fabs(a.m[1][2]);
        double on = fabs(a.m[0][0]) + fabs(a.m[1][1]) + fabs(a.m[2][2]);
        if (!(off > DBL_EPSILON * 1e-3 * on)) break;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a.m[p][q] == 0) continue;
                double theta = (a.m[q][q] - a.m[p][p]) / (2 * a.m[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                int r = 3 - p - q;
                double apq = a.m[p][q], arp = a.m[r][p], arq = a.m[r][q];
                a.m[p][p] -= t * apq;
                a.m[q][q] += t * apq;
                a.m[p][q] = a.m[q][p] = 0;
                a.m[r][p] = a.m[p][r] = c * arp - s * arq;
                a.m[r][q] = a.m[q][r] = s * arp + c * arq;
                for (int k = 0; k < 3; k++) {
                    double vp = v->m[k][p], vq = v->m[k][q];
                    v->m[k][p] = c * vp - s * vq;
                    v->m[k][q] = s * vp + c * vq;
                }
            }
    }
    for (int k = 0; k < 3; k++) value[k] = a.m[k][k];
}

#endif
