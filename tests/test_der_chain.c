// Value, gradient and Hessian of der's system against differences of an energy written from the paper's definitions, in
// long double; rigid motions; section forces and moments of held sections.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rounds.h"

static dense_system *assemble(der_case *c) {
    der_chain chain;
    der_workspace work;
    dense_system *out = calloc(1, sizeof *out);
    case_chain(c, &chain, &work);
    out->value = der_chain_assemble(&chain, &work.matrix, 1);
    case_dense(&chain, &work.matrix, out);
    return out;
}

// Fourth-order differences of the long double energy.
static const real steps[4] = {-2, -1, 1, 2}, weights[4] = {1.0L / 12, -8.0L / 12, 8.0L / 12, -1.0L / 12};

static void check_derivatives(der_case *c) {
    dense_system *s = assemble(c);
    size_t size = 4 * c->rod->node_count;
    real d = 5e-5L, move[CASE_SIZE] = {0};
    double largest = 0, largest_second = 0;
    for (size_t a = 0; a < size; a++) largest = fmax(largest, fabs(s->gradient[a]));
    for (size_t a = 0; a < size; a++)
        for (size_t b = 0; b < size; b++) largest_second = fmax(largest_second, fabs(s->hessian[a][b]));
    assert_near(s->value, (double)long_energy(c->rod, move), 1e-12 * s->value + 1e-14);
    for (size_t a = 0; a < size; a++) {
        if (a % 4 == 3 && a / 4 >= c->rod->element_count) continue;
        real sum = 0;
        for (int i = 0; i < 4; i++) {
            move[a] = steps[i] * d;
            sum += weights[i] * long_energy(c->rod, move) / d;
        }
        move[a] = 0;
        assert_near(s->gradient[a], (double)sum, 1e-8 * largest + 1e-14 * largest_second);
        for (size_t b = 0; b <= a; b++) {
            if (b % 4 == 3 && b / 4 >= c->rod->element_count) continue;
            sum = 0;
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) {
                    move[a] = steps[i] * d;
                    move[b] += steps[j] * d;
                    sum += weights[i] * weights[j] * long_energy(c->rod, move) / (d * d);
                    move[b] = move[a] = 0;
                }
            assert_near(s->hessian[a][b], (double)sum, 1e-6 * largest_second);
        }
    }
    free(s);
}

static void test_derivatives(void **state) {
    (void)state;
    cdg_random random = {1};
    const double sizes[] = {1e-9, 0.3, 1};
    for (int round = 0; round<24; round += ROUNDS_LESS> 1 ? 5 : 1) { // 0, 5, 10, 15, 20: every kind
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, round / 2 % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE, points, &random);
        if (round >= 18) def.rest.twist = 20; // several turns a node
        der_case c = case_build(&def);
        case_shake(&c, &random, sizes[round / 4 % 3]);
        if (round % 3 == 0) case_hold(&c, &random);
        check_derivatives(&c);
        case_free(&c);
    }
}

// Isotropic and straight at rest, and states near the end of what can be differentiated: straight, folded almost back,
// with an edge of almost no length, and twisted by two turns a node.
static void test_derivatives_of_plain_rods(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 8; round++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.section.radius = 0.05;
        def.element_count = CASE_ELEMENTS;
        def.der.curvature = round % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE;
        if (round / 2 == 3) def.initial_twist = 4 * der_pi * CASE_ELEMENTS;
        der_case c = case_build(&def);
        if (round / 2 == 2) { // an eighth of its length, across: differences are no better with less
            for (size_t i = 3; i <= CASE_ELEMENTS; i++)
                rod_set_vec3(c.rod->x, i, vec3(((double)i - 1) / CASE_ELEMENTS, 0.125 / CASE_ELEMENTS, 0));
            case_shake(&c, &random, 1e-3);
        }
        if (round / 2 == 1) { // a hairpin: the turn at node 3 is 2.9 of at most 3.14 rad
            for (size_t i = 4; i <= CASE_ELEMENTS; i++) {
                double along = ((double)i - 3) / CASE_ELEMENTS;
                rod_set_vec3(c.rod->x, i,
                             vec3(3.0 / CASE_ELEMENTS - along * cos(0.24), along * sin(0.24), 0.01 * along));
            }
            case_shake(&c, &random, 0.01);
        }
        check_derivatives(&c);
        case_free(&c);
    }
}

