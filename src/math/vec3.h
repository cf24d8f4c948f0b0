// 3-vectors, inline.
#ifndef CDG_MATH_VEC3_H
#define CDG_MATH_VEC3_H

#include <cordage/base.h>
#include <math.h>

static inline cdg_vec3 vec3(double x, double y, double z) { return (cdg_vec3){x, y, z}; }
static inline cdg_vec3 vec3_add(cdg_vec3 a, cdg_vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline cdg_vec3 vec3_sub(cdg_vec3 a, cdg_vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline cdg_vec3 vec3_scale(double s, cdg_vec3 a) { return vec3(s * a.x, s * a.y, s * a.z); }
static inline cdg_vec3 vec3_mad(cdg_vec3 a, double s, cdg_vec3 b) { // a + s b
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double vec3_dot(cdg_vec3 a, cdg_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline cdg_vec3 vec3_cross(cdg_vec3 a, cdg_vec3 b) {
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec3_norm(cdg_vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline double vec3_distance(cdg_vec3 a, cdg_vec3 b) { return vec3_norm(vec3_sub(a, b)); }
static inline bool vec3_is_finite(cdg_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline cdg_vec3 vec3_lerp(cdg_vec3 a, cdg_vec3 b, double t) { return vec3_mad(a, t, vec3_sub(b, a)); }

// Unit vector; a zero vector stays zero, so callers that cannot have one must check the norm first.
static inline cdg_vec3 vec3_normalize(cdg_vec3 a) {
    double norm = vec3_norm(a);
    return norm > 0 ? vec3_scale(1 / norm, a) : a;
}

// Some unit vector perpendicular to a non-zero a: crosses with the axis that a is least along.
static inline cdg_vec3 vec3_any_perpendicular(cdg_vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    cdg_vec3 axis = x <= y && x <= z ? vec3(1, 0, 0) : y <= z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    return vec3_normalize(vec3_cross(a, axis));
}

#endif
