// Coefficients of the generalised-alpha scheme: order, damping at infinity, and the stability bounds against growth
// factors computed mode by mode.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "rods/galpha_parts.h"

static void test_from_lambda(void **state) {
    (void)state;
    const double table[3][4] = {{-1, 0.5, 0.5, 0.5}, {-1.0 / 3, 0, 0.25, 0.75}, {0, -0.5, 0, 1}};
    for (int i = 0; i < 3; i++) {
        galpha_scheme s = galpha_scheme_from_lambda(table[i][0]);
        assert_near(s.alpha, table[i][1], 1e-15);
        assert_near(s.beta, table[i][2], 1e-15);
        assert_near(s.gamma, table[i][3], 1e-15);
    }
    for (double lambda = -1; lambda <= 0; lambda += 0.05) {
        galpha_scheme s = galpha_scheme_from_lambda(lambda);
        assert_near(s.alpha - s.beta + s.gamma, 0.5, 1e-14); // second order
        assert_true(galpha_scheme_is_stable(s));
        // both roots meet there, so rounding of 1e-16 shows as its root
        assert_near(galpha_scheme_spectral_radius(s, 1e9), -lambda, 1e-4);
        // and no mode is damped more than the one at infinity
        for (double w = 1e-3; w < 1e6; w *= 1.7) assert_true(galpha_scheme_spectral_radius(s, w) >= -lambda - 1e-4);
    }
}

static void test_choose(void **state) {
    (void)state;
    cdg_galpha_options options = cdg_galpha_options_default();
    assert_near(galpha_scheme_choose(&options).beta, galpha_scheme_from_lambda(options.lambda_infinity).beta, 0);
    options.has_coefficients = true;
    options.alpha = 0.1, options.beta = 0.2, options.gamma = 0.9;
    galpha_scheme s = galpha_scheme_choose(&options);
    assert_true(s.alpha == 0.1 && s.beta == 0.2 && s.gamma == 0.9);
}

// The bounds hold exactly where some mode grows: 2,000 random triples, on both sides.
static void test_stability_bounds(void **state) {
    (void)state;
    cdg_random random = {3};
    int stable = 0;
    for (int i = 0; i < 2000; i++) {
        galpha_scheme s = {random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, 0.1, 1.5)};
        double distance = fmin(fmin(fabs(s.alpha - 0.5), fabs(s.beta - 0.5)),
                               fmin(fabs(s.gamma - 0.5), fabs(s.alpha - s.beta + s.gamma - 0.5)));
        if (distance < 1e-3) continue;
        double largest = 0;
        for (double w = 1e-4; w < 1e7; w *= 1.1) largest = fmax(largest, galpha_scheme_spectral_radius(s, w));
        assert_int_equal(galpha_scheme_is_stable(s), largest <= 1 + 1e-9);
        stable += galpha_scheme_is_stable(s);
    }
    assert_in_range(stable, 100, 1900);
}

// The formula for the growth factor against steps of the scheme itself, x' = i w x with x and x' carried along.
static void test_spectral_radius(void **state) {
    (void)state;
    galpha_scheme s = galpha_scheme_from_lambda(-0.6);
    double w = 0.7, x[2] = {1, 0}, v[2] = {0, w}, log_start = 0;
    const int steps = 400, from = 200;
    for (int i = 0; i < steps; i++) {
        // (1 - alpha) v1 + alpha v0 = i w ((1 - beta) x1 + beta x0), x1 = x0 + gamma v1 + (1 - gamma) v0
        double a = 1 - s.alpha, b = (1 - s.beta) * s.gamma * w;
        double y[2] = {x[0] + (1 - s.beta) * (1 - s.gamma) * v[0], x[1] + (1 - s.beta) * (1 - s.gamma) * v[1]};
        double r[2] = {-s.alpha * v[0] - w * y[1], -s.alpha * v[1] + w * y[0]}; // (a - i b) v1 = r
        double n = a * a + b * b;
        double v1[2] = {(a * r[0] - b * r[1]) / n, (a * r[1] + b * r[0]) / n};
        for (int k = 0; k < 2; k++) x[k] += s.gamma * v1[k] + (1 - s.gamma) * v[k], v[k] = v1[k];
        if (i + 1 == from) log_start = log(hypot(x[0], x[1]));
    }
    double measured = exp((log(hypot(x[0], x[1])) - log_start) / (steps - from));
    assert_near(measured, galpha_scheme_spectral_radius(s, w), 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_lambda),
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_stability_bounds),
        cmocka_unit_test(test_spectral_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
