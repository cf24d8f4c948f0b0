// The terms of the pobd objective (pobd/problem.h) with first and second derivatives, for one element or node, or for
// as many as REAL has lanes. Included with REAL, BLOCK(name), and after math/block3_template.h; BLOCK(load)(array,
// index, stride) and BLOCK(select_less)(a, b, x, y) = a < b ? x : y must exist.
//
// Derivatives are with respect to dx and theta, q <- q exp(theta). Second derivatives are exact, or (is_exact false)
// the positive semidefinite part that the fall-back of Newton's method needs.

#define VECTOR BLOCK(vector)
#define MATRIX BLOCK(matrix)
#define SYMMETRIC BLOCK(symmetric)

typedef struct BLOCK(rotation) {
    REAL w, x, y, z;
} BLOCK(rotation);

typedef struct BLOCK(stretch_term) {
    REAL energy;
    VECTOR force;      // by the end node: R n; by the start node: its negative
    VECTOR moment;     // by theta
    SYMMETRIC spring;  // M: second derivative by d = dx_end - dx_start, twice
    MATRIX coupling;   // C: by d (rows) and theta (columns)
    SYMMETRIC turning; // by theta, twice
} BLOCK(stretch_term);

typedef struct BLOCK(bend_term) {
    REAL energy;
    VECTOR left, right; // by theta of the left and of the right element
    SYMMETRIC left_left, right_right;
    MATRIX left_right;
} BLOCK(bend_term);

typedef struct BLOCK(spin_term) {
    REAL energy;
    VECTOR moment;
    SYMMETRIC turning;
} BLOCK(spin_term);

BLOCK_INLINE REAL BLOCK(smaller)(REAL a, REAL b) { return BLOCK(select_less)(a, b, a, b); }
BLOCK_INLINE REAL BLOCK(larger)(REAL a, REAL b) { return BLOCK(select_less)(a, b, b, a); }

