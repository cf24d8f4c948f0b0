// Discrete Lagrange equations of the constraint-free rod (Spillmann and Teschner, Cosserat Nets, appendix II, eq. 38 to
// 41) by a midpoint rule that does not see rigid motions.
//
// The middle of a step is x_m = (x0 + x1)/2 with frames F_m = P(t0 -> t_m) F0 R3(roll/2); since e_m lies in the plane
// of e0 and e1, P(t_m -> t1) P(t0 -> t_m) = P(t0 -> t1) and the rule is symmetric in time. With the variations
// (de, dpsi), dpsi the turn about the tangent, the smallest rotation contributes (holonomy)
//   d roll = dpsi1 - dpsi0 - a_01.(dt0 + dt1),   a_xy = (t_y x t_x)/(1 + t_x.t_y)
//   dpsi_m = (dpsi0 + dpsi1)/2 + (a_0m.(dt0 + dt_m) - a_m1.(dt_m + dt1))/2.
// The action over the step varies by A_e.de_m + A_psi dpsi_m + B_e.d(e1 - e0) + B_roll d roll; what stands at de0 and
// dpsi0 is minus the momentum at the start, what stands at de1 and dpsi1 that at the end. Both maps commute with
// rigid motions, so momentum is conserved to rounding. Stress is the mean of the stresses at both ends of the step, not
// that of the middle shape, which is shorter whenever the rod turns; stretching then conserves energy exactly.
//
// A step that settles has all of A at the start, so that the velocity at the end is that of the step itself, as in
// implicit Euler: with a half of A at the end, whatever stops a node in a step sends it back in the next.
#include "rods/reference/terms.h"

#include <string.h>

// ---- one element's motion over the step -----------------------------------------------------------------------------

typedef struct reference_path_duals path;

// (to x from)/(1 + from.to)
static dual_vec3 holonomy(const dual_vec3 *from, const dual_vec3 *to) {
    dual_vec3 c = dual_vec3_cross(to, from);
    return dual_vec3_mul(dual_inverse(dual_shift(dual_vec3_dot(from, to), 1)), &c);
}

// P(from -> to) frame
static dual_quat carry(cdg_vec3 from, const dual_vec3 *to, cdg_quat frame) {
    dual_vec3 a = dual_vec3_constant(from), c = dual_vec3_cross(&a, to);
    dual w = dual_shift(dual_vec3_dot(&a, to), 1), scale = dual_inverse(dual_sqrt(dual_scale(2, w)));
    dual_quat p = {dual_mul(scale, w), dual_mul(scale, c.x), dual_mul(scale, c.y), dual_mul(scale, c.z)};
    return dual_quat_multiply_constant(&p, frame);
}

void reference_path_make(const reference_motion *m, reference_path *out) {
    path *p = &out->of;
    dual_vec3 edge1 = {dual_variable(m->edge1.x, 0), dual_variable(m->edge1.y, 1), dual_variable(m->edge1.z, 2)};
    dual_vec3 edge0 = dual_vec3_constant(m->edge0);
    p->roll = dual_variable(m->roll, 3);
    out->frame0 = m->frame0;
    out->length0 = vec3_norm(m->edge0);
    cdg_vec3 t0 = vec3_scale(1 / out->length0, m->edge0);
    dual_vec3 tangent0 = dual_vec3_constant(t0);
    p->change = dual_vec3_sub(&edge1, &edge0);
    p->edge_m = dual_vec3_add(&edge1, &edge0);
    p->edge_m = dual_vec3_scale(0.5, &p->edge_m);
    p->length1 = dual_sqrt(dual_vec3_dot(&edge1, &edge1));
    p->length_m = dual_sqrt(dual_vec3_dot(&p->edge_m, &p->edge_m));
    dual_vec3 tangent1 = dual_vec3_mul(dual_inverse(p->length1), &edge1);
    p->tangent_m = dual_vec3_mul(dual_inverse(p->length_m), &p->edge_m);
    dual_quat carried = carry(t0, &p->tangent_m, m->frame0);
    p->frame_m = dual_quat_roll(&carried, dual_scale(0.25, p->roll));
    carried = carry(t0, &tangent1, m->frame0);
    p->frame1 = dual_quat_roll(&carried, dual_scale(0.5, p->roll));
    p->d1 = dual_quat_d1(&p->frame_m);
    p->d2 = dual_quat_d2(&p->frame_m);
    p->a_01 = holonomy(&tangent0, &tangent1);
    p->a_0m = holonomy(&tangent0, &p->tangent_m);
    p->a_m1 = holonomy(&p->tangent_m, &tangent1);
}

