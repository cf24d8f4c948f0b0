// Forward-mode dual numbers: a value together with its derivatives by up to eight variables, and 3-vectors and
// quaternions of them. What is written once as a formula yields its exact derivatives.
#ifndef CDG_MATH_DUAL_H
#define CDG_MATH_DUAL_H

#include "math/quat.h"

enum { DUAL_COUNT = 8 };

typedef struct dual {
    double value, by[DUAL_COUNT];
} dual;
typedef struct dual_vec3 {
    dual x, y, z;
} dual_vec3;
typedef struct dual_quat {
    dual w, x, y, z;
} dual_quat;

// ---- numbers --------------------------------------------------------------------------------------------------------

static inline dual dual_constant(double value) { return (dual){.value = value}; }
static inline dual dual_variable(double value, int index) {
    dual a = {.value = value};
    a.by[index] = 1;
    return a;
}
// f(a) with f's value and first derivative there.
static inline dual dual_chain(dual a, double value, double derivative) {
    dual r = {.value = value};
    for (int k = 0; k < DUAL_COUNT; k++) r.by[k] = derivative * a.by[k];
    return r;
}
static inline dual dual_chain2(dual a, dual b, double value, double by_a, double by_b) { // f(a, b)
    dual r = {.value = value};
    for (int k = 0; k < DUAL_COUNT; k++) r.by[k] = by_a * a.by[k] + by_b * b.by[k];
    return r;
}
static inline dual dual_add(dual a, dual b) { return dual_chain2(a, b, a.value + b.value, 1, 1); }
static inline dual dual_sub(dual a, dual b) { return dual_chain2(a, b, a.value - b.value, 1, -1); }
static inline dual dual_mul(dual a, dual b) { return dual_chain2(a, b, a.value * b.value, b.value, a.value); }
static inline dual dual_scale(double s, dual a) { return dual_chain(a, s * a.value, s); }
static inline dual dual_negate(dual a) { return dual_scale(-1, a); }
static inline dual dual_shift(dual a, double s) {
    a.value += s;
    return a;
}
static inline dual dual_inverse(dual a) {
    double i = 1 / a.value;
    return dual_chain(a, i, -i * i);
}
static inline dual dual_sqrt(dual a) {
    double r = sqrt(a.value);
    return dual_chain(a, r, 0.5 / r);
}
static inline dual dual_sin(dual a) { return dual_chain(a, sin(a.value), cos(a.value)); }
static inline dual dual_cos(dual a) { return dual_chain(a, cos(a.value), -sin(a.value)); }
static inline dual dual_atan2(dual y, dual x) {
    double s = 1 / (x.value * x.value + y.value * y.value);
    return dual_chain2(y, x, atan2(y.value, x.value), s * x.value, -s * y.value);
}

// ---- vectors --------------------------------------------------------------------------------------------------------

static inline dual_vec3 dual_vec3_constant(cdg_vec3 a) {
    return (dual_vec3){dual_constant(a.x), dual_constant(a.y), dual_constant(a.z)};
}
static inline cdg_vec3 dual_vec3_value(const dual_vec3 *a) { return vec3(a->x.value, a->y.value, a->z.value); }
static inline dual_vec3 dual_vec3_add(const dual_vec3 *a, const dual_vec3 *b) {
    return (dual_vec3){dual_add(a->x, b->x), dual_add(a->y, b->y), dual_add(a->z, b->z)};
}
static inline dual_vec3 dual_vec3_sub(const dual_vec3 *a, const dual_vec3 *b) {
    return (dual_vec3){dual_sub(a->x, b->x), dual_sub(a->y, b->y), dual_sub(a->z, b->z)};
}
static inline dual_vec3 dual_vec3_scale(double s, const dual_vec3 *a) {
    return (dual_vec3){dual_scale(s, a->x), dual_scale(s, a->y), dual_scale(s, a->z)};
}
static inline dual_vec3 dual_vec3_mul(dual s, const dual_vec3 *a) {
    return (dual_vec3){dual_mul(s, a->x), dual_mul(s, a->y), dual_mul(s, a->z)};
}
static inline dual_vec3 dual_vec3_mad(const dual_vec3 *a, dual s, const dual_vec3 *b) { // a + s b
    dual_vec3 scaled = dual_vec3_mul(s, b);
    return dual_vec3_add(a, &scaled);
}
static inline dual dual_vec3_dot(const dual_vec3 *a, const dual_vec3 *b) {
    return dual_add(dual_add(dual_mul(a->x, b->x), dual_mul(a->y, b->y)), dual_mul(a->z, b->z));
}
static inline dual_vec3 dual_vec3_cross(const dual_vec3 *a, const dual_vec3 *b) {
    return (dual_vec3){dual_sub(dual_mul(a->y, b->z), dual_mul(a->z, b->y)),
                       dual_sub(dual_mul(a->z, b->x), dual_mul(a->x, b->z)),
                       dual_sub(dual_mul(a->x, b->y), dual_mul(a->y, b->x))};
}

