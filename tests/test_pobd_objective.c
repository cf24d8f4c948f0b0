// Value and gradient of the pobd objective: finite differences, invariances, and its second derivatives term by term.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"
#include "pobd_case.h"
#include "rods/pobd/terms.h"

// ---- an independent objective in long double, written from pobd/problem.h -------------------------------------------

typedef long double real;
typedef struct wide_quat {
    real w, x, y, z;
} wide_quat;

static wide_quat wide_multiply(wide_quat a, wide_quat b) {
    return (wide_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static wide_quat wide_conjugate(wide_quat a) { return (wide_quat){a.w, -a.x, -a.y, -a.z}; }
static wide_quat wide_exp(const real v[3]) {
    real angle = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    real s = angle > 1e-9L ? sinl(angle / 2) / angle : 0.5L;
    return (wide_quat){cosl(angle / 2), s * v[0], s * v[1], s * v[2]};
}

// Displacements of all unknowns: 3 per node, then 3 per element.
static wide_quat wide_frame(const pobd_problem *p, const real *u, size_t j) {
    wide_quat q = {p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]};
    return wide_multiply(q, wide_exp(u + 3 * p->node_count + 3 * j));
}

static real wide_scale(real w, cdg_pobd_darboux measure) {
    return measure == CDG_POBD_SINE ? 1 : measure == CDG_POBD_TANGENT ? 1 / w : (14 + fabsl(w)) / (9 + 6 * fabsl(w));
}

static real wide_bend(wide_quat turn, const double rest[4], const double stiffness[3], cdg_pobd_darboux measure) {
    real near = turn.w * rest[0] + turn.x * rest[1] + turn.y * rest[2] + turn.z * rest[3], value = 0;
    real v[3] = {turn.x, turn.y, turn.z}, sign = near < 0 && measure != CDG_POBD_TANGENT ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        real c = wide_scale(turn.w, measure) * v[k] - sign * wide_scale(rest[0], measure) * (real)rest[k + 1];
        value += stiffness[k] * c * c / 2;
    }
    return value;
}

static real wide_objective(const pobd_problem *p, const real *u) {
    real value = 0;
    for (size_t i = 0; i < p->node_count; i++)
        for (int k = 0; k < 3; k++) {
            real d = p->x[k][i] + u[3 * i + (size_t)k] - p->x_target[k][i];
            if (isfinite(p->node_weight[i])) value += p->node_weight[i] * d * d / 2;
        }
    for (size_t j = 0; j < p->element_count; j++) {
        wide_quat q = wide_frame(p, u, j);
        wide_quat target = {p->q_target[0][j], p->q_target[1][j], p->q_target[2][j], p->q_target[3][j]};
        wide_quat away = wide_multiply(wide_conjugate(target), q);
        real phi[3] = {2 * away.x, 2 * away.y, 2 * away.z}, d[3];
        size_t next = j + 1 < p->node_count ? j + 1 : 0;
        for (int k = 0; k < 3; k++) d[k] = p->x[k][next] + u[3 * next + (size_t)k] - p->x[k][j] - u[3 * j + (size_t)k];
        wide_quat e = wide_multiply(wide_multiply(wide_conjugate(q), (wide_quat){0, d[0], d[1], d[2]}), q);
        real strain[3] = {e.x / p->rest_length[j], e.y / p->rest_length[j], e.z / p->rest_length[j] - 1};
        for (int k = 0; k < 3; k++) {
            if (p->rest_strain[0] != NULL) strain[k] -= p->rest_strain[k][j];
            value += p->rest_length[j] * p->stretch_stiffness[k][j * p->stretch_stride] * strain[k] * strain[k] / 2;
            value += p->frame_weight[k][j] * phi[k] * phi[k] / 2 - p->torque[k][j] * phi[k];
        }
    }
    for (size_t i = p->is_closed ? 0 : 1; i < p->element_count; i++) {
        size_t left = i > 0 ? i - 1 : p->element_count - 1, at = i * p->bend_stride;
        double rest[4] = {p->rest_turn[0][i], p->rest_turn[1][i], p->rest_turn[2][i], p->rest_turn[3][i]};
        double k[3] = {p->bend_stiffness[0][at], p->bend_stiffness[1][at], p->bend_stiffness[2][at]};
        wide_quat turn = wide_multiply(wide_conjugate(wide_frame(p, u, left)), wide_frame(p, u, i));
        value += wide_bend(turn, rest, k, pobd_measure(p));
    }
    for (size_t a = 0; a < p->anchor_count; a++) {
        const pobd_anchor *anchor = &p->anchors[a];
        wide_quat section = {anchor->frame.w, anchor->frame.x, anchor->frame.y, anchor->frame.z};
        double rest[4] = {anchor->rest_half.w, anchor->rest_half.x, anchor->rest_half.y, anchor->rest_half.z};
        if (anchor->node < p->element_count && anchor->side >= 0)
            value += wide_bend(wide_multiply(wide_conjugate(section), wide_frame(p, u, anchor->node)), rest,
                               anchor->stiffness, pobd_measure(p));
        if ((anchor->node > 0 || p->is_closed) && anchor->side <= 0) {
            size_t left = anchor->node > 0 ? anchor->node - 1 : p->element_count - 1;
            value += wide_bend(wide_multiply(wide_conjugate(wide_frame(p, u, left)), section), rest, anchor->stiffness,
                               pobd_measure(p));
        }
    }
    return value;
}

