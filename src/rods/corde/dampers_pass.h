// One step of the elimination along a chain of dampers (corde/dampers_simd.c says what it does) and one back, in lanes:
// a step takes one element and the cell after it in each.
#ifndef CDG_RODS_CORDE_DAMPERS_PASS_H
#define CDG_RODS_CORDE_DAMPERS_PASS_H

#if CDG_SIMD_DOUBLES > 2
#define LANES 4
#else
#define LANES 2
#endif
#include "math/lanes.h"

#include "rods/corde/dampers.h"

#include <math.h>

#define REAL lane_real
#define BLOCK(name) lane_##name
#include "math/block3_template.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)
#define INLINE static inline __attribute__((always_inline))

// What the substitution needs of a step, each for all lanes.
enum {
    CELL_RECORD = 21,
    PENALTY_RECORD = CELL_RECORD + 21,
    CONSTRAINT_RECORD = CELL_RECORD + 7,
};

// ---- blocks in memory -----------------------------------------------------------------------------------------------

#if LANES == 4
INLINE REAL get(const double *a, const size_t at[LANES]) { return (REAL){a[at[0]], a[at[1]], a[at[2]], a[at[3]]}; }
#else
INLINE REAL get(const double *a, const size_t at[LANES]) { return (REAL){a[at[0]], a[at[1]]}; }
#endif
INLINE lane_vector get_vector(double *const a[3], const size_t at[LANES]) {
    return (lane_vector){get(a[0], at), get(a[1], at), get(a[2], at)};
}
INLINE lane_symmetric get_symmetric(double *const a[6], const size_t at[LANES]) {
    return (lane_symmetric){get(a[0], at), get(a[1], at), get(a[2], at), get(a[3], at), get(a[4], at), get(a[5], at)};
}
INLINE void write_vector(double *to, lane_vector v) {
    lane_write(to, v.x), lane_write(to + LANES, v.y), lane_write(to + 2 * LANES, v.z);
}
INLINE void write_matrix(double *to, lane_matrix a) {
    write_vector(to, (lane_vector){a.xx, a.xy, a.xz});
    write_vector(to + 3 * LANES, (lane_vector){a.yx, a.yy, a.yz});
    write_vector(to + 6 * LANES, (lane_vector){a.zx, a.zy, a.zz});
}
INLINE lane_vector read_vector(const double *from) {
    return (lane_vector){lane_read(from), lane_read(from + LANES), lane_read(from + 2 * LANES)};
}
INLINE lane_matrix read_matrix(const double *from) {
    lane_vector x = read_vector(from), y = read_vector(from + 3 * LANES), z = read_vector(from + 6 * LANES);
    return (lane_matrix){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

// ---- one step -------------------------------------------------------------------------------------------------------

typedef struct frontier {
    lane_symmetric p, q;
    lane_matrix d;
    lane_vector r, s;
    lane_mask is_positive;
} frontier;

// The inverse times its determinant, and one over that. Products with the former need not wait for the division.
// Clears the lanes of *is_positive where `a` is not positive definite (Sylvester's minors).
INLINE lane_symmetric adjugate(lane_symmetric a, REAL *scale, lane_mask *is_positive) {
    lane_symmetric c = {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
                        a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
    REAL determinant = a.xx * c.xx + (a.xy * c.xy + a.xz * c.xz);
    const REAL zero = {0};
    *is_positive &= (lane_mask)(a.xx > zero) & (lane_mask)(c.zz > zero) & (lane_mask)(determinant > zero);
    *scale = 1.0 / determinant;
    return c;
}

// a - v w^T
INLINE lane_matrix subtract_outer(lane_matrix a, lane_vector v, lane_vector w) {
    return (lane_matrix){a.xx - v.x * w.x, a.xy - v.x * w.y, a.xz - v.x * w.z, a.yx - v.y * w.x, a.yy - v.y * w.y,
                         a.yz - v.y * w.z, a.zx - v.z * w.x, a.zy - v.z * w.y, a.zz - v.z * w.z};
}
// The same where v is a multiple of w.
INLINE lane_symmetric subtract_square(lane_symmetric a, lane_vector v, lane_vector w) {
    return (lane_symmetric){a.xx - v.x * w.x, a.xy - v.x * w.y, a.xz - v.x * w.z,
                            a.yy - v.y * w.y, a.yz - v.y * w.z, a.zz - v.z * w.z};
}

INLINE void pass_penalty(frontier *f, lane_vector t, REAL length, REAL along, REAL across, double *record) {
    REAL more = along - across, lever = across * length;
    lane_vector mt = lane_scale(more, t), c = lane_scale(lever, t), he = lane_scale(-lever * length, t);
    lane_symmetric m = {across + mt.x * t.x, mt.x * t.y, mt.x * t.z,
                        across + mt.y * t.y, mt.y * t.z, across + mt.z * t.z};
    lane_symmetric h = lane_add_diagonal(
        (lane_symmetric){he.x * t.x, he.x * t.y, he.x * t.z, he.y * t.y, he.y * t.z, he.z * t.z}, lever * length);
    const REAL zero = {0};
    lane_matrix coupling = lane_cross_matrix(c, zero), b = f->d;
    b.xy += c.z, b.xz -= c.y, b.yx -= c.z, b.yz += c.x, b.zx += c.y, b.zy -= c.x;
    REAL scale;
    lane_symmetric cofactors = adjugate(lane_add_symmetric(f->p, m), &scale, &f->is_positive);
    lane_matrix fm = lane_scale_matrix(scale, lane_symmetric_multiply(cofactors, lane_from_symmetric(m)));
    lane_matrix fb = lane_scale_matrix(scale, lane_symmetric_multiply(cofactors, b));
    lane_vector fr = lane_scale(scale, lane_apply_symmetric(cofactors, f->r));
    write_matrix(record, fm), write_matrix(record + 9 * LANES, fb), write_vector(record + 18 * LANES, fr);
    f->q = lane_subtract_symmetric(lane_add_symmetric(f->q, h), lane_multiply_transposed_to_symmetric(b, fb));
    f->s = lane_subtract(f->s, lane_apply_transposed(b, fr));
    f->p = lane_multiply_to_symmetric(lane_from_symmetric(f->p), fm);
    f->d = lane_add_matrix(coupling, lane_symmetric_multiply(m, fb));
    f->r = lane_apply_symmetric(m, fr);
}

INLINE void pass_constraint(frontier *f, lane_vector t, REAL along, double *record) {
    lane_vector y = lane_apply_symmetric(f->p, t), z = lane_apply_transposed(f->d, t);
    REAL n = along + lane_dot(t, y), inverse = 1.0 / n, rate = inverse * lane_dot(t, f->r);
    const REAL zero = {0};
    f->is_positive &= (lane_mask)(n > zero);
    lane_vector yn = lane_scale(inverse, y), zn = lane_scale(inverse, z);
    write_vector(record, yn), write_vector(record + 3 * LANES, zn), lane_write(record + 6 * LANES, rate);
    f->p = subtract_square(f->p, yn, y);
    f->d = subtract_outer(f->d, yn, z);
    f->q = subtract_square(f->q, zn, z);
    f->r = lane_subtract(f->r, lane_scale(rate, y));
    f->s = lane_subtract(f->s, lane_scale(rate, z));
}

// v of the near node = v_far + e x w minus what the dampers gave way.
INLINE void pass_lever(frontier *f, lane_vector e) {
    const lane_symmetric p = f->p;
    const lane_matrix d = f->d;
    // P [e]x: its row k is (row k of P) x e
    lane_matrix pe = {p.xy * e.z - p.xz * e.y, p.xz * e.x - p.xx * e.z, p.xx * e.y - p.xy * e.x,
                      p.yy * e.z - p.yz * e.y, p.yz * e.x - p.xy * e.z, p.xy * e.y - p.yy * e.x,
                      p.yz * e.z - p.zz * e.y, p.zz * e.x - p.xz * e.z, p.xz * e.y - p.yz * e.x};
    lane_matrix b = lane_add_matrix(d, pe);
    // [e]x^T B: its column k is (column k of B) x e; D^T [e]x is the other's transpose with D for B
    f->q.xx += (b.yx * e.z - b.zx * e.y) + (d.yx * e.z - d.zx * e.y);
    f->q.xy += (b.yy * e.z - b.zy * e.y) + (d.zx * e.x - d.xx * e.z);
    f->q.xz += (b.yz * e.z - b.zz * e.y) + (d.xx * e.y - d.yx * e.x);
    f->q.yy += (b.zy * e.x - b.xy * e.z) + (d.zy * e.x - d.xy * e.z);
    f->q.yz += (b.zz * e.x - b.xz * e.z) + (d.xy * e.y - d.yy * e.x);
    f->q.zz += (b.xz * e.y - b.yz * e.x) + (d.xz * e.y - d.yz * e.x);
    f->d = b;
    f->s = lane_add(f->s, lane_cross(f->r, e));
}

INLINE void pass_cell(frontier *f, lane_symmetric k, double *record) {
    lane_matrix whole = lane_from_symmetric(k);
    REAL scale;
    lane_symmetric c = adjugate(lane_add_symmetric(f->q, k), &scale, &f->is_positive);
    lane_matrix ak = lane_scale_matrix(scale, lane_symmetric_multiply(c, whole));
    lane_matrix ad = lane_scale_matrix(scale, lane_symmetric_multiply(c, lane_transpose(f->d)));
    lane_vector as = lane_scale(scale, lane_apply_symmetric(c, f->s));
    write_matrix(record, ak), write_matrix(record + 9 * LANES, ad), write_vector(record + 18 * LANES, as);
    f->p = lane_subtract_symmetric(f->p, lane_multiply_to_symmetric(f->d, ad));
    f->r = lane_subtract(f->r, lane_apply(f->d, as));
    f->d = lane_multiply(f->d, ak);
    f->q = lane_multiply_to_symmetric(lane_from_symmetric(f->q), ak);
    f->s = lane_apply_symmetric(k, as);
}

// Elements of a step in each lane, their near nodes and the cells after them. The odd lanes come from the last end,
// where tangents point the other way.
typedef struct step_ends {
    size_t element[LANES], near[LANES], cell[LANES];
} step_ends;

#if LANES == 4
static const REAL outward = {1, -1, 1, -1};
#else
static const REAL outward = {1, -1};
#endif

INLINE void pass(const corde_dampers *d, const step_ends *at, bool is_constraint, frontier *f, double *record) {
    lane_vector t = lane_scale(outward, get_vector(d->tangent, at->element));
    REAL along = get(d->along, at->element);
    double *of_element = record + CELL_RECORD * LANES;
    f->p = lane_add_diagonal(f->p, get(d->mass, at->near));
    f->r = lane_add(f->r, get_vector(d->right, at->near));
    REAL length = get(d->length, at->element);
    if (is_constraint) {
        pass_constraint(f, t, along, of_element);
        pass_lever(f, lane_scale(length, t));
    } else {
        pass_penalty(f, t, length, along, get(d->across, at->element), of_element);
    }
    f->q = lane_add_symmetric(f->q, get_symmetric(d->inertia, at->element));
    f->s = lane_add(f->s, get_vector(d->moment, at->element));
    pass_cell(f, get_symmetric(d->cell, at->cell), record);
}

// Back: the frame's spin and the near node's velocity from those of the frontier after the step.
INLINE void pass_back(const corde_dampers *d, const step_ends *at, bool is_constraint, const double *record,
                      lane_vector *v, lane_vector *w) {
    const double *of_element = record + CELL_RECORD * LANES;
    lane_vector known = lane_add(read_vector(record + 18 * LANES), lane_apply(read_matrix(record), *w));
    *w = lane_subtract(known, lane_apply(read_matrix(record + 9 * LANES), *v));
    if (!is_constraint) {
        known = lane_add(read_vector(of_element + 18 * LANES), lane_apply(read_matrix(of_element), *v));
        *v = lane_subtract(known, lane_apply(read_matrix(of_element + 9 * LANES), *w));
        return;
    }
    lane_vector t = lane_scale(outward, get_vector(d->tangent, at->element));
    lane_vector a = lane_add(*v, lane_cross(lane_scale(get(d->length, at->element), t), *w));
    REAL rate = lane_dot(read_vector(of_element), a) + lane_dot(read_vector(of_element + 3 * LANES), *w) -
                lane_read(of_element + 6 * LANES);
    *v = lane_subtract(a, lane_scale(rate, t));
}

#endif
