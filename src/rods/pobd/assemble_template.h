// The passes of pobd/assemble.h for as many elements as REAL has lanes (WIDTH). Included with REAL, BLOCK(name), WIDTH;
// BLOCK(store)(array, value) and BLOCK(square_root)(value) must exist.
#define VECTOR BLOCK(vector)

BLOCK_INLINE void BLOCK(store_vector)(double *tile, int slot, VECTOR v) {
    BLOCK(store)(tile + (slot + 0) * CHAIN_TILE_STRIDE, v.x);
    BLOCK(store)(tile + (slot + 1) * CHAIN_TILE_STRIDE, v.y);
    BLOCK(store)(tile + (slot + 2) * CHAIN_TILE_STRIDE, v.z);
}
BLOCK_INLINE void BLOCK(store_symmetric)(double *tile, int slot, BLOCK(symmetric) a) {
    BLOCK(store_vector)(tile, slot, (VECTOR){a.xx, a.xy, a.xz});
    BLOCK(store_vector)(tile, slot + 3, (VECTOR){a.yy, a.yz, a.zz});
}
BLOCK_INLINE void BLOCK(store_matrix)(double *tile, int slot, BLOCK(matrix) a) {
    BLOCK(store_vector)(tile, slot, (VECTOR){a.xx, a.xy, a.xz});
    BLOCK(store_vector)(tile, slot + 3, (VECTOR){a.yx, a.yy, a.yz});
    BLOCK(store_vector)(tile, slot + 6, (VECTOR){a.zx, a.zy, a.zz});
}

// `tile` points to slot 0 of lane 0's element.
BLOCK_INLINE void BLOCK(assemble_at)(const pobd_assembly *assembly, size_t element, bool is_forward,
                                     cdg_pobd_darboux measure, bool is_exact, double *tile) {
    const pobd_problem *problem = assembly->problem;
    const REAL zero = {0};
    BLOCK(stretch_term) stretch = BLOCK(stretch_at)(problem, element, element + 1, is_exact);
    BLOCK(store_symmetric)(tile, CHAIN_SPRING, stretch.spring);
    BLOCK(store_matrix)(tile, CHAIN_COUPLING, stretch.coupling);
    BLOCK(store_vector)(tile, CHAIN_FORCE, stretch.force);

    BLOCK(node_term) node = BLOCK(node_at)(problem, is_forward ? element : element + 1);
    BLOCK(store)(tile + CHAIN_WEIGHT * CHAIN_TILE_STRIDE, node.weight + assembly->shift_x);
    // backwards x stands for -x, so the force of inertia changes its sign; the element's own does not
    BLOCK(store_vector)
    (tile, CHAIN_RIGHT_NEAR,
     is_forward ? BLOCK(subtract)(stretch.force, node.force) : BLOCK(add)(stretch.force, node.force));

    BLOCK(spin_term) spin = BLOCK(spin_at)(problem, element, is_exact);
    size_t left = is_forward ? element : element - 1;
    BLOCK(bend_term) bend = BLOCK(bend_at)(problem, left, left + 1, left + 1, measure, is_exact);
    BLOCK(symmetric) turning = BLOCK(add_symmetric)(stretch.turning, spin.turning);
    VECTOR moment = BLOCK(add)(stretch.moment, spin.moment);
    turning = BLOCK(add_symmetric)(turning, is_forward ? bend.left_left : bend.right_right);
    BLOCK(store_symmetric)(tile, CHAIN_TURNING, BLOCK(add_diagonal)(turning, zero + assembly->shift_t));
    BLOCK(store_vector)(tile, CHAIN_MOMENT, BLOCK(add)(moment, is_forward ? bend.left : bend.right));
    BLOCK(store_matrix)(tile, CHAIN_NEXT, is_forward ? bend.left_right : BLOCK(transpose)(bend.left_right));
    BLOCK(store_symmetric)(tile, CHAIN_NEXT_TURNING, is_forward ? bend.right_right : bend.left_left);
    BLOCK(store_vector)(tile, CHAIN_NEXT_MOMENT, is_forward ? bend.right : bend.left);
    BLOCK(store)(tile + CHAIN_ENERGY * CHAIN_TILE_STRIDE, stretch.energy + node.energy + spin.energy + bend.energy);
}

// Whole vectors only; a last one that would reach beyond the chain is moved back over entries already written.
BLOCK_INLINE void BLOCK(assemble)(const pobd_assembly *assembly, size_t first, size_t count, bool is_forward,
                                  cdg_pobd_darboux measure, bool is_exact, double *tile) {
    size_t end = is_forward ? assembly->element_count - 1 : assembly->element_count;
    for (size_t k = 0; k < count; k += WIDTH) {
        size_t element = first + k;
        if (element + WIDTH > end) element = end - WIDTH;
        BLOCK(assemble_at)
        (assembly, element, is_forward, measure, is_exact,
         tile + CHAIN_TILE_PAD + (ptrdiff_t)element - (ptrdiff_t)first);
    }
}

