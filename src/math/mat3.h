// 3x3 matrices, inline, for code that assembles Jacobians from rotations and cross products.
#ifndef CDG_MATH_MAT3_H
#define CDG_MATH_MAT3_H

#include "math/quat.h"

typedef struct mat3 {
    double m[3][3]; // rows first
} mat3;

static inline mat3 mat3_diagonal(double x, double y, double z) { return (mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

// [v]x, so that mat3_cross(v) w = v x w.
static inline mat3 mat3_cross(cdg_vec3 v) { return (mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}}; }

// Columns d1, d2, d3.
static inline mat3 mat3_from_quat(cdg_quat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

static inline mat3 mat3_outer(double s, cdg_vec3 a, cdg_vec3 b) { // s a b^T
    cdg_vec3 c = vec3(s * a.x, s * a.y, s * a.z);
    return (mat3){
        {{c.x * b.x, c.x * b.y, c.x * b.z}, {c.y * b.x, c.y * b.y, c.y * b.z}, {c.z * b.x, c.z * b.y, c.z * b.z}}};
}

static inline mat3 mat3_add(mat3 a, mat3 b) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a.m[i][k] += b.m[i][k];
    return a;
}
static inline mat3 mat3_scale(double s, mat3 a) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a.m[i][k] *= s;
    return a;
}
static inline mat3 mat3_multiply(mat3 a, mat3 b) {
    mat3 c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) c.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k];
    return c;
}
static inline mat3 mat3_transpose(mat3 a) {
    return (mat3){
        {{a.m[0][0], a.m[1][0], a.m[2][0]}, {a.m[0][1], a.m[1][1], a.m[2][1]}, {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}
static inline cdg_vec3 mat3_apply(const mat3 *a, cdg_vec3 v) {
    return vec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

#endif
