// The formulas of one orientation element and one centreline element of corde, on plain numbers, so that the vector
// loops (corde/kernels_simd.c) and the code for single places share them. Spillmann and Teschner, Cosserat Nets,
// eq. 16, 18, 19; derived anew, because the paper leaves the derivatives to a computer algebra system.
//
// Orientation element ("cell") between frames q_l and q_r, length c: with the turn p = conj(q_l) q_r = (w, v) the
// Darboux vector of eq. 19 is u = (2/c) v exactly, since (q_l + q_r) and (q_r - q_l) multiply to 2 Im p. Rotating the
// frames by theta_l, theta_r (each in its own material axes) gives
//   2 dv = (w + [v]x) theta_r - (w - [v]x) theta_l,     2 dw = -v.(theta_r - theta_l).
//
// The paper takes u - u0 for the strain of a cell whose rest turn p0 = (w0, v0) is not none. That jumps where +p and -p
// are as near to p0, a rod that is bent so far then gains energy, and it is softer than the rod by w0^2. Here it is
// what eq. 19 gives for frames that are turned by half of p0 towards each other, which at rest are parallel: with
// s^2 = p0,  e = conj(s) p conj(s) = 2 (s.p) conj(s) - conj(p),  which needs no root,
//   Im e = v - k v0,    k = (p0.p + w)/(1 + w0),    Re e = p0.p,
// and the strain is (2/c) Im e. It changes sign with p, and its energy does not. With the moment m = (2/c) B Im e and
// n = v0.m, g = m - n/(1 + w0) v0, the torques, each in the material axes of its own frame, are
//   on l:  w g + v x g + n v,      on r:  -w g + v x g - n v.
// In world axes they are opposite: a rigid rotation changes no turn. The rate of 2 Im e under spins is
// r - ((v0.r)/(1 + w0) - v.(spin_r - spin_l)) v0 with r = 2 dv/dt; friction adds tau B/c times it to m.
//
// Centreline element with edge e, tangent t = e/|e|, rest length l: stretch energy 1/2 EA l (|e|/l - 1)^2, and
// below half its rest length a barrier; coupling energy kappa l/2 |t - d3|^2 = kappa l (1 - t.d3). The force through
// the element (on its first node; the second gets the opposite) and the torque on the frame are
//   n = EA (|e|/l - 1 - b^2) t - (kappa l/|e|) (d3 - (t.d3) t),      torque = kappa l (d3 x t),
// with b = max(0, l/(2 |e|) - 1); in material axes d3 x t = (-t2, t1, 0). Without the barrier, energy of stretching is
// finite at no length, where the tangent is undefined: an element that is let go far out gets there, and there is no
// telling what comes after. Its energy is EA l (1/(4 s) + ln(2 s) - s), s = |e|/l: none at s = 1/2, as are its first
// and second derivatives, and without bound towards 0.
#ifndef CDG_RODS_CORDE_TERMS_H
#define CDG_RODS_CORDE_TERMS_H

#include <math.h>
#include <stdbool.h>

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

