// One step of the elimination along a chain of dampers (corde/dampers_lanes.h says what it does) and one back, in
// lanes: a step takes one element and the cell after it in each.
#ifndef CDG_RODS_CORDE_DAMPERS_PASS_H
#define CDG_RODS_CORDE_DAMPERS_PASS_H

#include "math/lanes.h"

#include "rods/corde/dampers.h"

#include <math.h>
#if LANES > 2
#include <immintrin.h>
#endif

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

// Numbers of two steps lie beside each other: the first step's in front where a lane comes from the first end (even
// lanes), behind where it comes from the last. Two of one lane are one load; a blend and a shuffle then part the steps.
#if LANES == 8
#define FIRST_OF(even, odd) __builtin_shufflevector(even, odd, 0, 9, 2, 11, 4, 13, 6, 15)
#define SECOND_OF(even, odd) __builtin_shufflevector(even, odd, 1, 8, 3, 10, 5, 12, 7, 14)
#define EVEN_OF(first, second) __builtin_shufflevector(first, second, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD_OF(first, second) __builtin_shufflevector(second, first, 1, 9, 3, 11, 5, 13, 7, 15)
#define AFTER_TWO(a) __builtin_shufflevector(a, a, 2, 3, 4, 5, 6, 7, 0, 1) // what is in the lane two on
#elif LANES == 4
#define FIRST_OF(even, odd) __builtin_shufflevector(even, odd, 0, 5, 2, 7)
#define SECOND_OF(even, odd) __builtin_shufflevector(even, odd, 1, 4, 3, 6)
#define EVEN_OF(first, second) __builtin_shufflevector(first, second, 0, 4, 2, 6)
#define ODD_OF(first, second) __builtin_shufflevector(second, first, 1, 5, 3, 7)
#define AFTER_TWO(a) __builtin_shufflevector(a, a, 2, 3, 0, 1)
#else
#define FIRST_OF(even, odd) __builtin_shufflevector(even, odd, 0, 3)
#define SECOND_OF(even, odd) __builtin_shufflevector(even, odd, 1, 2)
#define EVEN_OF(first, second) __builtin_shufflevector(first, second, 0, 2)
#define ODD_OF(first, second) __builtin_shufflevector(second, first, 1, 3)
#define AFTER_TWO(a) (a)
#endif

