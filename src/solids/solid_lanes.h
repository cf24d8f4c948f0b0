// What the vector code of solids has in common (solid_forces_simd.c, solid_system_simd.c): matrices of several
// tetrahedra, one in each lane, and their rotations.
#ifndef CDG_SOLIDS_SOLID_LANES_H
#define CDG_SOLIDS_SOLID_LANES_H

#include "math/polar.h"
#include "math/simd.h"
#include "solids/solid_model.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

typedef struct lanes3 {
    simd_double m[3][3];
} lanes3;

SIMD_INLINE lanes3 cofactor(const lanes3 *f) {
    lanes3 c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c.m[i][k] = f->m[i1][k1] * f->m[i2][k2] - f->m[i1][k2] * f->m[i2][k1];
        }
    return c;
}

SIMD_INLINE lanes3 matrix_of(const simd_double q[4]) {
    simd_double w = q[0], x = q[1], y = q[2], z = q[3];
    return (lanes3){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                     {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                     {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// One step of polar_rotation's iteration; lanes that are not near a maximum, or turn by more than 1e-9, are told.
SIMD_INLINE simd_mask turn_nearer(const lanes3 *f, simd_double q[4]) {
    lanes3 r = matrix_of(q), b;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b.m[i][k] = r.m[0][i] * f->m[0][k] + r.m[1][i] * f->m[1][k] + r.m[2][i] * f->m[2][k];
    simd_double xx = b.m[1][1] + b.m[2][2], yy = b.m[0][0] + b.m[2][2], zz = b.m[0][0] + b.m[1][1];
    simd_double xy = -0.5 * (b.m[0][1] + b.m[1][0]), xz = -0.5 * (b.m[0][2] + b.m[2][0]),
                yz = -0.5 * (b.m[1][2] + b.m[2][1]);
    simd_double gx = b.m[2][1] - b.m[1][2], gy = b.m[0][2] - b.m[2][0], gz = b.m[1][0] - b.m[0][1];
    simd_double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy, minor = xx * yy - xy * xy;
    simd_double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz;
    simd_double det = xx * cxx + xy * cxy + xz * cxz, size = simd_abs(xx) + simd_abs(yy) + simd_abs(zz);
    simd_mask is_near = (xx > 0) & (minor > 0) & (det > 1e-9 * size * size * size);
    simd_double scale = 0.5 / det;
    simd_double tx = scale * (cxx * gx + cxy * gy + cxz * gz), ty = scale * (cxy * gx + cyy * gy + cyz * gz),
                tz = scale * (cxz * gx + cyz * gy + minor * gz);
    simd_double w = q[0] - q[1] * tx - q[2] * ty - q[3] * tz, x = q[1] + q[0] * tx + q[2] * tz - q[3] * ty,
                y = q[2] + q[0] * ty - q[1] * tz + q[3] * tx, z = q[3] + q[0] * tz + q[1] * ty - q[2] * tx;
    simd_double unit = 1 / simd_sqrt(w * w + x * x + y * y + z * z), turn = tx * tx + ty * ty + tz * tz;
    q[0] = w * unit, q[1] = x * unit, q[2] = y * unit, q[3] = z * unit;
    return ~(is_near & (turn < 0.25e-18));
}

// From those that were there last.
SIMD_INLINE void find_rotations(const cdg_solid *solid, const lanes3 *f, size_t slot, simd_double q[4]) {
    enum { ITERATIONS = 5 };
    for (int k = 0; k < 4; k++) q[k] = simd_load(solid->rotation[k] + slot);
    simd_mask is_far = turn_nearer(f, q);
    for (int i = 1; i < ITERATIONS && simd_any(is_far); i++) is_far = turn_nearer(f, q);
    if (simd_any(is_far))
        for (size_t lane = 0; lane < SIMD_LANES; lane++) {
            if (is_far[lane] == 0) continue;
            mat3 one;
            for (int k = 0; k < 9; k++) one.m[k / 3][k % 3] = simd_get(&f->m[k / 3][k % 3], lane);
            cdg_quat found = polar_rotation(&one, solid_rotation(solid, slot + lane));
            simd_lanes(&q[0])[lane] = found.w, simd_lanes(&q[1])[lane] = found.x;
            simd_lanes(&q[2])[lane] = found.y, simd_lanes(&q[3])[lane] = found.z;
        }
}

#endif
