// Elimination along the chain of dampers (corde/dampers.h) from both ends at once, and back. Each end is a lane; with
// four lanes a long rod has two more, which begin inside it.
//
// What is eliminated acts on the frontier, the near node's v and the frame's w of the next element, as the form
//   1/2 v.P v + v.D w + 1/2 w.Q w - r.v - s.w.
// An element takes it to its far node, with velocity v'. Its dampers M = across + (along - across) t t^T resist
// u = v' - v + e x w. With C = M [e]x, H = [e]x^T M [e]x, F = (P + M)^-1 (P with the node's mass) and B = D - C,
// eliminating v = F (r + M v' - B w) leaves
//   P' = P F M,  D' = C + M F B,  Q' = Q + H - B^T F B,  r' = M F r,  s' = s - B^T F r.
// P' is not the equal M - M F M: where dampers are much stiffer than masses that difference would be rounding errors.
// An element that is rigid across the tangent has one unknown, the rate along it; with a = v' + e x w the near node
// has v = a - (y.a + z.w - t.r)/n t, which leaves on a and w
//   P' = P - y y^T/n,  D' = D - y z^T/n,  Q' = Q - z z^T/n,     y = P t,  z = D^T t,  n = along + t.y.
// and the lever then turns a into v': D + P [e]x, Q + [e]x^T D + D^T [e]x + [e]x^T P [e]x. A cell's damper K leads on
// to the next frame's w': with A = (Q + K)^-1
//   P' = P - D A D^T,  D' = D A K,  Q' = Q A K,  r' = r - D A s,  s' = K A s.
//
// What lies far off hardly matters: from one element to the next the influence of anything on the frontier falls by a
// factor of at least (k - 1)/(k + 1), k^2 = 1 + h tau omega^2 the condition of the matrix (Demko, Moss and Smith 1984).
// So the inner lanes begin `warm_up` elements before their own, at nothing, and when they come there, their frontier is
// that of the outer lanes after these have come as far: matrices to rounding, right sides to a millionth. Whether it is
// so is looked at; if not, the outer lanes go all the way. A closed rod has no ends: there the outer ones warm up, too.
#if CDG_SIMD_DOUBLES > 2
#define LANES 4
#else
#define LANES 2
#endif
#include "math/lanes.h"

#include "rods/corde/dampers.h"

#include <math.h>