// ---- quaternions ----------------------------------------------------------------------------------------------------

static inline dual_quat dual_quat_constant(cdg_quat q) {
    return (dual_quat){dual_constant(q.w), dual_constant(q.x), dual_constant(q.y), dual_constant(q.z)};
}
static inline cdg_quat dual_quat_value(const dual_quat *q) {
    return quat(q->w.value, q->x.value, q->y.value, q->z.value);
}
static inline dual_quat dual_quat_conjugate(const dual_quat *q) {
    return (dual_quat){q->w, dual_negate(q->x), dual_negate(q->y), dual_negate(q->z)};
}
static inline dual_quat dual_quat_negate(const dual_quat *q) {
    return (dual_quat){dual_negate(q->w), dual_negate(q->x), dual_negate(q->y), dual_negate(q->z)};
}
static inline dual_vec3 dual_quat_imaginary(const dual_quat *q) { return (dual_vec3){q->x, q->y, q->z}; }
// a b
static inline dual_quat dual_quat_multiply(const dual_quat *a, const dual_quat *b) {
    dual_vec3 u = dual_quat_imaginary(a), v = dual_quat_imaginary(b), c = dual_vec3_cross(&u, &v);
    c = dual_vec3_mad(&c, a->w, &v);
    c = dual_vec3_mad(&c, b->w, &u);
    return (dual_quat){dual_sub(dual_mul(a->w, b->w), dual_vec3_dot(&u, &v)), c.x, c.y, c.z};
}
// a b with a constant b
static inline dual_quat dual_quat_multiply_constant(const dual_quat *a, cdg_quat b) {
    dual_quat r;
    r.w.value = a->w.value * b.w - a->x.value * b.x - a->y.value * b.y - a->z.value * b.z;
    r.x.value = a->w.value * b.x + a->x.value * b.w + a->y.value * b.z - a->z.value * b.y;
    r.y.value = a->w.value * b.y - a->x.value * b.z + a->y.value * b.w + a->z.value * b.x;
    r.z.value = a->w.value * b.z + a->x.value * b.y - a->y.value * b.x + a->z.value * b.w;
    for (int k = 0; k < DUAL_COUNT; k++) {
        double w = a->w.by[k], x = a->x.by[k], y = a->y.by[k], z = a->z.by[k];
        r.w.by[k] = w * b.w - x * b.x - y * b.y - z * b.z;
        r.x.by[k] = w * b.x + x * b.w + y * b.z - z * b.y;
        r.y.by[k] = w * b.y - x * b.z + y * b.w + z * b.x;
        r.z.by[k] = w * b.z + x * b.y - y * b.x + z * b.w;
    }
    return r;
}
// q followed, in its own frame, by a turn of 2 `half` about d3.
static inline dual_quat dual_quat_roll(const dual_quat *q, dual half) {
    dual c = dual_cos(half), s = dual_sin(half);
    return (dual_quat){dual_sub(dual_mul(q->w, c), dual_mul(q->z, s)), dual_add(dual_mul(q->x, c), dual_mul(q->y, s)),
                       dual_sub(dual_mul(q->y, c), dual_mul(q->x, s)), dual_add(dual_mul(q->z, c), dual_mul(q->w, s))};
}
static inline dual_vec3 dual_quat_d1(const dual_quat *q) {
    dual one = dual_constant(1);
    return (dual_vec3){dual_sub(one, dual_scale(2, dual_add(dual_mul(q->y, q->y), dual_mul(q->z, q->z)))),
                       dual_scale(2, dual_add(dual_mul(q->x, q->y), dual_mul(q->w, q->z))),
                       dual_scale(2, dual_sub(dual_mul(q->x, q->z), dual_mul(q->w, q->y)))};
}
static inline dual_vec3 dual_quat_d2(const dual_quat *q) {
    dual one = dual_constant(1);
    return (dual_vec3){dual_scale(2, dual_sub(dual_mul(q->x, q->y), dual_mul(q->w, q->z))),
                       dual_sub(one, dual_scale(2, dual_add(dual_mul(q->x, q->x), dual_mul(q->z, q->z)))),
                       dual_scale(2, dual_add(dual_mul(q->y, q->z), dual_mul(q->w, q->x)))};
}

#endif
