// The record of as many elements as REAL has lanes (pobd/answer.h). Included with REAL, BLOCK(name), after
// pobd/terms_template.h; BLOCK(get)(records, index) and BLOCK(set)(records, index, value) must exist.

#define VECTOR BLOCK(vector)
#define MATRIX BLOCK(matrix)
#define SYMMETRIC BLOCK(symmetric)

BLOCK_INLINE MATRIX BLOCK(get_matrix)(const double *r, int p) {
    return (MATRIX){BLOCK(get)(r, p),     BLOCK(get)(r, p + 1), BLOCK(get)(r, p + 2),
                    BLOCK(get)(r, p + 3), BLOCK(get)(r, p + 4), BLOCK(get)(r, p + 5),
                    BLOCK(get)(r, p + 6), BLOCK(get)(r, p + 7), BLOCK(get)(r, p + 8)};
}
BLOCK_INLINE SYMMETRIC BLOCK(get_symmetric)(const double *r, int p) {
    return (SYMMETRIC){BLOCK(get)(r, p),     BLOCK(get)(r, p + 1), BLOCK(get)(r, p + 2),
                       BLOCK(get)(r, p + 3), BLOCK(get)(r, p + 4), BLOCK(get)(r, p + 5)};
}

BLOCK_INLINE void BLOCK(set_columns)(double *r, int p, MATRIX m) { // in a matrix of six rows
    BLOCK(set)(r, p, m.xx), BLOCK(set)(r, p + 1, m.yx), BLOCK(set)(r, p + 2, m.zx);
    BLOCK(set)(r, p + 6, m.xy), BLOCK(set)(r, p + 7, m.yy), BLOCK(set)(r, p + 8, m.zy);
    BLOCK(set)(r, p + 12, m.xz), BLOCK(set)(r, p + 13, m.yz), BLOCK(set)(r, p + 14, m.zz);
}
BLOCK_INLINE void BLOCK(set_row)(double *r, int p, REAL x, REAL y, REAL z) {
    BLOCK(set)(r, p, x), BLOCK(set)(r, p + 1, y), BLOCK(set)(r, p + 2, z);
}

// x comes first in rows and columns to the left, last to the right.
BLOCK_INLINE void BLOCK(set_transfer)(double *records, bool is_left, bool is_held) {
    int p = is_left ? OUTWARD_THICK_LEFT : OUTWARD_THICK_RIGHT, x = is_left ? 0 : 3, t = 3 - x;
    const REAL zero = {0}, sign = zero + (is_left ? 1.0 : -1.0);
    MATRIX fm = BLOCK(get_matrix)(records, p), fb = BLOCK(get_matrix)(records, p + 9);
    MATRIX tc = BLOCK(get_matrix)(records, p + 18), tn = BLOCK(get_matrix)(records, p + 27);
    MATRIX xx = BLOCK(add_matrix)(fm, BLOCK(multiply)(fb, tc));
    MATRIX xt = BLOCK(scale_matrix)(sign, BLOCK(multiply)(fb, tn));
    if (is_held) xx = xt = (MATRIX){0};
    BLOCK(set_columns)(records, p + 6 * x + x, xx);
    BLOCK(set_columns)(records, p + 6 * t + x, xt);
    BLOCK(set_columns)(records, p + 6 * x + t, BLOCK(scale_matrix)(-sign, tc));
    BLOCK(set_columns)(records, p + 6 * t + t, BLOCK(scale_matrix)(zero - 1.0, tn));
}

// The inverse; lowers *least to the smallest of the numbers that must be positive.
BLOCK_INLINE SYMMETRIC BLOCK(invert)(SYMMETRIC a, REAL *least) {
    REAL minor_two, determinant;
    SYMMETRIC inverse = BLOCK(inverse_symmetric)(a, &minor_two, &determinant);
    *least = BLOCK(smaller)(*least, BLOCK(smaller)(a.xx, BLOCK(smaller)(minor_two, determinant)));
    return inverse;
}