// ---- the cases: straight, curved, anisotropic, closed, anchored, with rest strain, nearly degenerate ----------------

enum { KIND_COUNT = 24 }; // the second twelve by angle

static pobd_case *make(cdg_random *random, int number) {
    int kind = number % 12;
    bool is_closed = kind == 4 || kind == 5 || kind == 11;
    double wildness = kind == 0 ? 1e-3 : kind == 6 ? 2.5 : 0.4;
    pobd_case *c = case_random(random, is_closed ? 5 : 4, is_closed, wildness);
    pobd_problem *p = &c->problem;
    if (kind % 2 == 1) // external torques
        for (size_t j = 0; j < p->element_count; j++)
            for (int k = 0; k < 3; k++) c->torque[k][j] = random_in(random, -0.5, 0.5);
    if (kind == 1) p->rest_strain[0] = p->rest_strain[1] = p->rest_strain[2] = NULL;
    if (kind == 2) p->stretch_stride = p->bend_stride = 0;
    if (kind == 3 || kind == 5) case_clamp(c, 0, random_rotation(random), 3);
    if (kind == 3) case_clamp(c, 2, random_rotation(random), 2);
    p->is_tangent = number < 12 && (kind >= 9 || kind == 7);
    p->is_angle = number >= 12;
    if (kind == 9 || kind == 11) case_clamp(c, 0, quat(p->q[0][0], p->q[1][0], p->q[2][0], p->q[3][0]), 3);
    if (kind == 3) c->anchors[1].side = -1; // only one of the half cells
    if (kind == 11) c->anchors[0].side = 1;
    if (kind == 8) // an element of no length, and neighbours nearly half a turn apart
        for (int k = 0; k < 3; k++) p->x[k][2] = p->x[k][1];
    if (kind == 8) {
        cdg_quat q = quat(p->q[0][1], p->q[1][1], p->q[2][1], p->q[3][1]);
        case_set_q(p->q, 2, quat_multiply(q, quat_from_axis_angle(vec3(1, 2, 3), 3.1)));
    }
    return c;
}

static void objective_equals_its_definition(void **unused) {
    (void)unused;
    cdg_random random = {11};
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        pobd_case *c = make(&random, kind);
        real *u = calloc(6 * (c->problem.node_count + 1), sizeof *u);
        double wanted = (double)wide_objective(&c->problem, u);
        assert_near(pobd_objective(&c->problem, NULL, NULL), wanted, 1e-12 * (1 + fabs(wanted)));
        free(u);
        case_destroy(c);
    }
}

typedef struct gradient_arrays {
    double *x[3], *t[3];
    double memory[6][16];
} gradient_arrays;

static void prepare(gradient_arrays *g) {
    for (int k = 0; k < 3; k++) g->x[k] = g->memory[k], g->t[k] = g->memory[3 + k];
}

