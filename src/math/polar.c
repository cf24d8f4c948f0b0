// The rotation nearest to a matrix (polar.h). The iteration is that of Mueller et al. 2016 with the second derivative
// of Kugelstadt et al. 2018; a maximum of the trace over rotations that is local is the largest one, since the trace is
// a quadratic form of the quaternion.
#include "math/polar.h"

#include "math/symmetric3.h"

#include <float.h>

// Eigenvector of the largest eigenvalue of Horn's matrix, by Jacobi rotations.
static cdg_quat horn_rotation(const mat3 *f) {
    const double(*m)[3] = f->m;
    double a[4][4] = {{m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                      {0, m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]},
                      {0, 0, m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]},
                      {0, 0, 0, m[2][2] - m[0][0] - m[1][1]}};
    double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) a[i][j] = a[j][i];
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = 0, on = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) *(i == j ? &on : &off) += fabs(a[i][j]);
        if (!(off > DBL_EPSILON * 1e-3 * on)) break;
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                if (a[p][q] == 0) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 4; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
            }
    }
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (a[k][k] > a[best][best]) best = k;
    return quat_normalize(quat(v[0][best], v[1][best], v[2][best], v[3][best]));
}

cdg_quat polar_rotation(const mat3 *f, cdg_quat start) {
    enum { ITERATIONS = 12 };
    cdg_quat q = start;
    for (int i = 0; i < ITERATIONS; i++) {
        mat3 r = mat3_from_quat(q), b = mat3_multiply(mat3_transpose(r), *f);
        symmetric3 h = {b.m[1][1] + b.m[2][2], -0.5 * (b.m[0][1] + b.m[1][0]), -0.5 * (b.m[0][2] + b.m[2][0]),
                        b.m[0][0] + b.m[2][2], -0.5 * (b.m[1][2] + b.m[2][1]), b.m[0][0] + b.m[1][1]};
        cdg_vec3 slope = vec3(b.m[2][1] - b.m[1][2], b.m[0][2] - b.m[2][0], b.m[1][0] - b.m[0][1]);
        double minor = h.xx * h.yy - h.xy * h.xy;
        double det = h.xx * (h.yy * h.zz - h.yz * h.yz) - h.xy * (h.xy * h.zz - h.yz * h.xz) +
                     h.xz * (h.xy * h.yz - h.yy * h.xz);
        double size = fabs(h.xx) + fabs(h.yy) + fabs(h.zz);
        // not near a maximum, or one that is hardly one
        if (!(h.xx > 0 && minor > 0 && det > 1e-9 * size * size * size)) break;
        cdg_vec3 turn = symmetric3_times(symmetric3_inverse(h), slope);
        q = quat_normalize(quat_multiply(q, quat(1, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z)));
        if (vec3_dot(turn, turn) < 1e-18) return q; // what is left is its square
    }
    return horn_rotation(f);
}
