// Elimination and substitution along a chain from both ends (chain_solve.h), one end a lane.
//
// LAPACK's dpbtrf and dpbtrs (OpenBLAS, half-bandwidth 8, as many unknowns) took about 330 + 190 ns an element where
// this and the assembling of the matrix together take about 70, so there is no call to LAPACK.
#define LANES 2
#include "math/lanes.h"

#include "math/chain_solve.h"

#define REAL lane_real
#define BLOCK(name) lane_##name
#include "math/block3_template.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

static inline REAL get(const double *first, const double *last, int slot) {
    return (REAL){first[(size_t)slot * CHAIN_TILE_STRIDE], last[(size_t)slot * CHAIN_TILE_STRIDE]};
}
static inline lane_vector get_vector(const double *first, const double *last, int slot) {
    return (lane_vector){get(first, last, slot), get(first, last, slot + 1), get(first, last, slot + 2)};
}
static inline lane_symmetric get_symmetric(const double *first, const double *last, int slot) {
    return (lane_symmetric){get(first, last, slot),     get(first, last, slot + 1), get(first, last, slot + 2),
                            get(first, last, slot + 3), get(first, last, slot + 4), get(first, last, slot + 5)};
}
static inline lane_matrix get_matrix(const double *first, const double *last, int slot) {
    return (lane_matrix){get(first, last, slot),     get(first, last, slot + 1), get(first, last, slot + 2),
                         get(first, last, slot + 3), get(first, last, slot + 4), get(first, last, slot + 5),
                         get(first, last, slot + 6), get(first, last, slot + 7), get(first, last, slot + 8)};
}

static inline lane_vector read_vector(const double *from) {
    return (lane_vector){lane_read(from), lane_read(from + 2), lane_read(from + 4)};
}
static inline lane_symmetric read_symmetric(const double *from) {
    return (lane_symmetric){lane_read(from),     lane_read(from + 2), lane_read(from + 4),
                            lane_read(from + 6), lane_read(from + 8), lane_read(from + 10)};
}
static inline lane_matrix read_matrix(const double *from) {
    return (lane_matrix){lane_read(from),      lane_read(from + 2),  lane_read(from + 4),
                         lane_read(from + 6),  lane_read(from + 8),  lane_read(from + 10),
                         lane_read(from + 12), lane_read(from + 14), lane_read(from + 16)};
}
static inline void write_vector(double *to, lane_vector v) {
    lane_write(to, v.x), lane_write(to + 2, v.y), lane_write(to + 4, v.z);
}
static inline void write_symmetric(double *to, lane_symmetric a) {
    lane_write(to, a.xx), lane_write(to + 2, a.xy), lane_write(to + 4, a.xz);
    lane_write(to + 6, a.yy), lane_write(to + 8, a.yz), lane_write(to + 10, a.zz);
}
static inline void write_matrix(double *to, lane_matrix a) {
    lane_write(to, a.xx), lane_write(to + 2, a.xy), lane_write(to + 4, a.xz);
    lane_write(to + 6, a.yx), lane_write(to + 8, a.yy), lane_write(to + 10, a.yz);
    lane_write(to + 12, a.zx), lane_write(to + 14, a.zy), lane_write(to + 16, a.zz);
}

// Inverse, clearing the lanes of *is_positive where `a` is not positive definite (Sylvester's minors).
static inline lane_symmetric invert(lane_symmetric a, lane_mask *is_positive) {
    REAL minor_two, determinant;
    lane_symmetric inverse = lane_inverse_symmetric(a, &minor_two, &determinant);
    const REAL zero = {0};
    *is_positive &= (lane_mask)(a.xx > zero) & (lane_mask)(minor_two > zero) & (lane_mask)(determinant > zero);
    return inverse;
}

