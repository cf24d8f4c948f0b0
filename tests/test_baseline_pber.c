// Elastic rods with ghost points: gradients against finite differences, the Darboux vector against the rotation it
// comes from, and that a rod hangs, settles, untwists and returns to its rest shape.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/baseline_pber.h"
#include "math/random.h"
#include "near.h"

enum { ELEMENTS = 20 };

// Two edges with unit-size ghost points in random directions, turned against each other by less than a half turn.
static void random_points(cdg_random *random, cdg_vec3 p[PBER_POINTS]) {
    for (;;) {
        for (int k = 0; k < PBER_POINTS; k++) p[k] = random_vec3(random, 1);
        pber_frame a = baseline_pber_frame(p[PBER_P0], p[PBER_P1], p[PBER_GHOST0]);
        pber_frame b = baseline_pber_frame(p[PBER_P1], p[PBER_P2], p[PBER_GHOST1]);
        double f = 1 + vec3_dot(a.d[0], b.d[0]) + vec3_dot(a.d[1], b.d[1]) + vec3_dot(a.d[2], b.d[2]);
        bool is_sound = f > 0.5 && vec3_distance(p[PBER_P0], p[PBER_P1]) > 0.3 &&
                        vec3_distance(p[PBER_P1], p[PBER_P2]) > 0.3 &&
                        vec3_dot(a.d[0], vec3_sub(p[PBER_GHOST0], p[PBER_P0])) > 0.2 &&
                        vec3_dot(b.d[0], vec3_sub(p[PBER_GHOST1], p[PBER_P1])) > 0.2;
        if (is_sound) return;
    }
}

static double component(cdg_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static void test_frame(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 500; round++) {
        cdg_vec3 p0 = random_vec3(&random, 1), p1 = random_vec3(&random, 1), ghost = random_vec3(&random, 1);
        pber_frame frame = baseline_pber_frame(p0, p1, ghost);
        assert_vec3_near(vec3_cross(frame.d[0], frame.d[1]), frame.d[2], 1e-12);
        assert_vec3_near(frame.d[2], vec3_normalize(vec3_sub(p1, p0)), 1e-15);
        assert_near(vec3_dot(frame.d[1], vec3_sub(ghost, p0)), 0, 1e-12);
        assert_true(vec3_dot(frame.d[0], vec3_sub(ghost, p0)) > 0);
    }
}

// Against the quaternion between the two frames: (2 / length) Im / Re.
static void test_darboux_is_the_tangent_of_half_the_turn(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 500; round++) {
        cdg_vec3 p[PBER_POINTS], gradient[3][PBER_POINTS];
        random_points(&random, p);
        pber_frame a = baseline_pber_frame(p[PBER_P0], p[PBER_P1], p[PBER_GHOST0]);
        pber_frame b = baseline_pber_frame(p[PBER_P1], p[PBER_P2], p[PBER_GHOST1]);
        cdg_quat turn = quat_relative(quat_from_axes(a.d[0], a.d[1], a.d[2]), quat_from_axes(b.d[0], b.d[1], b.d[2]));
        cdg_vec3 expected = vec3_scale(2 / (0.7 * turn.w), quat_imaginary(turn));
        assert_vec3_near(baseline_pber_darboux(p, 0.7, gradient), expected, 1e-12 * (1 + vec3_norm(expected)));
    }
}

static void test_darboux_gradient(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 300; round++) {
        cdg_vec3 p[PBER_POINTS], moved[PBER_POINTS], gradient[3][PBER_POINTS], unused[3][PBER_POINTS];
        random_points(&random, p);
        baseline_pber_darboux(p, 0.7, gradient);
        for (int k = 0; k < PBER_POINTS; k++) {
            double h = 1e-5;
            cdg_vec3 direction = random_vec3(&random, 1), slope = vec3(0, 0, 0);
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int i = 0; i < PBER_POINTS; i++) moved[i] = p[i];
                moved[k] = vec3_mad(p[k], sign * h, direction);
                slope = vec3_mad(slope, sign / (2 * h), baseline_pber_darboux(moved, 0.7, unused));
            }
            for (int i = 0; i < 3; i++) {
                double size = 1 + vec3_norm(gradient[i][k]);
                assert_near(vec3_dot(gradient[i][k], direction), component(slope, i), 1e-6 * size);
            }
        }
    }
}

