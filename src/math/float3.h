// Single-precision vectors for rays and colours, inline.
#ifndef CDG_MATH_FLOAT3_H
#define CDG_MATH_FLOAT3_H

#include <cordage/base.h>
#include <math.h>

typedef struct float3 {
    float x, y, z;
} float3;

static inline float3 float3_make(float x, float y, float z) { return (float3){x, y, z}; }
static inline float3 float3_from(cdg_vec3 a) { return float3_make((float)a.x, (float)a.y, (float)a.z); }
static inline float3 float3_read(const float *values, size_t index) {
    return float3_make(values[3 * index], values[3 * index + 1], values[3 * index + 2]);
}
static inline float3 float3_add(float3 a, float3 b) { return float3_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline float3 float3_sub(float3 a, float3 b) { return float3_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline float3 float3_scale(float s, float3 a) { return float3_make(s * a.x, s * a.y, s * a.z); }
static inline float3 float3_multiply(float3 a, float3 b) { return float3_make(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline float3 float3_mad(float3 a, float s, float3 b) { // a + s b
    return float3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline float3 float3_lerp(float3 a, float3 b, float t) { return float3_mad(a, t, float3_sub(b, a)); }
static inline float float3_dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float3 float3_cross(float3 a, float3 b) {
    return float3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float float3_norm(float3 a) { return sqrtf(float3_dot(a, a)); }
static inline float3 float3_normalize(float3 a) { // zero stays zero
    float norm = float3_norm(a);
    return norm > 0 ? float3_scale(1 / norm, a) : a;
}
static inline float clamp_unit(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
static inline float smooth_step(float low, float high, float value) {
    float t = clamp_unit((value - low) / (high - low));
    return t * t * (3 - 2 * t);
}

#endif
