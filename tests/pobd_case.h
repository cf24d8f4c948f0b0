// Minimisation problems for the tests of pobd's solvers: random or straight rods with all arrays of their own.
#ifndef CDG_TESTS_POBD_CASE_H
#define CDG_TESTS_POBD_CASE_H

#include "math/random.h"
#include "rods/pobd/problem.h"

#include <stdlib.h>
#include <string.h>

typedef struct pobd_case {
    pobd_problem problem;
    double *x_target[3], *q_target[4], *node_weight, *frame_weight[3], *rest_length;
    double *stretch[3], *bend[3], *torque[3], *rest_strain[3], *rest_turn[4];
    pobd_anchor anchors[2];
    double *arrays[48]; // each its own block, so that a sanitizer sees a step beyond its end
    int array_count;
    void *scratch;
} pobd_case;

static inline double *case_take(pobd_case *c, size_t count) {
    return c->arrays[c->array_count++] = calloc(count, sizeof(double));
}

// A straight rod of unit elements along z at rest, weights 1, stiffness 1, two iterations.
static inline pobd_case *case_create(size_t element_count, bool is_closed) {
    pobd_case *c = calloc(1, sizeof *c);
    size_t nodes = is_closed ? element_count : element_count + 1;
    pobd_problem *p = &c->problem;
    p->node_count = nodes, p->element_count = element_count, p->is_closed = is_closed;
    p->iterations = 2;
    for (int k = 0; k < 3; k++) {
        p->x[k] = case_take(c, nodes);
        p->x_target[k] = c->x_target[k] = case_take(c, nodes);
        p->frame_weight[k] = c->frame_weight[k] = case_take(c, element_count);
        p->stretch_stiffness[k] = c->stretch[k] = case_take(c, element_count);
        p->bend_stiffness[k] = c->bend[k] = case_take(c, nodes);
        p->rest_strain[k] = c->rest_strain[k] = case_take(c, element_count);
        p->torque[k] = c->torque[k] = case_take(c, element_count);
    }
    for (int k = 0; k < 4; k++) {
        p->q[k] = case_take(c, element_count);
        p->q_target[k] = c->q_target[k] = case_take(c, element_count);
        p->rest_turn[k] = c->rest_turn[k] = case_take(c, nodes);
    }
    p->node_weight = c->node_weight = case_take(c, nodes);
    p->rest_length = c->rest_length = case_take(c, element_count);
    p->stretch_stride = p->bend_stride = 1;
    for (size_t j = 0; j < element_count; j++) {
        c->rest_length[j] = p->q[0][j] = c->q_target[0][j] = 1;
        for (int k = 0; k < 3; k++) c->stretch[k][j] = c->frame_weight[k][j] = 1;
    }
    for (size_t i = 0; i < nodes; i++) {
        p->x[2][i] = c->x_target[2][i] = (double)i;
        c->node_weight[i] = c->rest_turn[0][i] = 1;
        for (int k = 0; k < 3; k++) c->bend[k][i] = 1;
    }
    p->anchors = c->anchors;
    c->scratch = aligned_alloc(64, (pobd_direct_scratch_size(element_count, is_closed, false) + 63) / 64 * 64);
    memset(c->scratch, 0xff, pobd_direct_scratch_size(element_count, is_closed, false)); // not a number
    return c;
}

static inline void case_destroy(pobd_case *c) {
    free(c->scratch);
    for (int k = 0; k < c->array_count; k++) free(c->arrays[k]);
    free(c);
}

static inline void case_set_q(double *const q[4], size_t j, cdg_quat value) {
    q[0][j] = value.w, q[1][j] = value.x, q[2][j] = value.y, q[3][j] = value.z;
}

// Everything random: anisotropic and varying stiffness, curved rest shape, rest strain, unequal lengths. `wildness` is
// the size of random turns between neighbours (rad) and of random strains. A closed rod is about a ring.
static inline pobd_case *case_random(cdg_random *random, size_t element_count, bool is_closed, double wildness) {
    pobd_case *c = case_create(element_count, is_closed);
    pobd_problem *p = &c->problem;
    cdg_quat frame = random_rotation(random);
    cdg_vec3 at = random_vec3(random, 1);
    cdg_quat ring = quat_exp(vec3(is_closed ? 6.283185307179586 / (double)element_count : 0, 0, 0));
    for (size_t j = 0; j < element_count; j++) {
        c->rest_length[j] = is_closed ? random_in(random, 0.9, 1.1) : random_in(random, 0.5, 2);
        for (int k = 0; k < 3; k++) {
            c->stretch[k][j] = random_in(random, 1, 20);
            c->frame_weight[k][j] = random_in(random, 0.1, 1);
            c->rest_strain[k][j] = random_in(random, -0.1, 0.1);
        }
        cdg_quat here = quat_multiply(frame, quat_exp(random_vec3(random, wildness)));
        case_set_q(p->q, j, random_unit(random) < 0.5 ? here : quat_negate(here));
        case_set_q(c->q_target, j, quat_multiply(here, quat_exp(random_vec3(random, wildness))));
        frame = quat_multiply(is_closed ? frame : here, ring);
    }
    for (size_t i = 0; i < p->node_count; i++) {
        c->node_weight[i] = random_in(random, 0.5, 3);
        for (int k = 0; k < 3; k++) c->bend[k][i] = random_in(random, 1, 10);
        case_set_q(c->rest_turn, i, quat_multiply(ring, quat_exp(random_vec3(random, 0.3))));
        cdg_vec3 target = vec3_add(at, random_vec3(random, wildness));
        p->x[0][i] = at.x, p->x[1][i] = at.y, p->x[2][i] = at.z;
        c->x_target[0][i] = target.x, c->x_target[1][i] = target.y, c->x_target[2][i] = target.z;
        if (i >= element_count) break;
        cdg_quat q = quat(p->q[0][i], p->q[1][i], p->q[2][i], p->q[3][i]);
        cdg_vec3 step = vec3_scale(c->rest_length[i], vec3_add(quat_d3(q), random_vec3(random, wildness / 2)));
        at = vec3_add(at, step);
    }
    return c;
}

// Holds a node's place, and its section's frame by the half cells around it.
static inline void case_clamp(pobd_case *c, size_t node, cdg_quat frame, double stiffness) {
    pobd_anchor *anchor = &c->anchors[c->problem.anchor_count++];
    *anchor = (pobd_anchor){.node = node,
                            .frame = frame,
                            .stiffness = {stiffness, 1.5 * stiffness, 2 * stiffness},
                            .rest_half = quat_exp(vec3(0.05, -0.02, 0.03))};
    c->node_weight[node] = INFINITY;
    for (int k = 0; k < 3; k++) c->bend[k][node] = 0;
}

#endif
