// Bounded least squares: linear problems in one step, curved valleys, minima at bounds, points without a value, and an
// honest end where there is none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/least_squares.h"
#include "math/random.h"
#include "near.h"

enum { SAMPLES = 40, MOST = 2 * SAMPLES };

typedef struct task {
    int kind; // 0 linear, 1 Rosenbrock, 2 exponential decay, 3 a cliff beyond which there is nothing, 4 nothing at all
    double data[SAMPLES];
    int evaluations;
    int stop_at;
} task;

static void residuals_at(const task *t, const double *x, double *r) {
    if (t->kind == 1) {
        r[0] = 10 * (x[1] - x[0] * x[0]);
        r[1] = 1 - x[0];
        return;
    }
    for (int i = 0; i < SAMPLES; i++) {
        double time = i / 10.0;
        r[i] = (t->kind == 0 ? x[0] + x[1] * time : x[0] * exp(-x[1] * time)) - t->data[i];
    }
}

static void evaluate(void *user, size_t count, const double *points, double *residuals, bool *is_good) {
    task *t = user;
    size_t m = t->kind == 1 ? 2 : SAMPLES;
    for (size_t i = 0; i < count; i++) {
        t->evaluations++;
        residuals_at(t, points + 2 * i, residuals + m * i);
        is_good[i] = t->kind != 4 && !(t->kind == 3 && points[2 * i + 1] > 1.6);
    }
}

static bool differentiate(void *user, const double *x, const double *residuals, double *jacobian) {
    task *t = user;
    size_t m = t->kind == 1 ? 2 : SAMPLES;
    (void)residuals;
    for (size_t u = 0; u < 2; u++) {
        double a[2] = {x[0], x[1]}, low[MOST], high[MOST];
        a[u] += 1e-6;
        residuals_at(t, a, high);
        a[u] -= 2e-6;
        residuals_at(t, a, low);
        for (size_t i = 0; i < m; i++) jacobian[u * m + i] = (high[i] - low[i]) / 2e-6;
    }
    return true;
}

static bool progress(void *user, int iteration, const double *point, double sum) {
    (void)point, (void)sum;
    const task *t = user;
    return t->stop_at == 0 || iteration < t->stop_at;
}

static least_squares_end solve(task *t, double x[2], double low, double high, int *iterations) {
    double lows[2] = {low, low}, highs[2] = {high, high}, r[MOST], j[2 * MOST];
    least_squares p = {.unknowns = 2,
                       .residuals = t->kind == 1 ? 2 : SAMPLES,
                       .low = lows,
                       .high = highs,
                       .evaluate = evaluate,
                       .differentiate = differentiate,
                       .progress = progress,
                       .user = t,
                       .iteration_limit = 100};
    return least_squares_solve(&p, x, r, j, iterations);
}

static void test_linear(void **state) {
    (void)state;
    task t = {.kind = 0};
    cdg_random random = {3};
    double sx = 0, sxx = 0, sy = 0, sxy = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double time = i / 10.0;
        t.data[i] = 2 - 3 * time + random_in(&random, -0.1, 0.1);
        sx += time, sxx += time * time, sy += t.data[i], sxy += time * t.data[i];
    }
    double slope = (SAMPLES * sxy - sx * sy) / (SAMPLES * sxx - sx * sx), x[2] = {0, 0};
    int iterations;
    assert_int_equal(solve(&t, x, -10, 10, &iterations), LEAST_SQUARES_FOUND);
    assert_near(x[1], slope, 1e-4);
    assert_near(x[0], (sy - slope * sx) / SAMPLES, 1e-4);
    assert_true(iterations <= 2);
}

static void test_rosenbrock(void **state) {
    (void)state;
    task t = {.kind = 1};
    double x[2] = {-1.2, 1};
    int iterations;
    assert_int_equal(solve(&t, x, -5, 5, &iterations), LEAST_SQUARES_FOUND);
    assert_near(x[0], 1, 1e-6);
    assert_near(x[1], 1, 1e-6);
    assert_true(iterations < 40);
    // The valley's end is out of reach: the least there is lies on a bound, at the end of the way from anywhere.
    double starts[3][2] = {{-1.2, 0.2}, {0.1, 0.5}, {-5, -5}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(solve(&t, starts[i], -5, 0.5, &iterations), LEAST_SQUARES_FOUND);
        assert_near(starts[i][0], 0.5, 0);
        assert_near(starts[i][1], 0.25, 1e-3);
    }
}

static void test_decay(void **state) {
    (void)state;
    for (int kind = 2; kind <= 3; kind++) {
        task t = {.kind = kind};
        cdg_random random = {5};
        for (int i = 0; i < SAMPLES; i++) t.data[i] = 4 * exp(-1.5 * i / 10.0) + random_in(&random, -0.01, 0.01);
        double x[2] = {0.5, 0.05};
        int iterations;
        assert_int_equal(solve(&t, x, 0.01, 20, &iterations), LEAST_SQUARES_FOUND);
        assert_near(x[0], 4, 0.02);
        assert_near(x[1], 1.5, 0.02);
        assert_true(iterations < 20);
    }
}

static void test_ends(void **state) {
    (void)state;
    task none = {.kind = 4}, stopped = {.kind = 2, .data = {4, 3, 2, 1}, .stop_at = 1};
    double x[2] = {1, 1};
    int iterations;
    assert_int_equal(solve(&none, x, 0, 2, &iterations), LEAST_SQUARES_NO_START);
    assert_int_equal(solve(&stopped, x, 0, 2, &iterations), LEAST_SQUARES_STOPPED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear), cmocka_unit_test(test_rosenbrock),
                                       cmocka_unit_test(test_decay), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
