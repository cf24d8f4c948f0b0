// Short band systems: against products, and matrices that are not positive definite.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "math/short_band.h"
#include "near.h"

static void fill(short_band *m, size_t size, size_t width, cdg_random *random) {
    short_band_clear(m, size, width);
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size && j <= i + width; j++)
            m->rows[i][j] = i == j ? 2.0 * (double)width + 1 : random_in(random, -1, 1);
}

static void solutions_solve(void **state) {
    (void)state;
    cdg_random random = {5};
    for (size_t width = 1; width <= SHORT_BAND_WIDTH; width++)
        for (size_t size = 1; size <= SHORT_BAND_SIZE; size++) {
            short_band m, factors;
            double x[SHORT_BAND_SIZE], right[SHORT_BAND_SIZE] = {0}, twice[SHORT_BAND_SIZE];
            for (size_t i = 0; i < SHORT_BAND_SIZE; i++)
                for (size_t j = 0; j < SHORT_BAND_STRIDE; j++) m.rows[i][j] = 1e30; // nobody relies on what was there
            fill(&m, size, width, &random);
            for (size_t i = 0; i < size; i++) x[i] = random_in(&random, -1, 1);
            for (size_t i = 0; i < size; i++)
                for (size_t j = i; j < size && j <= i + width; j++) {
                    right[i] += m.rows[i][j] * x[j];
                    if (j > i) right[j] += m.rows[i][j] * x[i];
                }
            factors = m;
            assert_true(short_band_factor(&factors));
            for (size_t i = 0; i < size; i++) twice[i] = 2 * right[i];
            short_band_solve(&factors, right);
            short_band_solve(&factors, twice); // the factors stay
            for (size_t i = 0; i < size; i++) {
                assert_near(right[i], x[i], 1e-13);
                assert_near(twice[i], 2 * x[i], 1e-13);
            }
        }
}

static void indefinite_matrices_are_refused(void **state) {
    (void)state;
    cdg_random random = {9};
    for (size_t at = 0; at < 33; at++) {
        short_band m;
        fill(&m, 33, 8, &random);
        m.rows[at][at] = at % 2 == 0 ? -1 : NAN;
        assert_false(short_band_factor(&m));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_solve),
                                       cmocka_unit_test(indefinite_matrices_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
