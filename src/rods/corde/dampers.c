// What is left of a chain of dampers (corde/dampers.h) for single numbers: elements beside held nodes, the middle where
// both ends meet, and the choice of the variant that suits the processor.
#include "rods/corde/dampers.h"

#include "base/processor.h"
#include "math/chain_solve.h"

#include <math.h>
#include <string.h>

#define REAL double
#define BLOCK(name) block_##name
#include "math/block3_template.h"

// 42 numbers a step for each lane. Eight lanes are chosen where their warm-up is at most half of the half; they then
// take 5/8 of it in steps. Four take at most 17/20, two all of it. A few steps more by rounding.
size_t corde_dampers_record_doubles(size_t element_count) { return 42 * (5 * (element_count / 2) + 48); }

bool corde_dampers_make_plan(const corde_dampers *d, size_t pairs, corde_dampers_plan *out) {
    size_t half = d->element_count / 2;
    double root = sqrt(1 + d->stiffness), far = 7 * root + 2; // exp(-2/root)^far is a millionth
    bool is_long = far < 0.7 * (double)half;
    *out = (corde_dampers_plan){.half = half, .pairs = 1, .steps = half};
    if (!is_long) return !d->is_closed;
    size_t begin = (size_t)far;
    if (d->is_closed) {
        size_t apart = half / pairs;
        *out = (corde_dampers_plan){half, pairs, half + begin - (pairs - 1) * apart, pairs > 1 ? apart : 0, begin, 0};
        if (pairs > 1 && begin <= apart) out->back = begin;
        return true;
    }
    if (pairs == 1) return true;
    size_t apart = (half - begin) / pairs;
    *out = (corde_dampers_plan){half, pairs, half - (pairs - 1) * apart, apart, 0, begin <= apart ? begin : 0};
    return true;
}

int corde_dampers_choose_lanes(const corde_dampers *d, int lanes) {
    int best = 2;
    double least = INFINITY;
    for (int some = 2; some <= lanes; some *= 2) {
        corde_dampers_plan plan;
        if (!corde_dampers_make_plan(d, (size_t)some / 2, &plan)) return best;
        double cost = (double)plan.steps * (16 + some);
        if (cost < least) least = cost, best = some;
    }
    return best;
}

bool corde_dampers_solve(const corde_dampers *d) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return corde_dampers_solve_avx512(d);
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return corde_dampers_solve_avx2(d);
#endif
    return corde_dampers_solve_base(d);
}

