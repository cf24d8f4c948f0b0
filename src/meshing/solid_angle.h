// The solid angle under which a triangle is seen (Van Oosterom and Strackee 1983).
#ifndef CDG_MESHING_SOLID_ANGLE_H
#define CDG_MESHING_SOLID_ANGLE_H

#include "math/vec3.h"

// Over 4 pi: the share of the triangle in the winding number about the origin, in (-1/2, 1/2); positive when the
// triangle turns counter-clockwise seen from its far side, as outward faces do seen from inside. At its own points
// plus or minus one half, as rounding has it.
static inline double solid_angle_share(cdg_vec3 a, cdg_vec3 b, cdg_vec3 c) {
    double x = vec3_norm(a), y = vec3_norm(b), z = vec3_norm(c);
    double numerator = vec3_dot(a, vec3_cross(b, c));
    double denominator = x * y * z + vec3_dot(a, b) * z + vec3_dot(b, c) * x + vec3_dot(c, a) * y;
    return atan2(numerator, denominator) * (1 / 6.283185307179586476925);
}

#endif
