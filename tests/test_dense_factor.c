// Factors of dense matrices in single precision, and solves with them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/dense_factor.h"
#include "math/random.h"
#include "near.h"

#include <math.h>
#include <stdlib.h>

typedef struct problem {
    size_t size;
    double *m, *more, *x;
    float *right, *factor;
} problem;

// A random matrix whose largest and least eigenvalues are some hundreds apart; above the diagonal nobody reads.
static problem make_problem(cdg_random *random, size_t n) {
    size_t row = dense_factor_row(n);
    problem p = {n,
                 malloc(n * n * sizeof(double)),
                 malloc(n * sizeof(double)),
                 malloc(n * sizeof(double)),
                 malloc(row * sizeof(float)),
                 malloc(dense_factor_numbers(n) * sizeof(float))};
    double *b = malloc(n * n * sizeof *b);
    for (size_t i = 0; i < n * n; i++) b[i] = random_in(random, -1, 1);
    for (size_t i = 0; i < n; i++) {
        p.more[i] = random_in(random, 0.05, 0.1) * (double)n;
        p.x[i] = random_in(random, -1, 1);
        for (size_t j = 0; j < n; j++) {
            p.m[i * n + j] = j > i ? NAN : 0;
            for (size_t k = 0; k < n && j <= i; k++) p.m[i * n + j] += b[i * n + k] * b[j * n + k];
        }
    }
    for (size_t i = 0; i < row; i++) p.right[i] = NAN; // behind the last number anything may stand
    for (size_t i = 0; i < n; i++) {
        double sum = p.more[i] * p.x[i];
        for (size_t j = 0; j < n; j++) sum += (j <= i ? p.m[i * n + j] : p.m[j * n + i]) * p.x[j];
        p.right[i] = (float)sum;
    }
    free(b);
    return p;
}

static void free_problem(problem *p) { free(p->m), free(p->more), free(p->x), free(p->right), free(p->factor); }

static void solves_random_systems(void **state) {
    (void)state;
    cdg_random random = {5};
    for (size_t n = 1; n < 230; n += n < 36 ? 1 : 31) {
        problem p = make_problem(&random, n);
        assert_true(dense_factor_make(p.m, n, p.more, p.factor));
        dense_factor_solve(p.factor, n, p.right);
        for (size_t i = 0; i < n; i++) assert_near(p.right[i], p.x[i], 2e-3);
        for (size_t i = n; i < dense_factor_row(n); i++) assert_true(p.right[i] == 0);
        free_problem(&p);
    }
}

// Wherever on the diagonal it is that no square root can be had.
static void refuses_what_is_not_positive(void **state) {
    (void)state;
    cdg_random random = {6};
    for (size_t at = 0; at < 40; at += 3) {
        problem p = make_problem(&random, 40);
        p.m[at * 40 + at] = at % 2 == 0 ? -1 : NAN;
        assert_false(dense_factor_make(p.m, 40, p.more, p.factor));
        free_problem(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_random_systems),
                                       cmocka_unit_test(refuses_what_is_not_positive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