// Two steps of every other lane, `lane` being the first. Compilers do not find the insertion from memory by themselves.
INLINE REAL read_twos(const double *a, const size_t low[LANES], int lane) {
#if LANES == 8
    __m512d all = _mm512_castpd128_pd512(_mm_loadu_pd(a + low[lane]));
    all = _mm512_insertf64x2(all, _mm_loadu_pd(a + low[lane + 2]), 1);
    all = _mm512_insertf64x2(all, _mm_loadu_pd(a + low[lane + 4]), 2);
    return (REAL)_mm512_insertf64x2(all, _mm_loadu_pd(a + low[lane + 6]), 3);
#elif LANES == 4
    __m256d all = _mm256_castpd128_pd256(_mm_loadu_pd(a + low[lane]));
    return (REAL)_mm256_insertf128_pd(all, _mm_loadu_pd(a + low[lane + 2]), 1);
#else
    return lane_read(a + low[lane]);
#endif
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

// Sums of products that are taken from, or added to, what there is: each product is one fused operation.
INLINE REAL take_dot(REAL from, REAL ax, REAL bx, REAL ay, REAL by, REAL az, REAL bz) {
    return from - ax * bx - ay * by - az * bz;
}
// v - a w and v - a^T w
INLINE lane_vector take_product(lane_vector v, lane_matrix a, lane_vector w) {
    return (lane_vector){take_dot(v.x, a.xx, w.x, a.xy, w.y, a.xz, w.z), take_dot(v.y, a.yx, w.x, a.yy, w.y, a.yz, w.z),
                         take_dot(v.z, a.zx, w.x, a.zy, w.y, a.zz, w.z)};
}
INLINE lane_vector take_transposed(lane_vector v, lane_matrix a, lane_vector w) {
    return take_product(v, lane_transpose(a), w);
}
// v + a w
INLINE lane_vector add_product(lane_vector v, lane_matrix a, lane_vector w) {
    return (lane_vector){v.x + a.xx * w.x + a.xy * w.y + a.xz * w.z, v.y + a.yx * w.x + a.yy * w.y + a.yz * w.z,
                         v.z + a.zx * w.x + a.zy * w.y + a.zz * w.z};
}
// s - a b where the product is symmetric.
INLINE lane_symmetric take_symmetric(lane_symmetric s, lane_matrix a, lane_matrix b) {
    return (lane_symmetric){
        take_dot(s.xx, a.xx, b.xx, a.xy, b.yx, a.xz, b.zx), take_dot(s.xy, a.xx, b.xy, a.xy, b.yy, a.xz, b.zy),
        take_dot(s.xz, a.xx, b.xz, a.xy, b.yz, a.xz, b.zz), take_dot(s.yy, a.yx, b.xy, a.yy, b.yy, a.yz, b.zy),
        take_dot(s.yz, a.yx, b.xz, a.yy, b.yz, a.yz, b.zz), take_dot(s.zz, a.zx, b.xz, a.zy, b.yz, a.zz, b.zz)};
}
// s a + v w^T
INLINE lane_matrix add_outer(REAL s, lane_matrix a, lane_vector v, lane_vector w) {
    return (lane_matrix){s * a.xx + v.x * w.x, s * a.xy + v.x * w.y, s * a.xz + v.x * w.z,
                         s * a.yx + v.y * w.x, s * a.yy + v.y * w.y, s * a.yz + v.y * w.z,
                         s * a.zx + v.z * w.x, s * a.zy + v.z * w.y, s * a.zz + v.z * w.z};
}

// M = across + m t^T, m = (along - across) t, is never written out: a product with it is one with two vectors.
INLINE void pass_penalty(frontier *f, lane_vector t, REAL length, REAL along, REAL across, double *record) {
    REAL lever = across * length, square = lever * length;
    lane_vector m = lane_scale(along - across, t), c = lane_scale(lever, t), h = lane_scale(square, t);
    lane_matrix b = f->d;
    b.xy += c.z, b.xz -= c.y, b.yx -= c.z, b.yz += c.x, b.zx += c.y, b.zy -= c.x;
    lane_symmetric whole = {(f->p.xx + across) + m.x * t.x, f->p.xy + m.x * t.y, f->p.xz + m.x * t.z,
                            (f->p.yy + across) + m.y * t.y, f->p.yz + m.y * t.z, (f->p.zz + across) + m.z * t.z};
    REAL scale;
    lane_symmetric cofactors = adjugate(whole, &scale, &f->is_positive);
    lane_vector ft = lane_apply_symmetric(cofactors, m);
    lane_matrix fm = lane_scale_matrix(scale, add_outer(across, lane_from_symmetric(cofactors), ft, t));
    lane_matrix fb = lane_scale_matrix(scale, lane_symmetric_multiply(cofactors, b));
    lane_vector fr = lane_scale(scale, lane_apply_symmetric(cofactors, f->r));
    write_matrix(record, fm), write_matrix(record + 9 * LANES, fb), write_vector(record + 18 * LANES, fr);
    f->q = subtract_square(lane_add_diagonal(f->q, square), h, t);
    f->q = take_symmetric(f->q, lane_transpose(b), fb);
    f->s = take_transposed(f->s, b, fr);
    f->p = lane_multiply_to_symmetric(lane_from_symmetric(f->p), fm);
    lane_vector tb = lane_apply_transposed(fb, t);
    f->d = add_outer(across, fb, m, tb);
    f->d.xy -= c.z, f->d.xz += c.y, f->d.yx += c.z, f->d.yz -= c.x, f->d.zx -= c.y, f->d.zy += c.x;
    f->r = lane_add(lane_scale(across, fr), lane_scale(lane_dot(t, fr), m));
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
    f->p = take_symmetric(f->p, f->d, ad);
    f->r = take_product(f->r, f->d, as);
    f->d = lane_multiply(f->d, ak);
    f->q = lane_multiply_to_symmetric(lane_from_symmetric(f->q), ak);
    f->s = lane_apply_symmetric(k, as);
}

// What a step takes in.
typedef struct step_data {
    lane_vector t; // away from the end that the lane comes from
    REAL length, along, across, mass;
    lane_vector right, moment;
    lane_symmetric inertia, cell;
} step_data;

// Where two steps of a lane find them: elements at `low` and `low` + 1, of which an even lane takes the former first,
// an odd lane the latter. The near node is before an even lane's element, the cell behind it; for an odd lane it is the
// other way round.
INLINE void get(const double *even, const double *odd, const size_t low[LANES], REAL *first, REAL *second) {
    REAL of_even = read_twos(even, low, 0), of_odd = read_twos(odd, low, 1);
    *first = FIRST_OF(of_even, of_odd);
    *second = SECOND_OF(of_even, of_odd);
}
INLINE void get_vector(double *const a[3], size_t even, size_t odd, const size_t low[LANES], lane_vector *first,
                       lane_vector *second) {
    get(a[0] + even, a[0] + odd, low, &first->x, &second->x);
    get(a[1] + even, a[1] + odd, low, &first->y, &second->y);
    get(a[2] + even, a[2] + odd, low, &first->z, &second->z);
}
INLINE void get_symmetric(double *const a[6], size_t even, const size_t low[LANES], lane_symmetric *first,
                          lane_symmetric *second) {
    get(a[0] + even, a[0], low, &first->xx, &second->xx);
    get(a[1] + even, a[1], low, &first->xy, &second->xy);
    get(a[2] + even, a[2], low, &first->xz, &second->xz);
    get(a[3] + even, a[3], low, &first->yy, &second->yy);
    get(a[4] + even, a[4], low, &first->yz, &second->yz);
    get(a[5] + even, a[5], low, &first->zz, &second->zz);
}

#if LANES == 8
static const REAL outward = {1, -1, 1, -1, 1, -1, 1, -1};
#elif LANES == 4
static const REAL outward = {1, -1, 1, -1};
#else
static const REAL outward = {1, -1};
#endif

INLINE void get_elements(const corde_dampers *d, const size_t low[LANES], step_data out[2]) {
    lane_vector first, second;
    get_vector(d->tangent, 0, 0, low, &first, &second);
    out[0].t = lane_scale(outward, first), out[1].t = lane_scale(outward, second);
    get(d->length, d->length, low, &out[0].length, &out[1].length);
}

INLINE void get_steps(const corde_dampers *d, const size_t low[LANES], bool is_constraint, step_data out[2]) {
    get_elements(d, low, out);
    get(d->along, d->along, low, &out[0].along, &out[1].along);
    if (!is_constraint) get(d->across, d->across, low, &out[0].across, &out[1].across);
    get(d->mass, d->mass + 1, low, &out[0].mass, &out[1].mass);
    get_vector(d->right, 0, 1, low, &out[0].right, &out[1].right);
    get_vector(d->moment, 0, 0, low, &out[0].moment, &out[1].moment);
    get_symmetric(d->inertia, 0, low, &out[0].inertia, &out[1].inertia);
    get_symmetric(d->cell, 1, low, &out[0].cell, &out[1].cell);
}

INLINE void pass(const step_data *at, bool is_constraint, frontier *f, double *record) {
    double *of_element = record + CELL_RECORD * LANES;
    f->p = lane_add_diagonal(f->p, at->mass);
    f->r = lane_add(f->r, at->right);
    if (is_constraint) {
        pass_constraint(f, at->t, at->along, of_element);
        pass_lever(f, lane_scale(at->length, at->t));
    } else {
        pass_penalty(f, at->t, at->length, at->along, at->across, of_element);
    }
    f->q = lane_add_symmetric(f->q, at->inertia);
    f->s = lane_add(f->s, at->moment);
    pass_cell(f, at->cell, record);
}

// Back: the frame's spin and the near node's velocity from those of the frontier after the step. The elements' places
// are asked for with the constraint coupling alone.
INLINE void pass_back(const step_data *at, bool is_constraint, const double *record, lane_vector *v, lane_vector *w) {
    const double *of_element = record + CELL_RECORD * LANES;
    lane_vector known = add_product(read_vector(record + 18 * LANES), read_matrix(record), *w);
    *w = take_product(known, read_matrix(record + 9 * LANES), *v);
    if (!is_constraint) {
        known = add_product(read_vector(of_element + 18 * LANES), read_matrix(of_element), *v);
        *v = take_product(known, read_matrix(of_element + 9 * LANES), *w);
        return;
    }
    lane_vector a = lane_add(*v, lane_cross(lane_scale(at->length, at->t), *w));
    REAL rate = lane_dot(read_vector(of_element), a) + lane_dot(read_vector(of_element + 3 * LANES), *w) -
                lane_read(of_element + 6 * LANES);
    *v = lane_subtract(a, lane_scale(rate, at->t));
}

#endif