// Unknowns of the core are x, t and d = x' - x: with x' instead of d the element's stiffness would stand on the
// diagonal of x, and what the nodes weigh would drown in it. A held node is left out. Returns a number that is positive
// if the system is.
BLOCK_INLINE REAL BLOCK(set_core)(const pobd_assembly *assembly, size_t element, SYMMETRIC anchors, bool is_start_held,
                                  bool is_end_held, double *records) {
    const pobd_problem *problem = assembly->problem;
    const int core = OUTWARD_THICK_CORE, other = OUTWARD_THICK_CORE + POBD_SIDE;
    const REAL zero = {0}, unit = zero + 1.0, minus = zero - 1.0;
    const SYMMETRIC one = {unit, zero, zero, unit, zero, unit};
    const MATRIX none = {0};
    SYMMETRIC on_x = BLOCK(get_symmetric)(records, core), on_t = BLOCK(get_symmetric)(records, core + 15);
    SYMMETRIC on_x1 = BLOCK(get_symmetric)(records, other), on_t1 = BLOCK(get_symmetric)(records, other + 15);
    MATRIX x_t = BLOCK(get_matrix)(records, core + 6),
           x1_t = BLOCK(get_matrix)(records, other + 6); // the latter of -x'
    BLOCK(stretch_term) s = BLOCK(stretch_at)(problem, element, element + 1, assembly->is_exact);
    BLOCK(spin_term) spin = BLOCK(spin_at)(problem, element, assembly->is_exact);
    SYMMETRIC turning = BLOCK(add_symmetric)(BLOCK(add_symmetric)(s.turning, spin.turning), anchors);
    turning = BLOCK(add_symmetric)(turning, BLOCK(add_symmetric)(on_t, on_t1));
    turning = BLOCK(add_diagonal)(turning, zero + assembly->shift_t);
    on_x = BLOCK(add_diagonal)(on_x, BLOCK(node_at)(problem, element).weight + assembly->shift_x);
    on_x1 = BLOCK(add_diagonal)(on_x1, BLOCK(node_at)(problem, element + 1).weight + assembly->shift_x);

    SYMMETRIC dd = BLOCK(add_symmetric)(s.spring, on_x1), xx = BLOCK(add_symmetric)(on_x, on_x1);
    MATRIX dt = BLOCK(subtract_matrix)(s.coupling, x1_t), dx = BLOCK(from_symmetric)(on_x1);
    MATRIX tx = BLOCK(transpose)(BLOCK(subtract_matrix)(x_t, x1_t));
    if (is_end_held) { // d = -x
        dd = one, dt = dx = none;
        xx = BLOCK(add_symmetric)(on_x, s.spring);
        tx = BLOCK(transpose)(BLOCK(subtract_matrix)(x_t, s.coupling));
    }
    if (is_start_held) xx = one, dx = tx = none;

    // d, then t, then x
    REAL least = unit;
    SYMMETRIC d_inverse = BLOCK(invert)(dd, &least);
    MATRIX et = BLOCK(symmetric_multiply)(d_inverse, dt), ex = BLOCK(symmetric_multiply)(d_inverse, dx);
    turning = BLOCK(subtract_symmetric)(turning, BLOCK(multiply_transposed_to_symmetric)(dt, et));
    SYMMETRIC t_inverse = BLOCK(invert)(turning, &least);
    tx = BLOCK(subtract_matrix)(tx, BLOCK(multiply_transposed)(dt, ex));
    xx = BLOCK(subtract_symmetric)(xx, BLOCK(multiply_transposed_to_symmetric)(dx, ex));
    MATRIX ft = BLOCK(symmetric_multiply)(t_inverse, tx);
    xx = BLOCK(subtract_symmetric)(xx, BLOCK(multiply_transposed_to_symmetric)(tx, ft));
    MATRIX x_x = BLOCK(from_symmetric)(BLOCK(invert)(xx, &least));
    MATRIX t_x = BLOCK(scale_matrix)(minus, BLOCK(multiply)(ft, x_x));
    MATRIX t_t = BLOCK(from_symmetric)(t_inverse);
    t_t = BLOCK(subtract_matrix)(t_t, BLOCK(multiply)(t_x, BLOCK(transpose)(ft)));
    MATRIX d_x = BLOCK(add_matrix)(BLOCK(multiply)(et, t_x), BLOCK(multiply)(ex, x_x));
    MATRIX d_t = BLOCK(add_matrix)(BLOCK(multiply)(et, t_t), BLOCK(multiply)(ex, BLOCK(transpose)(t_x)));
    d_x = BLOCK(scale_matrix)(minus, d_x), d_t = BLOCK(scale_matrix)(minus, d_t);
    MATRIX d_d = BLOCK(multiply)(d_t, BLOCK(transpose)(et));
    d_d = BLOCK(add_matrix)(d_d, BLOCK(multiply)(d_x, BLOCK(transpose)(ex)));
    d_d = BLOCK(subtract_matrix)(BLOCK(from_symmetric)(d_inverse), d_d);

    if (is_start_held) x_x = t_x = d_x = none;
    // x' = x + d
    MATRIX end_x = BLOCK(add_matrix)(x_x, d_x), end_t = BLOCK(add_matrix)(BLOCK(transpose)(t_x), d_t);
    MATRIX end_end = BLOCK(add_matrix)(end_x, BLOCK(add_matrix)(BLOCK(transpose)(d_x), d_d));
    if (is_end_held) end_x = end_t = end_end = none;
    BLOCK(set)(records, core, x_x.xx), BLOCK(set)(records, core + 1, x_x.yx), BLOCK(set)(records, core + 2, x_x.yy);
    BLOCK(set_row)(records, core + 3, x_x.zx, x_x.zy, x_x.zz);
    BLOCK(set_row)(records, core + 6, t_x.xx, t_x.xy, t_x.xz), BLOCK(set)(records, core + 9, t_t.xx);
    BLOCK(set_row)(records, core + 10, t_x.yx, t_x.yy, t_x.yz);
    BLOCK(set)(records, core + 13, t_t.yx), BLOCK(set)(records, core + 14, t_t.yy);
    BLOCK(set_row)
    (records, core + 15, t_x.zx, t_x.zy, t_x.zz), BLOCK(set_row)(records, core + 18, t_t.zx, t_t.zy, t_t.zz);
    BLOCK(set_row)(records, core + 21, end_x.xx, end_x.xy, end_x.xz);
    BLOCK(set_row)(records, core + 24, end_t.xx, end_t.xy, end_t.xz), BLOCK(set)(records, core + 27, end_end.xx);
    BLOCK(set_row)(records, core + 28, end_x.yx, end_x.yy, end_x.yz);
    BLOCK(set_row)(records, core + 31, end_t.yx, end_t.yy, end_t.yz);
    BLOCK(set)(records, core + 34, end_end.yx), BLOCK(set)(records, core + 35, end_end.yy);
    BLOCK(set_row)(records, core + 36, end_x.zx, end_x.zy, end_x.zz);
    BLOCK(set_row)(records, core + 39, end_t.zx, end_t.zy, end_t.zz);
    BLOCK(set_row)(records, core + 42, end_end.zx, end_end.zy, end_end.zz);
    return least;
}

#undef VECTOR
#undef MATRIX
#undef SYMMETRIC
