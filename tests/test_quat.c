// Rotations: group laws, exp and log round trips, q and -q, degenerate angles, frames from axes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "math/random.h"
#include "near.h"

enum { ROUNDS = 2000 };
#define PI 3.14159265358979323846

static cdg_vec3 random_direction(cdg_random *random) { return quat_d3(random_rotation(random)); }

static void test_group_laws(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat a = random_rotation(&random), b = random_rotation(&random), c = random_rotation(&random);
        cdg_vec3 v = random_vec3(&random, 2);
        assert_near(quat_dot(a, a), 1, 1e-15);
        assert_near(quat_dot(quat_multiply(a, b), quat_multiply(a, b)), 1, 1e-14);
        cdg_quat left = quat_multiply(quat_multiply(a, b), c), right = quat_multiply(a, quat_multiply(b, c));
        assert_near(quat_dot(left, right), 1, 1e-14); // the sign is kept too
        assert_near(quat_dot(quat_multiply(a, quat_conjugate(a)), quat_identity()), 1, 1e-15);
        assert_near(quat_dot(quat_multiply(a, quat_relative(a, b)), b), 1, 1e-14);
        assert_vec3_near(quat_rotate(quat_multiply(a, b), v), quat_rotate(a, quat_rotate(b, v)), 1e-14);
        assert_vec3_near(quat_rotate_inverse(a, quat_rotate(a, v)), v, 1e-14);
        assert_vec3_near(quat_rotate(quat_negate(a), v), quat_rotate(a, v), 1e-15);
    }
}

static void test_rotation_is_rigid_and_right_handed(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat q = random_rotation(&random);
        cdg_vec3 v = random_vec3(&random, 1), w = random_vec3(&random, 1);
        assert_near(vec3_dot(quat_rotate(q, v), quat_rotate(q, w)), vec3_dot(v, w), 1e-14);
        assert_vec3_near(vec3_cross(quat_d1(q), quat_d2(q)), quat_d3(q), 1e-14);
        cdg_vec3 sum = vec3_mad(vec3_scale(v.x, quat_d1(q)), v.y, quat_d2(q));
        sum = vec3_mad(sum, v.z, quat_d3(q));
        assert_vec3_near(quat_rotate(q, v), sum, 1e-14);
    }
    // a quarter turn about z takes x to y
    assert_vec3_near(quat_rotate(quat_from_axis_angle(vec3(0, 0, 5), PI / 2), vec3(1, 0, 0)), vec3(0, 1, 0), 1e-15);
}

static void test_exp_agrees_with_rodrigues(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 axis = random_direction(&random), v = random_vec3(&random, 1);
        double angle = pow(10, random_in(&random, -12, 2));
        cdg_vec3 expected = vec3_add(vec3_mad(vec3_scale(cos(angle), v), sin(angle), vec3_cross(axis, v)),
                                     vec3_scale((1 - cos(angle)) * vec3_dot(axis, v), axis));
        assert_vec3_near(quat_rotate(quat_exp(vec3_scale(angle, axis)), v), expected, 1e-13);
    }
    assert_near(quat_dot(quat_exp(vec3(0, 0, 0)), quat_identity()), 1, 0);
}

static void test_log_inverts_exp(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 axis = random_direction(&random);
        double angle = i % 2 ? random_in(&random, 0, PI - 1e-6) : pow(10, random_in(&random, -300, 0));
        cdg_vec3 v = vec3_scale(angle, axis);
        cdg_vec3 back = quat_log(quat_exp(v));
        assert_vec3_near(back, v, 1e-14 * angle + 1e-300);
        assert_vec3_near(quat_log(quat_negate(quat_exp(v))), v, 1e-14 * angle + 1e-300);
    }
    assert_vec3_near(quat_log(quat_identity()), vec3(0, 0, 0), 0);
    assert_vec3_near(quat_log(quat(-1, 0, 0, 0)), vec3(0, 0, 0), 0);
}

static void test_exp_inverts_log(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat q = random_rotation(&random);
        cdg_vec3 v = quat_log(q);
        assert_true(vec3_norm(v) <= PI + 1e-15);
        assert_rotation_near(quat_exp(v), q, 1e-15);
        // half turns: w = 0
        cdg_vec3 axis = random_direction(&random);
        cdg_quat half = quat(0, axis.x, axis.y, axis.z);
        assert_near(vec3_norm(quat_log(half)), PI, 1e-14);
        assert_rotation_near(quat_exp(quat_log(half)), half, 1e-15);
    }
}

// The steps of the series in exp and log must not show: both sides of each threshold agree with the exact value.
static void test_small_angle_thresholds(void **state) {
    (void)state;
    const double angles[] = {0.99e-4, 1.01e-4, 1.99e-8, 2.01e-8};
    for (int i = 0; i < 4; i++) {
        cdg_quat q = quat_exp(vec3(angles[i], 0, 0));
        assert_near(q.x, sin(angles[i] / 2), 2e-16 * angles[i]);
        assert_near(q.w, cos(angles[i] / 2), 2e-16);
        assert_near(quat_log(q).x, angles[i], 1e-15 * angles[i]);
    }
}

