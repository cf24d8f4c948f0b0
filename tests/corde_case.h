// Random corde rods for tests, and their energy in long double, written from the paper's formulas (Spillmann and
// Teschner, eq. 16, 18, 19) and not from the model's.
#ifndef CDG_TESTS_CORDE_CASE_H
#define CDG_TESTS_CORDE_CASE_H

#include "model_case.h"
#include "rods/corde/corde.h"

typedef model_case corde_case;

static inline cdg_rod_def case_def(bool is_closed, cdg_corde_coupling coupling, cdg_vec3 *points, cdg_random *random) {
    cdg_rod_def def = model_case_def(CDG_MODEL_CORDE, is_closed, points, random);
    def.corde.coupling = coupling;
    def.corde.substeps = 1;
    def.corde.penalty = random_in(random, 50, 200);
    def.corde.inertia_factor = 0.5;
    return def;
}

// The smallest turn that takes the frame's d3 onto the tangent.
static inline cdg_quat case_follow(cdg_rod *rod, size_t j, cdg_quat q) {
    cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
    return quat_multiply(quat_between(quat_d3(q), vec3_normalize(e)), q);
}

// Pushes nodes and turns frames at random; signs of quaternions at random too.
static inline void case_shake(corde_case *c, cdg_random *random, double size) {
    cdg_rod *rod = c->rod;
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->x, i, vec3_add(rod_vec3(rod->x, i), random_vec3(random, 0.1 * size)));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(random, 0.5 * size)));
        if (corde_is_constraint(rod)) q = case_follow(rod, j, q);
        rod_set_quat(rod->q, j, random_unit(random) < 0.5 ? q : quat_negate(q));
    }
}

// ---- energy in long double ------------------------------------------------------------------------------------------

typedef struct long_pose { // of a rod of at most CASE_ELEMENTS elements
    long double x[CASE_ELEMENTS + 1][3], q[CASE_ELEMENTS][4];
} long_pose;

static inline void long_pose_get(const cdg_rod *rod, long_pose *p) {
    for (size_t i = 0; i < rod->node_count; i++)
        for (int k = 0; k < 3; k++) p->x[i][k] = rod->x[k][i];
    for (size_t j = 0; j < rod->element_count; j++)
        for (int k = 0; k < 4; k++) p->q[j][k] = rod->q[k][j];
}

static inline void long_multiply(const long double a[4], const long double b[4], long double out[4]) {
    long double c[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    long double norm = sqrtl(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3]);
    for (int k = 0; k < 4; k++) out[k] = c[k] / norm;
}

static inline void long_d3(const long double q[4], long double d3[3]) {
    d3[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
    d3[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
    d3[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static inline void long_tangent(const cdg_rod *rod, const long_pose *p, size_t j, long double t[3], long double *norm) {
    size_t next = rod_next_node(rod, j);
    *norm = 0;
    for (int k = 0; k < 3; k++) t[k] = p->x[next][k] - p->x[j][k], *norm += t[k] * t[k];
    *norm = sqrtl(*norm);
    for (int k = 0; k < 3; k++) t[k] /= *norm;
}

// Turns frame j the smallest way onto its tangent.
static inline void long_follow(const cdg_rod *rod, long_pose *p, size_t j) {
    long double t[3], d3[3], norm;
    long_tangent(rod, p, j, t, &norm);
    long_d3(p->q[j], d3);
    long double turn[4] = {1 + d3[0] * t[0] + d3[1] * t[1] + d3[2] * t[2], d3[1] * t[2] - d3[2] * t[1],
                           d3[2] * t[0] - d3[0] * t[2], d3[0] * t[1] - d3[1] * t[0]};
    long_multiply(turn, p->q[j], p->q[j]);
}

// 1/2 sum B_k ((2/c) Im_k(conj(s) conj(a) b conj(s)))^2 c, s the half of the rest turn
static inline long double long_cell(const long double a[4], const long double b[4], cdg_quat rest, double length,
                                    const double stiffness[3]) {
    long double conjugate[4] = {a[0], -a[1], -a[2], -a[3]}, turn[4], sum = 0;
    long_multiply(conjugate, b, turn);
    long double angle = acosl(rest.w) / 2, sine = sqrtl(1 - (long double)rest.w * rest.w);
    long double part = sine > 0 ? -sinl(angle) / sine : 0;
    long double half[4] = {cosl(angle), part * rest.x, part * rest.y, part * rest.z};
    long_multiply(half, turn, turn);
    long_multiply(turn, half, turn);
    for (int k = 0; k < 3; k++) {
        long double u = 2 / (long double)length * turn[k + 1];
        sum += stiffness[k] * u * u * length / 2;
    }
    return sum;
}

static inline long double long_energy(const cdg_rod *rod, const long_pose *p) {
    long double sum = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        long double t[3], d3[3], norm, l = rod->rest_length[j], away = 0;
        size_t at = j * rod->section_stride;
        long_tangent(rod, p, j, t, &norm);
        long_d3(p->q[j], d3);
        for (int k = 0; k < 3; k++) away += (t[k] - d3[k]) * (t[k] - d3[k]);
        sum += rod->stretch_stiffness[2][at] * (norm / l - 1) * (norm / l - 1) * l / 2;
        if (norm < l / 2) sum += rod->stretch_stiffness[2][at] * (l * l / (4 * norm) + l * logl(2 * norm / l) - norm);
        if (!corde_is_constraint(rod)) sum += rod->stretch_stiffness[0][at] * l / 2 * away;
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i), at = i * rod->section_stride;
        double b[3] = {rod->bend_stiffness[0][at], rod->bend_stiffness[1][at], rod->bend_stiffness[2][at]};
        const cdg_hold *hold = NULL;
        for (size_t h = 0; h < rod->hold_count; h++)
            if (rod->holds[h].node == i && rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME) hold = &rod->holds[h];
        bool is_roll = hold != NULL && hold->frame_hold == CDG_HOLD_ROLL;
        double whole[3] = {b[0], b[1], is_roll ? 0 : b[2]}, half[3] = {is_roll ? 0 : b[0], is_roll ? 0 : b[1], b[2]};
        if (left != SIZE_MAX && right != SIZE_MAX && (hold == NULL || is_roll))
            sum += long_cell(p->q[left], p->q[right], rod_quat(rod->rest_turn, i), rod_cell_length(rod, i), whole);
        if (hold == NULL) continue;
        long double held[4] = {hold->frame.w, hold->frame.x, hold->frame.y, hold->frame.z};
        if (left != SIZE_MAX)
            sum += long_cell(p->q[left], held, rod_half_cell_rest(rod, i, left), rod->rest_length[left] / 2, half);
        if (right != SIZE_MAX)
            sum += long_cell(held, p->q[right], rod_half_cell_rest(rod, i, right), rod->rest_length[right] / 2, half);
    }
    return sum;
}

#endif