// The same path with its variables numbered from 4: the right of two elements.
static void renumber(const reference_path *from, reference_path *to) {
    enum { COUNT = sizeof(path) / sizeof(dual) };
    _Static_assert(sizeof(path) == COUNT * sizeof(dual), "nothing but dual numbers");
    dual values[COUNT];
    memcpy(values, &from->of, sizeof values);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 4; k++) values[i].by[4 + k] = values[i].by[k], values[i].by[k] = 0;
    *to = *from;
    memcpy(&to->of, values, sizeof values);
}

// How the action varies with an element's middle and with its change over the step.
typedef struct variation {
    dual_vec3 by_edge;
    dual by_turn; // dpsi_m
    dual_vec3 by_change;
    dual by_roll;
} variation;

static void store(const dual_vec3 *edge, dual roll, double out[4], double (*by)[8]) {
    const dual *values[4] = {&edge->x, &edge->y, &edge->z, &roll};
    for (int k = 0; k < 4; k++) {
        out[k] = values[k]->value;
        if (by == NULL) continue;
        for (int v = 0; v < DUAL_COUNT; v++) by[k][v] = values[k]->by[v];
    }
}

// The momenta at both ends of the step, into rows first_row to first_row + 3. a_xy is normal to t_x and t_y, so
// a.dt = a.de/|e|. `late`: the share of A that stands at the end; what is not there stands at the start.
static void pull_back(const reference_path *whole, const variation *v, double late, int first_row,
                      reference_term *out) {
    const path *p = &whole->of;
    dual inverse1 = dual_inverse(p->length1);
    dual_vec3 middle = dual_vec3_sub(&p->a_0m, &p->a_m1);
    middle = dual_vec3_mul(dual_mul(v->by_turn, dual_scale(0.5, dual_inverse(p->length_m))), &middle);
    dual_vec3 by_edge = dual_vec3_add(&v->by_edge, &middle);

    dual early_turn = dual_scale(1 - late, v->by_turn), late_turn = dual_scale(late, v->by_turn);
    dual_vec3 edge = dual_vec3_mad(&v->by_change, dual_constant(late - 1), &by_edge);
    edge = dual_vec3_mad(&edge, dual_scale(1 / whole->length0, v->by_roll), &p->a_01);
    edge = dual_vec3_mad(&edge, dual_scale(-1 / whole->length0, early_turn), &p->a_0m);
    store(&edge, dual_sub(v->by_roll, early_turn), out->start + first_row, out->start_by + first_row);

    edge = dual_vec3_mad(&v->by_change, dual_constant(late), &by_edge);
    edge = dual_vec3_mad(&edge, dual_negate(dual_mul(v->by_roll, inverse1)), &p->a_01);
    edge = dual_vec3_mad(&edge, dual_negate(dual_mul(late_turn, inverse1)), &p->a_m1);
    store(&edge, dual_add(v->by_roll, late_turn), out->end + first_row, NULL);
}

// ---- an element -----------------------------------------------------------------------------------------------------

