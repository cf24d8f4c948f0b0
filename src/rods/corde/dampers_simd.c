// Elimination along the chain of dampers (corde/dampers.h) from both ends at once, one end a lane, and back.
//
// What is eliminated acts on the frontier, the near node's v and the frame's w of the next element, as the form
//   1/2 v.P v + v.D w + 1/2 w.Q w - r.v - s.w.
// An element takes it to its far node. With a = v_far + e x w, the velocity that the near node would have were the
// element rigid, its dampers M = across + (along - across) t t^T resist a - v. Eliminating v leaves on a, w
//   P' = P F M,  D' = M F D,  Q' = Q - D^T F D,  r' = M F r,  s' = s - D^T F r,     F = (P + M)^-1
// (P with the node's mass) and not the equal M - M F M: where dampers are much stiffer than masses that difference
// would be rounding errors. An element that is rigid across the tangent has one unknown, the rate along it:
//   P' = P - y y^T/n,  D' = D - y z^T/n,  Q' = Q - z z^T/n,     y = P t,  z = D^T t,  n = along + t.y.
// The lever then turns a into v_far: D + P [e]x, Q + [e]x^T D + D^T [e]x + [e]x^T P [e]x. A cell's damper K leads on to
// the next frame's w': with A = (Q + K)^-1
//   P' = P - D A D^T,  D' = D A K,  Q' = Q A K,  r' = r - D A s,  s' = K A s.
#define LANES 2
#include "math/lanes.h"

#include "math/chain_solve.h"
#include "rods/corde/dampers.h"

#include <math.h>

#define REAL double
#define BLOCK(name) block_##name
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

// Doubles of a step of both ends that the substitution needs.
enum { CELL_RECORD = 42, PENALTY_RECORD = CELL_RECORD + 42, CONSTRAINT_RECORD = CELL_RECORD + 14 };

// ---- blocks in memory -----------------------------------------------------------------------------------------------