// One step eliminates x, then t. With F = P + w + M and B = D - C:
//   x = F^-1 (r - B t + M x'),   leaving on x': (P + w) F^-1 M,   x't: C + M F^-1 B,   t: Q + H - B^T F^-1 B
//   t = K (r_t - C'^T x' - L t'), K the inverse of that t block, C' that x't block.
// x' gets (P + w) F^-1 M and not the equal M - M F^-1 M: for a stiff chain of light nodes that difference would leave
// nothing but rounding errors, which act like springs to the ground.
static inline __attribute__((always_inline)) bool eliminate(chain_state *state, const double *first, const double *last,
                                                            size_t count, double *record, bool has_border) {
    lane_symmetric p = read_symmetric(state->p), q = read_symmetric(state->q);
    lane_matrix d = read_matrix(state->d);
    lane_vector right_x = read_vector(state->right_x), right_t = read_vector(state->right_t);
    REAL energy = lane_read(state->energy), decrement = lane_read(state->decrement);
    lane_mask is_positive = {-1, -1};
    lane_matrix xa = {0}, xb = {0}, ta = {0}, tb = {0}, ab = {0};
    lane_symmetric aa = {0}, bb = {0};
    lane_vector right_a = {0}, right_b = {0};
    if (has_border) {
        xa = read_matrix(state->xa), xb = read_matrix(state->xb);
        ta = read_matrix(state->ta), tb = read_matrix(state->tb);
        aa = read_symmetric(state->aa), ab = read_matrix(state->ab), bb = read_symmetric(state->bb);
        right_a = read_vector(state->right_a), right_b = read_vector(state->right_b);
    }
    for (size_t k = 0; k < count; k++, first++, last--) {
        double *out = record;
        record += has_border ? CHAIN_BORDER_RECORD : CHAIN_RECORD;

        lane_symmetric pw = lane_add_diagonal(p, get(first, last, CHAIN_WEIGHT));
        lane_symmetric m = get_symmetric(first, last, CHAIN_SPRING);
        lane_matrix spring = lane_from_symmetric(m);
        lane_symmetric f = invert(lane_add_symmetric(pw, m), &is_positive);
        lane_matrix c = get_matrix(first, last, CHAIN_COUPLING);
        lane_matrix b = lane_subtract_matrix(d, c);
        lane_vector r = lane_add(right_x, get_vector(first, last, CHAIN_RIGHT_NEAR));
        lane_matrix fm = lane_symmetric_multiply(f, spring), fb = lane_symmetric_multiply(f, b);
        lane_vector fr = lane_apply_symmetric(f, r);
        write_matrix(out, fm), write_matrix(out + 18, fb), write_vector(out + 36, fr);

        p = lane_multiply_to_symmetric(lane_from_symmetric(pw), fm);
        lane_matrix c1 = lane_add_matrix(c, lane_multiply_transposed(fm, b));
        q = lane_add_symmetric(q, get_symmetric(first, last, CHAIN_TURNING));
        q = lane_subtract_symmetric(q, lane_multiply_transposed_to_symmetric(b, fb));
        right_t = lane_subtract(right_t, get_vector(first, last, CHAIN_MOMENT));
        right_t = lane_subtract(right_t, lane_apply_transposed(b, fr));
        right_x = lane_subtract(lane_apply_symmetric(m, fr), get_vector(first, last, CHAIN_FORCE));

        lane_symmetric turn = invert(q, &is_positive);
        lane_matrix next = get_matrix(first, last, CHAIN_NEXT);
        lane_matrix tc = lane_symmetric_multiply(turn, lane_transpose(c1)), tn = lane_symmetric_multiply(turn, next);
        lane_vector tr = lane_apply_symmetric(turn, right_t);
        write_matrix(out + 42, tc), write_matrix(out + 60, tn), write_vector(out + 78, tr);
        energy += get(first, last, CHAIN_ENERGY);
        decrement += lane_dot(r, fr) + lane_dot(right_t, tr);

        if (has_border) {
            lane_matrix fa = lane_symmetric_multiply(f, xa), fb2 = lane_symmetric_multiply(f, xb);
            aa = lane_subtract_symmetric(aa, lane_multiply_transposed_to_symmetric(xa, fa));
            ab = lane_subtract_matrix(ab, lane_multiply_transposed(xa, fb2));
            bb = lane_subtract_symmetric(bb, lane_multiply_transposed_to_symmetric(xb, fb2));
            right_a = lane_subtract(right_a, lane_apply_transposed(xa, fr));
            right_b = lane_subtract(right_b, lane_apply_transposed(xb, fr));
            ta = lane_subtract_matrix(ta, lane_multiply_transposed(b, fa));
            tb = lane_subtract_matrix(tb, lane_multiply_transposed(b, fb2));
            lane_matrix ka = lane_symmetric_multiply(turn, ta), kb = lane_symmetric_multiply(turn, tb);
            aa = lane_subtract_symmetric(aa, lane_multiply_transposed_to_symmetric(ta, ka));
            ab = lane_subtract_matrix(ab, lane_multiply_transposed(ta, kb));
            bb = lane_subtract_symmetric(bb, lane_multiply_transposed_to_symmetric(tb, kb));
            right_a = lane_subtract(right_a, lane_apply_transposed(ta, tr));
            right_b = lane_subtract(right_b, lane_apply_transposed(tb, tr));
            xa = lane_subtract_matrix(lane_multiply(spring, fa), lane_multiply(c1, ka));
            xb = lane_subtract_matrix(lane_multiply(spring, fb2), lane_multiply(c1, kb));
            lane_matrix back = lane_scale_matrix((REAL){-1, -1}, lane_transpose(next));
            ta = lane_multiply(back, ka), tb = lane_multiply(back, kb);
            write_matrix(out + 84, fa), write_matrix(out + 102, fb2);
            write_matrix(out + 120, ka), write_matrix(out + 138, kb);
        }

        p = lane_subtract_symmetric(p, lane_multiply_to_symmetric(c1, tc));
        d = lane_scale_matrix((REAL){-1, -1}, lane_multiply(c1, tn));
        q = lane_subtract_symmetric(get_symmetric(first, last, CHAIN_NEXT_TURNING),
                                    lane_multiply_transposed_to_symmetric(next, tn));
        right_x = lane_subtract(right_x, lane_apply(c1, tr));
        lane_vector next_moment = get_vector(first, last, CHAIN_NEXT_MOMENT), through = lane_apply_transposed(next, tr);
        right_t = (lane_vector){-next_moment.x - through.x, -next_moment.y - through.y, -next_moment.z - through.z};
    }
    write_symmetric(state->p, p), write_symmetric(state->q, q), write_matrix(state->d, d);
    write_vector(state->right_x, right_x), write_vector(state->right_t, right_t);
    lane_write(state->energy, energy), lane_write(state->decrement, decrement);
    if (has_border) {
        write_matrix(state->xa, xa), write_matrix(state->xb, xb);
        write_matrix(state->ta, ta), write_matrix(state->tb, tb);
        write_symmetric(state->aa, aa), write_matrix(state->ab, ab), write_symmetric(state->bb, bb);
        write_vector(state->right_a, right_a), write_vector(state->right_b, right_b);
    }
    return (is_positive[0] & is_positive[1]) != 0;
}

