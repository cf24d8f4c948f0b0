// Dense systems.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/dense_solve.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

static void solves_random_systems(void **state) {
    (void)state;
    cdg_random random = {3};
    for (size_t n = 1; n < 40; n += n < 12 ? 1 : 5) {
        double *m = malloc(n * n * sizeof *m), *copy = malloc(n * n * sizeof *m), *x = malloc(n * sizeof *x),
               *right = malloc(n * sizeof *right);
        for (size_t i = 0; i < n * n; i++) m[i] = random_in(&random, -1, 1);
        m[0] = 0; // needs a pivot, unless it is alone
        if (n == 1) m[0] = 2;
        for (size_t i = 0; i < n; i++) x[i] = random_in(&random, -1, 1), right[i] = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) right[i] += m[i * n + j] * x[j];
        memcpy(copy, m, n * n * sizeof *m);
        assert_true(dense_solve(copy, n, right));
        for (size_t i = 0; i < n; i++) assert_near(right[i], x[i], 1e-9);
        free(m), free(copy), free(x), free(right);
    }
}

static void refuses_singular_systems(void **state) {
    (void)state;
    double m[9] = {1, 2, 3, 0, 0, 0, 4, 5, 6}, right[3] = {1, 1, 1};
    assert_false(dense_solve(m, 3, right));
    double nan_m[1] = {NAN};
    assert_false(dense_solve(nan_m, 1, right));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_random_systems),
        cmocka_unit_test(refuses_singular_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