void reference_element_term(const reference_element *element, const reference_path *whole, reference_term *out) {
    const path *p = &whole->of;
    double h = element->step;
    dual inverse = dual_inverse(p->length_m);

    // Spin in the material frame, from the rate of the edge: w1 = -d2.t', w2 = d1.t', w3 = roll/h.
    dual_vec3 rate = dual_vec3_scale(1 / h, &p->change);
    dual along = dual_vec3_dot(&p->tangent_m, &rate), across1 = dual_vec3_dot(&p->d1, &rate),
         across2 = dual_vec3_dot(&p->d2, &rate);
    dual w1 = dual_negate(dual_mul(across2, inverse)), w2 = dual_mul(across1, inverse), w3 = dual_scale(1 / h, p->roll);
    dual l1 = dual_scale(element->inertia[0], w1), l2 = dual_scale(element->inertia[1], w2),
         l3 = dual_scale(element->inertia[2], w3);

    // B: momenta by the rates.
    variation v;
    dual_vec3 turned = dual_vec3_mul(l2, &p->d1);
    turned = dual_vec3_mad(&turned, dual_negate(l1), &p->d2);
    v.by_change = dual_vec3_mul(inverse, &turned);
    v.by_roll = l3;

    // A: Coriolis terms, from T's dependence on the frame: dw1/de = ((t.e') d2 + (d2.e') t)/|e|^2, dw2/de = -((t.e') d1
    // + (d1.e') t)/|e|^2, dw1/dpsi = w2, dw2/dpsi = -w1.
    dual inverse_square = dual_mul(inverse, inverse);
    dual_vec3 coriolis = dual_vec3_mul(dual_negate(along), &turned);
    coriolis = dual_vec3_mad(&coriolis, dual_sub(dual_mul(l1, across2), dual_mul(l2, across1)), &p->tangent_m);
    v.by_edge = dual_vec3_mul(dual_scale(h, inverse_square), &coriolis);
    v.by_turn = dual_scale(h, dual_sub(dual_mul(l1, w2), dual_mul(l2, w1)));

    // Stretch: stress times the discrete derivative of the length, e_m/((|e0| + |e1|)/2), whose product with the change
    // is |e1| - |e0| exactly.
    double strain0 = whole->length0 / element->rest_length - 1;
    dual strain1 = dual_shift(dual_scale(1 / element->rest_length, p->length1), -1);
    dual strain = dual_shift(dual_scale(element->weight[1], strain1), element->weight[0] * strain0);
    dual mean_length = dual_scale(0.5, dual_shift(p->length1, whole->length0));
    dual tension = dual_scale(-h * element->stretch_stiffness, dual_mul(strain, dual_inverse(mean_length)));
    v.by_edge = dual_vec3_mad(&v.by_edge, tension, &p->edge_m);

    // Drag takes the share rate * step of the momentum.
    v.by_edge = dual_vec3_mad(&v.by_edge, dual_constant(-h * element->drag_rate), &v.by_change);
    v.by_turn = dual_sub(v.by_turn, dual_scale(h * element->drag_rate, v.by_roll));

    // An outer moment, fixed in the world over the step: its part across the tangent is a couple on the two nodes.
    if (element->moment.x != 0 || element->moment.y != 0 || element->moment.z != 0) {
        dual_vec3 moment = dual_vec3_constant(vec3_scale(h, element->moment));
        dual_vec3 couple = dual_vec3_cross(&moment, &p->tangent_m);
        v.by_edge = dual_vec3_mad(&v.by_edge, inverse, &couple);
        v.by_turn = dual_add(v.by_turn, dual_vec3_dot(&moment, &p->tangent_m));
    }
    pull_back(whole, &v, element->late, 0, out);
}

// ---- a bend-twist spring --------------------------------------------------------------------------------------------

// With the turn (w, v) between the frames, u = |v|^2 and alpha half its angle: ratio = alpha/|v| and
// curve = (1 - alpha cot alpha)/u, with derivatives. Both are smooth at zero, where series in u replace them:
// ratio/w = sum s_k u^k, s_0 = 1, s_(k+1) = s_k (2k + 2)/(2k + 3), and from it alpha cot alpha = (1 - u) ratio/w.
typedef struct turn_functions {
    dual ratio, curve;
} turn_functions;

