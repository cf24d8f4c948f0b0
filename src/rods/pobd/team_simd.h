// The projections of pobd/projection_simd.h for a team of uniform rods, one in each lane, with as few multiplications
// as possible and mixed so that a processor always finds something to do. A team has no seams and no nodes held between
// its ends, which allows:
// - Multipliers of stretches are in units in which the inverse weight of a node between two elements is 1, so that
//   nodes are moved by additions. That of a frame is w_q = 2 m, m = an element's mass over twice its rotary inertia.
// - Of the factor g only m g is needed, and the frame's turn is scaled by way of the lever.
// - Of the bend's angle (angle_of), with s = 3 + 2 |w| and p = 25/s: 6 value = 1 + p, 6 value times s = 25 + s, 12
//   slope/2 times s = p; share = s/5. With 6 mu for mu, and the other factors in the gains and compliances, these are
//   additions, which do not take a multiplier.
// The order of constraints is that of a rod alone: even bends, odd bends, even stretches, odd stretches. Within each of
// the four no two touch each other.
#ifndef CDG_RODS_POBD_TEAM_SIMD_H
#define CDG_RODS_POBD_TEAM_SIMD_H

#include "rods/pobd/sweep_simd.h"

typedef struct team_section {
    simd_vec3 bend_gain;          // 1/D; by angle: 1/(180 D)
    simd_vec3 bend_compliance;    // as in section; by angle: 36 times that
    simd_vec3 stretch_compliance; // l/S
    simd_double length, length2;  // l, l^2
    simd_double frame_weight;     // m = w_q/2
    simd_double lever;            // m l
    simd_double fade;             // 25 m/l^2
} team_section;

// What an element's nodes make of D; an end node weighs half as much, or is held.
typedef struct team_nodes {
    simd_double left, right;    // inverse weights; 1 between elements
    simd_double gain_x, gain_y; // 1/D1, 1/D2
    simd_double along;          // D3 with g = 0
} team_nodes;

typedef struct team_chain {
    slot *slots;
    size_t count; // of elements; one more node
    team_section section;
    team_nodes nodes, start, end; // of elements between others, of the first, of the last
} team_chain;

static inline void team_set_gains(team_nodes *nodes, const team_section *s) {
    simd_double across = nodes->left + nodes->right + 2 * s->frame_weight * s->length2;
    nodes->gain_x = 1 / (across + s->stretch_compliance.x);
    nodes->gain_y = 1 / (across + s->stretch_compliance.y);
    nodes->along = across + s->stretch_compliance.z;
}

// ---- bends ----------------------------------------------------------------------------------------------------------
// A store can keep multiplications that add from starting (Zen 3: for a cycle), so that values which the compiler puts
// aside for want of registers cost most: two bends at a time, their frames read again in each part rather than kept,
// and the division that the next two need begun while these are at work. Eight lanes come with twice as many registers:
// one bend is weighed while the one before it is applied, so that what waits is in two chains that know nothing of
// each other (Cascade Lake: 47 cycles in place of 62).

enum { TEAM_BENDS = 2 };

// Of the angle between two frames.
typedef struct team_lead {
    simd_double sum, ratio, pull; // s, p, +-p
} team_lead;

SIMD_INLINE simd_double team_twice_real(const slot *at) {
    simd_quat l = (at - 1)->q, r = at->q;
    return l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z;
}

SIMD_INLINE team_lead team_lead_of(simd_double twice_real) {
    team_lead lead;
    lead.sum = 3 + simd_min(simd_abs(twice_real), simd_broadcast(2));
    lead.ratio = simd_near_quotient(simd_broadcast(25), lead.sum);
    lead.pull = (simd_double)((simd_mask)lead.ratio | (~(simd_mask)twice_real & INT64_MIN)); // the other sign
    return lead;
}

typedef struct team_bend {
    simd_double twice_real; // of the bend that is next
    simd_double real;
    simd_vec3 v, z; // z = y/s, then half the turn
} team_bend;