// Element j, its start node and the bend at its start (not for element 0: `has_bend` false).
BLOCK_INLINE REAL BLOCK(value_at)(const pobd_problem *problem, size_t element, bool has_bend,
                                  cdg_pobd_darboux measure) {
    REAL value = BLOCK(stretch_at)(problem, element, element + 1, true).energy;
    value = value + BLOCK(node_at)(problem, element).energy + BLOCK(spin_at)(problem, element, true).energy;
    if (has_bend) value = value + BLOCK(bend_at)(problem, element - 1, element, element, measure, true).energy;
    return value;
}

BLOCK_INLINE void BLOCK(advance_nodes)(const pobd_problem *problem, const pobd_correction *correction, REAL factor,
                                       size_t node) {
    const REAL zero = {0}, held = zero + POBD_HELD_WEIGHT;
    REAL f = BLOCK(select_less)(BLOCK(load)(problem->node_weight, node, 1), held, factor, zero);
    for (int k = 0; k < 3; k++) {
        double *x = problem->x[k] + node;
        BLOCK(store)(x, BLOCK(load)(x, 0, 1) + f * BLOCK(load)(correction->x[k], node, 1));
    }
}

// q (1, u)/|1, u|: with u = theta/2 this agrees with q exp(theta) up to third order, needs no trigonometry, never turns
// beyond half a turn, and -u takes it back. The product's own norm is divided out, so q stays a unit quaternion.
BLOCK_INLINE BLOCK(rotation) BLOCK(turned)(BLOCK(rotation) q, VECTOR u) {
    BLOCK(rotation)
    r = {q.w - q.x * u.x - q.y * u.y - q.z * u.z, q.x + q.w * u.x + q.y * u.z - q.z * u.y,
         q.y + q.w * u.y + q.z * u.x - q.x * u.z, q.z + q.w * u.z + q.x * u.y - q.y * u.x};
    REAL scale = 1.0 / BLOCK(square_root)(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    return (BLOCK(rotation)){r.w * scale, r.x * scale, r.y * scale, r.z * scale};
}

BLOCK_INLINE void BLOCK(advance_frames)(const pobd_problem *problem, const pobd_correction *correction, REAL factor,
                                        size_t element) {
    VECTOR u = BLOCK(scale)(0.5 * factor, BLOCK(load_vector)((const double *const *)correction->t, element, 1));
    BLOCK(rotation) q = BLOCK(turned)(BLOCK(load_rotation)((const double *const *)problem->q, element), u);
    BLOCK(store)(problem->q[0] + element, q.w);
    BLOCK(store)(problem->q[1] + element, q.x);
    BLOCK(store)(problem->q[2] + element, q.y);
    BLOCK(store)(problem->q[3] + element, q.z);
}

// Stretch energy of an element that has just been moved by `factor` times the correction, minus what it would be had
// the strain changed in proportion. With the frame R and position d before: Gamma_linear = R^T d_now/l - e3 - gamma0 +
// e x turn.
BLOCK_INLINE REAL BLOCK(stretch_excess_at)(const pobd_problem *problem, const pobd_correction *correction, REAL factor,
                                           size_t element, size_t next_node) {
    const double *const *x = (const double *const *)problem->x, *const *dx = (const double *const *)correction->x;
    VECTOR now = BLOCK(subtract)(BLOCK(load_vector)(x, next_node, 1), BLOCK(load_vector)(x, element, 1));
    VECTOR moved = BLOCK(subtract)(BLOCK(load_vector)(dx, next_node, 1), BLOCK(load_vector)(dx, element, 1));
    VECTOR before = BLOCK(subtract)(now, BLOCK(scale)(factor, moved));
    VECTOR turn = BLOCK(scale)(factor, BLOCK(load_vector)((const double *const *)correction->t, element, 1));
    BLOCK(rotation)
    q = BLOCK(turned)(BLOCK(load_rotation)((const double *const *)problem->q, element),
                      BLOCK(scale)((REAL){0} - 0.5, turn));
    BLOCK(matrix) r = BLOCK(rotation_matrix)(q);
    REAL length = BLOCK(load)(problem->rest_length, element, 1), inverse = 1.0 / length;
    VECTOR s = BLOCK(load_vector)(problem->stretch_stiffness, element, problem->stretch_stride);
    VECTOR e = BLOCK(scale)(inverse, BLOCK(apply_transposed)(r, before));
    VECTOR strain = BLOCK(scale)(inverse, BLOCK(apply_transposed)(r, now));
    strain = BLOCK(add)(strain, BLOCK(cross)(e, turn));
    if (problem->rest_strain[0] != NULL)
        strain = BLOCK(subtract)(strain, BLOCK(load_vector)(problem->rest_strain, element, 1));
    strain.z = strain.z - 1.0;
    REAL linear = 0.5 * length * BLOCK(dot)(strain, BLOCK(multiply_each)(s, strain));
    return BLOCK(stretch_at)(problem, element, next_node, true).energy - linear;
}

#undef VECTOR
