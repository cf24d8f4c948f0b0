// Frames and energies of a rod's element and spring once more, in long double and by rotation matrices: what the
// reference model's terms are compared with by differences.
#ifndef CDG_TESTS_LONG_ROD_H
#define CDG_TESTS_LONG_ROD_H

#include "math/quat.h"

typedef long double real;
typedef struct long_vec {
    real a[3];
} long_vec;
typedef struct long_frame {
    long_vec d[3]; // columns
} long_frame;

static inline long_vec long_vec_from(cdg_vec3 v) { return (long_vec){{v.x, v.y, v.z}}; }
static inline real long_dot(long_vec a, long_vec b) { return a.a[0] * b.a[0] + a.a[1] * b.a[1] + a.a[2] * b.a[2]; }
static inline long_vec long_mad(long_vec a, real s, long_vec b) { // a + s b
    for (int k = 0; k < 3; k++) a.a[k] += s * b.a[k];
    return a;
}
static inline long_vec long_cross(long_vec a, long_vec b) {
    return (long_vec){
        {a.a[1] * b.a[2] - a.a[2] * b.a[1], a.a[2] * b.a[0] - a.a[0] * b.a[2], a.a[0] * b.a[1] - a.a[1] * b.a[0]}};
}
static inline long_vec long_unit(long_vec a) { return long_mad((long_vec){{0}}, 1 / sqrtl(long_dot(a, a)), a); }

// Turns v by the angle about the unit axis (Rodrigues).
static inline long_vec long_turn(long_vec v, long_vec axis, real angle) {
    long_vec r = long_mad((long_vec){{0}}, cosl(angle), v);
    r = long_mad(r, sinl(angle), long_cross(axis, v));
    return long_mad(r, (1 - cosl(angle)) * long_dot(axis, v), axis);
}
// The frame carried by the smallest rotation onto the unit tangent, then rolled.
static inline long_frame long_carry(long_frame f, long_vec tangent, real roll) {
    long_vec axis = long_cross(f.d[2], tangent);
    real sine = sqrtl(long_dot(axis, axis)), cosine = long_dot(f.d[2], tangent);
    for (int k = 0; k < 3 && sine > 0; k++)
        f.d[k] = long_turn(f.d[k], long_mad((long_vec){{0}}, 1 / sine, axis), atan2l(sine, cosine));
    for (int k = 0; k < 2; k++) f.d[k] = long_turn(f.d[k], tangent, roll);
    f.d[2] = tangent;
    return f;
}
static inline long_frame long_frame_from(cdg_quat q, long_vec edge) { // made exact: d3 along the edge
    long_frame f = {{long_vec_from(quat_d1(q)), long_vec_from(quat_d2(q)), long_vec_from(quat_d3(q))}};
    f.d[2] = long_unit(edge);
    f.d[0] = long_unit(long_mad(f.d[0], -long_dot(f.d[0], f.d[2]), f.d[2]));
    f.d[1] = long_cross(f.d[2], f.d[0]);
    return f;
}
// Roll of b against a carried onto b's tangent.
static inline real long_roll(long_frame a, long_frame b) {
    long_frame c = long_carry(a, b.d[2], 0);
    return atan2l(long_dot(b.d[0], c.d[1]), long_dot(b.d[0], c.d[0]));
}

// Kinetic energy of an element's spin, times the step, by the midpoint rule: the discrete action.
static inline real long_spin_action(const double inertia[3], real step, long_vec e0, long_frame f0, long_vec e1,
                                    long_frame f1) {
    long_vec middle = long_mad(e0, 1, e1), change = long_mad(e1, -1, e0);
    middle = long_mad((long_vec){{0}}, 0.5L, middle);
    real roll = long_roll(f0, f1), length = sqrtl(long_dot(middle, middle));
    long_frame f = long_carry(f0, long_unit(middle), roll / 2);
    real w[3] = {-long_dot(f.d[1], change) / (length * step), long_dot(f.d[0], change) / (length * step), roll / step};
    return step / 2 * (inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]);
}

// Half the turn from f to g, by its angle or its sine, from the rotation matrix f^T g.
static inline long_vec long_half_turn(long_frame f, long_frame g, bool is_angle) {
    real r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[i][j] = long_dot(f.d[i], g.d[j]);
    long_vec twice_sine = {{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]}}; // 2 sin(angle) axis
    real sine = sqrtl(long_dot(twice_sine, twice_sine)) / 2, cosine = (r[0][0] + r[1][1] + r[2][2] - 1) / 2;
    real angle = atan2l(sine, cosine);
    if (!(sine > 0)) return (long_vec){{0}};
    real half = is_angle ? angle / 2 : sinl(angle / 2);
    return long_mad((long_vec){{0}}, half / (2 * sine), twice_sine);
}

#endif
