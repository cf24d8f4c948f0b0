// Inverses of dense matrices, and products with them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/dense_inverse.h"
#include "math/random.h"
#include "near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void random_symmetric(cdg_random *random, size_t n, double *m) {
    double *b = malloc(n * n * sizeof *b);
    for (size_t i = 0; i < n * n; i++) b[i] = random_in(random, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            m[i * n + j] = i == j ? 0.1 : 0;
            for (size_t k = 0; k < n; k++) m[i * n + j] += b[i * n + k] * b[j * n + k];
        }
    free(b);
}

static void inverts_random_matrices(void **state) {
    (void)state;
    cdg_random random = {3};
    for (size_t n = 1; n < 70; n += n < 20 ? 1 : 7) {
        double *m = malloc(n * n * sizeof *m), *inverse = malloc(n * n * sizeof *m);
        double *x = malloc(n * sizeof *x), *right = malloc(n * sizeof *right), *found = malloc(n * sizeof *found);
        random_symmetric(&random, n, m);
        memcpy(inverse, m, n * n * sizeof *m);
        for (size_t i = 0; i < n; i++) // nobody reads what is above the diagonal
            for (size_t j = i + 1; j < n; j++) inverse[i * n + j] = NAN;
        assert_true(dense_invert(inverse, n));
        for (size_t i = 0; i < n; i++) x[i] = random_in(&random, -1, 1);
        dense_multiply(m, n, x, right);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) sum += m[i * n + j] * x[j];
            assert_near(right[i], sum, 1e-12 * (double)n);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) inverse[i * n + j] = NAN;
        dense_multiply(inverse, n, right, found);
        for (size_t i = 0; i < n; i++) assert_near(found[i], x[i], 1e-9);
        free(m), free(inverse), free(x), free(right), free(found);
    }
}

static void refuses_what_is_not_positive(void **state) {
    (void)state;
    double indefinite[4] = {1, 2, 2, 1}, singular[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, none[1] = {NAN};
    assert_false(dense_invert(indefinite, 2));
    assert_false(dense_invert(singular, 3));
    assert_false(dense_invert(none, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverts_random_matrices),
        cmocka_unit_test(refuses_what_is_not_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