static void test_rigid_motion_changes_nothing(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        der_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        case_shake(&c, &random, 0.5);
        dense_system *before = assemble(&c);
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 shift = random_vec3(&random, 2);
        for (size_t i = 0; i < rod->node_count; i++)
            rod_set_vec3(rod->x, i, vec3_add(quat_rotate(turn, rod_vec3(rod->x, i)), shift));
        for (size_t j = 0; j < rod->element_count; j++)
            rod_set_quat(rod->q, j, quat_multiply(turn, rod_quat(rod->q, j)));
        dense_system *after = assemble(&c);
        assert_near(after->value, before->value, 1e-11 * before->value);
        cdg_vec3 sum = {0}, about = {0};
        double scale = 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            const double *g = &after->gradient[4 * i], *h = &before->gradient[4 * i];
            cdg_vec3 force = vec3(g[0], g[1], g[2]);
            scale = fmax(scale, vec3_norm(force));
            assert_vec3_near(force, quat_rotate(turn, vec3(h[0], h[1], h[2])), 1e-9 * scale);
            sum = vec3_add(sum, force);
            about = vec3_add(about, vec3_cross(rod_vec3(rod->x, i), force));
            if (i < rod->element_count) about = vec3_mad(about, g[3], quat_d3(rod_quat(rod->q, i)));
        }
        assert_vec3_near(sum, vec3(0, 0, 0), 1e-10 * scale);
        assert_vec3_near(about, vec3(0, 0, 0), 1e-9 * scale);
        free(before);
        free(after);
        case_free(&c);
    }
}

// Without the stress terms the matrix has no negative eigenvalue, however wild the state.
static void test_safe_matrix_is_not_indefinite(void **state) {
    (void)state;
    cdg_random random = {4};
    int indefinite = 0;
    for (int round = 0; round < 40; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        der_case c = case_build(&def);
        case_shake(&c, &random, 1);
        for (int safe = 0; safe < 2; safe++) {
            der_chain chain;
            der_workspace work;
            case_chain(&c, &chain, &work);
            der_chain_assemble(&chain, &work.matrix, safe == 1 ? 0 : 1);
            for (size_t i = 0; i < c.rod->node_count; i++)
                for (int k = 0; k < 4; k++) der_strip_add_diagonal(&chain, &work.matrix, i, k, 1e-6);
            strip_factor(&work.matrix);
            if (safe == 1)
                assert_int_equal(work.matrix.negative_count, 0);
            else
                indefinite += work.matrix.negative_count > 0;
        }
        case_free(&c);
    }
    assert_true(indefinite > 20);
}

// Nodes' gradients are differences of the edges' forces; moments of held sections balance the rest.
static void test_edge_forces_and_anchor_moments(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        der_case c = case_build(&def);
        case_shake(&c, &random, 0.5);
        case_hold(&c, &random);
        dense_system *s = assemble(&c);
        der_chain chain;
        der_workspace work;
        case_chain(&c, &chain, &work);
        cdg_vec3 about = {0};
        double scale = 0;
        for (size_t i = 0; i < c.rod->node_count; i++) {
            size_t left = rod_left_element(c.rod, i), right = rod_right_element(c.rod, i);
            double turn = 0, ignored;
            cdg_vec3 g = vec3(0, 0, 0),
                     expected = vec3(s->gradient[4 * i], s->gradient[4 * i + 1], s->gradient[4 * i + 2]);
            if (left != SIZE_MAX) g = vec3_add(g, der_chain_edge_force(&chain, left, &ignored));
            if (right != SIZE_MAX) g = vec3_sub(g, der_chain_edge_force(&chain, right, &turn));
            scale = fmax(scale, vec3_norm(g));
            assert_vec3_near(g, expected, 1e-11 * scale);
            if (right != SIZE_MAX) assert_near(turn, s->gradient[4 * i + 3], 1e-11 * scale);
            about = vec3_add(about, vec3_cross(rod_vec3(c.rod->x, i), g));
            if (right != SIZE_MAX) about = vec3_mad(about, turn, quat_d3(rod_quat(c.rod->q, i)));
        }
        for (size_t a = 0; a < chain.anchor_count; a++)
            about = vec3_add(about, der_chain_anchor_moment(&chain, &chain.anchors[a]));
        assert_int_equal(chain.anchor_count, c.rod->is_closed ? 6 : 5);
        assert_vec3_near(about, vec3(0, 0, 0), 1e-10 * scale);
        free(s);
        case_free(&c);
    }
}

static void test_collapsed_edge_is_noticed(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = CASE_ELEMENTS;
    der_case c = case_build(&def);
    der_chain chain;
    der_workspace work;
    case_chain(&c, &chain, &work);
    size_t element = 99;
    rod_set_vec3(c.rod->x_next, 4, rod_vec3(c.rod->x_next, 3));
    assert_false(der_chain_start(&chain, &element));
    assert_int_equal(element, 3);
    rod_set_vec3(c.rod->x_next, 4, vec3_sub(rod_vec3(c.rod->x_next, 3), vec3(0.1, 0, 0))); // turned back
    assert_false(der_chain_start(&chain, &element));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_derivatives_of_plain_rods),
        cmocka_unit_test(test_rigid_motion_changes_nothing),
        cmocka_unit_test(test_safe_matrix_is_not_indefinite),
        cmocka_unit_test(test_edge_forces_and_anchor_moments),
        cmocka_unit_test(test_collapsed_edge_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
