// The formulas of one orientation element and one centreline element of corde, on plain numbers, so that the vector
// loops (corde_kernels_simd.c) and the code for single places share them. Spillmann and Teschner, Cosserat Nets,
// eq. 16, 18, 19; derived anew, because the paper leaves the derivatives to a computer algebra system.
//
// Orientation element ("cell") between frames q_l and q_r, length c: with the turn p = conj(q_l) q_r = (w, v) the
// Darboux vector of eq. 19 is u = (2/c) v exactly, since (q_l + q_r) and (q_r - q_l) multiply to 2 Im p. Of +p and -p
// the one nearer to the rest turn counts, so that q and -q are the same frame. Rotating the frames by theta_l, theta_r
// (each in its own material axes) gives
//   2 dv = (w + [v]x) theta_r - (w - [v]x) theta_l,
// hence with the moment m = B (u - u0) the torques, each in the material axes of its own frame,
//   on l:  w m + v x m,      on r:  -w m + v x m.
// In world axes they are opposite: a rigid rotation changes no turn. The same formula with spins instead of angles is
// the Darboux rate c du/dt, zero in rigid motion, and friction adds tau B du/dt to m.
//
// Centreline element with edge e, tangent t = e/|e|, rest length l: stretch energy 1/2 EA l (|e|/l - 1)^2; coupling
// energy kappa l/2 |t - d3|^2 = kappa l (1 - t.d3). The force through the element (on its first node; the second gets
// the opposite) and the torque on the frame are
//   n = EA (|e|/l - 1) t - (kappa l/|e|) (d3 - (t.d3) t),      torque = kappa l (d3 x t);
// in material axes d3 x t = (-t2, t1, 0).
#ifndef CDG_RODS_CORDE_TERMS_H
#define CDG_RODS_CORDE_TERMS_H

#include <math.h>

#define CORDE_INLINE static inline __attribute__((always_inline))

typedef struct corde_vec {
    double x, y, z;
} corde_vec;
typedef struct corde_turn {
    double w, x, y, z;
} corde_turn;

CORDE_INLINE corde_vec corde_cross(corde_vec a, corde_vec b) {
    return (corde_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
CORDE_INLINE double corde_dot(corde_vec a, corde_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// conj(a) b, of the two signs the one nearer to `rest`.
CORDE_INLINE corde_turn corde_relative(corde_turn a, corde_turn b, corde_turn rest) {
    corde_turn p = {a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                    a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
    double sign = p.w * rest.w + p.x * rest.x + p.y * rest.y + p.z * rest.z < 0 ? -1.0 : 1.0;
    return (corde_turn){sign * p.w, sign * p.x, sign * p.y, sign * p.z};
}

// m = B (u - u0); `stiffness` is 2 B/c.
CORDE_INLINE corde_vec corde_moment(corde_turn p, corde_turn rest, corde_vec stiffness) {
    return (corde_vec){stiffness.x * (p.x - rest.x), stiffness.y * (p.y - rest.y), stiffness.z * (p.z - rest.z)};
}

// c du/dt = (w + [v]x) spin_r - (w - [v]x) spin_l, spins in material axes.
CORDE_INLINE corde_vec corde_darboux_rate(corde_turn p, corde_vec left, corde_vec right) {
    corde_vec v = {p.x, p.y, p.z}, sum = {left.x + right.x, left.y + right.y, left.z + right.z},
              turned = corde_cross(v, sum);
    return (corde_vec){p.w * (right.x - left.x) + turned.x, p.w * (right.y - left.y) + turned.y,
                       p.w * (right.z - left.z) + turned.z};
}

typedef struct corde_torques {
    corde_vec left, right;
} corde_torques;

CORDE_INLINE corde_torques corde_torques_of(corde_turn p, corde_vec m) {
    corde_vec v = {p.x, p.y, p.z}, a = corde_cross(v, m);
    return (corde_torques){{a.x + p.w * m.x, a.y + p.w * m.y, a.z + p.w * m.z},
                           {a.x - p.w * m.x, a.y - p.w * m.y, a.z - p.w * m.z}};
}

// The rows of the rotation matrix, transposed: world axes of d1, d2, d3.
typedef struct corde_axes {
    corde_vec d1, d2, d3;
} corde_axes;

CORDE_INLINE corde_axes corde_axes_of(corde_turn q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (corde_axes){{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
                        {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
                        {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

CORDE_INLINE corde_vec corde_to_world(corde_axes a, corde_vec m) {
    return (corde_vec){a.d1.x * m.x + a.d2.x * m.y + a.d3.x * m.z, a.d1.y * m.x + a.d2.y * m.y + a.d3.y * m.z,
                       a.d1.z * m.x + a.d2.z * m.y + a.d3.z * m.z};
}
CORDE_INLINE corde_vec corde_to_material(corde_axes a, corde_vec w) {
    return (corde_vec){corde_dot(a.d1, w), corde_dot(a.d2, w), corde_dot(a.d3, w)};
}

// Body momentum p and frame q drift freely for the time h. The kinetic energy is split into its three axes, each an
// exact turn of the frame by q and of the momentum back by it (Dullweber, Leimkuhler and McLachlan 1997), so the world
// angular momentum R(q) p is kept to rounding, the map is symplectic and the gyroscopic term is whole. The turns are
// rational, tan(angle/2) = h spin/2: no sine is needed, and the error is of second order. q is not normalised.
typedef struct corde_body {
    corde_turn q;
    corde_vec p;
} corde_body;

CORDE_INLINE corde_body corde_drift(corde_body b, corde_vec half_step_over_inertia) {
    corde_turn q = b.q;
    corde_vec p = b.p;
    double a = half_step_over_inertia.x * p.x, scale = 1 / (1 + a * a), c = (1 - a * a) * scale, s = 2 * a * scale;
    p = (corde_vec){p.x, c * p.y + s * p.z, c * p.z - s * p.y};
    q = (corde_turn){q.w - a * q.x, q.x + a * q.w, q.y + a * q.z, q.z - a * q.y};
    a = half_step_over_inertia.y * p.y, scale = 1 / (1 + a * a), c = (1 - a * a) * scale, s = 2 * a * scale;
    p = (corde_vec){c * p.x - s * p.z, p.y, c * p.z + s * p.x};
    q = (corde_turn){q.w - a * q.y, q.x - a * q.z, q.y + a * q.w, q.z + a * q.x};
    a = half_step_over_inertia.z * p.z, scale = 1 / (1 + a * a), c = (1 - a * a) * scale, s = 2 * a * scale;
    p = (corde_vec){c * p.x + s * p.y, c * p.y - s * p.x, p.z};
    q = (corde_turn){q.w - a * q.z, q.x + a * q.y, q.y - a * q.x, q.z + a * q.w};
    return (corde_body){q, p};
}

#endif