// conj(a) b.
CORDE_INLINE corde_turn corde_relative(corde_turn a, corde_turn b) {
    return (corde_turn){a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                        a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

// The rest turn of a cell, as the formulas want it.
typedef struct corde_rest {
    double w, share; // w0, 1/(1 + w0)
    corde_vec v;     // v0
} corde_rest;

CORDE_INLINE corde_rest corde_rest_of(corde_turn p0) { // w0 >= 0
    return (corde_rest){p0.w, 1 / (1 + p0.w), {p0.x, p0.y, p0.z}};
}

// Im e; see above.
CORDE_INLINE corde_vec corde_bend(corde_turn p, corde_rest rest) {
    corde_vec v = {p.x, p.y, p.z};
    double k = rest.share * (rest.w * p.w + corde_dot(rest.v, v) + p.w);
    return (corde_vec){v.x - k * rest.v.x, v.y - k * rest.v.y, v.z - k * rest.v.z};
}

// The rate of 2 Im e, spins in material axes.
CORDE_INLINE corde_vec corde_bend_rate(corde_turn p, corde_rest rest, corde_vec left, corde_vec right) {
    corde_vec v = {p.x, p.y, p.z}, sum = {left.x + right.x, left.y + right.y, left.z + right.z},
              apart = {right.x - left.x, right.y - left.y, right.z - left.z}, turned = corde_cross(v, sum);
    corde_vec r = {p.w * apart.x + turned.x, p.w * apart.y + turned.y, p.w * apart.z + turned.z};
    double k = rest.share * corde_dot(rest.v, r) - corde_dot(v, apart);
    return (corde_vec){r.x - k * rest.v.x, r.y - k * rest.v.y, r.z - k * rest.v.z};
}

typedef struct corde_torques {
    corde_vec left, right;
} corde_torques;

CORDE_INLINE corde_torques corde_torques_of(corde_turn p, corde_rest rest, corde_vec m) {
    double n = corde_dot(rest.v, m), part = n * rest.share;
    corde_vec v = {p.x, p.y, p.z}, g = {m.x - part * rest.v.x, m.y - part * rest.v.y, m.z - part * rest.v.z};
    corde_vec a = corde_cross(v, g), b = {p.w * g.x + n * v.x, p.w * g.y + n * v.y, p.w * g.z + n * v.z};
    return (corde_torques){{a.x + b.x, a.y + b.y, a.z + b.z}, {a.x - b.x, a.y - b.y, a.z - b.z}};
}

// Tension over E A of an element of `norm` = |e| = 1/`inverse`, and, for one place, the energy of stretching over E A.
CORDE_INLINE double corde_tension_at(double stretch, double inverse, double l) { // stretch = norm/l
    double over = 0.5 * l * inverse - 1, barrier = over > 0 ? over : 0;
    return stretch - 1 - barrier * barrier;
}
CORDE_INLINE double corde_stretch_tension(double norm, double inverse, double l) {
    return corde_tension_at(norm / l, inverse, l);
}
static inline double corde_stretch_energy(double norm, double l) {
    double s = norm / l, barrier = s < 0.5 ? 0.25 / s + log(2 * s) - s : 0;
    return l * ((s - 1) * (s - 1) / 2 + barrier);
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

// ---- friction -------------------------------------------------------------------------------------------------------

// A symmetric matrix.
typedef struct corde_square {
    double xx, xy, xz, yy, yz, zz;
} corde_square;

// What a cell's damper opposes the difference of its frames' spins with, world axes. A rigid motion has none, so the
// rate of 2 Im e is G (spin_r - spin_l) with G from the right frame alone: (w + [v]x) R_r^T, from which the rest turn
// takes k v0 as above. The matrix is G^T C G, C the coefficients tau B/c. `right`: axes of the right frame.
CORDE_INLINE corde_square corde_cell_damper(corde_turn p, corde_rest rest, corde_axes right, corde_vec c,
                                            const bool is_straight) {
    corde_vec rows[3] = {{p.w, -p.z, p.y}, {p.z, p.w, -p.x}, {-p.y, p.x, p.w}};
    if (!is_straight) {
        const corde_vec u = rest.v;
        corde_vec k = {rest.share * (u.x * rows[0].x + u.y * rows[1].x + u.z * rows[2].x) - p.x,
                       rest.share * (u.x * rows[0].y + u.y * rows[1].y + u.z * rows[2].y) - p.y,
                       rest.share * (u.x * rows[0].z + u.y * rows[1].z + u.z * rows[2].z) - p.z};
        rows[0] = (corde_vec){rows[0].x - u.x * k.x, rows[0].y - u.x * k.y, rows[0].z - u.x * k.z};
        rows[1] = (corde_vec){rows[1].x - u.y * k.x, rows[1].y - u.y * k.y, rows[1].z - u.y * k.z};
        rows[2] = (corde_vec){rows[2].x - u.z * k.x, rows[2].y - u.z * k.y, rows[2].z - u.z * k.z};
    }
    corde_vec f = corde_to_world(right, rows[0]), g = corde_to_world(right, rows[1]),
              h = corde_to_world(right, rows[2]);
    corde_vec cf = {c.x * f.x, c.x * f.y, c.x * f.z}, cg = {c.y * g.x, c.y * g.y, c.y * g.z},
              ch = {c.z * h.x, c.z * h.y, c.z * h.z};
    return (corde_square){cf.x * f.x + cg.x * g.x + ch.x * h.x, cf.x * f.y + cg.x * g.y + ch.x * h.y,
                          cf.x * f.z + cg.x * g.z + ch.x * h.z, cf.y * f.y + cg.y * g.y + ch.y * h.y,
                          cf.y * f.z + cg.y * g.z + ch.y * h.z, cf.z * f.z + cg.z * g.z + ch.z * h.z};
}

CORDE_INLINE corde_vec corde_square_times(corde_square a, corde_vec v) {
    return (corde_vec){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                       a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

// ---- drift ----------------------------------------------------------------------------------------------------------

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