enum { TEAM_BEND_PARTS = 5 };
SIMD_INLINE void team_bend_part(int part, team_bend *work, slot *at, team_lead lead, const team_section *s) {
    if (part > 0 && SIMD_LANES < 8) at = slot_again(at);
    simd_quat l = (at - 1)->q, r = at->q;
    simd_vec3 v = work->v, z = work->z, mu = at->bend;
    if (part == 0) work->v = relative_imaginary(l, r);
    if (part == 1) {
        simd_double f = 1 + lead.ratio;
        work->z = (simd_vec3){s->bend_gain.x * (mu.x + f * v.x), s->bend_gain.y * (mu.y + f * v.y),
                              s->bend_gain.z * (mu.z + f * v.z)};
    }
    if (part == 2) work->real = lead.pull * (v.x * z.x + v.y * z.y + v.z * z.z);
    if (part == 3) {
        simd_double share = 25 + lead.sum;
        at->bend =
            (simd_vec3){mu.x - lead.sum * (s->bend_compliance.x * z.x), mu.y - lead.sum * (s->bend_compliance.y * z.y),
                        mu.z - lead.sum * (s->bend_compliance.z * z.z)};
        work->z = (simd_vec3){share * z.x, share * z.y, share * z.z};
    }
    if (part == 4) {
        simd_double real = work->real; // last, as it comes last
        simd_quat left = add_quaternion_product(l, r, z), right = subtract_quaternion_product(r, l, z);
        (at - 1)->q = (simd_quat){left.w - real * r.w, left.x - real * r.x, left.y - real * r.y, left.z - real * r.z};
        at->q = (simd_quat){right.w - real * l.w, right.x - real * l.x, right.y - real * l.y, right.z - real * l.z};
    }
}

// By the sine: all at once, which is short enough.
SIMD_INLINE void team_bend_by_sine(slot *at, const team_section *s) {
    simd_quat l = (at - 1)->q, r = at->q;
    simd_vec3 mu = at->bend, b = add_relative_imaginary(mu, l, r), y;
    y = (simd_vec3){b.x * s->bend_gain.x, b.y * s->bend_gain.y, b.z * s->bend_gain.z};
    at->bend = (simd_vec3){mu.x - s->bend_compliance.x * y.x, mu.y - s->bend_compliance.y * y.y,
                           mu.z - s->bend_compliance.z * y.z};
    (at - 1)->q = add_quaternion_product(l, r, y);
    at->q = subtract_quaternion_product(r, l, y);
}

// By the angle: `count` bends, two slots apart, which do not touch each other; leads become those of the bends at
// `next`.
SIMD_INLINE void team_bends(slot *at, const slot *next, size_t count, team_lead lead[TEAM_BENDS],
                            const team_section *s) {
    team_bend work[TEAM_BENDS];
    team_lead then[TEAM_BENDS];
    UNROLLED for (int part = 0; part < TEAM_BEND_PARTS; part++) {
        UNROLLED for (size_t i = 0; i < count; i++) {
            if (part == 2) work[i].twice_real = team_twice_real(next + 2 * i);
            if (part == 3) then[i] = team_lead_of(work[i].twice_real);
            team_bend_part(part, &work[i], at + 2 * i, lead[i], s);
        }
    }
    UNROLLED for (size_t i = 0; i < count; i++) lead[i] = then[i];
}

// By the angle: `count` bends, every second slot from `at` on, one weighed while the one before it is applied.
SIMD_INLINE void team_bends_in_stages(slot *at, size_t count, const team_section *s) {
    team_bend work, then;
    team_lead lead = team_lead_of(team_twice_real(at));
    UNROLLED for (int part = 0; part < TEAM_BEND_PARTS - 1; part++) team_bend_part(part, &work, at, lead, s);
    lead = team_lead_of(team_twice_real(count > 1 ? at + 2 : at));
    NOT_UNROLLED for (size_t i = 1; i < count; i++, at += 2) {
        simd_double twice_real = team_twice_real(i + 1 < count ? at + 4 : at + 2);
        UNROLLED for (int part = 0; part < TEAM_BEND_PARTS - 1; part++) team_bend_part(part, &then, at + 2, lead, s);
        team_bend_part(TEAM_BEND_PARTS - 1, &work, at, lead, s);
        lead = team_lead_of(twice_real);
        work = then;
    }
    team_bend_part(TEAM_BEND_PARTS - 1, &work, at, lead, s);
}

// ---- stretches ------------------------------------------------------------------------------------------------------
// A projection is one long chain of operations that wait for each other, longer than a processor can look ahead: it
// takes in so many instructions, and the first of them must be done before others can come in. So a block of
// constraints goes through the chain in four parts, each a loop of its own: within a loop an iteration has nothing to
// do with the next, is short, and the processor works on several.

typedef struct team_stretch {
    simd_double x, y, longer; // e1, e2, e3 - l
    simd_double along;        // b3, then y3 = b3/D3
    simd_double g;            // m times that of projection_simd.h
    simd_double scale;        // d, then D3/d, of the turn
    simd_double diagonal;     // D3, where it is put aside: with eight lanes
} team_stretch;

enum { TEAM_BLOCK = 8 }; // with their measures they stay in the nearest cache, beside the chain

// |Q|^2 of frames before they were normalised, from the least to the most.
typedef struct team_range {
    simd_double least, most;
} team_range;