// Moving or turning all five points together changes nothing: what conserves linear and angular momentum.
static void test_darboux_ignores_rigid_motion(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int round = 0; round < 300; round++) {
        cdg_vec3 p[PBER_POINTS], moved[PBER_POINTS], gradient[3][PBER_POINTS], unused[3][PBER_POINTS];
        random_points(&random, p);
        cdg_vec3 darboux = baseline_pber_darboux(p, 0.7, gradient);
        for (int i = 0; i < 3; i++) {
            cdg_vec3 sum = vec3(0, 0, 0), moment = vec3(0, 0, 0);
            double size = 0;
            for (int k = 0; k < PBER_POINTS; k++) {
                sum = vec3_add(sum, gradient[i][k]);
                moment = vec3_add(moment, vec3_cross(p[k], gradient[i][k]));
                size += vec3_norm(gradient[i][k]);
            }
            assert_vec3_near(sum, vec3(0, 0, 0), 1e-14 * size);
            assert_vec3_near(moment, vec3(0, 0, 0), 1e-13 * size);
        }
        cdg_quat turn = random_rotation(&random);
        for (int k = 0; k < PBER_POINTS; k++) moved[k] = vec3_add(vec3(1, 2, 3), quat_rotate(turn, p[k]));
        assert_vec3_near(baseline_pber_darboux(moved, 0.7, unused), darboux, 1e-11 * (1 + vec3_norm(darboux)));
    }
}

static void check_scalar_gradient(double (*constraint)(const cdg_vec3 p[3], cdg_vec3 gradient[3]), uint64_t seed) {
    cdg_random random = {seed};
    for (int round = 0; round < 300; round++) {
        cdg_vec3 p[3], gradient[3], unused[3];
        for (int k = 0; k < 3; k++) p[k] = random_vec3(&random, 1);
        constraint(p, gradient);
        if (vec3_distance(p[2], vec3_lerp(p[0], p[1], 0.5)) < 0.1) continue;
        for (int k = 0; k < 3; k++) {
            double h = 1e-5;
            cdg_vec3 direction = random_vec3(&random, 1), before[3] = {p[0], p[1], p[2]}, after[3] = {p[0], p[1], p[2]};
            before[k] = vec3_mad(p[k], -h, direction);
            after[k] = vec3_mad(p[k], h, direction);
            double slope = (constraint(after, unused) - constraint(before, unused)) / (2 * h);
            assert_near(vec3_dot(gradient[k], direction), slope, 1e-7);
        }
    }
}

static void test_ghost_gradients(void **state) {
    (void)state;
    check_scalar_gradient(baseline_pber_bisector, 5);
    check_scalar_gradient(baseline_pber_distance, 6);
    cdg_vec3 gradient[3];
    const cdg_vec3 p[3] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 3}};
    assert_near(baseline_pber_bisector(p, gradient), 0, 0);
    assert_near(baseline_pber_distance(p, gradient), 3, 0);
}

// ---- the rod --------------------------------------------------------------------------------------------------------

static int make_rod(void **state) {
    baseline_pber *rod = malloc(sizeof *rod);
    assert_non_null(rod);
    assert_true(baseline_pber_init(rod, ELEMENTS, 1));
    *state = rod;
    return 0;
}

static int free_rod(void **state) {
    baseline_pber_destroy(*state);
    free(*state);
    return 0;
}

static size_t point_count(const baseline_pber *rod) { return 2 * rod->element_count + 1; }

static cdg_vec3 darboux_at(const baseline_pber *rod, size_t j) {
    size_t g = rod->element_count + 1 + j;
    const cdg_vec3 *x = rod->position;
    cdg_vec3 gradient[3][PBER_POINTS];
    return baseline_pber_darboux((cdg_vec3[]){x[j], x[j + 1], x[j + 2], x[g], x[g + 1]}, rod->edge_length, gradient);
}

static double speed(const baseline_pber *rod) {
    double largest = 0;
    for (size_t i = 0; i < point_count(rod); i++) largest = fmax(largest, vec3_norm(rod->velocity[i]));
    return largest;
}

static void test_rest_is_kept(void **state) {
    baseline_pber *rod = *state;
    rod->gravity = vec3(0, 0, 0);
    for (size_t j = 0; j + 1 < ELEMENTS; j++) assert_vec3_near(darboux_at(rod, j), vec3(0, 0, 0), 1e-12);
    for (int i = 0; i < 100; i++) baseline_pber_step(rod);
    for (size_t i = 0; i <= ELEMENTS; i++) assert_vec3_near(rod->position[i], vec3((double)i / ELEMENTS, 0, 0), 1e-12);
}

static void test_hangs_and_settles(void **state) {
    baseline_pber *rod = *state;
    rod->iterations = 40;
    rod->damping = 0.05;
    for (int k = 0; k < 3; k++) rod->stiffness[k] = 0.01;
    for (int i = 0; i < 800; i++) baseline_pber_step(rod);
    assert_true(speed(rod) < 1e-3);
    assert_vec3_near(rod->position[0], vec3(0, 0, 0), 0);
    assert_vec3_near(rod->position[1], vec3(1.0 / ELEMENTS, 0, 0), 0);
    assert_true(rod->position[ELEMENTS].z < -0.3);
    for (size_t i = 0; i < point_count(rod); i++) assert_near(rod->position[i].y, 0, 1e-9); // stays in its plane
    for (size_t j = 0; j < ELEMENTS; j++)
        assert_near(vec3_distance(rod->position[j], rod->position[j + 1]), rod->edge_length, 0.05 * rod->edge_length);
}