static block_vector vector_of(const double a[3]) { return (block_vector){a[0], a[1], a[2]}; }
static block_symmetric symmetric_of(const double a[6]) { return (block_symmetric){a[0], a[1], a[2], a[3], a[4], a[5]}; }
static block_matrix matrix_of(const double a[9]) {
    return (block_matrix){a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]};
}
static block_vector vector_at(double *const a[3], size_t i) { return (block_vector){a[0][i], a[1][i], a[2][i]}; }
static block_symmetric symmetric_at(double *const a[6], size_t i) {
    return (block_symmetric){a[0][i], a[1][i], a[2][i], a[3][i], a[4][i], a[5][i]};
}
static void put_vector(double to[3], block_vector v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static void put_symmetric(double to[6], block_symmetric a) {
    to[0] = a.xx, to[1] = a.xy, to[2] = a.xz, to[3] = a.yy, to[4] = a.yz, to[5] = a.zz;
}
static void put_matrix(double to[9], block_matrix a) {
    to[0] = a.xx, to[1] = a.xy, to[2] = a.xz, to[3] = a.yx, to[4] = a.yy, to[5] = a.yz;
    to[6] = a.zx, to[7] = a.zy, to[8] = a.zz;
}
static block_matrix outer(block_vector a, block_vector b) {
    return (block_matrix){a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y,
                          a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

// ---- held nodes of rigid elements -----------------------------------------------------------------------------------

bool corde_dampers_is_held(const corde_dampers *d, size_t node) { return isinf(d->mass[node]); }

// A node that is held by a mass beyond all others serves where dampers separate it from the rest. Through an element
// that is rigid across its tangent that mass would act on, and drown what is behind it. So v = g is put in before: with
// x = v_far - g the frame's spin is w = B x + t c, B = [t]x/|e|, and the one unknown is c. With K the cell's damper,
// S = Q + K, y = S t, n = t.y and T = 1 - t y^T/n, eliminating c leaves on v_far and w'
//   P' = B^T (S - y y^T/n) B + along t t^T,  D' = -B^T T^T K,  Q' = K - (K t)(K t)^T/n.
bool corde_dampers_pass_held(const corde_dampers *d, size_t element, size_t near, size_t cell, double side,
                             corde_frontier *f, corde_held_record *out) {
    double inverse = 1 / d->length[element];
    block_vector t = block_scale(side, vector_at(d->tangent, element)), g = vector_at(d->right, near);
    block_symmetric k = symmetric_at(d->cell, cell);
    block_vector s = block_subtract(vector_of(f->s), block_apply_transposed(matrix_of(f->d), g));
    s = block_add(s, vector_at(d->moment, element));
    block_symmetric whole = block_add_symmetric(symmetric_of(f->q), symmetric_at(d->inertia, element));
    whole = block_add_symmetric(whole, k);
    block_vector y = block_apply_symmetric(whole, t), kt = block_apply_symmetric(k, t);
    double n = block_dot(t, y), axial = block_dot(t, s) / n;
    if (!(n > 0)) return false;
    const block_symmetric one = {1, 0, 0, 1, 0, 1};
    block_matrix b = block_scale_matrix(inverse, block_cross_matrix(t, 0));
    block_matrix across = block_subtract_matrix(block_from_symmetric(one), outer(t, block_scale(1 / n, y)));
    block_matrix tb = block_multiply(across, b);
    block_matrix left = block_subtract_matrix(block_from_symmetric(whole), outer(y, block_scale(1 / n, y)));
    block_symmetric p = block_multiply_transposed_to_symmetric(b, block_multiply(left, b));
    p = block_add_symmetric(p, block_symmetric_part(outer(block_scale(d->along[element], t), t)));
    block_matrix next = block_scale_matrix(-1, block_multiply_transposed(tb, block_from_symmetric(k)));
    put_symmetric(f->p, p);
    put_matrix(f->d, next);
    put_symmetric(f->q, block_subtract_symmetric(k, block_symmetric_part(outer(kt, block_scale(1 / n, kt)))));
    put_vector(f->r, block_add(block_apply_symmetric(p, g), block_apply_transposed(tb, s)));
    put_vector(f->s, block_add(block_scale(axial, kt), block_apply_transposed(next, g)));
    put_matrix(out->cell, outer(t, block_scale(1 / n, kt)));
    put_matrix(out->cell + 9, block_scale_matrix(-1, tb));
    put_vector(out->cell + 18, block_subtract(block_scale(axial, t), block_apply(tb, g)));
    put_vector(out->element, t);
    put_vector(out->element + 3, (block_vector){0, 0, 0});
    out->element[6] = block_dot(t, g);
    return true;
}

// ---- the middle -----------------------------------------------------------------------------------------------------

enum { NEAR = CORDE_MIDDLE_NEAR, SPIN = CORDE_MIDDLE_SPIN, FAR = CORDE_MIDDLE_FAR };
typedef struct middle_system {
    double a[9][9], right[9];
} middle_system;

static void add_symmetric(middle_system *m, int index, block_symmetric a) {
    const double v[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m->a[index + i][index + k] += v[i][k];
}
static void add_matrix(middle_system *m, int row, int column, double sign, block_matrix a) {
    const double v[9] = {a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz};
    for (int i = 0; i < 9; i++) {
        m->a[row + i / 3][column + i % 3] += sign * v[i];
        m->a[column + i % 3][row + i / 3] += sign * v[i];
    }
}
static void add_right(middle_system *m, int index, block_vector v) {
    m->right[index] += v.x, m->right[index + 1] += v.y, m->right[index + 2] += v.z;
}

// A held node of a rigid element: as heavy as it needs to be here, because the rest is eliminated node by node.
static void add_node(const corde_dampers *d, size_t node, int index, middle_system *m) {
    bool is_held = corde_dampers_is_held(d, node);
    double mass = is_held ? 1e20 * d->heavy : d->mass[node];
    add_symmetric(m, index, (block_symmetric){mass, 0, 0, mass, 0, mass});
    add_right(m, index, block_scale(is_held ? mass : 1, vector_at(d->right, node)));
}

static void add_end(middle_system *m, int node, const corde_frontier *f) {
    add_symmetric(m, node, symmetric_of(f->p));
    add_symmetric(m, SPIN, symmetric_of(f->q));
    add_matrix(m, node, SPIN, 1, matrix_of(f->d));
    add_right(m, node, vector_of(f->r));
    add_right(m, SPIN, vector_of(f->s));
}

static void add_element(const corde_dampers *d, size_t j, middle_system *m) {
    block_vector t = vector_at(d->tangent, j);
    block_symmetric damper = block_symmetric_part(outer(block_scale(d->along[j], t), t));
    add_symmetric(m, NEAR, damper);
    add_symmetric(m, FAR, damper);
    add_matrix(m, FAR, NEAR, -1, block_from_symmetric(damper));
    add_symmetric(m, SPIN, symmetric_at(d->inertia, j));
    add_right(m, SPIN, vector_at(d->moment, j));
}

// w = t x (v_far - v_near)/|e| + t c: seven unknowns, v_near, v_far, c.
static bool solve_rigid(const middle_system *m, block_vector t, double length, double solution[9]) {
    const double x = t.x / length, y = t.y / length, z = t.z / length, axis[3] = {t.x, t.y, t.z};
    const double turn[3][3] = {{0, -z, y}, {z, 0, -x}, {-y, x, 0}};
    double map[9][7] = {{0}}, half[9][7], a[15][15], right[15];
    for (int i = 0; i < 3; i++) {
        map[NEAR + i][i] = map[FAR + i][3 + i] = 1;
        for (int k = 0; k < 3; k++) map[SPIN + i][k] = -turn[i][k], map[SPIN + i][3 + k] = turn[i][k];
        map[SPIN + i][6] = axis[i];
    }
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 7; k++) {
            half[i][k] = 0;
            for (int l = 0; l < 9; l++) half[i][k] += m->a[i][l] * map[l][k];
        }
    for (int i = 0; i < 7; i++) {
        right[i] = 0;
        for (int l = 0; l < 9; l++) right[i] += map[l][i] * m->right[l];
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

static bool solve_rigid_middle(const corde_dampers *d, size_t element, const corde_frontier ends[2],
                               double solution[9]) {
    middle_system m = {0};
    add_node(d, element, NEAR, &m);
    add_node(d, element + 1, FAR, &m);
    add_end(&m, NEAR, &ends[0]);
    add_end(&m, FAR, &ends[1]);
    add_element(d, element, &m);
    return solve_rigid(&m, vector_at(d->tangent, element), d->length[element], solution);
}

// The inverse by cofactors. False: not positive definite.
static bool invert(block_symmetric a, block_symmetric *out) {
    double minor, determinant;
    *out = block_inverse_symmetric(a, &minor, &determinant);
    return a.xx > 0 && minor > 0 && determinant > 0;
}

// What acts on a node's velocity and the frame's spin, as in corde_frontier.
typedef struct form {
    block_symmetric p, q;
    block_matrix d;
    block_vector r, s;
} form;

static form form_of(const corde_frontier *f) {
    return (form){symmetric_of(f->p), symmetric_of(f->q), matrix_of(f->d), vector_of(f->r), vector_of(f->s)};
}
static void add_node_to(const corde_dampers *d, size_t node, form *f) {
    f->p = block_add_diagonal(f->p, d->mass[node]);
    f->r = block_add(f->r, vector_at(d->right, node));
}

// The minimum of the form.
static bool solve_form(const form *f, block_vector *v, block_vector *w) {
    block_symmetric a, left;
    if (!invert(f->q, &a)) return false;
    block_matrix ad = block_symmetric_multiply(a, block_transpose(f->d));
    block_vector as = block_apply_symmetric(a, f->s);
    if (!invert(block_subtract_symmetric(f->p, block_multiply_to_symmetric(f->d, ad)), &left)) return false;
    *v = block_apply_symmetric(left, block_subtract(f->r, block_apply(f->d, as)));
    *w = block_subtract(as, block_apply(ad, *v));
    return true;
}

// The near end is taken through the element as in corde/dampers_lanes.h, and meets the far one.
static bool solve_free_middle(const corde_dampers *d, size_t j, const corde_frontier ends[2], double solution[9]) {
    form near = form_of(&ends[0]), far = form_of(&ends[1]);
    add_node_to(d, j, &near);
    add_node_to(d, j + 1, &far);
    block_vector t = vector_at(d->tangent, j), v, w;
    block_symmetric m = block_symmetric_part(outer(block_scale(d->along[j] - d->across[j], t), t)), inverse;
    m = block_add_diagonal(m, d->across[j]);
    block_matrix turn = block_scale_matrix(d->length[j], block_cross_matrix(t, 0));
    block_matrix c = block_scale_matrix(d->across[j], turn), b = block_subtract_matrix(near.d, c);
    if (!invert(block_add_symmetric(near.p, m), &inverse)) return false;
    block_matrix fb = block_symmetric_multiply(inverse, b),
                 fm = block_symmetric_multiply(inverse, block_from_symmetric(m));
    block_vector fr = block_apply_symmetric(inverse, near.r);
    far.p = block_add_symmetric(far.p, block_multiply_to_symmetric(block_from_symmetric(near.p), fm));
    far.d = block_add_matrix(far.d, block_add_matrix(c, block_symmetric_multiply(m, fb)));
    far.q = block_add_symmetric(far.q, block_multiply_transposed_to_symmetric(turn, c));
    far.q = block_add_symmetric(far.q, block_add_symmetric(near.q, symmetric_at(d->inertia, j)));
    far.q = block_subtract_symmetric(far.q, block_multiply_transposed_to_symmetric(b, fb));
    far.r = block_add(far.r, block_apply_symmetric(m, fr));
    far.s = block_add(far.s, block_add(near.s, vector_at(d->moment, j)));
    far.s = block_subtract(far.s, block_apply_transposed(b, fr));
    if (!solve_form(&far, &v, &w)) return false;
    put_vector(solution + FAR, v), put_vector(solution + SPIN, w);
    put_vector(solution + NEAR, block_subtract(block_add(fr, block_apply(fm, v)), block_apply(fb, w)));
    return true;
}

bool corde_dampers_solve_middle(const corde_dampers *d, size_t element, const corde_frontier ends[2],
                                double solution[9]) {
    return d->is_constraint ? solve_rigid_middle(d, element, ends, solution)
                            : solve_free_middle(d, element, ends, solution);
}
