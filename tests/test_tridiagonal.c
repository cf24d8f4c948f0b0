// Tridiagonal systems, open and ring, against multiplication back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "math/random.h"
#include "math/tridiagonal.h"
#include "near.h"

enum { COUNT_MAX = 20 };

static void test_solves(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 200; round++) {
        bool is_ring = round % 2 == 1;
        size_t count = (is_ring ? 3 : 1) + random_bits(&random) % (COUNT_MAX - 3);
        double diagonal[COUNT_MAX], off[COUNT_MAX], x[COUNT_MAX], right[COUNT_MAX], spare[COUNT_MAX], copy[COUNT_MAX];
        for (size_t i = 0; i < count; i++) {
            off[i] = random_in(&random, -1, 1);
        }
        for (size_t i = 0; i < count; i++) { // as little dominant as can be
            diagonal[i] = copy[i] = fabs(off[i]) + fabs(off[(i + count - 1) % count]) + 1e-3;
            x[i] = random_in(&random, -1, 1);
        }
        for (size_t i = 0; i < count; i++) {
            size_t next = (i + 1) % count, before = (i + count - 1) % count;
            right[i] = diagonal[i] * x[i];
            if (i + 1 < count || is_ring) right[i] += off[i] * x[next];
            if (i > 0 || is_ring) right[i] += off[before] * x[before];
        }
        assert_true(tridiagonal_solve(count, copy, off, right, is_ring, spare));
        for (size_t i = 0; i < count; i++) assert_near(right[i], x[i], 1e-10);
    }
}

static void test_refuses_indefinite(void **state) {
    (void)state;
    double diagonal[3] = {1, 1, 1}, off[3] = {2, 0, 0}, right[3] = {1, 1, 1};
    assert_false(tridiagonal_solve(3, diagonal, off, right, false, NULL));
    double zero[2] = {0, 1};
    assert_false(tridiagonal_solve(2, zero, off, right, false, NULL));
    assert_true(tridiagonal_solve(0, zero, off, right, false, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves), cmocka_unit_test(test_refuses_indefinite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