typedef double pair_real __attribute__((vector_size(16)));
#define REAL pair_real
#define BLOCK(name) pair_##name
#include "math/block3_template.h"
#undef REAL
#undef BLOCK
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
// Of two lanes.
INLINE pair_real read_pair(const double *from) {
    pair_real value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE pair_vector read_vector(const double *from) {
    return (pair_vector){read_pair(from), read_pair(from + LANES), read_pair(from + 2 * LANES)};
}
INLINE pair_matrix read_matrix(const double *from) {
    pair_vector x = read_vector(from), y = read_vector(from + 3 * LANES), z = read_vector(from + 6 * LANES);
    return (pair_matrix){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}
INLINE pair_real get_pair(const double *a, const size_t at[2]) { return (pair_real){a[at[0]], a[at[1]]}; }
INLINE pair_vector get_pairs(double *const a[3], const size_t at[2]) {
    return (pair_vector){get_pair(a[0], at), get_pair(a[1], at), get_pair(a[2], at)};
}
INLINE void put_pairs(double *const a[3], const size_t at[2], pair_vector v) {
    a[0][at[0]] = v.x[0], a[1][at[0]] = v.y[0], a[2][at[0]] = v.z[0];
    a[0][at[1]] = v.x[1], a[1][at[1]] = v.y[1], a[2][at[1]] = v.z[1];
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
INLINE void pass_back(const corde_dampers *d, const size_t element[2], bool is_constraint, const double *record,
                      pair_vector *v, pair_vector *w) {
    const double *of_element = record + CELL_RECORD * LANES;
    pair_vector known = pair_add(read_vector(record + 18 * LANES), pair_apply(read_matrix(record), *w));
    *w = pair_subtract(known, pair_apply(read_matrix(record + 9 * LANES), *v));
    if (!is_constraint) {
        known = pair_add(read_vector(of_element + 18 * LANES), pair_apply(read_matrix(of_element), *v));
        *v = pair_subtract(known, pair_apply(read_matrix(of_element + 9 * LANES), *w));
        return;
    }
    const pair_real sign = {1, -1};
    pair_vector t = pair_scale(sign, get_pairs(d->tangent, element));
    pair_vector a = pair_add(*v, pair_cross(pair_scale(get_pair(d->length, element), t), *w));
    pair_real rate = pair_dot(read_vector(of_element), a) + pair_dot(read_vector(of_element + 3 * LANES), *w) -
                     read_pair(of_element + 6 * LANES);
    *v = pair_subtract(a, pair_scale(rate, t));
}

// ---- single lanes ---------------------------------------------------------------------------------------------------

INLINE void take_lane(double *to, const void *from, size_t count, int lane) {
    for (size_t k = 0; k < count; k++)
        memcpy(to + k, (const char *)from + sizeof(double) * (LANES * k + (size_t)lane), sizeof *to);
}
INLINE void put_lane(void *to, const double *from, size_t count, int lane) {
    for (size_t k = 0; k < count; k++)
        memcpy((char *)to + sizeof(double) * (LANES * k + (size_t)lane), from + k, sizeof *from);
}

static corde_frontier frontier_of(const frontier *f, int lane) {
    corde_frontier one;
    take_lane(one.p, &f->p, 6, lane), take_lane(one.d, &f->d, 9, lane), take_lane(one.q, &f->q, 6, lane);
    take_lane(one.r, &f->r, 3, lane), take_lane(one.s, &f->s, 3, lane);
    return one;
}

static void set_frontier(frontier *f, int lane, const corde_frontier *one) {
    put_lane(&f->p, one->p, 6, lane), put_lane(&f->d, one->d, 9, lane), put_lane(&f->q, one->q, 6, lane);
    put_lane(&f->r, one->r, 3, lane), put_lane(&f->s, one->s, 3, lane);
}

// A step in which some near nodes are held.
static __attribute__((noinline)) bool pass_beside_held(const corde_dampers *d, const step_ends *at, frontier *f,
                                                       double *record) {
    frontier before = *f;
    pass(d, at, true, f, record);
    for (int lane = 0; lane < LANES; lane++) {
        if (!corde_dampers_is_held(d, at->near[lane])) continue;
        corde_frontier one = frontier_of(&before, lane);
        corde_held_record found;
        if (!corde_dampers_pass_held(d, at->element[lane], at->near[lane], at->cell[lane], lane % 2 == 0 ? 1 : -1, &one,
                                     &found))
            return false;
        f->is_positive[lane] = before.is_positive[lane];
        set_frontier(f, lane, &one);
        put_lane(record, found.cell, CELL_RECORD, lane);
        put_lane(record + CELL_RECORD * LANES, found.element, CONSTRAINT_RECORD - CELL_RECORD, lane);
    }
    return true;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

// Each pair of lanes, one from either end, takes `steps` elements and begins `apart` elements after the pair before it;
// the last ends in the middle. The first begins at the ends of the rod, on a closed one `before` elements before them.
typedef struct plan {
    size_t half; // elements to be eliminated from either end
    size_t pairs, steps, apart, before;
} plan;

// False: the rod is closed, and not long enough for its ends not to feel each other.
static bool make_plan(const corde_dampers *d, bool is_parted, plan *out) {
    size_t half = d->element_count / 2, pairs = LANES / 2;
    double root = sqrt(1 + d->stiffness), far = 7 * root + 2; // exp(-2/root)^far is a millionth
    bool is_long = far < 0.7 * (double)half;
    *out = (plan){half, 1, half, 0, 0};
    if (d->is_closed) {
        size_t before = is_long ? (size_t)far : 0, apart = half / pairs;
        *out = (plan){half, pairs, half + before - (pairs - 1) * apart, apart, before};
        return is_long && is_parted;
    }
    if (!is_parted || !is_long || pairs == 1) return true;
    size_t apart = (half - (size_t)far) / pairs;
    *out = (plan){half, pairs, half - (pairs - 1) * apart, apart, 0};
    return true;
}

// How far a pair has got before it comes to elements that are its own.
static size_t warm_up(const plan *p, size_t pair) { return pair == 0 ? p->before : p->steps - p->apart; }

// The one end idles at its first step if there is an even number of elements, in a place beyond the last; on a closed
// rod that is the first again.
static size_t last_element(const corde_dampers *d, size_t step) {
    return d->element_count - d->element_count % 2 - step;
}

static size_t around(const corde_dampers *d, size_t place) {
    return d->is_closed && place >= d->element_count ? place - d->element_count : place;
}

INLINE step_ends ends_of(const corde_dampers *d, const plan *p, size_t step) {
    step_ends at;
    for (size_t pair = 0; pair < LANES / 2; pair++) {
        size_t k = step + pair * p->apart, lane = 2 * pair, first = k, last = last_element(d, k);
        if (pair >= p->pairs) first = last = d->element_count;
        at.element[lane] = at.near[lane] = first;
        at.cell[lane] = first + 1;
        if (pair >= p->pairs) at.near[lane]++, at.cell[lane]--;
        if (d->is_closed) {
            size_t back = d->element_count - p->before;
            first = around(d, k + back), last = around(d, last + p->before);
            at.element[lane] = at.near[lane] = first;
            at.cell[lane] = around(d, first + 1);
        }
        at.element[lane + 1] = at.cell[lane + 1] = last;
        at.near[lane + 1] = around(d, last + 1);
    }
    return at;
}

static bool is_like(const double *a, const double *b, const double scale[6]) { // symmetric matrices
    double large = 1e-10 * (scale[0] + scale[3] + scale[5]);
    bool is = true;
    for (int k = 0; k < 6; k++) is = is && fabs(a[k] - b[k]) <= large;
    return is;
}

// Whether an inner lane came to its first own element with what the lane before it leaves there.
static bool is_warm(const frontier *outer, const frontier *inner, int lane) {
    corde_frontier left = frontier_of(outer, lane), came = frontier_of(inner, lane + 2);
    return is_like(left.p, came.p, left.p) && is_like(left.q, came.q, left.q);
}

typedef enum outcome { SOLVED, SINGULAR, COLD } outcome;

INLINE outcome eliminate(const corde_dampers *d, const plan *p, bool is_constraint, frontier *out) {
    size_t size = (size_t)(is_constraint ? CONSTRAINT_RECORD : PENALTY_RECORD) * LANES;
    frontier f, arrived;
    memset(&f, 0, sizeof f);
    for (int lane = 0; lane < LANES; lane++) f.is_positive[lane] = -1;
    for (size_t k = 0; k < p->steps; k++) {
        step_ends at = ends_of(d, p, k);
        double *record = d->record + k * size;
        if (k == p->steps - p->apart) arrived = f;
        bool beside_held = false;
        for (int lane = 0; lane < LANES && is_constraint; lane++)
            beside_held |= corde_dampers_is_held(d, at.near[lane]);
        if (__builtin_expect(beside_held, 0)) {
            if (!pass_beside_held(d, &at, &f, record)) return SINGULAR;
            continue;
        }
        pass(d, &at, is_constraint, &f, record);
    }
    *out = f;
    for (int lane = 0; lane < LANES; lane++)
        if (!f.is_positive[lane]) return SINGULAR;
    for (int lane = 0; lane < 2 * (int)p->pairs - 2; lane++)
        if (!is_warm(&f, &arrived, lane)) return COLD;
    return SOLVED;
}

INLINE void substitute(const corde_dampers *d, const plan *p, bool is_constraint, const double middle[9]) {
    size_t size = (size_t)(is_constraint ? CONSTRAINT_RECORD : PENALTY_RECORD) * LANES;
    const double *const w0 = middle + CORDE_MIDDLE_SPIN, *const v0 = middle + CORDE_MIDDLE_NEAR,
                        *const v1 = middle + CORDE_MIDDLE_FAR;
    pair_vector v = {{v0[0], v1[0]}, {v0[1], v1[1]}, {v0[2], v1[2]}};
    pair_vector w = {{w0[0], w0[0]}, {w0[1], w0[1]}, {w0[2], w0[2]}};
    size_t pair = p->pairs - 1;
    put_pairs(d->velocity, (size_t[2]){p->half, p->half + 1}, v);
    put_pairs(d->spin, (size_t[2]){p->half, p->half}, w);
    for (size_t k = p->half; k-- > 0;) {
        size_t last = last_element(d, k);
        const size_t element[2] = {k, around(d, last)}, near[2] = {k, around(d, last + 1)};
        while (k + p->before < pair * p->apart + warm_up(p, pair)) pair--;
        const double *record = d->record + (k + p->before - pair * p->apart) * size + 2 * pair;
        pass_back(d, element, is_constraint, record, &v, &w);
        put_pairs(d->spin, element, w);
        put_pairs(d->velocity, near, v);
    }
}

INLINE bool solve(const corde_dampers *d, bool is_constraint) {
    for (int attempt = 0; attempt < 2; attempt++) {
        plan p;
        frontier f;
        double middle[9];
        if (!make_plan(d, attempt == 0, &p)) return false;
        outcome result = eliminate(d, &p, is_constraint, &f);
        if (result == COLD) continue;
        int lane = 2 * (int)p.pairs - 2;
        const corde_frontier ends[2] = {frontier_of(&f, lane), frontier_of(&f, lane + 1)};
        if (result == SINGULAR || !corde_dampers_solve_middle(d, p.half, ends, middle)) return false;
        substitute(d, &p, is_constraint, middle);
        return true;
    }
    return false;
}

static bool solve_penalty(const corde_dampers *d) { return solve(d, false); }
static bool solve_constraint(const corde_dampers *d) { return solve(d, true); }

bool VARIANT(corde_dampers_solve)(const corde_dampers *d) {
    return d->is_constraint ? solve_constraint(d) : solve_penalty(d);
}