static void gradient_equals_finite_differences(void **unused) {
    (void)unused;
    cdg_random random = {12};
    for (int round = 0; round < 20; round++)
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            pobd_case *c = make(&random, kind);
            pobd_problem *p = &c->problem;
            gradient_arrays g;
            prepare(&g);
            pobd_objective(p, g.x, g.t);
            size_t count = 3 * (p->node_count + p->element_count);
            real *u = calloc(count, sizeof *u);
            double largest = 0;
            for (size_t i = 0; i < p->node_count; i++)
                for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(g.x[k][i]));
            for (size_t i = 0; i < count; i++) {
                // fourth order: error of the order of 1e-12 and of rounding 1e-19/1e-4
                real step = 1e-4L, f[4], places[4] = {-2, -1, 1, 2};
                for (int k = 0; k < 4; k++) u[i] = places[k] * step, f[k] = wide_objective(p, u);
                u[i] = 0;
                double wanted = (double)((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step));
                size_t n = p->node_count;
                double got = i < 3 * n ? g.x[i % 3][i / 3] : g.t[i % 3][(i - 3 * n) / 3];
                assert_near(got, wanted, 1e-9 * (fabs(wanted) + largest));
            }
            free(u);
            case_destroy(c);
        }
}

// The second derivatives of each term against differences of its gradient, through the objective of a rod that has
// nothing but this term. d2E/(da db) of a symmetric second derivative in exponential coordinates: mixed differences.
static void second_derivatives_equal_finite_differences(void **unused) {
    (void)unused;
    cdg_random random = {13};
    for (int round = 0; round < 60; round++) {
        pobd_case *c = case_random(&random, 2, false, round % 4 == 0 ? 2.0 : 0.5);
        pobd_problem *p = &c->problem;
        p->is_tangent = round % 3 == 1;
        p->is_angle = round % 3 == 2;
        size_t count = 15;
        double matrix[15][15] = {{0}};
        // order: nodes 0, 1, 2 then elements 0, 1
        for (size_t j = 0; j < 2; j++) {
            block_stretch_term s = block_stretch_at(p, j, j + 1, true);
            block_spin_term spin = block_spin_at(p, j, true);
            block_matrix m = block_from_symmetric(s.spring);
            block_matrix t = block_from_symmetric(block_add_symmetric(s.turning, spin.turning));
            double mv[9], cv[9], tv[9];
            memcpy(mv, &m, sizeof m), memcpy(cv, &s.coupling, sizeof m), memcpy(tv, &t, sizeof t);
            for (size_t k = 0; k < 9; k++) {
                size_t a = k / 3, b = k % 3, x0 = 3 * j, x1 = 3 * j + 3, th = 9 + 3 * j;
                matrix[x0 + a][x0 + b] += mv[k], matrix[x1 + a][x1 + b] += mv[k];
                matrix[x0 + a][x1 + b] -= mv[k], matrix[x1 + a][x0 + b] -= mv[k];
                matrix[x1 + a][th + b] += cv[k], matrix[th + b][x1 + a] += cv[k];
                matrix[x0 + a][th + b] -= cv[k], matrix[th + b][x0 + a] -= cv[k];
                matrix[th + a][th + b] += tv[k];
            }
        }
        block_bend_term bend = block_bend_at(p, 0, 1, 1, pobd_measure(p), true);
        block_matrix ll = block_from_symmetric(bend.left_left), rr = block_from_symmetric(bend.right_right);
        double lv[9], rv[9], xv[9];
        memcpy(lv, &ll, sizeof ll), memcpy(rv, &rr, sizeof rr), memcpy(xv, &bend.left_right, sizeof rr);
        for (size_t k = 0; k < 9; k++) {
            size_t a = k / 3, b = k % 3;
            matrix[9 + a][9 + b] += lv[k], matrix[12 + a][12 + b] += rv[k];
            matrix[9 + a][12 + b] += xv[k], matrix[12 + b][9 + a] += xv[k];
        }
        for (size_t i = 0; i < 9; i++) matrix[i][i] += c->node_weight[i / 3];

        real u[15] = {0}, step = 1e-4L;
        double largest = 0;
        for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(matrix[i][i]));
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k <= i; k++) {
                real sum = 0;
                for (int corner = 0; corner < 4; corner++) {
                    real a = corner & 1 ? step : -step, b = corner & 2 ? step : -step;
                    u[i] += a, u[k] += b;
                    sum += (a * b > 0 ? 1 : -1) * wide_objective(p, u);
                    u[i] = u[k] = 0;
                }
                assert_near(matrix[i][k], (double)(sum / (4 * step * step)), 2e-6 * largest);
                assert_near(matrix[i][k], matrix[k][i], 1e-12 * largest);
            }
        case_destroy(c);
    }
}