bool VARIANT(chain_eliminate)(chain_state *state, const double *first, const double *last, size_t count,
                              double *record) {
    return eliminate(state, first, last, count, record, false);
}

bool VARIANT(chain_eliminate_bordered)(chain_state *state, const double *first, const double *last, size_t count,
                                       double *record) {
    return eliminate(state, first, last, count, record, true);
}

static inline void put(double *const to[3], size_t first, size_t last, lane_vector v, double sign_of_last) {
    to[0][first] = v.x[0], to[1][first] = v.y[0], to[2][first] = v.z[0];
    to[0][last] = sign_of_last * v.x[1], to[1][last] = sign_of_last * v.y[1], to[2][last] = sign_of_last * v.z[1];
}

static inline __attribute__((always_inline)) void
substitute(const double *record, size_t step_count, chain_front *front, const chain_target *target, bool has_border) {
    lane_vector x = read_vector(front->x), t = read_vector(front->t);
    // the border's unknowns are the same for both ends: lane 1 keeps its x with the opposite sign in xa, xb instead
    lane_vector a = {{front->a[0], front->a[0]}, {front->a[1], front->a[1]}, {front->a[2], front->a[2]}};
    lane_vector b = {{front->b[0], front->b[0]}, {front->b[1], front->b[1]}, {front->b[2], front->b[2]}};
    size_t size = has_border ? CHAIN_BORDER_RECORD : CHAIN_RECORD;
    for (size_t k = step_count; k-- > 0;) {
        const double *in = record + k * size;
        lane_vector known_t = read_vector(in + 78), known_x = read_vector(in + 36);
        if (has_border) {
            known_t = lane_subtract(known_t, lane_apply(read_matrix(in + 120), a));
            known_t = lane_subtract(known_t, lane_apply(read_matrix(in + 138), b));
            known_x = lane_subtract(known_x, lane_apply(read_matrix(in + 84), a));
            known_x = lane_subtract(known_x, lane_apply(read_matrix(in + 102), b));
        }
        t = lane_subtract(known_t, lane_apply(read_matrix(in + 60), t));
        t = lane_subtract(t, lane_apply(read_matrix(in + 42), x));
        x = lane_add(known_x, lane_apply(read_matrix(in), x));
        x = lane_subtract(x, lane_apply(read_matrix(in + 18), t));
        put(target->x, k, target->last_x - k, x, -1);
        put(target->t, k, target->last_t - k, t, 1);
    }
    for (int end = 0; end < 2; end++) {
        front->x[end] = x.x[end], front->x[2 + end] = x.y[end], front->x[4 + end] = x.z[end];
        front->t[end] = t.x[end], front->t[2 + end] = t.y[end], front->t[4 + end] = t.z[end];
    }
}

void VARIANT(chain_substitute)(const double *record, size_t step_count, chain_front *front,
                               const chain_target *target) {
    substitute(record, step_count, front, target, false);
}

void VARIANT(chain_substitute_bordered)(const double *record, size_t step_count, chain_front *front,
                                        const chain_target *target) {
    substitute(record, step_count, front, target, true);
}
