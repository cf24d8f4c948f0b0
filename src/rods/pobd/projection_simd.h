// The constraint projections of the Gauss-Seidel solver, a vector of independent constraints at a time: stretch and
// shear of an element, bend and twist of a node (Kugelstadt and Schömer 2016, section 6), with compliance as in XPBD.
//
// A constraint C with compliance a and multiplier lambda is projected by
//     y = (C + a lambda) / D,   lambda -= y,   position -= W J^T y
// with J the gradient of C, W the inverse weights and D a diagonal that bounds J W J^T + a closely enough for
// Gauss-Seidel to converge (J W J^T + a <= 2 D). What is kept in memory is not lambda but the multiplier and C's
// rest value in one:
//     mu = a lambda - rest,   so that   C + a lambda = strain + mu   and   mu -= a y.
// Theta, the turn of a frame q <- q exp(theta), is in the material frame throughout; w_q is its inverse weight.
//
// To save multiplications frames are kept as Q = sqrt(2) q, which turns a vector by R^T d = d + W t + t x U, t = d x
// U, and the constraints are scaled: stretch by the element's length, bend by 2.
#ifndef CDG_RODS_POBD_PROJECTION_SIMD_H
#define CDG_RODS_POBD_PROJECTION_SIMD_H

#include "math/simd.h"
#include <stdbool.h>

// One vector of elements with their left nodes; lane after lane a run of the rod (see pobd/gauss_seidel_simd.c).
typedef struct slot {
    simd_vec3 x;       // m, left node
    simd_quat q;       // sqrt(2) times unit, but for the last corrections
    simd_vec3 stretch; // m, mu of the element's stretch-shear constraint
    simd_vec3 bend;    // mu of the left node's bend-twist constraint
} slot;

// The same slot, of which the compiler does not know what it has read of it: it reads again rather than put aside.
SIMD_INLINE slot *slot_again(slot *at) {
    __asm__("" : "+r"(at));
    return at;
}

// Inverse weights of the nodes of the elements in a slot.
typedef struct node_weights {
    simd_double left, right;
} node_weights;

// What they and the section make of the stretch constraint's D (below).
typedef struct stretch_gains {
    simd_double x, y;  // 1/D1, 1/D2
    simd_double along; // D3 with g = 0
} stretch_gains;

// What does not change during a solve. A uniform rod has one for all, with its frame weight folded into the rest:
// multipliers are then in units that make w_q = 2 in stretch and w_q/2 = 1 in bend, and the inverse weights of nodes
// are over w_q/2.
typedef struct section {
    simd_double frame_weight;     // w_q; 2 for a uniform rod; with paper stiffness: l^2 w_q
    simd_double half_frame;       // w_q/2, paper: l w_q/2; not for a uniform rod
    simd_vec3 stretch_compliance; // l/S, of the constraint times l; with paper stiffness: the factors
    simd_double length;           // l, m
    simd_double fade;             // 25/l^2: how g falls with the strain
    simd_vec3 bend_gain;          // 1/D (tangent: 1), 0 without a bend-twist constraint; paper: times the factors
    simd_vec3 bend_compliance;    // 4/K, of twice the constraint; tangent: 1/K
    simd_double bend_left;        // w_q/2 (tangent: w_q/4) of the node's left frame; not for a uniform rod
    simd_double bend_right;       // of the right frame
} section;

// Variants of the projections, known at compile time.
typedef struct flavour {
    bool is_uniform, is_tangent, is_angle, is_paper;
    bool has_gains; // stretch_gains are at hand
} flavour;

// r + q (0, t)
SIMD_INLINE simd_quat add_quaternion_product(simd_quat r, simd_quat q, simd_vec3 t) {
    r.w = r.w - q.x * t.x - q.y * t.y - q.z * t.z;
    r.x = r.x + q.w * t.x + q.y * t.z - q.z * t.y;
    r.y = r.y + q.w * t.y + q.z * t.x - q.x * t.z;
    r.z = r.z + q.w * t.z + q.x * t.y - q.y * t.x;
    return r;
}

// r - q (0, t)
SIMD_INLINE simd_quat subtract_quaternion_product(simd_quat r, simd_quat q, simd_vec3 t) {
    r.w = r.w + q.x * t.x + q.y * t.y + q.z * t.z;
    r.x = r.x - q.w * t.x - q.y * t.z + q.z * t.y;
    r.y = r.y - q.w * t.y - q.z * t.x + q.x * t.z;
    r.z = r.z - q.w * t.z - q.x * t.y + q.y * t.x;
    return r;
}