// z^T A z of the semidefinite form, for stretch, bend and spin, and that it is below the exact one only by what was
// dropped.
static void fall_back_is_positive_semidefinite(void **unused) {
    (void)unused;
    cdg_random random = {14};
    for (int round = 0; round < 2000; round++) {
        pobd_case *c = case_random(&random, 2, false, 2.5);
        c->problem.is_tangent = round % 3 == 1;
        c->problem.is_angle = round % 3 == 2;
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < 3; i++) c->problem.x[k][i] *= random_in(&random, 0, 3);
        block_stretch_term s = block_stretch_at(&c->problem, 0, 1, false);
        block_bend_term b = block_bend_at(&c->problem, 0, 1, 1, pobd_measure(&c->problem), false);
        block_spin_term spin = block_spin_at(&c->problem, 0, false);
        for (int k = 0; k < 10; k++) {
            cdg_vec3 d3 = random_vec3(&random, 1), t3 = random_vec3(&random, 1);
            block_vector d = {d3.x, d3.y, d3.z}, t = {t3.x, t3.y, t3.z};
            double dd = block_dot(d, block_apply_symmetric(s.spring, d));
            double tt = block_dot(t, block_apply_symmetric(s.turning, t));
            double value = dd + 2 * block_dot(d, block_apply(s.coupling, t)) + tt;
            assert_true(value >= -1e-12 * (dd + tt));
            dd = block_dot(d, block_apply_symmetric(b.left_left, d));
            tt = block_dot(t, block_apply_symmetric(b.right_right, t));
            value = dd + 2 * block_dot(d, block_apply(b.left_right, t)) + tt;
            assert_true(value >= -1e-12 * (dd + tt));
            assert_true(block_dot(t, block_apply_symmetric(spin.turning, t)) >= 0);
        }
        case_destroy(c);
    }
}

static void elastic_part_ignores_rigid_motion_and_sign(void **unused) {
    (void)unused;
    cdg_random random = {15};
    for (int round = 0; round < 40; round++) {
        pobd_case *c = case_random(&random, 6, round % 2 == 0, 0.6);
        pobd_problem *p = &c->problem;
        p->is_tangent = round % 4 >= 2;
        p->is_angle = round % 5 == 0 && !p->is_tangent;
        for (size_t i = 0; i < p->node_count; i++) c->node_weight[i] = 0;
        for (size_t j = 0; j < p->element_count; j++)
            for (int k = 0; k < 3; k++) c->frame_weight[k][j] = 0;
        double before = pobd_objective(p, NULL, NULL);
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 move = random_vec3(&random, 5);
        for (size_t i = 0; i < p->node_count; i++) {
            cdg_vec3 x = vec3_add(move, quat_rotate(turn, vec3(p->x[0][i], p->x[1][i], p->x[2][i])));
            p->x[0][i] = x.x, p->x[1][i] = x.y, p->x[2][i] = x.z;
        }
        for (size_t j = 0; j < p->element_count; j++) {
            cdg_quat q = quat_multiply(turn, quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]));
            case_set_q(p->q, j, random_unit(&random) < 0.5 ? q : quat_negate(q));
        }
        gradient_arrays g;
        prepare(&g);
        assert_near(pobd_objective(p, g.x, g.t), before, 1e-12 * before);
        // no net force
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (size_t i = 0; i < p->node_count; i++) sum += g.x[k][i];
            assert_near(sum, 0, 1e-12 * before);
        }
        case_destroy(c);
    }
}

static void gradient_of_held_nodes_is_elastic(void **unused) {
    (void)unused;
    cdg_random random = {16};
    pobd_case *c = case_random(&random, 3, false, 0.5);
    pobd_problem *p = &c->problem;
    gradient_arrays light, held;
    prepare(&light), prepare(&held);
    c->node_weight[1] = 0;
    double without = pobd_objective(p, light.x, light.t);
    c->node_weight[1] = INFINITY;
    assert_near(pobd_objective(p, held.x, held.t), without, 0);
    for (int k = 0; k < 3; k++) assert_near(held.x[k][1], light.x[k][1], 0);
    case_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objective_equals_its_definition),
        cmocka_unit_test(gradient_equals_finite_differences),
        cmocka_unit_test(second_derivatives_equal_finite_differences),
        cmocka_unit_test(fall_back_is_positive_semidefinite),
        cmocka_unit_test(elastic_part_ignores_rigid_motion_and_sign),
        cmocka_unit_test(gradient_of_held_nodes_is_elastic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
