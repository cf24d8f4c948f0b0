// Vector algebra: identities on random vectors, degenerate input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

enum { ROUNDS = 2000 };

static void test_linear_operations(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 a = random_vec3(&random, 10), b = random_vec3(&random, 10);
        double s = random_in(&random, -3, 3);
        assert_vec3_near(vec3_sub(vec3_add(a, b), b), a, 1e-13);
        assert_vec3_near(vec3_mad(a, s, b), vec3_add(a, vec3_scale(s, b)), 1e-13);
        assert_near(vec3_dot(vec3_add(a, b), a), vec3_dot(a, a) + vec3_dot(a, b), 1e-11);
        assert_near(vec3_distance(a, b), vec3_norm(vec3_sub(b, a)), 1e-13);
        assert_vec3_near(vec3_lerp(a, b, 0), a, 0);
        assert_vec3_near(vec3_lerp(a, b, 1), b, 1e-13);
        assert_vec3_near(vec3_lerp(a, b, 0.5), vec3_scale(0.5, vec3_add(a, b)), 1e-13);
    }
    assert_vec3_near(vec3(1, 2, 3), ((cdg_vec3){.x = 1, .y = 2, .z = 3}), 0);
}

static void test_cross_product(void **state) {
    (void)state;
    cdg_random random = {2};
    assert_vec3_near(vec3_cross(vec3(1, 0, 0), vec3(0, 1, 0)), vec3(0, 0, 1), 0);
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 a = random_vec3(&random, 1), b = random_vec3(&random, 1), c = random_vec3(&random, 1);
        cdg_vec3 n = vec3_cross(a, b);
        assert_near(vec3_dot(n, a), 0, 1e-15);
        assert_near(vec3_dot(n, b), 0, 1e-15);
        assert_vec3_near(n, vec3_scale(-1, vec3_cross(b, a)), 0);
        // Lagrange: |a x b|^2 + (a . b)^2 = |a|^2 |b|^2
        assert_near(vec3_dot(n, n) + vec3_dot(a, b) * vec3_dot(a, b), vec3_dot(a, a) * vec3_dot(b, b), 1e-14);
        // Jacobi
        cdg_vec3 sum = vec3_add(vec3_cross(a, vec3_cross(b, c)),
                                vec3_add(vec3_cross(b, vec3_cross(c, a)), vec3_cross(c, vec3_cross(a, b))));
        assert_vec3_near(sum, vec3(0, 0, 0), 1e-14);
    }
}

static void test_normalize(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < ROUNDS; i++) {
        cdg_vec3 a = vec3_scale(pow(10, random_in(&random, -100, 100)), random_vec3(&random, 1));
        cdg_vec3 u = vec3_normalize(a);
        assert_near(vec3_norm(u), 1, 1e-15);
        assert_true(vec3_dot(u, a) > 0);
        assert_vec3_near(vec3_cross(u, vec3_scale(1 / vec3_norm(a), a)), vec3(0, 0, 0), 1e-15);
    }
    assert_vec3_near(vec3_normalize(vec3(0, 0, 0)), vec3(0, 0, 0), 0);
}

static void test_any_perpendicular(void **state) {
    (void)state;
    cdg_random random = {4};
    const cdg_vec3 special[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -2, 0},  {0, 0, -1e-9},
                                {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1},  {-1, 1, -1}, {1e-9, 1, 1e-9}};
    for (size_t i = 0; i < ROUNDS + sizeof special / sizeof *special; i++) {
        cdg_vec3 a = i < ROUNDS ? random_vec3(&random, 1) : special[i - ROUNDS];
        cdg_vec3 p = vec3_any_perpendicular(a);
        assert_near(vec3_norm(p), 1, 1e-15);
        assert_near(vec3_dot(p, vec3_normalize(a)), 0, 1e-15);
    }
}

static void test_is_finite(void **state) {
    (void)state;
    assert_true(vec3_is_finite(vec3(1, -1e308, 0)));
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        assert_false(vec3_is_finite(vec3(bad[i], 0, 0)));
        assert_false(vec3_is_finite(vec3(0, bad[i], 0)));
        assert_false(vec3_is_finite(vec3(0, 0, bad[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_operations), cmocka_unit_test(test_cross_product),
        cmocka_unit_test(test_normalize),         cmocka_unit_test(test_any_perpendicular),
        cmocka_unit_test(test_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
