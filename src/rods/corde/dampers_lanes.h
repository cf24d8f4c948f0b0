// Elimination along the chain of dampers (corde/dampers.h) from both ends at once, and back. Each end is a lane; with
// four or eight lanes (LANES) a long rod has more of them, which begin inside it. Included once in a file.
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
// so is looked at; if not, two lanes go all the way. A closed rod has no ends: there the outer ones warm up, too.
// The substitution forgets where it began as fast, so the outer lanes need not wait for the inner ones on the way back.
#ifndef CDG_RODS_CORDE_DAMPERS_LANES_H
#define CDG_RODS_CORDE_DAMPERS_LANES_H

#include "rods/corde/dampers_pass.h"

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

// The one of two steps at `low` (0 or 1) in which some near nodes are held.
static __attribute__((noinline)) bool pass_beside_held(const corde_dampers *d, const size_t low[LANES], size_t step,
                                                       const step_data *at, frontier *f, double *record) {
    frontier before = *f;
    pass(at, true, f, record);
    for (int lane = 0; lane < LANES; lane++) {
        bool is_even = lane % 2 == 0;
        size_t element = is_even ? low[lane] + step : low[lane] + 1 - step, behind = element + 1;
        size_t near = is_even ? element : behind, cell = is_even ? behind : element;
        if (!corde_dampers_is_held(d, near)) continue;
        corde_frontier one = frontier_of(&before, lane);
        corde_held_record found;
        if (!corde_dampers_pass_held(d, element, near, cell, is_even ? 1 : -1, &one, &found)) return false;
        f->is_positive[lane] = before.is_positive[lane];
        set_frontier(f, lane, &one);
        put_lane(record, found.cell, CELL_RECORD, lane);
        put_lane(record + CELL_RECORD * LANES, found.element, CONSTRAINT_RECORD - CELL_RECORD, lane);
    }
    return true;
}

// ---- where lanes go -------------------------------------------------------------------------------------------------

typedef corde_dampers_plan plan;

// How far a pair has got before it comes to elements that are its own.
static size_t warm_up(const plan *p, size_t pair) { return pair == 0 ? p->before : p->steps - p->apart; }

// The lower one of the elements that each lane takes in `step` and in the one after it. A closed rod's arrays go on
// with its first entries behind the last. Pairs of lanes beyond those of the plan do what the first one does.
INLINE void slots_of(const corde_dampers *d, const plan *p, size_t step, size_t low[LANES]) {
    for (size_t pair = 0; pair < LANES / 2; pair++) {
        size_t k = step + pair * p->apart, count = d->element_count;
        size_t first = k, last = count - count % 2 - k; // the last end idles at first if their number is even
        if (d->is_closed) {
            first = k < p->before ? k + count - p->before : k - p->before;
            last = last + p->before > count ? last + p->before - count : last + p->before;
        }
        low[2 * pair] = first, low[2 * pair + 1] = last - 1;
    }
}

// Steps that warm up all lanes leave nothing to be kept.
INLINE double *record_of(const corde_dampers *d, const plan *p, bool is_constraint, size_t step) {
    size_t kept = step > p->before ? step - p->before : 0;
    return d->record + kept * (size_t)(is_constraint ? CONSTRAINT_RECORD : PENALTY_RECORD) * LANES;
}

// ---- elimination ----------------------------------------------------------------------------------------------------

// Lanes in which a symmetric matrix is what `came` in the lane two on, to 1e-10 of its trace.
INLINE lane_mask is_like(lane_symmetric left, lane_symmetric came) {
    const REAL large = 1e-10 * (left.xx + left.yy + left.zz);
    const REAL apart[6] = {left.xx - AFTER_TWO(came.xx), left.xy - AFTER_TWO(came.xy), left.xz - AFTER_TWO(came.xz),
                           left.yy - AFTER_TWO(came.yy), left.yz - AFTER_TWO(came.yz), left.zz - AFTER_TWO(came.zz)};
    lane_mask is = (lane_mask)(apart[0] <= large) & (lane_mask)(-apart[0] <= large);
    for (int k = 1; k < 6; k++) is &= (lane_mask)(apart[k] <= large) & (lane_mask)(-apart[k] <= large);
    return is;
}

// Whether inner lanes came to their first own elements with what the lanes before them leave there.
INLINE bool are_warm(const frontier *outer, const frontier *inner, int lanes) {
    lane_mask is = is_like(outer->p, inner->p) & is_like(outer->q, inner->q);
    bool all = true;
    for (int lane = 0; lane < lanes; lane++) all = all && is[lane] != 0;
    return all;
}

typedef corde_dampers_outcome outcome;

