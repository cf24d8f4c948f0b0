// The bend-twist spring of discrete_spring_template.h for single doubles, and frames that follow an edge.
#ifndef CDG_RODS_DISCRETE_SPRING_H
#define CDG_RODS_DISCRETE_SPRING_H

#include "math/quat.h"

static const double der_pi = 3.14159265358979323846;

#define REAL double
#define DER(name) der_##name
#define DER_INLINE static inline
#define DER_SQRT(a) sqrt(a)
#define DER_ATAN(a) atan(a)
#define DER_PICK(a, b, x, y) ((a) < (b) ? (x) : (y))
// w + i z is half the twist; `inverse` takes the sign that goes with the number of turns.
#define DER_TURN(w, z, near, twist, inverse)                                                                           \
    do {                                                                                                               \
        double raw = 2 * atan2(z, w), turns = nearbyint(((near)-raw) / (2 * der_pi));                                  \
        twist = raw + 2 * der_pi * turns;                                                                              \
        if (fmod(turns, 2) != 0) inverse = -inverse;                                                                   \
    } while (0)
#include "rods/discrete_spring_template.h"
#undef REAL
#undef DER
#undef DER_INLINE
#undef DER_SQRT
#undef DER_ATAN
#undef DER_PICK
#undef DER_TURN

// Strains of a turn: kappa (or the angle along it) about d1 and d2, and twist.
static inline cdg_vec3 der_turn_strain(cdg_quat turn, double near, bool is_angle) {
    const double one[4] = {1, 0, 0, 0}, p[4] = {turn.w, turn.x, turn.y, turn.z};
    der_strain s = der_measure(one, p, near);
    double half = sqrt(s.kappa[0] * s.kappa[0] + s.kappa[1] * s.kappa[1]) / 2;
    double scale = is_angle && half > 1e-8 ? atan(half) / half : 1;
    return vec3(scale * s.kappa[0], scale * s.kappa[1], s.twist);
}

// The frame q transported to the unit tangent, the shortest way, and then turned by `angle` about it.
static inline cdg_quat der_transport(cdg_quat q, cdg_vec3 tangent, double angle) {
    cdg_vec3 s = quat_rotate_inverse(q, tangent);
    // from (0, 0, 1) to s: (1 + s_z, -s_y, s_x, 0), normed
    double scale = 1 / sqrt(2 * (1 + s.z)), c = cos(angle / 2), h = sin(angle / 2);
    double w = (1 + s.z) * scale, x = -s.y * scale, y = s.x * scale;
    cdg_quat r = quat_multiply(q, quat(w * c, x * c + y * h, y * c - x * h, w * h));
    double norm = 1.5 - 0.5 * quat_dot(r, r); // one step of Newton's: without it rounding grows from step to step
    return quat(norm * r.w, norm * r.x, norm * r.y, norm * r.z);
}

#endif