BLOCK_INLINE MATRIX BLOCK(rotation_matrix)(BLOCK(rotation) q) {
    REAL x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    return (MATRIX){1.0 - (q.y * y2 + q.z * z2), q.x * y2 - q.w * z2,         q.x * z2 + q.w * y2,
                    q.x * y2 + q.w * z2,         1.0 - (q.x * x2 + q.z * z2), q.y * z2 - q.w * x2,
                    q.x * z2 - q.w * y2,         q.y * z2 + q.w * x2,         1.0 - (q.x * x2 + q.y * y2)};
}
BLOCK_INLINE BLOCK(rotation) BLOCK(relative)(BLOCK(rotation) a, BLOCK(rotation) b) { // conj(a) b
    return (BLOCK(rotation)){
        a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
        a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

// E = 1/2 l Gamma^T S Gamma, Gamma = e - e3 - gamma0, e = R^T d/l (paper eq. 21, 31); n = S Gamma.
//   dE/d(d) = R n, dE/dtheta = l n x e
//   d2E: d d: R S R^T/l;  d theta: R (S [e]x - [n]x);  theta theta: l ([e]x^T S [e]x + (n e^T + e n^T)/2 - (n.e) I)
// Semidefinite form: n in the second derivatives is replaced by kappa e with 0 <= kappa <= min S, which leaves
// [S/l, (S - kappa)[e]x; ., l [e]x^T (S - kappa) [e]x], whose Schur complement l [e]x^T kappa (1 - kappa/S) [e]x is not
// negative. Tension's stiffening is kept; compression's softening, which makes rods buckle, is dropped.
BLOCK_INLINE BLOCK(stretch_term) BLOCK(stretch)(VECTOR d, REAL inverse_length, REAL length, BLOCK(rotation) q, VECTOR s,
                                                VECTOR rest_strain, bool is_exact) {
    BLOCK(stretch_term) t;
    MATRIX r = BLOCK(rotation_matrix)(q);
    VECTOR e = BLOCK(scale)(inverse_length, BLOCK(apply_transposed)(r, d));
    VECTOR strain = BLOCK(subtract)(e, rest_strain);
    strain.z = strain.z - 1.0;
    VECTOR n = BLOCK(multiply_each)(s, strain);
    t.energy = 0.5 * length * BLOCK(dot)(strain, n);
    t.force = BLOCK(apply)(r, n);
    t.moment = BLOCK(scale)(length, BLOCK(cross)(n, e));

    const REAL zero = {0};
    VECTOR g = n;
    if (!is_exact) {
        REAL limit = BLOCK(smaller)(BLOCK(smaller)(s.x, s.y), s.z);
        REAL square = BLOCK(dot)(e, e);
        REAL tension = BLOCK(larger)(BLOCK(dot)(n, e), zero);
        // kappa = min(tension / e^2, limit) without dividing by a collapsed element's zero
        REAL kappa = BLOCK(select_less)(tension, limit * square, tension / BLOCK(larger)(square, zero + 1e-300), limit);
        g = BLOCK(scale)(kappa, e);
    }
    VECTOR s_over_length = BLOCK(scale)(inverse_length, s);
    t.spring = BLOCK(multiply_to_symmetric)(BLOCK(scale_columns)(r, s_over_length), BLOCK(transpose)(r));
    MATRIX b = {zero, g.z - s.x * e.z, s.x * e.y - g.y, s.y * e.z - g.z,
                zero, g.x - s.y * e.x, g.y - s.z * e.y, s.z * e.x - g.x,
                zero};
    // r b without the products by b's zero diagonal
    t.coupling = (MATRIX){r.xy * b.yx + r.xz * b.zx, r.xx * b.xy + r.xz * b.zy, r.xx * b.xz + r.xy * b.yz,
                          r.yy * b.yx + r.yz * b.zx, r.yx * b.xy + r.yz * b.zy, r.yx * b.xz + r.yy * b.yz,
                          r.zy * b.yx + r.zz * b.zx, r.zx * b.xy + r.zz * b.zy, r.zx * b.xz + r.zy * b.yz};
    REAL half = 0.5 * length;
    t.turning = (SYMMETRIC){
        length * ((s.y * e.z - g.z) * e.z + (s.z * e.y - g.y) * e.y),
        half * (g.x * e.y + g.y * e.x) - length * s.z * e.x * e.y,
        half * (g.x * e.z + g.z * e.x) - length * s.y * e.x * e.z,
        length * ((s.x * e.z - g.z) * e.z + (s.z * e.x - g.x) * e.x),
        half * (g.y * e.z + g.z * e.y) - length * s.x * e.y * e.z,
        length * ((s.x * e.y - g.y) * e.y + (s.y * e.x - g.x) * e.x),
    };
    return t;
}

// frame_angle.h: f of |w|, with its first and second derivative by w.
typedef struct BLOCK(angle_terms) {
    REAL value, slope, curvature;
} BLOCK(angle_terms);

BLOCK_INLINE BLOCK(angle_terms) BLOCK(angle_of)(REAL w) {
    const REAL zero = {0};
    REAL size = BLOCK(larger)(w, zero - w), inverse = 1.0 / (6.0 * size + 9.0), square = inverse * inverse;
    REAL slope = -75.0 * square;
    return (BLOCK(angle_terms)){(size + 14.0) * inverse, BLOCK(select_less)(w, zero, zero - slope, slope),
                                900.0 * (square * inverse)};
}

// E = 1/2 C^T diag(K) C. With p = conj(q_left) q_right = (w, v) and m = K C:
//   sine (eq. 29, 32):     C = v - s v0,        A = w I + [v]x
//   tangent (eq. 30, 41):  C = c - v0/w0, c = v/w,  A = I + [c]x + c c^T
//   angle (frame_angle.h):  C = f v - s f0 v0,   A = f (w I + [v]x) - g v v^T, g = df/dw
// dC = 1/2 A theta_right - 1/2 A^T theta_left, so the gradients are A^T m/2 and -A m/2, and the semidefinite second
// derivatives A^T K A/4, A K A^T/4 and -A K A/4. The exact ones add, with everything symmetrised that stands on the
// diagonal,
//   sine:     right, left: -(m.v)/4 I;   left-right: (m v^T + v m^T + w [m]x - (m.v) I)/4
//   tangent:  right: ([m]x + (c.m) + c m^T) A/4;  left: -([m]x - (c.m) - c m^T) A^T/4;
//             left-right: ([m]x - (c.m) - c m^T) A/4
//   angle:    with A0 = w I + [v]x, h = dg/dw, t = m.v, all over 4,
//             right: h t v v^T - 2 g v (A0^T m)^T - (g w + f) t I;  left: the same with A0 m
//             left-right: f times that of the sine + g t A0 + g (v (A0^T m)^T + (A0 m) v^T) - h t v v^T
// The exact second derivatives of the angle measure beyond A^T K A/4: adds those of one side to `t`, and returns that
// of both, of which `geometric` is the sine's. mq is m/4, product mq.v.
BLOCK_INLINE MATRIX BLOCK(curve_by_angle)(REAL w, VECTOR v, VECTOR mq, REAL product, BLOCK(angle_terms) by,
                                          MATRIX geometric, BLOCK(bend_term) * t) {
    VECTOR turned = BLOCK(cross)(v, mq), straight = BLOCK(scale)(w, mq);
    VECTOR left = BLOCK(add)(straight, turned), right = BLOCK(subtract)(straight, turned); // A0 m, A0^T m, over 4
    REAL bulge = by.curvature * product, level = -((by.slope * w + by.value) * product), g = by.slope;
    SYMMETRIC both = {bulge * v.x * v.x, bulge * v.x * v.y, bulge * v.x * v.z,
                      bulge * v.y * v.y, bulge * v.y * v.z, bulge * v.z * v.z};
    SYMMETRIC on_right = {2.0 * v.x * right.x, v.x * right.y + v.y * right.x, v.x * right.z + v.z * right.x,
                          2.0 * v.y * right.y, v.y * right.z + v.z * right.y, 2.0 * v.z * right.z};
    SYMMETRIC on_left = {2.0 * v.x * left.x, v.x * left.y + v.y * left.x, v.x * left.z + v.z * left.x,
                         2.0 * v.y * left.y, v.y * left.z + v.z * left.y, 2.0 * v.z * left.z};
    both = BLOCK(add_diagonal)(both, level);
    t->right_right =
        BLOCK(add_symmetric)(t->right_right, BLOCK(subtract_symmetric)(both, BLOCK(scale_symmetric)(g, on_right)));
    t->left_left =
        BLOCK(add_symmetric)(t->left_left, BLOCK(subtract_symmetric)(both, BLOCK(scale_symmetric)(g, on_left)));
    VECTOR gv = BLOCK(scale)(g, v), bv = BLOCK(scale)(bulge, v);
    MATRIX extra = BLOCK(cross_matrix)(BLOCK(scale)(product, gv), product * g * w);
    return (MATRIX){by.value * geometric.xx + extra.xx + gv.x * right.x + left.x * gv.x - bv.x * v.x,
                    by.value * geometric.xy + extra.xy + gv.x * right.y + left.x * gv.y - bv.x * v.y,
                    by.value * geometric.xz + extra.xz + gv.x * right.z + left.x * gv.z - bv.x * v.z,
                    by.value * geometric.yx + extra.yx + gv.y * right.x + left.y * gv.x - bv.y * v.x,
                    by.value * geometric.yy + extra.yy + gv.y * right.y + left.y * gv.y - bv.y * v.y,
                    by.value * geometric.yz + extra.yz + gv.y * right.z + left.y * gv.z - bv.y * v.z,
                    by.value * geometric.zx + extra.zx + gv.z * right.x + left.z * gv.x - bv.z * v.x,
                    by.value * geometric.zy + extra.zy + gv.z * right.y + left.z * gv.y - bv.z * v.y,
                    by.value * geometric.zz + extra.zz + gv.z * right.z + left.z * gv.z - bv.z * v.z};
}

BLOCK_INLINE BLOCK(bend_term)
    BLOCK(bend)(BLOCK(rotation) p, BLOCK(rotation) rest, VECTOR k, cdg_pobd_darboux measure, bool is_exact) {
    const REAL zero = {0};
    BLOCK(bend_term) t;
    VECTOR v = {p.x, p.y, p.z}, v0 = {rest.x, rest.y, rest.z};
    MATRIX a;
    BLOCK(angle_terms) by_angle = {zero, zero, zero};
    if (measure == CDG_POBD_TANGENT) {
        // half a turn has no tangent: keep off it by an angle of 2e-8, which only bounds the numbers
        const REAL least = zero + 1e-8;
        REAL w = BLOCK(select_less)(p.w, zero, BLOCK(smaller)(p.w, -least), BLOCK(larger)(p.w, least));
        REAL w0 = BLOCK(select_less)(rest.w, zero, BLOCK(smaller)(rest.w, -least), BLOCK(larger)(rest.w, least));
        v = BLOCK(scale)(1.0 / w, v);
        v0 = BLOCK(scale)(1.0 / w0, v0);
        a = BLOCK(cross_matrix)(v, zero + 1.0);
        a.xx = a.xx + v.x * v.x, a.xy = a.xy + v.x * v.y, a.xz = a.xz + v.x * v.z;
        a.yx = a.yx + v.y * v.x, a.yy = a.yy + v.y * v.y, a.yz = a.yz + v.y * v.z;
        a.zx = a.zx + v.z * v.x, a.zy = a.zy + v.z * v.y, a.zz = a.zz + v.z * v.z;
    } else {
        REAL nearness = p.w * rest.w + p.x * rest.x + p.y * rest.y + p.z * rest.z;
        REAL sign = BLOCK(select_less)(nearness, zero, zero - 1.0, zero + 1.0);
        v0 = BLOCK(scale)(sign, v0);
        a = BLOCK(cross_matrix)(v, p.w);
    }
    VECTOR c = BLOCK(subtract)(v, v0);
    if (measure == CDG_POBD_ANGLE) {
        by_angle = BLOCK(angle_of)(p.w);
        REAL f = by_angle.value, g = by_angle.slope;
        c = BLOCK(subtract)(BLOCK(scale)(f, v), BLOCK(scale)(BLOCK(angle_of)(rest.w).value, v0));
        REAL gx = g * v.x, gy = g * v.y, gz = g * v.z;
        a = (MATRIX){f * a.xx - gx * v.x, f * a.xy - gx * v.y, f * a.xz - gx * v.z,
                     f * a.yx - gx * v.y, f * a.yy - gy * v.y, f * a.yz - gy * v.z,
                     f * a.zx - gx * v.z, f * a.zy - gy * v.z, f * a.zz - gz * v.z};
    }
    VECTOR m = BLOCK(multiply_each)(k, c);
    t.energy = 0.5 * BLOCK(dot)(c, m);
    VECTOR half = BLOCK(scale)(zero + 0.5, m);
    t.right = BLOCK(apply_transposed)(a, half);
    t.left = BLOCK(apply)(a, BLOCK(scale)(zero - 1.0, half));

    VECTOR quarter = BLOCK(scale)(zero + 0.25, k);
    MATRIX scaled = BLOCK(scale_rows)(quarter, a);
    t.right_right = BLOCK(multiply_transposed_to_symmetric)(a, scaled);
    t.left_left = BLOCK(multiply_to_symmetric)(BLOCK(scale_columns)(a, quarter), BLOCK(transpose)(a));
    MATRIX mixed = BLOCK(multiply)(a, scaled);
    VECTOR mq = BLOCK(scale)(zero + 0.25, m);
    REAL product = BLOCK(dot)(mq, v);
    if (!is_exact) {
        t.left_right = BLOCK(scale_matrix)(zero - 1.0, mixed);
    } else if (measure == CDG_POBD_TANGENT) {
        MATRIX outer = {v.x * mq.x, v.x * mq.y, v.x * mq.z, v.y * mq.x, v.y * mq.y,
                        v.y * mq.z, v.z * mq.x, v.z * mq.y, v.z * mq.z};
        MATRIX minus = BLOCK(subtract_matrix)(BLOCK(cross_matrix)(mq, -product), outer);
        MATRIX plus = BLOCK(add_matrix)(BLOCK(cross_matrix)(mq, product), outer);
        t.left_right = BLOCK(subtract_matrix)(BLOCK(multiply)(minus, a), mixed);
        t.right_right = BLOCK(add_symmetric)(t.right_right, BLOCK(symmetric_part)(BLOCK(multiply)(plus, a)));
        t.left_left =
            BLOCK(subtract_symmetric)(t.left_left, BLOCK(symmetric_part)(BLOCK(multiply)(minus, BLOCK(transpose)(a))));
    } else {
        if (measure == CDG_POBD_SINE) {
            t.right_right = BLOCK(add_diagonal)(t.right_right, -product);
            t.left_left = BLOCK(add_diagonal)(t.left_left, -product);
        }
        MATRIX geometric = BLOCK(cross_matrix)(BLOCK(scale)(p.w, mq), -product);
        REAL xy = mq.x * v.y + mq.y * v.x, xz = mq.x * v.z + mq.z * v.x, yz = mq.y * v.z + mq.z * v.y;
        geometric.xx = geometric.xx + (mq.x + mq.x) * v.x, geometric.yy = geometric.yy + (mq.y + mq.y) * v.y;
        geometric.zz = geometric.zz + (mq.z + mq.z) * v.z;
        geometric.xy = geometric.xy + xy, geometric.yx = geometric.yx + xy, geometric.xz = geometric.xz + xz;
        geometric.zx = geometric.zx + xz, geometric.yz = geometric.yz + yz, geometric.zy = geometric.zy + yz;
        if (measure == CDG_POBD_ANGLE) geometric = BLOCK(curve_by_angle)(p.w, v, mq, product, by_angle, geometric, &t);
        t.left_right = BLOCK(subtract_matrix)(geometric, mixed);
    }
    return t;
}

// E = 1/2 phi^T diag(F) phi - tau.phi, phi = 2 v, (w, v) = conj(q_target) q: dphi = (w I + [v]x) theta, and with
// m = F phi - tau, phi's own second derivative adds -m.v/2 I.
BLOCK_INLINE BLOCK(spin_term) BLOCK(spin)(BLOCK(rotation) p, VECTOR weight, VECTOR torque, bool is_exact) {
    BLOCK(spin_term) t;
    VECTOR v = {p.x, p.y, p.z};
    VECTOR phi = BLOCK(add)(v, v), inertia = BLOCK(multiply_each)(weight, phi), m = BLOCK(subtract)(inertia, torque);
    MATRIX a = BLOCK(cross_matrix)(v, p.w);
    t.energy = BLOCK(dot)(phi, m) - 0.5 * BLOCK(dot)(phi, inertia);
    t.moment = BLOCK(apply_transposed)(a, m);
    t.turning = BLOCK(multiply_transposed_to_symmetric)(a, BLOCK(scale_rows)(weight, a));
    if (is_exact) t.turning = BLOCK(add_diagonal)(t.turning, BLOCK(dot)(m, v) * -0.5);
    return t;
}

// ---- the same at an entry of a problem; element or node indices are those of lane 0

BLOCK_INLINE VECTOR BLOCK(load_vector)(const double *const array[3], size_t index, size_t stride) {
    return (VECTOR){BLOCK(load)(array[0], index, stride), BLOCK(load)(array[1], index, stride),
                    BLOCK(load)(array[2], index, stride)};
}
BLOCK_INLINE BLOCK(rotation) BLOCK(load_turn)(const double *const array[4], size_t index, size_t stride) {
    return (BLOCK(rotation)){BLOCK(load)(array[0], index, stride), BLOCK(load)(array[1], index, stride),
                             BLOCK(load)(array[2], index, stride), BLOCK(load)(array[3], index, stride)};
}
BLOCK_INLINE BLOCK(rotation) BLOCK(load_rotation)(const double *const array[4], size_t index) {
    return BLOCK(load_turn)(array, index, 1);
}

BLOCK_INLINE BLOCK(stretch_term)
    BLOCK(stretch_at)(const pobd_problem *problem, size_t element, size_t next_node, bool is_exact) {
    const double *const *x = (const double *const *)problem->x;
    VECTOR d = BLOCK(subtract)(BLOCK(load_vector)(x, next_node, 1), BLOCK(load_vector)(x, element, 1));
    REAL length = BLOCK(load)(problem->rest_length, element, 1);
    const REAL zero = {0};
    VECTOR rest = {zero, zero, zero};
    if (problem->rest_strain[0] != NULL) rest = BLOCK(load_vector)(problem->rest_strain, element, 1);
    VECTOR s = BLOCK(load_vector)(problem->stretch_stiffness, element, problem->stretch_stride);
    return BLOCK(stretch)(d, 1.0 / length, length, BLOCK(load_rotation)((const double *const *)problem->q, element), s,
                          rest, is_exact);
}

BLOCK_INLINE BLOCK(bend_term) BLOCK(bend_at)(const pobd_problem *problem, size_t left, size_t right, size_t node,
                                             cdg_pobd_darboux measure, bool is_exact) {
    const double *const *q = (const double *const *)problem->q;
    BLOCK(rotation) turn = BLOCK(relative)(BLOCK(load_rotation)(q, left), BLOCK(load_rotation)(q, right));
    return BLOCK(bend)(turn, BLOCK(load_turn)(problem->rest_turn, node, problem->has_one_turn ? 0 : 1),
                       BLOCK(load_vector)(problem->bend_stiffness, node, problem->bend_stride), measure, is_exact);
}

BLOCK_INLINE BLOCK(spin_term) BLOCK(spin_at)(const pobd_problem *problem, size_t element, bool is_exact) {
    BLOCK(rotation) target = BLOCK(load_rotation)(problem->q_target, element);
    BLOCK(rotation) q = BLOCK(load_rotation)((const double *const *)problem->q, element);
    const REAL zero = {0};
    VECTOR torque = {zero, zero, zero};
    if (problem->torque[0] != NULL) torque = BLOCK(load_vector)(problem->torque, element, 1);
    return BLOCK(spin)(BLOCK(relative)(target, q),
                       BLOCK(load_vector)(problem->frame_weight, element, problem->has_one_frame_weight ? 0 : 1),
                       torque, is_exact);
}

// Inertia of a node: its weight (a held node's is finite and enormous: it moves by nothing that counts, no division by
// infinity is needed) and force weight (x - target), zero when held.
typedef struct BLOCK(node_term) {
    REAL energy, weight;
    VECTOR force;
} BLOCK(node_term);

BLOCK_INLINE BLOCK(node_term) BLOCK(node_at)(const pobd_problem *problem, size_t node) {
    BLOCK(node_term) t;
    VECTOR away = BLOCK(subtract)(BLOCK(load_vector)((const double *const *)problem->x, node, 1),
                                  BLOCK(load_vector)(problem->x_target, node, 1));
    const REAL zero = {0};
    REAL weight = BLOCK(load)(problem->node_weight, node, 1);
    REAL held = zero + POBD_HELD_WEIGHT, active = BLOCK(select_less)(weight, held, weight, zero);
    t.weight = BLOCK(smaller)(weight, held);
    t.force = BLOCK(scale)(active, away);
    t.energy = 0.5 * BLOCK(dot)(t.force, away);
    return t;
}

#undef VECTOR
#undef MATRIX
#undef SYMMETRIC