static turn_functions functions_of_turn(dual w, dual u) {
    enum { SERIES_TERMS = 14 }; // 0.05^14: below rounding
    turn_functions f;
    if (u.value > 0.05 || w.value < 0) {
        double norm = w.value * w.value + u.value, n = sqrt(u.value), ratio = atan2(n, w.value) / n;
        f.ratio = dual_chain2(w, u, ratio, -1 / norm, (w.value / norm - ratio) / (2 * u.value));
        f.curve = dual_mul(dual_sub(dual_constant(1), dual_mul(f.ratio, w)), dual_inverse(u));
        return f;
    }
    // w = sqrt(1 - u) on unit quaternions
    double s = 1, power = 1, sum = 0, slope = 0, curve = 0, curve_slope = 0;
    for (int k = 0; k < SERIES_TERMS; k++) {
        double curve_k = s / (2 * k + 3);
        sum += s * power;
        curve += curve_k * power;
        double next = s * (2 * k + 2) / (2 * k + 3);
        slope += (k + 1) * next * power;
        curve_slope += (k + 1) * next / (2 * k + 5) * power;
        s = next;
        power *= u.value;
    }
    f.ratio = dual_mul(w, dual_chain(u, sum, slope));
    f.curve = dual_chain(u, curve, curve_slope);
    return f;
}

static dual_quat relative(const dual_quat *left, const dual_quat *right, cdg_quat rest) {
    dual_quat a = dual_quat_conjugate(left), turn = dual_quat_multiply(&a, right);
    return quat_dot(dual_quat_value(&turn), rest) < 0 ? dual_quat_negate(&turn) : turn;
}

// Half the turn, c. By sine: v. By angle: alpha v/|v|. Of a roll by angle: atan(v3/w), the turn about d3 that is left
// when the smallest rotation has aligned the tangents.
static dual_vec3 half_turn(const reference_spring *spring, const dual_quat *turn) {
    dual_vec3 v = dual_quat_imaginary(turn);
    if (!spring->is_angle) return v;
    dual zero = dual_constant(0);
    if (spring->is_roll) return (dual_vec3){zero, zero, dual_atan2(turn->z, turn->w)};
    return dual_vec3_mul(functions_of_turn(turn->w, dual_vec3_dot(&v, &v)).ratio, &v);
}

cdg_vec3 reference_half_turn(const reference_spring *spring, cdg_quat turn) {
    if (quat_dot(turn, spring->rest) < 0) turn = quat_negate(turn);
    dual_quat constant = dual_quat_constant(turn);
    dual_vec3 half = half_turn(spring, &constant);
    return dual_vec3_value(&half);
}

// dc = B+ theta_right - B- theta_left for turns theta of the frames in material axes, with B± = (S ± K)/2
//   sine:  S = w, K = [v]x
//   angle: S = 1 + curve [v]x^2, K = [c]x: the inverse derivative of exp
static dual_vec3 apply(const reference_spring *spring, const dual_quat *turn, const dual_vec3 *u, double sign) {
    dual_vec3 v = dual_quat_imaginary(turn), once = dual_vec3_cross(&v, u), symmetric, skew;
    if (spring->is_angle) {
        turn_functions f = functions_of_turn(turn->w, dual_vec3_dot(&v, &v));
        dual_vec3 twice = dual_vec3_cross(&v, &once);
        skew = dual_vec3_mul(f.ratio, &once);
        symmetric = dual_vec3_mad(u, f.curve, &twice);
    } else {
        skew = once;
        symmetric = dual_vec3_mul(turn->w, u);
    }
    dual_vec3 sum = dual_vec3_mad(&symmetric, dual_constant(sign), &skew);
    return dual_vec3_scale(0.5, &sum);
}