// Brings Q to its length, by sqrt(2/|Q|^2). Corrections leave |Q|^2 = 2 (1 + delta), delta the square of a turn, and
// the root's series up to delta^3 needs no division: it errs by delta^4/4.
SIMD_INLINE void team_normalise(slot *at, team_range *range) {
    simd_quat q = at->q;
    simd_double n = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
    range->least = simd_min(n, range->least), range->most = simd_max(n, range->most);
    n = simd_min(n, simd_broadcast(4)); // from where on the series does not bring it nearer
    simd_double scale = 2.1875 + n * (-1.09375 + n * (0.328125 - 0.0390625 * n));
    at->q = (simd_quat){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

// Rods that had a frame beyond |delta| = 0.002, a turn of 0.045 rad, up to where the series errs by less than 4e-12.
// Each by itself, so that a rod's bits do not depend on the others of its team.
SIMD_INLINE simd_mask team_is_far(team_range range) {
    return ~((simd_mask)(range.most <= 2.004) & (simd_mask)(range.least >= 1.996));
}

// Once more, by a quotient of polynomials, which errs by delta^5/512. However wrong Q is, it comes nearer to its
// length, and what leaves the solver is normalised by the root itself.
SIMD_INLINE void team_normalise_again(slot *at, simd_mask is_far) {
    simd_double n = norm2_of(at->q), scale = (20 + n * (20 + n)) / (4 + n * (20 + 5 * n));
    scale = simd_select(is_far, scale, simd_broadcast(1));
    at->q = (simd_quat){at->q.w * scale, at->q.x * scale, at->q.y * scale, at->q.z * scale};
}

// The element as its frame sees it.
SIMD_INLINE void team_see_stretch(team_stretch *out, const slot *at, const team_section *s) {
    stretch_work work;
    work.q = at->q;
    measure_stretch(&work, at, &at[1].x);
    out->x = work.e.x, out->y = work.e.y, out->longer = work.e.z - s->length, out->along = work.b.z;
}

// d; returns D3.
SIMD_INLINE simd_double team_weigh_stretch(team_stretch *work, const team_section *s, const team_nodes *n) {
    simd_double x = work->x, y = work->y, longer = work->longer, along = work->along, shear2 = x * x + y * y;
    simd_double g = simd_max(s->frame_weight - s->fade * (shear2 + longer * longer), simd_broadcast(0));
    simd_double excess = shear2 + along * along - s->length2, far = s->lever - g * s->length;
    simd_double diagonal = n->along + g * (excess + excess);
    work->scale = diagonal + far * simd_abs(longer + longer);
    work->g = g;
    return diagonal;
}

SIMD_INLINE void team_divide_stretch(team_stretch *work, simd_double diagonal) {
    work->along = simd_near_quotient(work->along, diagonal);
    work->scale = simd_near_quotient(diagonal, work->scale);
}

// All of it for one.
SIMD_INLINE void team_measure_stretch(team_stretch *out, slot *at, const team_section *s, const team_nodes *n) {
    team_range range = {simd_broadcast(2), simd_broadcast(2)};
    team_normalise(at, &range);
    if (__builtin_expect(simd_any(team_is_far(range)), 0)) team_normalise_again(at, team_is_far(range));
    team_see_stretch(out, at, s);
    team_divide_stretch(out, team_weigh_stretch(out, s, n));
}

SIMD_INLINE void team_apply_stretch(const team_stretch *work, slot *at, const team_section *s, const team_nodes *n,
                                    bool is_inner) {
    simd_quat q = at->q;
    simd_double by = work->g * work->scale;
    // b1 and b2 once more: an addition costs less than putting them aside
    simd_vec3 y = {(work->x + at->stretch.x) * n->gain_x, (work->y + at->stretch.y) * n->gain_y, work->along};
    simd_vec3 lever = {by * work->x, by * work->y, by * work->longer + work->scale * s->lever};
    at->q = add_quaternion_product(q, q, simd_cross(lever, y));
    at->stretch.x -= s->stretch_compliance.x * y.x;
    at->stretch.y -= s->stretch_compliance.y * y.y;
    at->stretch.z -= s->stretch_compliance.z * y.z;
    simd_vec3 u = {q.x, q.y, q.z}, t = simd_cross(u, y), push, *x = &at->x, *right = &at[1].x;
    push.x = y.x + q.w * t.x + u.y * t.z - u.z * t.y;
    push.y = y.y + q.w * t.y + u.z * t.x - u.x * t.z;
    push.z = y.z + q.w * t.z + u.x * t.y - u.y * t.x;
    if (is_inner) {
        *x = (simd_vec3){x->x + push.x, x->y + push.y, x->z + push.z};
        *right = (simd_vec3){right->x - push.x, right->y - push.y, right->z - push.z};
        return;
    }
    *x = (simd_vec3){x->x + n->left * push.x, x->y + n->left * push.y, x->z + n->left * push.z};
    *right = (simd_vec3){right->x - n->right * push.x, right->y - n->right * push.y, right->z - n->right * push.z};
}

#endif
