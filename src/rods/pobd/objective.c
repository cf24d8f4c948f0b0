// Value and gradient of the minimisation that one pobd step poses (pobd/problem.h), term by term in plain doubles:
// for reactions and tests, and the reference for the vectorised twin in pobd/assemble_simd.c.
#include "rods/pobd/terms.h"

static void add_to(double *const gradient[3], size_t index, double sign, block_vector v) {
    if (gradient == NULL) return;
    gradient[0][index] += sign * v.x, gradient[1][index] += sign * v.y, gradient[2][index] += sign * v.z;
}

static void clear(double *const gradient[3], size_t count) {
    if (gradient == NULL) return;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++) gradient[k][i] = 0;
}

static double add_anchors(const pobd_problem *problem, double *const gradient_theta[3]) {
    double value = 0;
    for (size_t a = 0; a < problem->anchor_count; a++) {
        const pobd_anchor *anchor = &problem->anchors[a];
        size_t left = pobd_left_element(problem, anchor->node), right = pobd_right_element(problem, anchor->node);
        if (left != SIZE_MAX && anchor->side <= 0) {
            block_bend_term t = block_anchor_at(problem, anchor, left, false, true);
            value += t.energy;
            add_to(gradient_theta, left, 1, t.left);
        }
        if (right != SIZE_MAX && anchor->side >= 0) {
            block_bend_term t = block_anchor_at(problem, anchor, right, true, true);
            value += t.energy;
            add_to(gradient_theta, right, 1, t.right);
        }
    }
    return value;
}

double pobd_objective(const pobd_problem *problem, double *const gradient_x[3], double *const gradient_theta[3]) {
    clear(gradient_x, problem->node_count);
    clear(gradient_theta, problem->element_count);
    double value = 0;
    for (size_t i = 0; i < problem->node_count; i++) {
        block_node_term t = block_node_at(problem, i);
        value += t.energy;
        add_to(gradient_x, i, 1, t.force);
    }
    for (size_t j = 0; j < problem->element_count; j++) {
        size_t next = pobd_next_node(problem, j);
        block_stretch_term t = block_stretch_at(problem, j, next, true);
        block_spin_term spin = block_spin_at(problem, j, true);
        value += t.energy + spin.energy;
        add_to(gradient_x, next, 1, t.force);
        add_to(gradient_x, j, -1, t.force);
        add_to(gradient_theta, j, 1, block_add(t.moment, spin.moment));
    }
    for (size_t i = 0; i < problem->node_count; i++) {
        size_t left = pobd_left_element(problem, i), right = pobd_right_element(problem, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        block_bend_term t = block_bend_at(problem, left, right, i, pobd_measure(problem), true);
        value += t.energy;
        add_to(gradient_theta, left, 1, t.left);
        add_to(gradient_theta, right, 1, t.right);
    }
    return value + add_anchors(problem, gradient_theta);
}
