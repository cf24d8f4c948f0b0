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
// The substitution forgets where it began as fast, so the outer lanes need not wait for the inner ones on the way back.
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

// ---- where lanes go -------------------------------------------------------------------------------------------------

// Each pair of lanes, one from either end, takes `steps` elements and begins `apart` elements after the pair before it;
// the last ends in the middle. The first begins at the ends of the rod, on a closed one `before` elements before them.
typedef struct plan {
    size_t half; // elements to be eliminated from either end
    size_t pairs, steps, apart, before;
    size_t back; // steps after which the substitution has forgotten where it began; 0: it must go through all pairs
} plan;

// False: the rod is closed, and not long enough for its ends not to feel each other.
static bool make_plan(const corde_dampers *d, bool is_parted, plan *out) {
    size_t half = d->element_count / 2;
    double root = sqrt(1 + d->stiffness), far = 7 * root + 2; // exp(-2/root)^far is a millionth
    bool is_long = far < 0.7 * (double)half;
    *out = (plan){.half = half, .pairs = 1, .steps = half};
    if (!is_long) return !d->is_closed;
    size_t pairs = LANES / 2, begin = (size_t)far;
    if (d->is_closed) {
        size_t apart = half / pairs;
        *out = (plan){half, pairs, half + begin - (pairs - 1) * apart, apart, begin, 0};
        if (pairs > 1 && begin <= apart) out->back = begin;
        return is_parted;
    }
    if (!is_parted || pairs == 1) return true;
    size_t apart = (half - begin) / pairs;
    *out = (plan){half, pairs, half - (pairs - 1) * apart, apart, 0, begin <= apart ? begin : 0};
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

// Steps that warm up all lanes leave nothing to be kept.
INLINE double *record_of(const corde_dampers *d, const plan *p, bool is_constraint, size_t step) {
    size_t kept = step > p->before ? step - p->before : 0;
    return d->record + kept * (size_t)(is_constraint ? CONSTRAINT_RECORD : PENALTY_RECORD) * LANES;
}

// ---- elimination ----------------------------------------------------------------------------------------------------

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

INLINE bool any_held(const corde_dampers *d, const step_ends *at) {
    double most = 0;
    for (int lane = 0; lane < LANES; lane++) {
        double mass = d->mass[at->near[lane]];
        most = mass > most ? mass : most;
    }
    return most > 1e300;
}

INLINE outcome eliminate(const corde_dampers *d, const plan *p, bool is_constraint, frontier *out) {
    frontier f, arrived;
    memset(&f, 0, sizeof f);
    for (int lane = 0; lane < LANES; lane++) f.is_positive[lane] = -1;
    for (size_t k = 0; k < p->steps; k++) {
        step_ends at = ends_of(d, p, k);
        double *record = record_of(d, p, is_constraint, k);
        if (k == p->steps - p->apart) arrived = f;
        if (is_constraint && __builtin_expect(any_held(d, &at), 0)) {
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

// One step of all lanes; pairs `first` to `last` - 1 keep what they find.
INLINE void substitute_step(const corde_dampers *d, const plan *p, bool is_constraint, size_t step, size_t first,
                            size_t last, known *k) {
    step_ends at = ends_of(d, p, step);
    pass_back(d, &at, is_constraint, record_of(d, p, is_constraint, step), &k->v, &k->w);
    for (size_t lane = 2 * first; lane < 2 * last; lane++) {
        size_t element = at.element[lane], near = at.near[lane];
        d->spin[0][element] = k->w.x[lane], d->spin[1][element] = k->w.y[lane], d->spin[2][element] = k->w.z[lane];
        d->velocity[0][near] = k->v.x[lane], d->velocity[1][near] = k->v.y[lane], d->velocity[2][near] = k->v.z[lane];
    }
}

// All pairs at once: each begins inside the next one, with nothing, early enough that it does not matter.
INLINE void substitute_together(const corde_dampers *d, const plan *p, bool is_constraint, const double middle[9]) {
    known k;
    memset(&k, 0, sizeof k);
    size_t own = p->steps - p->apart;
    for (size_t step = own + p->back; step-- > own;) substitute_step(d, p, is_constraint, step, 0, 0, &k);
    hand_on(&k);
    set_known(&k, LANES / 2 - 1, middle);
    for (size_t step = p->steps; step-- > own;) substitute_step(d, p, is_constraint, step, 0, LANES / 2, &k);
    for (size_t step = own; step-- > p->before;) substitute_step(d, p, is_constraint, step, 0, 1, &k);
}

// One pair after the other, from the middle outward.
INLINE void substitute_in_turn(const corde_dampers *d, const plan *p, bool is_constraint, const double middle[9]) {
    known k;
    memset(&k, 0, sizeof k);
    set_known(&k, p->pairs - 1, middle);
    for (size_t pair = p->pairs; pair-- > 0; hand_on(&k))
        for (size_t step = p->steps; step-- > warm_up(p, pair);)
            substitute_step(d, p, is_constraint, step, pair, pair + 1, &k);
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
        for (int i = 0; i < 3; i++) {
            d->velocity[i][p.half] = middle[CORDE_MIDDLE_NEAR + i];
            d->velocity[i][p.half + 1] = middle[CORDE_MIDDLE_FAR + i];
            d->spin[i][p.half] = middle[CORDE_MIDDLE_SPIN + i];
        }
        if (p.back > 0)
            substitute_together(d, &p, is_constraint, middle);
        else
            substitute_in_turn(d, &p, is_constraint, middle);
        return true;
    }
    return false;
}

static bool solve_penalty(const corde_dampers *d) { return solve(d, false); }
static bool solve_constraint(const corde_dampers *d) { return solve(d, true); }

bool VARIANT(corde_dampers_solve)(const corde_dampers *d) {
    return d->is_constraint ? solve_constraint(d) : solve_penalty(d);
}