// The roll by angle, c3 = atan(v3/w): dc3 = n+.theta_right - n-.theta_left with n = w^2 + v3^2 and
// n± = (v3 v1 ∓ w v2, v3 v2 ± w v1, n)/(2 n)
static dual_vec3 roll_direction(const dual_quat *turn, double sign) {
    dual norm = dual_add(dual_mul(turn->w, turn->w), dual_mul(turn->z, turn->z));
    dual w = dual_scale(sign, turn->w);
    dual_vec3 n = {dual_sub(dual_mul(turn->z, turn->x), dual_mul(w, turn->y)),
                   dual_add(dual_mul(turn->z, turn->y), dual_mul(w, turn->x)), norm};
    return dual_vec3_mul(dual_scale(0.5, dual_inverse(norm)), &n);
}

// Change of c over the step by its derivative in the middle: what the stress works on.
static dual_vec3 change_by_derivative(const reference_spring *spring, const dual_quat *turn, const dual_vec3 *left,
                                      const dual_vec3 *right) {
    if (spring->is_roll && spring->is_angle) {
        dual_vec3 on_left = roll_direction(turn, -1), on_right = roll_direction(turn, 1);
        dual zero = dual_constant(0);
        return (dual_vec3){zero, zero, dual_sub(dual_vec3_dot(&on_right, right), dual_vec3_dot(&on_left, left))};
    }
    dual_vec3 by_right = apply(spring, turn, right, 1), by_left = apply(spring, turn, left, -1);
    return dual_vec3_sub(&by_right, &by_left);
}

// What stress mu = dE/dc exerts on the left and right frame, material axes: the transposed of the above.
static void moments(const reference_spring *spring, const dual_quat *turn, const dual_vec3 *mu, dual_vec3 *left,
                    dual_vec3 *right) {
    if (spring->is_roll && spring->is_angle) {
        *right = roll_direction(turn, 1);
        *left = roll_direction(turn, -1);
        *right = dual_vec3_mul(mu->z, right);
        *left = dual_vec3_mul(mu->z, left);
    } else {
        *right = apply(spring, turn, mu, -1);
        *left = apply(spring, turn, mu, 1);
    }
    *left = dual_vec3_scale(-1, left);
}

// The stress changed so little that its work over the step is exactly the change of energy (a discrete gradient after
// Gonzalez 1996): with g the change of c by derivative and c1 - c0 the true one, mu + g (c1 - c0 - g).mu/(g.g). Without
// it, long steps feed energy into short waves. Being a sum of strains' derivatives, the correction leaves momentum
// alone. A rigid turn by theta a step has g of the order of theta^3 although c1 = c0; `size` = theta^2 keeps the
// quotient small there, and 1e-11, below which the correction is nothing, where c1 - c0 is rounding.
static dual_vec3 conserve(const dual_vec3 *mu, const dual_vec3 *change, const dual_vec3 *g, dual size) {
    dual_vec3 miss = dual_vec3_sub(change, g);
    dual cube = dual_mul(size, dual_mul(size, size));
    dual norm = dual_shift(dual_add(dual_vec3_dot(g, g), cube), 1e-11);
    return dual_vec3_mad(mu, dual_mul(dual_vec3_dot(&miss, mu), dual_inverse(norm)), g);
}

// The spring's moment (dE/dtheta, material axes) as forces on an element's middle.
static void push(const reference_spring *spring, const reference_path *whole, const dual_vec3 *moment, int first_row,
                 reference_term *out) {
    const path *p = &whole->of;
    dual zero = dual_constant(0);
    variation v = {.by_change = {zero, zero, zero}, .by_roll = zero};
    dual_vec3 edge = dual_vec3_mul(moment->y, &p->d1);
    edge = dual_vec3_mad(&edge, dual_negate(moment->x), &p->d2);
    v.by_edge = dual_vec3_mul(dual_scale(-spring->step, dual_inverse(p->length_m)), &edge);
    v.by_turn = dual_scale(-spring->step, moment->z);
    pull_back(whole, &v, spring->late, first_row, out);
}

