// Dual numbers: every operation's derivatives against differences of its value.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/dual.h"
#include "math/random.h"
#include "near.h"

// A formula that uses every operation, of eight variables.
static dual formula(const double x[8]) {
    dual v[8];
    for (int k = 0; k < 8; k++) v[k] = dual_variable(x[k], k);
    dual_vec3 a = {v[0], v[1], v[2]}, b = {v[3], v[4], v[5]};
    dual_vec3 c = dual_vec3_cross(&a, &b), sum = dual_vec3_add(&a, &c), difference = dual_vec3_sub(&sum, &b);
    difference = dual_vec3_mad(&difference, v[6], &a);
    difference = dual_vec3_scale(0.7, &difference);
    dual norm = dual_sqrt(dual_shift(dual_vec3_dot(&difference, &difference), 0.5));
    dual_quat q = {v[3], v[4], v[5], v[6]}, p = {v[0], v[1], v[2], v[7]};
    dual_quat conjugate = dual_quat_conjugate(&q), product = dual_quat_multiply(&conjugate, &p);
    product = dual_quat_multiply_constant(&product, quat(0.1, -0.7, 0.4, 0.5));
    product = dual_quat_roll(&product, v[7]);
    product = dual_quat_negate(&product);
    dual_vec3 d1 = dual_quat_d1(&product), d2 = dual_quat_d2(&product), w = dual_quat_imaginary(&product);
    dual trigonometric = dual_add(dual_sin(v[6]), dual_mul(dual_cos(v[7]), dual_atan2(v[1], dual_shift(v[2], 3))));
    dual_vec3 scaled = dual_vec3_mul(trigonometric, &d1);
    dual r = dual_add(dual_vec3_dot(&scaled, &a), dual_sub(dual_vec3_dot(&d2, &w), norm));
    return dual_add(r, dual_inverse(dual_shift(dual_mul(product.w, product.w), 1)));
}

static void test_derivatives_are_differences(void **state) {
    (void)state;
    cdg_random random = {.state = 1};
    for (int trial = 0; trial < 50; trial++) {
        double x[8];
        for (int k = 0; k < 8; k++) x[k] = random_in(&random, -1, 1);
        dual f = formula(x);
        for (int k = 0; k < 8; k++) {
            double kept = x[k], step = 1e-3, sum = 0;
            const double weights[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, offsets[4] = {-2, -1, 1, 2};
            for (int o = 0; o < 4; o++) {
                x[k] = kept + offsets[o] * step;
                sum += weights[o] * formula(x).value;
            }
            x[k] = kept;
            assert_near(f.by[k], sum / step, 1e-7 * (1 + fabs(f.by[k])));
        }
    }
}

static void test_quaternions_agree_with_plain_ones(void **state) {
    (void)state;
    cdg_random random = {.state = 2};
    for (int trial = 0; trial < 50; trial++) {
        cdg_quat a = random_rotation(&random), b = random_rotation(&random);
        dual_quat x = dual_quat_constant(a), y = dual_quat_constant(b), xy = dual_quat_multiply(&x, &y);
        assert_rotation_near(dual_quat_value(&xy), quat_multiply(a, b), 1e-15);
        xy = dual_quat_multiply_constant(&x, b);
        assert_rotation_near(dual_quat_value(&xy), quat_multiply(a, b), 1e-15);
        double half = random_in(&random, -2, 2);
        xy = dual_quat_roll(&x, dual_constant(half));
        assert_rotation_near(dual_quat_value(&xy), quat_multiply(a, quat_exp(vec3(0, 0, 2 * half))), 1e-14);
        dual_vec3 d1 = dual_quat_d1(&x), d2 = dual_quat_d2(&x);
        assert_vec3_near(dual_vec3_value(&d1), quat_d1(a), 1e-14);
        assert_vec3_near(dual_vec3_value(&d2), quat_d2(a), 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_are_differences),
        cmocka_unit_test(test_quaternions_agree_with_plain_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