static void test_stiffer_sags_less(void **state) {
    (void)state;
    double tip[2];
    for (int k = 0; k < 2; k++) {
        baseline_pber rod;
        assert_true(baseline_pber_init(&rod, ELEMENTS, 1));
        rod.iterations = 20;
        rod.damping = 0.05;
        for (int i = 0; i < 3; i++) rod.stiffness[i] = k ? 1 : 0.01;
        for (int i = 0; i < 600; i++) baseline_pber_step(&rod);
        tip[k] = rod.position[ELEMENTS].z;
        baseline_pber_destroy(&rod);
    }
    assert_true(tip[1] > tip[0] + 0.05);
}

// Ghost points wound around the rod: it untwists towards the held end.
static void test_untwists(void **state) {
    baseline_pber *rod = *state;
    rod->gravity = vec3(0, 0, 0);
    rod->iterations = 20;
    rod->damping = 0.1;
    for (size_t j = 1; j < ELEMENTS; j++) {
        double angle = 0.2 * (double)j;
        cdg_vec3 middle = vec3_lerp(rod->position[j], rod->position[j + 1], 0.5);
        rod->position[ELEMENTS + 1 + j] = vec3_mad(middle, rod->ghost_distance, vec3(0, -sin(angle), cos(angle)));
    }
    for (size_t j = 0; j + 1 < ELEMENTS; j++)
        assert_vec3_near(darboux_at(rod, j), vec3(0, 0, 2 * tan(0.1) / rod->edge_length), 1e-9);
    for (int i = 0; i < 2000; i++) baseline_pber_step(rod);
    for (size_t j = 0; j + 1 < ELEMENTS; j++) assert_vec3_near(darboux_at(rod, j), vec3(0, 0, 0), 1e-2);
    assert_vec3_near(rod->position[2 * ELEMENTS], vec3(1 - 0.5 * rod->edge_length, 0, rod->ghost_distance), 1e-2);
}

// A rest curvature of a quarter circle: the straight rod takes it on.
static void test_takes_its_rest_curvature(void **state) {
    baseline_pber *rod = *state;
    rod->gravity = vec3(0, 0, 0);
    rod->iterations = 20;
    rod->damping = 0.1;
    double turn = 1.5707963267948966 / ELEMENTS;
    for (size_t j = 0; j < ELEMENTS; j++) rod->rest_darboux[j] = vec3(0, 2 * tan(turn / 2) / rod->edge_length, 0);
    for (int i = 0; i < 3000; i++) baseline_pber_step(rod);
    for (size_t j = 0; j + 1 < ELEMENTS; j++)
        assert_vec3_near(darboux_at(rod, j), rod->rest_darboux[j], 1e-2 * vec3_norm(rod->rest_darboux[j]));
    cdg_vec3 first = vec3_sub(rod->position[1], rod->position[0]);
    cdg_vec3 last = vec3_sub(rod->position[ELEMENTS], rod->position[ELEMENTS - 1]);
    assert_near(acos(vec3_dot(vec3_normalize(first), vec3_normalize(last))), turn * (ELEMENTS - 1), 1e-2);
}

static void test_free_rod_conserves_momentum_and_falls(void **state) {
    baseline_pber *rod = *state;
    cdg_random random = {9};
    cdg_vec3 before = vec3(0, 0, 0), after = vec3(0, 0, 0);
    rod->gravity = vec3(0, 0, 0);
    for (size_t i = 0; i < point_count(rod); i++) {
        rod->inverse_mass[i] = 1;
        rod->velocity[i] = random_vec3(&random, 0.2);
        before = vec3_add(before, rod->velocity[i]);
    }
    for (int i = 0; i < 100; i++) baseline_pber_step(rod);
    for (size_t i = 0; i < point_count(rod); i++) after = vec3_add(after, rod->velocity[i]);
    assert_vec3_near(after, before, 1e-9);
    rod->gravity = vec3(0, 0, -9.81);
    for (int i = 0; i < 100; i++) baseline_pber_step(rod);
    after = vec3(0, 0, 0);
    for (size_t i = 0; i < point_count(rod); i++) after = vec3_add(after, rod->velocity[i]);
    assert_vec3_near(after, vec3_mad(before, (double)point_count(rod), vec3(0, 0, -9.81)), 1e-8);
}

int main(void) {
#define WITH_ROD(test) cmocka_unit_test_setup_teardown(test, make_rod, free_rod)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_darboux_is_the_tangent_of_half_the_turn),
        cmocka_unit_test(test_darboux_gradient),
        cmocka_unit_test(test_darboux_ignores_rigid_motion),
        cmocka_unit_test(test_ghost_gradients),
        WITH_ROD(test_rest_is_kept),
        WITH_ROD(test_hangs_and_settles),
        cmocka_unit_test(test_stiffer_sags_less),
        WITH_ROD(test_untwists),
        WITH_ROD(test_takes_its_rest_curvature),
        WITH_ROD(test_free_rod_conserves_momentum_and_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
