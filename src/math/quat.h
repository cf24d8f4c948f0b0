// Unit quaternions as rotations, scalar first, inline. q and -q are the same rotation.
#ifndef CDG_MATH_QUAT_H
#define CDG_MATH_QUAT_H

#include "math/vec3.h"

static inline cdg_quat quat(double w, double x, double y, double z) { return (cdg_quat){w, x, y, z}; }
static inline cdg_quat quat_identity(void) { return quat(1, 0, 0, 0); }
static inline cdg_quat quat_conjugate(cdg_quat q) { return quat(q.w, -q.x, -q.y, -q.z); }
static inline cdg_quat quat_negate(cdg_quat q) { return quat(-q.w, -q.x, -q.y, -q.z); }
static inline double quat_dot(cdg_quat a, cdg_quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
static inline cdg_vec3 quat_imaginary(cdg_quat q) { return vec3(q.x, q.y, q.z); }

static inline cdg_quat quat_multiply(cdg_quat a, cdg_quat b) {
    return quat(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

static inline cdg_quat quat_normalize(cdg_quat q) {
    double norm = sqrt(quat_dot(q, q));
    return norm > 0 ? quat(q.w / norm, q.x / norm, q.y / norm, q.z / norm) : quat_identity();
}

// conj(a) b: the rotation from a to b, in a's material frame.
static inline cdg_quat quat_relative(cdg_quat a, cdg_quat b) { return quat_multiply(quat_conjugate(a), b); }

static inline cdg_vec3 quat_rotate(cdg_quat q, cdg_vec3 v) {
    cdg_vec3 u = quat_imaginary(q), t = vec3_scale(2, vec3_cross(u, v));
    return vec3_add(vec3_mad(v, q.w, t), vec3_cross(u, t));
}
static inline cdg_vec3 quat_rotate_inverse(cdg_quat q, cdg_vec3 v) { return quat_rotate(quat_conjugate(q), v); }

static inline cdg_vec3 quat_d1(cdg_quat q) { return quat_rotate(q, vec3(1, 0, 0)); }
static inline cdg_vec3 quat_d2(cdg_quat q) { return quat_rotate(q, vec3(0, 1, 0)); }
static inline cdg_vec3 quat_d3(cdg_quat q) { return quat_rotate(q, vec3(0, 0, 1)); }

// Rotation by |v| about v.
static inline cdg_quat quat_exp(cdg_vec3 v) {
    double angle = vec3_norm(v);
    // sin(a/2)/a to rounding near zero by its series
    double s = angle > 1e-4 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48;
    return quat(cos(angle / 2), s * v.x, s * v.y, s * v.z);
}

// Rotation vector with angle in [0, pi].
static inline cdg_vec3 quat_log(cdg_quat q) {
    if (q.w < 0) q = quat_negate(q);
    cdg_vec3 u = quat_imaginary(q);
    double sine = vec3_norm(u);
    double scale = sine > 1e-8 ? 2 * atan2(sine, q.w) / sine : 2 / q.w;
    return vec3_scale(scale, u);
}

static inline cdg_quat quat_from_axis_angle(cdg_vec3 axis, double angle) {
    return quat_exp(vec3_scale(angle, vec3_normalize(axis)));
}

// The rotation by `fraction` of q's angle about q's axis (shorter way).
static inline cdg_quat quat_power(cdg_quat q, double fraction) { return quat_exp(vec3_scale(fraction, quat_log(q))); }

// Smallest rotation that takes unit a to unit b (opposite vectors: half a turn about some perpendicular axis).
static inline cdg_quat quat_between(cdg_vec3 a, cdg_vec3 b) {
    double d = vec3_dot(a, b);
    if (d < -1 + 1e-14) {
        cdg_vec3 axis = vec3_any_perpendicular(a);
        return quat(0, axis.x, axis.y, axis.z);
    }
    cdg_vec3 c = vec3_cross(a, b);
    return quat_normalize(quat(1 + d, c.x, c.y, c.z));
}

// From a right-handed orthonormal triple (columns).
static inline cdg_quat quat_from_axes(cdg_vec3 d1, cdg_vec3 d2, cdg_vec3 d3) {
    double trace = d1.x + d2.y + d3.z;
    cdg_quat q;
    if (trace > 0) {
        double s = 2 * sqrt(trace + 1);
        q = quat(s / 4, (d2.z - d3.y) / s, (d3.x - d1.z) / s, (d1.y - d2.x) / s);
    } else if (d1.x > d2.y && d1.x > d3.z) {
        double s = 2 * sqrt(1 + d1.x - d2.y - d3.z);
        q = quat((d2.z - d3.y) / s, s / 4, (d2.x + d1.y) / s, (d3.x + d1.z) / s);
    } else if (d2.y > d3.z) {
        double s = 2 * sqrt(1 + d2.y - d1.x - d3.z);
        q = quat((d3.x - d1.z) / s, (d2.x + d1.y) / s, s / 4, (d3.y + d2.z) / s);
    } else {
        double s = 2 * sqrt(1 + d3.z - d1.x - d2.y);
        q = quat((d1.y - d2.x) / s, (d3.x + d1.z) / s, (d3.y + d2.z) / s, s / 4);
    }
    return quat_normalize(q);
}

#endif
