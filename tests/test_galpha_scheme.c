// Coefficients of the generalised-alpha scheme: order, damping at infinity, and the stability bounds against growth
// factors computed mode by mode.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <complex.h>

#include "math/random.h"
#include "near.h"
#include "rods/galpha/parts.h"

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

// A mass on a circle, a mode infinitely stiff whose direction turns with it: a step of the scheme with step 1.
typedef struct circle_state {
    double complex position, rate, velocity, acceleration, force;
} circle_state;

static double complex rate_of(double gamma, double complex change, double complex old) {
    return (change - (1 - gamma) * old) / gamma;
}
static double complex function_of(galpha_scheme s, double complex rate, double complex old_rate, double complex old) {
    return ((1 - s.alpha) * rate + s.alpha * old_rate - s.beta * old) / (1 - s.beta);
}
static circle_state at_angle(galpha_scheme s, const circle_state *old, double angle) {
    circle_state next = {.position = cexp(I * angle)};
    next.rate = rate_of(s.gamma, next.position - old->position, old->rate);
    next.velocity = function_of(s, next.rate, old->rate, old->velocity);
    next.acceleration = rate_of(s.gamma, next.velocity - old->velocity, old->acceleration);
    next.force = function_of(s, next.acceleration, old->acceleration, old->force);
    return next;
}
static double along_circle(const circle_state *c) { return cimag(c->force * conj(c->position)); }
static circle_state circle_step(galpha_scheme s, const circle_state *old) {
    double angle = carg(old->position) + cimag(old->velocity * conj(old->position));
    for (int i = 0; i < 8; i++) { // no force along the circle
        const double h = 1e-6;
        circle_state here = at_angle(s, old, angle), a = at_angle(s, old, angle - h), b = at_angle(s, old, angle + h);
        angle -= along_circle(&here) * 2 * h / (along_circle(&b) - along_circle(&a));
    }
    return at_angle(s, old, angle);
}
// Largest jump of the velocity away from the circle, from a step on, after a disturbance.
static double disturbance_in(galpha_scheme s, double turn, int from, int steps) {
    circle_state c = {1, I * turn, I * turn, -turn * turn, -turn * turn * (1 + 1e-6)};
    for (int i = 0; i < 100 && turn != 0; i++) c = circle_step(galpha_scheme_from_lambda(0), &c); // its steady turning
    c.force *= 1 + 1e-6;
    double largest = 0;
    for (int i = 0; i < steps; i++) {
        circle_state next = circle_step(s, &c);
        double away = creal(next.velocity * conj(next.position)), before = creal(c.velocity * conj(c.position));
        if (i >= from) largest = fmax(largest, fabs(away - before)); // it alternates
        c = next;
    }
    return largest;
}

// Fast modes that turn: the plain scheme grows where its turn is too large, the one chosen for the turn never does.
static void test_turning_modes(void **state) {
    (void)state;
    const double lambdas[] = {-1, -0.95, -0.9, -0.8, -0.7, -0.5};
    for (size_t i = 0; i < sizeof lambdas / sizeof *lambdas; i++) {
        galpha_scheme s = galpha_scheme_from_lambda(lambdas[i]);
        for (double turn = 0.02; turn < 0.7; turn *= 2) {
            bool is_kept = galpha_scheme_for_turn(s, 0.5 * turn).alpha == s.alpha;
            galpha_scheme chosen = galpha_scheme_for_turn(s, turn);
            assert_true(galpha_scheme_is_stable(chosen));
            double plain = disturbance_in(s, turn, 0, 1500), limited = disturbance_in(chosen, turn, 1000, 1500);
            if (!is_kept) assert_true(plain > 0.2 * turn);
            assert_true(limited < 1e-3 * turn);
        }
    }
    galpha_scheme s = galpha_scheme_from_lambda(-0.8); // cos + cot(pi/8) sin = 1.25 at 0.1061
    assert_near(galpha_scheme_for_turn(s, 0.1060).alpha, s.alpha, 0);
    assert_true(galpha_scheme_for_turn(s, 0.1062).alpha < s.alpha);
    s = galpha_scheme_from_lambda(-0.38); // below sin(pi/8) any turn is good
    for (double turn = 0; turn < 7; turn += 0.1) assert_near(galpha_scheme_for_turn(s, turn).alpha, s.alpha, 0);
    s = (galpha_scheme){0.3, 0, 0.7}; // implicit Euler in disguise: its factor cancels
    assert_near(galpha_scheme_for_turn(s, 1).gamma, 0.7, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_lambda),      cmocka_unit_test(test_choose),
        cmocka_unit_test(test_stability_bounds), cmocka_unit_test(test_spectral_radius),
        cmocka_unit_test(test_turning_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