// r + q (s, t)
SIMD_INLINE simd_quat add_whole_product(simd_quat r, simd_quat q, simd_double s, simd_vec3 t) {
    r = (simd_quat){r.w + s * q.w, r.x + s * q.x, r.y + s * q.y, r.z + s * q.z};
    return add_quaternion_product(r, q, t);
}

// r - q (s, t)
SIMD_INLINE simd_quat subtract_whole_product(simd_quat r, simd_quat q, simd_double s, simd_vec3 t) {
    r = (simd_quat){r.w - s * q.w, r.x - s * q.x, r.y - s * q.y, r.z - s * q.z};
    return subtract_quaternion_product(r, q, t);
}

// Im(conj(a) b)
SIMD_INLINE simd_vec3 relative_imaginary(simd_quat a, simd_quat b) {
    return (simd_vec3){a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y, a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z,
                       a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x};
}

// r + Im(conj(a) b)
SIMD_INLINE simd_vec3 add_relative_imaginary(simd_vec3 r, simd_quat a, simd_quat b) {
    return (simd_vec3){r.x + a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                       r.y + a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z,
                       r.z + a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x};
}

// Bends and the last stretch have left Q off its length; without this the element would be brought to a wrong length
// (measured: three times the error after a few iterations). A zero Q stays zero.
SIMD_INLINE simd_double norm2_of(simd_quat q) { return 1e-200 + q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
SIMD_INLINE simd_quat normalise_by(simd_double norm2, simd_quat q) {
    simd_double scale = simd_over_sqrt(1.4142135623730951, norm2);
    return (simd_quat){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}
SIMD_INLINE simd_quat normalise(simd_quat q) { return normalise_by(norm2_of(q), q); }

// Stretch and shear of the elements of slot *s with right nodes *right (eq. 21, 31 in the material frame):
//     e = R(q)^T (x1 - x0)/l,   C = e - e3 - gamma0,   dC/dx1 = -dC/dx0 = R^T/l,   dC/dtheta = [e]x
// since R^T turns by -theta: delta e = e x theta. With ws = (w0 + w1)/l^2
//     J W J^T = ws 1 + w_q (|e|^2 1 - e e^T)
//
// The turn of the frame is w_q [L]x^T y with a lever L instead of e. With L = e the torque balances the moment of the
// node forces and angular momentum is kept; but once an element is stretched by more than a little, tension that is not
// quite along the frame then turns the frame away by more than shear turns it back, and a long hanging chain, which
// Gauss-Seidel leaves stretched, is let fall. The paper's lever is e3 (eq. 35) with one D for all components: then y is
// along C and y x e3 = y x e, and the frame cannot overshoot, as q also grows with the stretch, which normalising takes
// back. So, with g = 1 - 25 |e - e3|^2, at least 0,
//     L = e3 + g (e - e3),   D = ws + a + w_q (1, 1, 1 - g + g (e1^2 + e2^2 + b3^2)),   b = C + a lambda
// and the turn is divided by d/D3, d = D3 + (1 - g) w_q |e3 - 1|: exact at the strains of a converged rod, the paper's
// direction from 20 % on. b3 limits the turn by the tension, g e1 b3/(e1^2 + b3^2) <= 1/2, between held nodes.
//
// What |e3 - 1| is for: a frame that is off by an angle t sees a shear of e3 t, and a turn of w_q e3 t/D takes it back
// e3 w_q/D times too far. With d it is e3 w_q/(D + w_q (e3 - 1)) <= 1, and with what nodes do, (ws + a)/D, less than 2:
// a projection brings b1 and b2 nearer to zero at any stretch. The paper's own limit, |b3|/2, vanishes once tension is
// balanced, and with damping at once, where most of the stretch is in the rest value: an element of ten times its
// length then threw its frame and its nodes about, farther in every iteration and by as much in the shortest step.
//
// All this times l: e = R^T (x1 - x0), C in m, D times l^2. All four divisions are one, by the product D1 D2 D3 d. D1
// and D2 do not change during a solve; where there is room for their inverses (stretch_gains) it is the product D3 d.
//
// Paper stiffness: eq. 37, that is e3 in place of e in the gradient, D = ws + w_q for all components and corrections
// times the factors. q is treated as a free vector of four, hence w_q is four times the paper's and q also grows
// with the stretch, which normalising takes back, after every projection as in the paper. Eq. 37 drops the factor 2
// of eq. 35; it is kept here, without it C is not met.
//
// The projection is in parts, so that a sweep can put other work between them: each waits for the one before, but for
// the last two, which only wait for the solution.
typedef struct stretch_work {
    simd_double norm2;
    simd_quat q;                   // normalised
    simd_vec3 e, b;                // m
    simd_double shear2, longer, g; // e1^2 + e2^2, e3 - l
    simd_vec3 lever;               // m
    simd_vec3 diagonal;            // D
    simd_double turn;              // d
    simd_double inverse;           // 1/(D1 D2 D3 d); paper: 1/D, for all components
    simd_vec3 y;
    simd_double scale; // of the turn
    simd_vec3 half_turn;
} stretch_work;

SIMD_INLINE void measure_stretch(stretch_work *work, const slot *s, const simd_vec3 *right) {
    simd_quat q = work->q;
    simd_vec3 mu = s->stretch, d = {right->x - s->x.x, right->y - s->x.y, right->z - s->x.z}, e;
    simd_vec3 u = {q.x, q.y, q.z}, t = simd_cross(d, u);
    e.x = d.x + q.w * t.x + t.y * u.z - t.z * u.y;
    e.y = d.y + q.w * t.y + t.z * u.x - t.x * u.z;
    e.z = d.z + q.w * t.z + t.x * u.y - t.y * u.x;
    work->e = e;
    work->b = (simd_vec3){e.x + mu.x, e.y + mu.y, e.z + mu.z};
}

SIMD_INLINE void fade_stretch(stretch_work *work, const section *c, flavour f) {
    if (f.is_paper) return;
    simd_vec3 e = work->e;
    work->shear2 = e.x * e.x + e.y * e.y, work->longer = e.z - c->length;
    work->g = simd_max(1 - c->fade * (work->shear2 + work->longer * work->longer), simd_broadcast(0));
}

SIMD_INLINE void weigh_stretch(stretch_work *work, const node_weights *w, const stretch_gains *gains, const section *c,
                               flavour f) {
    if (f.is_paper) return;
    simd_vec3 e = work->e, b = work->b;
    simd_double g = work->g, length2 = c->length * c->length, half_far = c->length - g * c->length, across = {0}, dz;
    if (!f.is_uniform) half_far *= c->half_frame;
    if (f.has_gains) {
        dz = gains->along + c->frame_weight * g * (work->shear2 + b.z * b.z - length2);
    } else {
        across = w->left + w->right + c->frame_weight * length2;
        dz = across + c->stretch_compliance.z + c->frame_weight * g * (work->shear2 + b.z * b.z - length2);
        work->diagonal.x = across + c->stretch_compliance.x, work->diagonal.y = across + c->stretch_compliance.y;
    }
    work->diagonal.z = dz;
    work->turn = dz + half_far * simd_abs(work->longer + work->longer);
    work->lever = (simd_vec3){g * e.x, g * e.y, c->length + g * work->longer};
}

SIMD_INLINE void invert_stretch(stretch_work *work, const node_weights *w, const section *c, flavour f) {
    simd_vec3 d = work->diagonal;
    if (f.is_paper)
        work->inverse = 1 / (w->left + w->right + c->frame_weight);
    else if (f.has_gains)
        work->inverse = simd_near_inverse(d.z * work->turn);
    else
        work->inverse = 1 / ((d.x * d.y) * (d.z * work->turn));
}

SIMD_INLINE void solve_stretch(stretch_work *work, const stretch_gains *gains, const section *c, flavour f) {
    simd_vec3 b = work->b, y;
    if (f.is_paper) {
        simd_vec3 gain = c->stretch_compliance; // the factors
        y = (simd_vec3){gain.x * b.x * work->inverse, gain.y * b.y * work->inverse, gain.z * b.z * work->inverse};
    } else {
        simd_vec3 d = work->diagonal;
        simd_double along = work->inverse;
        if (f.has_gains) {
            y.x = b.x * gains->x, y.y = b.y * gains->y;
        } else {
            simd_double across = work->inverse * (d.z * work->turn);
            along *= d.x * d.y;
            y.x = b.x * (d.y * across), y.y = b.y * (d.x * across);
        }
        y.z = b.z * (work->turn * along);
        work->scale = d.z * (d.z * along);
        if (!f.is_uniform) work->scale *= c->half_frame;
    }
    work->y = y;
}

SIMD_INLINE void find_turn(stretch_work *work, slot *s, const section *c, flavour f) {
    simd_vec3 y = work->y;
    if (f.is_paper) {
        work->half_turn = (simd_vec3){-c->half_frame * y.y, c->half_frame * y.x, {0}};
        return;
    }
    simd_double scale = work->scale;
    simd_vec3 half_turn = simd_cross(work->lever, y);
    work->half_turn = (simd_vec3){scale * half_turn.x, scale * half_turn.y, scale * half_turn.z};
    s->stretch.x -= c->stretch_compliance.x * y.x;
    s->stretch.y -= c->stretch_compliance.y * y.y;
    s->stretch.z -= c->stretch_compliance.z * y.z;
}

SIMD_INLINE void turn_stretched(const stretch_work *work, slot *s, const section *c, flavour f) {
    simd_quat q = work->q, r = q;
    if (f.is_paper) {
        simd_double grow = 1 + c->half_frame * work->y.z;
        r = (simd_quat){q.w * grow, q.x * grow, q.y * grow, q.z * grow};
    }
    r = add_quaternion_product(r, q, work->half_turn);
    s->q = f.is_paper ? normalise(r) : r;
}

SIMD_INLINE void move_stretched(const stretch_work *work, slot *s, simd_vec3 *right, const node_weights *w) {
    simd_quat q = work->q;
    simd_vec3 u = {q.x, q.y, q.z}, x0 = s->x, x1 = *right, y = work->y, t = simd_cross(u, y), force; // force = R y
    force.x = y.x + q.w * t.x + u.y * t.z - u.z * t.y;
    force.y = y.y + q.w * t.y + u.z * t.x - u.x * t.z;
    force.z = y.z + q.w * t.z + u.x * t.y - u.y * t.x;
    s->x = (simd_vec3){x0.x + w->left * force.x, x0.y + w->left * force.y, x0.z + w->left * force.z};
    *right = (simd_vec3){x1.x - w->right * force.x, x1.y - w->right * force.y, x1.z - w->right * force.z};
}

// Bend and twist between frames l and r (eq. 32), strain v = Im(conj(l) r). With p = conj(l) r = (w, v) the gradient
// is J_r = (w 1 + [v]x)/2, J_l = (-w 1 + [v]x)/2 and J J^T = (1 - v v^T)/4 for each, so D = (w_l + w_r)/4 + a. q J^T
// y differs from the other frame times y only along q, which normalising takes back: this is the paper's eq. 40.
// Here with 2 C: strain Im(conj(L) R) = 2 v, D = w_l + w_r + 4 a.
//
// By the angle (frame_angle.h) the strain is f v, f(|w|), and with g = df/dw
//     J_r = (f (w 1 + [v]x) - g v v^T)/2,   J_l = (-f (w 1 - [v]x) + g v v^T)/2.
// Since r (0, v) = w r - l and l (0, v) = r - w l, what g adds is the other frame again, now with a real part: q J^T y
// is, but for what is along q, l (g v.y, f y) for the right and r (-g v.y, f y) for the left frame. J J^T is up to
// f^2/4, at most 2.42/4 at half a turn and below 2/4 up to 160 degrees; y is made less by (9 + 6 w)/15, which keeps J W
// J^T + a <= 2 D throughout.
typedef struct bend_angle {
    simd_double value, slope, share; // f, g/2, (9 + 6 w)/15
} bend_angle;

SIMD_INLINE bend_angle angle_of(simd_double twice_real) {
    simd_double two = simd_broadcast(2), size = simd_abs(twice_real);
    size = simd_select(size < two, size, two); // corrections may have left frames longer than they are to be
    simd_double below = 9 + 3 * size, inverse = simd_near_inverse(below);
    simd_double half_slope = 37.5 * (inverse * inverse);
    return (bend_angle){(14 + 0.5 * size) * inverse, simd_select(twice_real < 0, half_slope, -half_slope),
                        below * (1.0 / 15)};
}

SIMD_INLINE void project_bend_angle(simd_quat *left, slot *s, const section *c, uint32_t off_bits, flavour f) {
    simd_quat l = *left, r = s->q;
    bend_angle angle = angle_of(l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z);
    simd_vec3 mu = s->bend, v = relative_imaginary(l, r), gain = c->bend_gain, y;
    if (f.is_uniform && __builtin_expect(off_bits != 0, 0)) {
        simd_mask mask = simd_mask_without(off_bits);
        gain = (simd_vec3){simd_keep(mask, gain.x), simd_keep(mask, gain.y), simd_keep(mask, gain.z)};
    }
    y = (simd_vec3){(mu.x + angle.value * v.x) * (angle.share * gain.x),
                    (mu.y + angle.value * v.y) * (angle.share * gain.y),
                    (mu.z + angle.value * v.z) * (angle.share * gain.z)};
    s->bend.x = mu.x - c->bend_compliance.x * y.x;
    s->bend.y = mu.y - c->bend_compliance.y * y.y;
    s->bend.z = mu.z - c->bend_compliance.z * y.z;
    simd_double real = angle.slope * (v.x * y.x + v.y * y.y + v.z * y.z), fl = angle.value, fr = angle.value;
    simd_double real_left = -real, real_right = real;
    if (!f.is_uniform) {
        fl *= c->bend_left, real_left *= c->bend_left;
        fr *= c->bend_right, real_right *= c->bend_right;
    }
    *left = add_whole_product(l, r, real_left, (simd_vec3){fl * y.x, fl * y.y, fl * y.z});
    s->q = subtract_whole_product(r, l, real_right, (simd_vec3){fr * y.x, fr * y.y, fr * y.z});
}

SIMD_INLINE void project_bend(simd_quat *left, slot *s, const section *c, uint32_t off_bits, flavour f) {
    simd_quat l = *left, r = s->q;
    simd_vec3 mu = s->bend, b = add_relative_imaginary(mu, l, r), gain = c->bend_gain, y;
    if (f.is_uniform && __builtin_expect(off_bits != 0, 0)) {
        simd_mask mask = simd_mask_without(off_bits);
        gain = (simd_vec3){simd_keep(mask, gain.x), simd_keep(mask, gain.y), simd_keep(mask, gain.z)};
    }
    y = (simd_vec3){b.x * gain.x, b.y * gain.y, b.z * gain.z};
    s->bend.x = mu.x - c->bend_compliance.x * y.x;
    s->bend.y = mu.y - c->bend_compliance.y * y.y;
    s->bend.z = mu.z - c->bend_compliance.z * y.z;
    simd_vec3 yl = y, yr = y;
    if (!f.is_uniform) {
        yl = (simd_vec3){c->bend_left * y.x, c->bend_left * y.y, c->bend_left * y.z};
        yr = (simd_vec3){c->bend_right * y.x, c->bend_right * y.y, c->bend_right * y.z};
    }
    simd_quat new_left = add_quaternion_product(l, r, yl), new_right = subtract_quaternion_product(r, l, yr);
    *left = f.is_paper ? normalise(new_left) : new_left;
    s->q = f.is_paper ? normalise(new_right) : new_right;
}

// The same with the tangent strain psi = v / w (eq. 30, 41):
//     J_r = (1 + [psi]x + psi psi^T)/2,   J_l = (-1 + [psi]x - psi psi^T)/2,   J J^T = (1 + n)(1 + psi psi^T)/4
// with n = |psi|^2, so D = (w_l + w_r)/4 (1 + n)^2 + a. A turn near pi, where psi is infinite, is taken as short of
// it.
SIMD_INLINE void project_bend_tangent(simd_quat *left, slot *s, const section *c, flavour f) {
    simd_quat l = *left, r = s->q;
    simd_vec3 mu = s->bend, v = relative_imaginary(l, r), y;
    simd_double real = l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z;
    simd_double least = simd_select(real < 0, simd_broadcast(-0.02), simd_broadcast(0.02)); // twice w
    simd_double inverse = 1 / simd_select(real * real < 4e-4, least, real);
    simd_vec3 psi = {v.x * inverse, v.y * inverse, v.z * inverse};
    simd_double steep = 1 + psi.x * psi.x + psi.y * psi.y + psi.z * psi.z;
    simd_double stiff = (c->bend_left + c->bend_right) * (steep * steep);
    y.x = c->bend_gain.x * (psi.x + mu.x) / (stiff + c->bend_compliance.x);
    y.y = c->bend_gain.y * (psi.y + mu.y) / (stiff + c->bend_compliance.y);
    y.z = c->bend_gain.z * (psi.z + mu.z) / (stiff + c->bend_compliance.z);
    s->bend.x = mu.x - c->bend_compliance.x * y.x;
    s->bend.y = mu.y - c->bend_compliance.y * y.y;
    s->bend.z = mu.z - c->bend_compliance.z * y.z;
    simd_double along = psi.x * y.x + psi.y * y.y + psi.z * y.z;
    simd_vec3 turned = simd_cross(psi, y);
    simd_vec3 common = {y.x + psi.x * along, y.y + psi.y * along, y.z + psi.z * along};
    simd_vec3 yl = {c->bend_left * (common.x + turned.x), c->bend_left * (common.y + turned.y),
                    c->bend_left * (common.z + turned.z)};
    simd_vec3 yr = {c->bend_right * (common.x - turned.x), c->bend_right * (common.y - turned.y),
                    c->bend_right * (common.z - turned.z)};
    simd_quat new_left = add_quaternion_product(l, l, yl), new_right = subtract_quaternion_product(r, r, yr);
    *left = f.is_paper ? normalise(new_left) : new_left;
    s->q = f.is_paper ? normalise(new_right) : new_right;
}

#endif
