// Singular values: the product gives the matrix back, columns are orthogonal and sorted, small values keep their
// digits, and shapes without rank or rows do no harm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "math/singular_values.h"
#include "near.h"

enum { ROWS = 30, COLUMNS = 6 };

static void check(const double *a, size_t rows, size_t columns) {
    double us[ROWS * COLUMNS], s[COLUMNS], v[COLUMNS * COLUMNS];
    memcpy(us, a, rows * columns * sizeof *us);
    singular_values(us, rows, columns, s, v);
    for (size_t k = 0; k < columns; k++) {
        assert_true(s[k] >= 0 && (k == 0 || s[k] <= s[k - 1]));
        for (size_t l = 0; l < columns; l++) {
            double vv = 0, uu = 0;
            for (size_t i = 0; i < columns; i++) vv += v[k * columns + i] * v[l * columns + i];
            for (size_t i = 0; i < rows; i++) uu += us[k * rows + i] * us[l * rows + i];
            assert_near(vv, k == l, 1e-13);
            assert_near(uu, k == l ? s[k] * s[k] : 0, 1e-12 * s[0] * s[0]);
        }
    }
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            for (size_t k = 0; k < columns; k++) sum += us[k * rows + i] * v[k * columns + c];
            assert_near(sum, a[c * rows + i], 1e-13 * (1 + s[0]));
        }
}

static void test_products(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int trial = 0; trial < 200; trial++) {
        double a[ROWS * COLUMNS];
        size_t rows = 1 + (size_t)random_in(&random, 0, ROWS), columns = 1 + (size_t)random_in(&random, 0, COLUMNS);
        for (size_t i = 0; i < rows * columns; i++) a[i] = random_in(&random, -1, 1);
        if (trial % 3 == 0) memset(a, 0, rows * sizeof *a);                       // a column of zeros
        if (trial % 5 == 0 && columns > 2) memcpy(a + rows, a, rows * sizeof *a); // two that are alike
        check(a, rows, columns);
    }
}

// Two columns that nearly agree: the small value is their distance.
static void test_small_value(void **state) {
    (void)state;
    double a[] = {1, 1, 0, 1, 1, 1e-9}, s[2], v[4];
    singular_values(a, 3, 2, s, v);
    assert_near(s[0], 2, 1e-12);
    assert_near(s[1] / (1e-9 / sqrt(2)), 1, 1e-6);
    assert_near(fabs(v[2] - v[3]), sqrt(2), 1e-9); // their difference
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_small_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
