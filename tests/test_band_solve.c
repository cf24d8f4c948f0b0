// Band systems against dense elimination in long double, and the folding of rings.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/processor.h"
#include "math/band_solve.h"
#include "math/random.h"
#include "near.h"

enum { SIZE_MAX_TESTED = 40 };

static band_matrix make(size_t size, size_t width) {
    band_matrix m = {malloc(band_doubles(size, width) * sizeof(double)), size, width};
    assert_non_null(m.rows);
    band_clear(&m);
    return m;
}

static double dense_at(const band_matrix *m, size_t i, size_t j) {
    size_t low = i < j ? i : j, high = i < j ? j : i;
    return high - low > m->width ? 0 : *band_entry(m, low, high);
}

// Largest residual of x in the matrix copied to `dense`.
static double residual(double dense[SIZE_MAX_TESTED][SIZE_MAX_TESTED], size_t size, const double *x, const double *b) {
    double worst = 0;
    for (size_t i = 0; i < size; i++) {
        long double sum = -b[i];
        for (size_t j = 0; j < size; j++) sum += (long double)dense[i][j] * x[j];
        worst = fmax(worst, (double)fabsl(sum));
    }
    return worst;
}

static void test_solves_random_systems(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 200; round++) {
        size_t width = 1 + random_bits(&random) % 13, size = 1 + random_bits(&random) % SIZE_MAX_TESTED;
        if (round % 4 == 0) width = 8;
        if (round % 4 == 1) width = 11;
        band_matrix m = make(size, width);
        static double dense[SIZE_MAX_TESTED][SIZE_MAX_TESTED];
        double x[SIZE_MAX_TESTED], b[SIZE_MAX_TESTED];
        for (size_t i = 0; i < size; i++) {
            for (size_t j = i + 1; j <= i + width && j < size; j++) *band_entry(&m, i, j) = random_in(&random, -1, 1);
            *band_entry(&m, i, i) = (double)(2 * width) + random_unit(&random); // dominant: positive definite
            x[i] = b[i] = random_in(&random, -1, 1);
        }
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) dense[i][j] = dense_at(&m, i, j);
        assert_true(band_solve(&m, x));
        assert_true(residual(dense, size, x, b) < 1e-13);
        free(m.rows);
    }
}

static void test_refuses_what_is_not_positive_definite(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        band_matrix m = make(3, 1);
        double x[3] = {1, 1, 1};
        for (size_t i = 0; i < 3; i++) *band_entry(&m, i, i) = 1;
        if (kind == 0) *band_entry(&m, 1, 2) = 2;
        if (kind == 1) *band_entry(&m, 1, 1) = 0;
        if (kind == 2) *band_entry(&m, 0, 0) = (double)NAN;
        assert_false(band_solve(&m, x));
        free(m.rows);
    }
}

static void test_runs_and_sparse_squares_agree(void **state) {
    (void)state;
    cdg_random random = {2};
    const size_t counts[] = {1, 6, 9, 11, 12}, widths[] = {11, 11, 8, 11, 14};
    for (int k = 0; k < 5; k++) {
        size_t count = counts[k], width = widths[k], size = 30;
        band_matrix a = make(size, width), b = make(size, width);
        double value[3][BAND_RUN_MAX], c[3];
        for (int r = 0; r < 3; r++) {
            c[r] = random_unit(&random);
            for (size_t i = 0; i < count; i++) value[r][i] = random_in(&random, -1, 1);
        }
        band_add_run(&a, 7, value, count, c);
        for (int r = 0; r < 3; r++) {
            size_t index[BAND_RUN_MAX];
            double shuffled[BAND_RUN_MAX];
            for (size_t i = 0; i < count; i++) { // any order
                index[i] = 7 + (i * 5 + 3) % count;
                if (count % 5 == 0) index[i] = 7 + i;
                shuffled[i] = value[r][index[i] - 7];
            }
            band_add_square(&b, index, shuffled, count, c[r]);
        }
        for (size_t i = 0; i < size; i++)
            for (size_t j = i; j <= i + width && j < size; j++)
                assert_near(*band_entry(&a, i, j), *band_entry(&b, i, j), 1e-14);
        free(a.rows);
        free(b.rows);
    }
}

static void test_every_instruction_set_agrees(void **state) {
    (void)state;
    bool (*const solvers[])(const band_matrix *, double *) = {
        band_solve_base,
#if defined(__x86_64__)
        cdg_processor_lanes() != CDG_LANES_BASE ? band_solve_avx2 : band_solve_base,
        cdg_processor_lanes() == CDG_LANES_AVX512 ? band_solve_avx512 : band_solve_base,
#endif
    };
    double solution[3][20];
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        cdg_random random = {3};
        band_matrix m = make(20, 8);
        for (size_t i = 0; i < 20; i++) {
            for (size_t j = i; j <= i + 8 && j < 20; j++)
                *band_entry(&m, i, j) = (i == j ? 20 : 0) + random_in(&random, -1, 1);
            solution[s][i] = random_in(&random, -1, 1);
        }
        assert_true(solvers[s](&m, solution[s]));
        for (size_t i = 0; i < 20; i++) assert_near(solution[s][i], solution[0][i], 1e-14);
        free(m.rows);
    }
}

static void test_folding_keeps_neighbours_together(void **state) {
    (void)state;
    for (size_t count = 3; count < 30; count++) {
        bool is_used[30] = {false};
        for (size_t i = 0; i < count; i++) {
            size_t place = band_fold(i, count), next = band_fold((i + 1) % count, count);
            assert_true(place < count && !is_used[place]);
            is_used[place] = true;
            assert_true((place > next ? place - next : next - place) <= 2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_random_systems),
        cmocka_unit_test(test_refuses_what_is_not_positive_definite),
        cmocka_unit_test(test_runs_and_sparse_squares_agree),
        cmocka_unit_test(test_every_instruction_set_agrees),
        cmocka_unit_test(test_folding_keeps_neighbours_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