INLINE bool any_held(const step_data at[2]) {
    const REAL large = at[0].mass + at[1].mass;
    bool is = false;
    for (int lane = 0; lane < LANES; lane++) is = is || large[lane] > 1e300;
    return is;
}

// The one or two steps from k on when some near nodes are held.
static bool eliminate_held(const corde_dampers *d, const plan *p, size_t k, size_t end, const step_data at[2],
                           frontier *f) {
    size_t low[LANES];
    slots_of(d, p, k, low);
    for (size_t i = 0; i < 2 && k + i < end; i++)
        if (!pass_beside_held(d, low, i, &at[i], f, record_of(d, p, true, k + i))) return false;
    return true;
}

// Steps begin to end - 1. False: singular.
INLINE bool eliminate_steps(const corde_dampers *d, const plan *p, bool is_constraint, size_t begin, size_t end,
                            frontier *f) {
    frontier now = *f; // nobody else has its address, so it may stay in registers
    for (size_t k = begin; k < end; k += 2) {
        size_t low[LANES];
        step_data at[2];
        slots_of(d, p, k, low);
        get_steps(d, low, is_constraint, at);
        if (is_constraint && __builtin_expect(any_held(at), 0)) {
            *f = now;
            if (!eliminate_held(d, p, k, end, at, f)) return false;
            now = *f;
            continue;
        }
        for (size_t i = 0; i < 2 && k + i < end; i++)
            pass(&at[i], is_constraint, &now, record_of(d, p, is_constraint, k + i));
    }
    *f = now;
    return true;
}

INLINE outcome eliminate(const corde_dampers *d, const plan *p, bool is_constraint, frontier *out) {
    frontier f, arrived;
    memset(&f, 0, sizeof f);
    for (int lane = 0; lane < LANES; lane++) f.is_positive[lane] = -1;
    arrived = f;
    size_t own = p->steps - p->apart; // where all lanes but the first two come to their own
    for (int part = 0; part < 2; part++) {
        if (part == 1) arrived = f;
        if (!eliminate_steps(d, p, is_constraint, part == 0 ? 0 : own, part == 0 ? own : p->steps, &f))
            return CORDE_DAMPERS_SINGULAR;
    }
    *out = f;
    for (int lane = 0; lane < LANES; lane++)
        if (!f.is_positive[lane]) return CORDE_DAMPERS_SINGULAR;
    return are_warm(&f, &arrived, 2 * (int)p->pairs - 2) ? CORDE_DAMPERS_SOLVED : CORDE_DAMPERS_COLD;
}

// ---- substitution ---------------------------------------------------------------------------------------------------

// From where the substitution goes on: velocities of frontiers' nodes and spins of their frames.
typedef struct known {
    lane_vector v, w;
} known;

static void set_known(known *k, size_t pair, const double middle[9]) {
    put_lane(&k->v, middle + CORDE_MIDDLE_NEAR, 3, (int)(2 * pair));
    put_lane(&k->v, middle + CORDE_MIDDLE_FAR, 3, (int)(2 * pair + 1));
    for (int side = 0; side < 2; side++) put_lane(&k->w, middle + CORDE_MIDDLE_SPIN, 3, (int)(2 * pair) + side);
}

// Hands what every pair came to on to the pair before it.
static void hand_on(known *k) {
    for (int lane = 0; lane + 2 < LANES; lane++) {
        double v[3], w[3];
        take_lane(v, &k->v, 3, lane + 2);
        take_lane(w, &k->w, 3, lane + 2);
        put_lane(&k->v, v, 3, lane);
        put_lane(&k->w, w, 3, lane);
    }
}

INLINE void put_one(double *const a[3], size_t i, size_t lane, lane_vector v) {
    a[0][i] = v.x[lane], a[1][i] = v.y[lane], a[2][i] = v.z[lane];
}

// Puts what pairs `first` to `last` - 1 found in two steps where `low` says, and one entry on for even or odd lanes.
INLINE void put_steps(double *even, double *odd, const size_t low[LANES], size_t first, size_t last, REAL one,
                      REAL next) {
    REAL of_even = EVEN_OF(one, next), of_odd = ODD_OF(one, next);
    for (size_t pair = first; pair < last; pair++) {
        memcpy(even + low[2 * pair], (const char *)&of_even + 16 * pair, 16);
        memcpy(odd + low[2 * pair + 1], (const char *)&of_odd + 16 * pair, 16);
    }
}

// What pairs `first` to `last` - 1 found in a step alone.
INLINE void keep_one(const corde_dampers *d, const size_t low[LANES], size_t first, size_t last, const known *found) {
    for (size_t lane = 2 * first; lane < 2 * last; lane++) {
        size_t element = low[lane] + lane % 2, near = element + lane % 2;
        put_one(d->spin, element, lane, found->w);
        put_one(d->velocity, near, lane, found->v);
    }
}

