// The dense Cholesky solve in the middle of a chain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/chain_solve.h"
#include "math/random.h"
#include "near.h"

// a = b b^T + small I in the lower half; the upper half is poison that must not be read
static void make(cdg_random *random, size_t size, double a[15][15], double full[15][15]) {
    double b[15][15];
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) b[i][j] = random_in(random, -1, 1);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            full[i][j] = i == j ? 0.1 : 0;
            for (size_t k = 0; k < size; k++) full[i][j] += b[i][k] * b[j][k];
            a[i][j] = j <= i ? full[i][j] : NAN;
        }
}

static void solves_positive_definite_systems(void **unused) {
    (void)unused;
    cdg_random random = {41};
    for (size_t size = 1; size <= 15; size++) {
        double a[15][15], full[15][15], wanted[15], right[15] = {0};
        make(&random, size, a, full);
        for (size_t i = 0; i < size; i++) wanted[i] = random_in(&random, -1, 1);
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) right[i] += full[i][j] * wanted[j];
        assert_true(chain_solve_dense(size, a, right));
        for (size_t i = 0; i < size; i++) assert_near(right[i], wanted[i], 1e-11);
    }
}

static void refuses_what_is_not_positive_definite(void **unused) {
    (void)unused;
    cdg_random random = {42};
    for (size_t size = 1; size <= 15; size++)
        for (size_t place = 0; place < size; place++) {
            double a[15][15], full[15][15], right[15] = {0};
            make(&random, size, a, full);
            a[place][place] = -1e-3;
            assert_false(chain_solve_dense(size, a, right));
            make(&random, size, a, full);
            a[place][place] = NAN;
            assert_false(chain_solve_dense(size, a, right));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_positive_definite_systems),
        cmocka_unit_test(refuses_what_is_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