static void test_exp_is_continuous_over_many_turns(void **state) {
    (void)state;
    cdg_vec3 axis = vec3_normalize(vec3(1, -2, 0.5));
    cdg_quat before = quat_exp(vec3(0, 0, 0));
    for (int i = 1; i <= 4000; i++) {
        double angle = 0.05 * i;
        cdg_quat now = quat_exp(vec3_scale(angle, axis));
        assert_near(quat_dot(before, now), cos(0.025), 1e-12);
        before = now;
    }
}

static void test_power(void **state) {
    (void)state;
    cdg_random random = {6};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat q = random_rotation(&random);
        double a = random_in(&random, -2, 2), b = random_in(&random, -2, 2);
        assert_rotation_near(quat_power(q, 1), q, 1e-14);
        assert_rotation_near(quat_power(q, 0), quat_identity(), 0);
        assert_rotation_near(quat_power(q, -1), quat_conjugate(q), 1e-14);
        assert_rotation_near(quat_multiply(quat_power(q, a), quat_power(q, b)), quat_power(q, a + b), 1e-13);
        assert_rotation_near(quat_power(quat_negate(q), a), quat_power(q, a), 1e-14);
        cdg_quat half = quat_power(q, 0.5);
        assert_rotation_near(quat_multiply(half, half), q, 1e-14);
        assert_true(fabs(half.w) >= sqrt(0.5) - 1e-14); // the shorter way: at most a quarter turn
    }
}

static void test_between(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 a = random_direction(&random), b = random_direction(&random);
        cdg_quat q = quat_between(a, b);
        assert_near(quat_dot(q, q), 1, 1e-15);
        assert_vec3_near(quat_rotate(q, a), b, 1e-12);
        assert_near(vec3_dot(quat_imaginary(q), a), 0, 1e-12); // smallest: no turn about a
        assert_near(vec3_norm(quat_log(q)), atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)), 1e-12);
        assert_rotation_near(quat_between(a, a), quat_identity(), 1e-15);
    }
}

static void test_between_opposite_vectors(void **state) {
    (void)state;
    cdg_random random = {8};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 a = random_direction(&random), b = vec3_scale(-1, a);
        cdg_quat q = quat_between(a, b);
        assert_near(quat_dot(q, q), 1, 1e-15);
        assert_vec3_near(quat_rotate(q, a), b, 1e-14);
        // Nearly opposite: 1 + a . b loses digits, so the result may be off by the square root of rounding, never more.
        double tilt = pow(10, random_in(&random, -16, -2));
        b = vec3_normalize(vec3_mad(b, tilt, vec3_any_perpendicular(a)));
        q = quat_between(a, b);
        assert_near(quat_dot(q, q), 1, 1e-15);
        assert_vec3_near(quat_rotate(q, a), b, 2e-7);
    }
}

static void test_from_axes(void **state) {
    (void)state;
    cdg_random random = {9};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat q = random_rotation(&random);
        if (i % 4 == 0) { // turns near a half about any axis, the coordinate axes among them: every branch
            cdg_vec3 axis = i % 8 ? random_direction(&random) : vec3(i % 24 == 0, i % 24 == 8, i % 24 == 16);
            q = quat_from_axis_angle(axis, PI + random_in(&random, -1e-9, 1e-9));
        }
        assert_rotation_near(quat_from_axes(quat_d1(q), quat_d2(q), quat_d3(q)), q, 2e-15);
    }
    assert_rotation_near(quat_from_axes(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), quat_identity(), 0);
}

static void test_normalize(void **state) {
    (void)state;
    cdg_random random = {10};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_quat q = random_rotation(&random);
        double s = pow(10, random_in(&random, -100, 100));
        cdg_quat n = quat_normalize(quat(s * q.w, s * q.x, s * q.y, s * q.z));
        assert_near(quat_dot(n, n), 1, 1e-15);
        assert_near(quat_dot(n, q), 1, 1e-14);
    }
    assert_rotation_near(quat_normalize(quat(0, 0, 0, 0)), quat_identity(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_laws),
        cmocka_unit_test(test_rotation_is_rigid_and_right_handed),
        cmocka_unit_test(test_exp_agrees_with_rodrigues),
        cmocka_unit_test(test_log_inverts_exp),
        cmocka_unit_test(test_exp_inverts_log),
        cmocka_unit_test(test_small_angle_thresholds),
        cmocka_unit_test(test_exp_is_continuous_over_many_turns),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_between_opposite_vectors),
        cmocka_unit_test(test_from_axes),
        cmocka_unit_test(test_normalize),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
