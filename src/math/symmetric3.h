// Symmetric 3 x 3 matrices, inline.
#ifndef CDG_MATH_SYMMETRIC3_H
#define CDG_MATH_SYMMETRIC3_H

#include "math/vec3.h"

typedef struct symmetric3 {
    double xx, xy, xz, yy, yz, zz;
} symmetric3;

static inline symmetric3 symmetric3_from(const double a[6]) { // xx xy xz yy yz zz
    return (symmetric3){a[0], a[1], a[2], a[3], a[4], a[5]};
}

static inline symmetric3 symmetric3_diagonal(cdg_vec3 d) { return (symmetric3){.xx = d.x, .yy = d.y, .zz = d.z}; }

static inline symmetric3 symmetric3_add(symmetric3 a, symmetric3 b) {
    return (symmetric3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

static inline symmetric3 symmetric3_add_diagonal(symmetric3 a, double d) {
    return (symmetric3){a.xx + d, a.xy, a.xz, a.yy + d, a.yz, a.zz + d};
}

static inline symmetric3 symmetric3_scale(double s, symmetric3 a) {
    return (symmetric3){s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}

// a + s n n^T
static inline symmetric3 symmetric3_add_outer(symmetric3 a, double s, cdg_vec3 n) {
    return (symmetric3){a.xx + s * n.x * n.x, a.xy + s * n.x * n.y, a.xz + s * n.x * n.z,
                        a.yy + s * n.y * n.y, a.yz + s * n.y * n.z, a.zz + s * n.z * n.z};
}

static inline double symmetric3_trace(symmetric3 a) { return a.xx + a.yy + a.zz; }

static inline cdg_vec3 symmetric3_times(symmetric3 a, cdg_vec3 v) {
    return vec3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

// No eigenvalue is larger: the largest sum of a row's magnitudes.
static inline double symmetric3_bound(symmetric3 a) {
    double x = fabs(a.xx) + fabs(a.xy) + fabs(a.xz), y = fabs(a.xy) + fabs(a.yy) + fabs(a.yz);
    return fmax(fmax(x, y), fabs(a.xz) + fabs(a.yz) + fabs(a.zz));
}

// Of a positive definite matrix: by its adjugate, scaled first so that determinants neither overflow nor vanish.
static inline symmetric3 symmetric3_inverse(symmetric3 m) {
    double scale = 1 / symmetric3_trace(m);
    symmetric3 a = symmetric3_scale(scale, m);
    symmetric3 c = {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
                    a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
    double determinant = a.xx * c.xx + a.xy * c.xy + a.xz * c.xz;
    return symmetric3_scale(scale / determinant, c);
}

#endif