// The frame's turn over the step in the material axes of its middle.
static dual_vec3 turn_of(const path *p) {
    dual inverse = dual_inverse(p->length_m);
    return (dual_vec3){dual_negate(dual_mul(inverse, dual_vec3_dot(&p->d2, &p->change))),
                       dual_mul(inverse, dual_vec3_dot(&p->d1, &p->change)), p->roll};
}

static cdg_vec3 torque_of(const reference_path *p, const dual_vec3 *moment) { // on the element, world axes
    return vec3_scale(-1, quat_rotate(dual_quat_value(&p->of.frame_m), dual_vec3_value(moment)));
}

void reference_spring_term(const reference_spring *spring, const reference_path *left, const reference_path *right,
                           reference_term *out) {
    reference_path renumbered;
    if (left != NULL && right != NULL) {
        renumber(right, &renumbered);
        right = &renumbered;
    }
    // half of the turn from the held section's start to its end
    cdg_quat held_turn = quat_relative(spring->held[0], spring->held[1]);
    cdg_quat held_m = quat_multiply(spring->held[0], quat_power(held_turn, 0.5));
    dual_vec3 turns[2] = {dual_vec3_constant(quat_log(held_turn)), dual_vec3_constant(quat_log(held_turn))};
    dual_quat middle[2] = {dual_quat_constant(held_m), dual_quat_constant(held_m)};
    dual_quat end[2] = {dual_quat_constant(spring->held[1]), dual_quat_constant(spring->held[1])};
    cdg_quat start[2] = {spring->held[0], spring->held[0]};
    const reference_path *sides[2] = {left, right};
    for (int i = 0; i < 2; i++) {
        if (sides[i] == NULL) continue;
        start[i] = sides[i]->frame0;
        middle[i] = sides[i]->of.frame_m;
        end[i] = sides[i]->of.frame1;
        turns[i] = turn_of(&sides[i]->of);
    }
    cdg_vec3 half0 = reference_half_turn(spring, quat_relative(start[0], start[1]));
    cdg_vec3 rest = reference_half_turn(spring, spring->rest);
    dual_quat turn_m = relative(&middle[0], &middle[1], spring->rest), turn1 = relative(&end[0], &end[1], spring->rest);
    dual_vec3 half1 = half_turn(spring, &turn1);
    const double *k = spring->stiffness, (*w)[2] = spring->weight;
    dual_vec3 mu = {
        dual_scale(k[0], dual_shift(dual_scale(w[0][1], half1.x), w[0][0] * half0.x - rest.x)),
        dual_scale(k[1], dual_shift(dual_scale(w[1][1], half1.y), w[1][0] * half0.y - rest.y)),
        dual_scale(k[2], dual_shift(dual_scale(w[2][1], half1.z), w[2][0] * half0.z - rest.z)),
    };
    dual_vec3 change = {dual_shift(half1.x, -half0.x), dual_shift(half1.y, -half0.y), dual_shift(half1.z, -half0.z)};
    dual_vec3 g = change_by_derivative(spring, &turn_m, &turns[0], &turns[1]);
    mu = conserve(&mu, &change, &g, dual_add(dual_vec3_dot(&turns[0], &turns[0]), dual_vec3_dot(&turns[1], &turns[1])));
    dual_vec3 on_left, on_right;
    moments(spring, &turn_m, &mu, &on_left, &on_right);
    if (left != NULL) push(spring, left, &on_left, 0, out);
    if (right != NULL) push(spring, right, &on_right, left != NULL ? 4 : 0, out);
    out->moment = vec3(0, 0, 0);
    if (left == NULL) out->moment = torque_of(right, &on_right);
    if (right == NULL) out->moment = torque_of(left, &on_left);
}

cdg_quat reference_end_frame(const reference_motion *motion) {
    cdg_vec3 from = vec3_normalize(motion->edge0), to = vec3_normalize(motion->edge1);
    cdg_quat carried = quat_multiply(quat_between(from, to), motion->frame0);
    return quat_normalize(quat_multiply(carried, quat_exp(vec3(0, 0, motion->roll))));
}