INLINE void keep_two(const corde_dampers *d, const size_t low[LANES], size_t first, size_t last, const known *a,
                     const known *b) {
    put_steps(d->spin[0], d->spin[0], low, first, last, a->w.x, b->w.x);
    put_steps(d->spin[1], d->spin[1], low, first, last, a->w.y, b->w.y);
    put_steps(d->spin[2], d->spin[2], low, first, last, a->w.z, b->w.z);
    put_steps(d->velocity[0], d->velocity[0] + 1, low, first, last, a->v.x, b->v.x);
    put_steps(d->velocity[1], d->velocity[1] + 1, low, first, last, a->v.y, b->v.y);
    put_steps(d->velocity[2], d->velocity[2] + 1, low, first, last, a->v.z, b->v.z);
}

// Steps `end` - 1 down to `begin` of all lanes; pairs `first` to `last` - 1 keep what they find.
INLINE void substitute_steps(const corde_dampers *d, const plan *p, bool is_constraint, size_t begin, size_t end,
                             size_t first, size_t last, known *k) {
    known now = *k;
    size_t step = end, low[LANES];
    step_data at[2];
    for (; step >= begin + 2;) {
        step -= 2;
        slots_of(d, p, step, low);
        if (is_constraint) get_elements(d, low, at);
        pass_back(&at[1], is_constraint, record_of(d, p, is_constraint, step + 1), &now.v, &now.w);
        known later = now;
        pass_back(&at[0], is_constraint, record_of(d, p, is_constraint, step), &now.v, &now.w);
        keep_two(d, low, first, last, &now, &later);
    }
    if (step > begin) {
        slots_of(d, p, begin, low);
        if (is_constraint) get_elements(d, low, at);
        pass_back(&at[0], is_constraint, record_of(d, p, is_constraint, begin), &now.v, &now.w);
        keep_one(d, low, first, last, &now);
    }
    *k = now;
}

// All pairs at once: each begins inside the next one, with nothing, early enough that it does not matter.
INLINE void substitute_together(const corde_dampers *d, const plan *p, bool is_constraint, const double middle[9]) {
    known k;
    memset(&k, 0, sizeof k);
    size_t own = p->steps - p->apart;
    substitute_steps(d, p, is_constraint, own, own + p->back, 0, 0, &k);
    hand_on(&k);
    set_known(&k, LANES / 2 - 1, middle);
    substitute_steps(d, p, is_constraint, own, p->steps, 0, LANES / 2, &k);
    substitute_steps(d, p, is_constraint, p->before, own, 0, 1, &k);
}

// One pair after the other, from the middle outward.
INLINE void substitute_in_turn(const corde_dampers *d, const plan *p, bool is_constraint, const double middle[9]) {
    known k;
    memset(&k, 0, sizeof k);
    set_known(&k, p->pairs - 1, middle);
    for (size_t pair = p->pairs; pair-- > 0; hand_on(&k))
        substitute_steps(d, p, is_constraint, warm_up(p, pair), p->steps, pair, pair + 1, &k);
}

INLINE outcome solve(const corde_dampers *d, bool is_constraint) {
    plan p;
    frontier f;
    double middle[9];
    if (!corde_dampers_make_plan(d, LANES / 2, &p)) return CORDE_DAMPERS_SINGULAR;
    outcome result = eliminate(d, &p, is_constraint, &f);
    if (result != CORDE_DAMPERS_SOLVED) return result;
    int lane = 2 * (int)p.pairs - 2;
    const corde_frontier ends[2] = {frontier_of(&f, lane), frontier_of(&f, lane + 1)};
    if (!corde_dampers_solve_middle(d, p.half, ends, middle)) return CORDE_DAMPERS_SINGULAR;
    for (int i = 0; i < 3; i++) {
        d->velocity[i][p.half] = middle[CORDE_MIDDLE_NEAR + i];
        d->velocity[i][p.half + 1] = middle[CORDE_MIDDLE_FAR + i];
        d->spin[i][p.half] = middle[CORDE_MIDDLE_SPIN + i];
    }
    if (p.back > 0)
        substitute_together(d, &p, is_constraint, middle);
    else
        substitute_in_turn(d, &p, is_constraint, middle);
    return CORDE_DAMPERS_SOLVED;
}

static outcome solve_penalty(const corde_dampers *d) { return solve(d, false); }
static outcome solve_constraint(const corde_dampers *d) { return solve(d, true); }
static outcome solve_in_lanes(const corde_dampers *d) {
    return d->is_constraint ? solve_constraint(d) : solve_penalty(d);
}

#endif
