// Inverses of dense matrices without symmetry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "math/general_inverse.h"
#include "math/random.h"
#include "near.h"

enum { MOST = 23 };

static void test_the_product_is_one(void **state) {
    (void)state;
    cdg_random random = {3};
    for (size_t n = 1; n <= MOST; n++) {
        double m[MOST * MOST], kept[MOST * MOST], out[MOST * MOST];
        for (size_t i = 0; i < n * n; i++) m[i] = random_in(&random, -1, 1);
        if (n > 1) m[0] = 0; // a pivot has to be looked for
        memcpy(kept, m, sizeof kept);
        assert_true(general_invert(m, n, out));
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                double sum = 0, size = 0;
                for (size_t l = 0; l < n; l++) {
                    sum += kept[i * n + l] * out[l * n + k];
                    size += fabs(kept[i * n + l] * out[l * n + k]);
                }
                assert_near(sum, i == k ? 1 : 0, 1e-12 * (1 + size));
            }
    }
}

static void test_what_has_none_is_told(void **state) {
    (void)state;
    double out[9], singular[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, zero[1] = {0}, wild[1] = {NAN}, empty[1] = {1};
    assert_false(general_invert(singular, 3, out));
    assert_false(general_invert(zero, 1, out));
    assert_false(general_invert(wild, 1, out));
    assert_true(general_invert(empty, 0, out));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_product_is_one),
                                       cmocka_unit_test(test_what_has_none_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