INLINE REAL get(const double *a, size_t first, size_t last) { return (REAL){a[first], a[last]}; }
INLINE lane_vector get_vector(double *const a[3], size_t first, size_t last) {
    return (lane_vector){get(a[0], first, last), get(a[1], first, last), get(a[2], first, last)};
}
INLINE lane_symmetric get_symmetric(double *const a[6], size_t first, size_t last) {
    return (lane_symmetric){get(a[0], first, last), get(a[1], first, last), get(a[2], first, last),
                            get(a[3], first, last), get(a[4], first, last), get(a[5], first, last)};
}
INLINE void put_vector(double *const a[3], size_t first, size_t last, lane_vector v) {
    a[0][first] = v.x[0], a[1][first] = v.y[0], a[2][first] = v.z[0];
    a[0][last] = v.x[1], a[1][last] = v.y[1], a[2][last] = v.z[1];
}
INLINE void write_vector(double *to, lane_vector v) {
    lane_write(to, v.x), lane_write(to + 2, v.y), lane_write(to + 4, v.z);
}
INLINE lane_vector read_vector(const double *from) {
    return (lane_vector){lane_read(from), lane_read(from + 2), lane_read(from + 4)};
}
INLINE void write_matrix(double *to, lane_matrix a) {
    write_vector(to, (lane_vector){a.xx, a.xy, a.xz});
    write_vector(to + 6, (lane_vector){a.yx, a.yy, a.yz});
    write_vector(to + 12, (lane_vector){a.zx, a.zy, a.zz});
}
INLINE lane_matrix read_matrix(const double *from) {
    lane_vector x = read_vector(from), y = read_vector(from + 6), z = read_vector(from + 12);
    return (lane_matrix){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

// ---- one step -------------------------------------------------------------------------------------------------------

typedef struct frontier {
    lane_symmetric p, q;
    lane_matrix d;
    lane_vector r, s;
    lane_mask is_positive;
} frontier;

INLINE lane_symmetric invert(lane_symmetric a, lane_mask *is_positive) {
    REAL minor_two, determinant;
    lane_symmetric inverse = lane_inverse_symmetric(a, &minor_two, &determinant);
    const REAL zero = {0};
    *is_positive &= (lane_mask)(a.xx > zero) & (lane_mask)(minor_two > zero) & (lane_mask)(determinant > zero);
    return inverse;
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

INLINE void pass_penalty(frontier *f, lane_vector t, REAL along, REAL across, double *record) {
    REAL more = along - across;
    lane_vector mt = {more * t.x, more * t.y, more * t.z};
    lane_symmetric m = {across + mt.x * t.x, mt.x * t.y, mt.x * t.z, across + mt.y * t.y, mt.y * t.z,
                        across + mt.z * t.z};
    lane_symmetric inverse = invert(lane_add_symmetric(f->p, m), &f->is_positive);
    lane_matrix fm = lane_symmetric_multiply(inverse, lane_from_symmetric(m));
    lane_matrix fd = lane_symmetric_multiply(inverse, f->d);
    lane_vector fr = lane_apply_symmetric(inverse, f->r);
    write_matrix(record, fm), write_matrix(record + 18, fd), write_vector(record + 36, fr);
    f->q = lane_subtract_symmetric(f->q, lane_multiply_transposed_to_symmetric(f->d, fd));
    f->s = lane_subtract(f->s, lane_apply_transposed(f->d, fr));
    f->p = lane_multiply_to_symmetric(lane_from_symmetric(f->p), fm);
    f->d = lane_symmetric_multiply(m, fd);
    f->r = lane_apply_symmetric(m, fr);
}

INLINE void pass_constraint(frontier *f, lane_vector t, REAL along, double *record) {
    lane_vector y = lane_apply_symmetric(f->p, t), z = lane_apply_transposed(f->d, t);
    REAL n = along + lane_dot(t, y), inverse = 1.0 / n, rate = inverse * lane_dot(t, f->r);
    const REAL zero = {0};
    f->is_positive &= (lane_mask)(n > zero);
    lane_vector yn = lane_scale(inverse, y), zn = lane_scale(inverse, z);
    write_vector(record, yn), write_vector(record + 6, zn), lane_write(record + 12, rate);
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
    lane_symmetric inverse = invert(lane_add_symmetric(f->q, k), &f->is_positive);
    lane_matrix ak = lane_symmetric_multiply(inverse, whole);
    lane_matrix ad = lane_symmetric_multiply(inverse, lane_transpose(f->d));
    lane_vector as = lane_apply_symmetric(inverse, f->s);
    write_matrix(record, ak), write_matrix(record + 18, ad), write_vector(record + 36, as);
    f->p = lane_subtract_symmetric(f->p, lane_multiply_to_symmetric(f->d, ad));
    f->r = lane_subtract(f->r, lane_apply(f->d, as));
    f->d = lane_multiply(f->d, ak);
    f->q = lane_multiply_to_symmetric(lane_from_symmetric(f->q), ak);
    f->s = lane_apply_symmetric(k, as);
}

// Elements and near nodes of a step's two ends. Seen from the last end the tangent points the other way.
typedef struct step_ends {
    size_t element[2], near[2];
} step_ends;

INLINE lane_vector tangent_at(const corde_dampers *d, const step_ends *at) {
    lane_vector t = get_vector(d->tangent, at->element[0], at->element[1]);
    const REAL outward = {1, -1};
    return lane_scale(outward, t);
}

INLINE void pass_element(const corde_dampers *d, const step_ends *at, bool is_constraint, frontier *f, double *record) {
    lane_vector t = tangent_at(d, at);
    REAL length = get(d->length, at->element[0], at->element[1]);
    REAL along = get(d->along, at->element[0], at->element[1]);
    f->p = lane_add_diagonal(f->p, get(d->mass, at->near[0], at->near[1]));
    f->r = lane_add(f->r, get_vector(d->right, at->near[0], at->near[1]));
    if (is_constraint)
        pass_constraint(f, t, along, record);
    else
        pass_penalty(f, t, along, get(d->across, at->element[0], at->element[1]), record);
    pass_lever(f, lane_scale(length, t));
}

INLINE void pass(const corde_dampers *d, const step_ends *at, bool is_constraint, frontier *f, double *record) {
    pass_element(d, at, is_constraint, f, record + CELL_RECORD);
    f->q = lane_add_symmetric(f->q, get_symmetric(d->inertia, at->element[0], at->element[1]));
    f->s = lane_add(f->s, get_vector(d->moment, at->element[0], at->element[1]));
    pass_cell(f, get_symmetric(d->cell, at->element[0] + 1, at->element[1]), record);
}

// v of the near node from that of the far one.
INLINE lane_vector near_velocity(const corde_dampers *d, const step_ends *at, bool is_constraint, lane_vector far,
                                 lane_vector spin, const double *record) {
    lane_vector t = tangent_at(d, at), e = lane_scale(get(d->length, at->element[0], at->element[1]), t);
    lane_vector a = lane_add(far, lane_cross(e, spin));
    if (!is_constraint) {
        lane_vector known = lane_add(read_vector(record + 36), lane_apply(read_matrix(record), a));
        return lane_subtract(known, lane_apply(read_matrix(record + 18), spin));
    }
    REAL rate = lane_dot(read_vector(record), a) + lane_dot(read_vector(record + 6), spin) - lane_read(record + 12);
    return lane_subtract(a, lane_scale(rate, t));
}

// ---- held nodes of rigid elements -----------------------------------------------------------------------------------

// A node that is held by a mass beyond all others serves where dampers separate it from the rest. Through an element
// that is rigid across its tangent that mass would act on, and drown what is behind it. So v = g is put in before: with
// x = v_far - g the frame's spin is w = B x + t c, B = [t]x/|e|, and the one unknown is c. With K the cell's damper,
// S = Q + K, y = S t, n = t.y and T = 1 - t y^T/n, eliminating c leaves on v_far and w'
//   P' = B^T (S - y y^T/n) B + along t t^T,  D' = -B^T T^T K,  Q' = K - (K t)(K t)^T/n.
static double lane_of(REAL a, int lane) { return a[lane]; }
static block_vector vector_of(lane_vector v, int lane) {
    return (block_vector){lane_of(v.x, lane), lane_of(v.y, lane), lane_of(v.z, lane)};
}
static block_symmetric symmetric_of(lane_symmetric a, int lane) {
    return (block_symmetric){a.xx[lane], a.xy[lane], a.xz[lane], a.yy[lane], a.yz[lane], a.zz[lane]};
}
static block_matrix matrix_of(lane_matrix a, int lane) {
    return (block_matrix){a.xx[lane], a.xy[lane], a.xz[lane], a.yx[lane], a.yy[lane],
                          a.yz[lane], a.zx[lane], a.zy[lane], a.zz[lane]};
}
static void set_vector(lane_vector *to, int lane, block_vector v) {
    to->x[lane] = v.x, to->y[lane] = v.y, to->z[lane] = v.z;
}
static void set_symmetric(lane_symmetric *to, int lane, block_symmetric a) {
    to->xx[lane] = a.xx, to->xy[lane] = a.xy, to->xz[lane] = a.xz;
    to->yy[lane] = a.yy, to->yz[lane] = a.yz, to->zz[lane] = a.zz;
}
static void set_matrix(lane_matrix *to, int lane, block_matrix a) {
    to->xx[lane] = a.xx, to->xy[lane] = a.xy, to->xz[lane] = a.xz;
    to->yx[lane] = a.yx, to->yy[lane] = a.yy, to->yz[lane] = a.yz;
    to->zx[lane] = a.zx, to->zy[lane] = a.zy, to->zz[lane] = a.zz;
}
static block_matrix outer(block_vector a, block_vector b) {
    return (block_matrix){a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y,
                          a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}
static void record_vector(double *to, int lane, block_vector v) {
    to[lane] = v.x, to[2 + lane] = v.y, to[4 + lane] = v.z;
}
static void record_matrix(double *to, int lane, block_matrix a) {
    record_vector(to, lane, (block_vector){a.xx, a.xy, a.xz});
    record_vector(to + 6, lane, (block_vector){a.yx, a.yy, a.yz});
    record_vector(to + 12, lane, (block_vector){a.zx, a.zy, a.zz});
}

static bool is_held(const corde_dampers *d, size_t node) { return isinf(d->mass[node]); }

// In place of `pass` for one lane; `f` comes from before the step, `to` gets the lane's frontier.
static bool pass_held(const corde_dampers *d, size_t element, size_t near, size_t cell, int lane, const frontier *f,
                      frontier *to, double *record) {
    double outward = lane == 0 ? 1 : -1, inverse = 1 / d->length[element];
    block_vector t = {outward * d->tangent[0][element], outward * d->tangent[1][element],
                      outward * d->tangent[2][element]};
    block_vector g = {d->right[0][near], d->right[1][near], d->right[2][near]};
    block_symmetric inertia = {d->inertia[0][element], d->inertia[1][element], d->inertia[2][element],
                               d->inertia[3][element], d->inertia[4][element], d->inertia[5][element]};
    block_symmetric k = {d->cell[0][cell], d->cell[1][cell], d->cell[2][cell],
                         d->cell[3][cell], d->cell[4][cell], d->cell[5][cell]};
    block_vector s = block_subtract(vector_of(f->s, lane), block_apply_transposed(matrix_of(f->d, lane), g));
    s = block_add(s, (block_vector){d->moment[0][element], d->moment[1][element], d->moment[2][element]});
    block_symmetric whole = block_add_symmetric(block_add_symmetric(symmetric_of(f->q, lane), inertia), k);
    block_vector y = block_apply_symmetric(whole, t), kt = block_apply_symmetric(k, t);
    double n = block_dot(t, y), axial = block_dot(t, s) / n;
    if (!(n > 0)) return false;
    const block_symmetric one = {1, 0, 0, 1, 0, 1};
    block_matrix b = block_scale_matrix(inverse, block_cross_matrix(t, 0));
    block_matrix across = block_subtract_matrix(block_from_symmetric(one), outer(t, block_scale(1 / n, y)));
    block_matrix tb = block_multiply(across, b), kb = block_multiply_transposed(tb, block_from_symmetric(k));
    block_matrix left = block_subtract_matrix(block_from_symmetric(whole), outer(y, block_scale(1 / n, y)));
    block_symmetric p = block_multiply_transposed_to_symmetric(b, block_multiply(left, b));
    p = block_add_symmetric(p, block_symmetric_part(outer(block_scale(d->along[element], t), t)));
    block_matrix next = block_scale_matrix(-1, kb);
    set_symmetric(&to->p, lane, p);
    set_matrix(&to->d, lane, next);
    set_symmetric(&to->q, lane,
                  block_subtract_symmetric(k, block_symmetric_part(outer(kt, block_scale(1 / n, kt)))));
    set_vector(&to->r, lane, block_add(block_apply_symmetric(p, g), block_apply_transposed(tb, s)));
    set_vector(&to->s, lane, block_add(block_scale(axial, kt), block_apply_transposed(next, g)));
    record_matrix(record, lane, outer(t, block_scale(1 / n, kt)));
    record_matrix(record + 18, lane, block_scale_matrix(-1, tb));
    record_vector(record + 36, lane, block_subtract(block_scale(axial, t), block_apply(tb, g)));
    record_vector(record + CELL_RECORD, lane, t);
    record_vector(record + CELL_RECORD + 6, lane, (block_vector){0, 0, 0});
    record[CELL_RECORD + 12 + lane] = block_dot(t, g);
    return true;
}

// A step in which one or both near nodes are held.
static __attribute__((noinline)) bool pass_beside_held(const corde_dampers *d, const step_ends *at, frontier *f,
                                                       double *record) {
    frontier before = *f;
    pass(d, at, true, f, record);
    for (int lane = 0; lane < 2; lane++) {
        size_t cell = lane == 0 ? at->element[0] + 1 : at->element[1];
        if (!is_held(d, at->near[lane])) continue;
        f->is_positive[lane] = before.is_positive[lane];
        if (!pass_held(d, at->element[lane], at->near[lane], cell, lane, &before, f, record)) return false;
    }
    return true;
}

// ---- the middle -----------------------------------------------------------------------------------------------------

enum { NEAR = 0, SPIN = 3, FAR = 6 }; // places of the unknowns that are left
typedef struct middle_system {
    double a[9][9], right[9];
} middle_system;

static void add_symmetric(middle_system *m, int place, block_symmetric a) {
    const double v[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m->a[place + i][place + k] += v[i][k];
}
static void add_matrix(middle_system *m, int row, int column, double sign, block_matrix a) {
    const double v[9] = {a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz};
    for (int i = 0; i < 9; i++) {
        m->a[row + i / 3][column + i % 3] += sign * v[i];
        m->a[column + i % 3][row + i / 3] += sign * v[i];
    }
}
static void add_right(middle_system *m, int place, block_vector v) {
    m->right[place] += v.x, m->right[place + 1] += v.y, m->right[place + 2] += v.z;
}

// A held node of a rigid element: as heavy as it needs to be here, for what is left is eliminated node by node.
static void add_node(const corde_dampers *d, size_t node, int place, middle_system *m) {
    double mass = is_held(d, node) ? 1e20 * d->heavy : d->mass[node], scale = is_held(d, node) ? mass : 1;
    add_symmetric(m, place, (block_symmetric){mass, 0, 0, mass, 0, mass});
    add_right(m, place, (block_vector){scale * d->right[0][node], scale * d->right[1][node], scale * d->right[2][node]});
}

// The two ends have met at element `j`; solves for its nodes and its frame.
static bool solve_middle(const corde_dampers *d, size_t j, const frontier *f, double solution[9]) {
    middle_system m = {0};
    block_vector t = {d->tangent[0][j], d->tangent[1][j], d->tangent[2][j]}, e = block_scale(d->length[j], t);
    for (int lane = 0; lane < 2; lane++) {
        int node = lane == 0 ? NEAR : FAR;
        add_node(d, j + (size_t)lane, node, &m);
        add_symmetric(&m, node, symmetric_of(f->p, lane));
        add_symmetric(&m, SPIN, symmetric_of(f->q, lane));
        add_matrix(&m, node, SPIN, 1, matrix_of(f->d, lane));
        add_right(&m, node, vector_of(f->r, lane));
        add_right(&m, SPIN, vector_of(f->s, lane));
    }
    add_symmetric(&m, SPIN, (block_symmetric){d->inertia[0][j], d->inertia[1][j], d->inertia[2][j], d->inertia[3][j],
                                              d->inertia[4][j], d->inertia[5][j]});
    add_right(&m, SPIN, (block_vector){d->moment[0][j], d->moment[1][j], d->moment[2][j]});
    double across = d->is_constraint ? 0 : d->across[j];
    block_symmetric damper = block_symmetric_part(outer(block_scale(d->along[j] - across, t), t));
    damper = block_add_diagonal(damper, across);
    add_symmetric(&m, NEAR, damper);
    add_symmetric(&m, FAR, damper);
    block_matrix pair = block_from_symmetric(damper), lever = block_scale_matrix(across, block_cross_matrix(e, 0));
    add_matrix(&m, FAR, NEAR, -1, pair);
    add_matrix(&m, FAR, SPIN, 1, lever);
    add_matrix(&m, NEAR, SPIN, -1, lever);
    add_symmetric(&m, SPIN, block_multiply_transposed_to_symmetric(block_cross_matrix(e, 0), lever));
    double a[15][15], right[15];
    if (!d->is_constraint) {
        for (int i = 0; i < 9; i++) {
            right[i] = m.right[i];
            memcpy(a[i], m.a[i], sizeof m.a[i]);
        }
        if (!chain_solve_dense(9, a, right)) return false;
        memcpy(solution, right, 9 * sizeof *solution);
        return true;
    }
    // w = t x (v_far - v_near)/|e| + t c: seven unknowns, v_near, v_far, c
    const double ex = t.x / d->length[j], ey = t.y / d->length[j], ez = t.z / d->length[j];
    const double turn[3][3] = {{0, -ez, ey}, {ez, 0, -ex}, {-ey, ex, 0}}, axis[3] = {t.x, t.y, t.z};
    double map[9][7] = {{0}}, half[9][7];
    for (int i = 0; i < 3; i++) {
        map[NEAR + i][i] = map[FAR + i][3 + i] = 1;
        for (int k = 0; k < 3; k++) map[SPIN + i][k] = -turn[i][k], map[SPIN + i][3 + k] = turn[i][k];
        map[SPIN + i][6] = axis[i];
    }
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 7; k++) {
            half[i][k] = 0;
            for (int l = 0; l < 9; l++) half[i][k] += m.a[i][l] * map[l][k];
        }
    for (int i = 0; i < 7; i++) {
        right[i] = 0;
        for (int l = 0; l < 9; l++) right[i] += map[l][i] * m.right[l];
        for (int k = 0; k <= i; k++) {
            a[i][k] = 0;
            for (int l = 0; l < 9; l++) a[i][k] += map[l][i] * half[l][k];
        }
    }
    if (!chain_solve_dense(7, a, right)) return false;
    for (int i = 0; i < 9; i++) {
        solution[i] = 0;
        for (int k = 0; k < 7; k++) solution[i] += map[i][k] * right[k];
    }
    return true;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

INLINE step_ends ends_of(const corde_dampers *d, size_t step) {
    size_t last = d->element_count - d->element_count % 2 - step; // the idle place first if there is an even number
    return (step_ends){{step, last}, {step, last + 1}};
}

INLINE bool solve(const corde_dampers *d, bool is_constraint) {
    size_t count = d->element_count / 2, size = is_constraint ? CONSTRAINT_RECORD : PENALTY_RECORD;
    frontier f = {.is_positive = {-1, -1}};
    double *record = d->record;
    for (size_t k = 0; k < count; k++, record += size) {
        step_ends at = ends_of(d, k);
        if (is_constraint && __builtin_expect(is_held(d, at.near[0]) || is_held(d, at.near[1]), 0)) {
            if (!pass_beside_held(d, &at, &f, record)) return false;
            continue;
        }
        pass(d, &at, is_constraint, &f, record);
    }
    double middle[9];
    if ((f.is_positive[0] & f.is_positive[1]) == 0 || !solve_middle(d, count, &f, middle)) return false;
    lane_vector v = {{middle[NEAR], middle[FAR]}, {middle[NEAR + 1], middle[FAR + 1]}, {middle[NEAR + 2], middle[FAR + 2]}};
    lane_vector w = {{middle[SPIN], middle[SPIN]}, {middle[SPIN + 1], middle[SPIN + 1]}, {middle[SPIN + 2], middle[SPIN + 2]}};
    put_vector(d->velocity, count, count + 1, v);
    put_vector(d->spin, count, count, w);
    for (size_t k = count; k-- > 0;) {
        record -= size;
        step_ends at = ends_of(d, k);
        w = lane_add(read_vector(record + 36), lane_apply(read_matrix(record), w));
        w = lane_subtract(w, lane_apply(read_matrix(record + 18), v));
        v = near_velocity(d, &at, is_constraint, v, w, record + CELL_RECORD);
        put_vector(d->spin, at.element[0], at.element[1], w);
        put_vector(d->velocity, at.near[0], at.near[1], v);
    }
    return true;
}

bool VARIANT(corde_dampers_solve)(const corde_dampers *d) { return d->is_constraint ? solve(d, true) : solve(d, false); }
