// Banded systems: the solution satisfies the system; singular and indefinite matrices are noticed; runs repeat exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/banded.h"
#include "math/random.h"
#include "near.h"

static cdg_banded banded_make(size_t size, size_t width) {
    cdg_banded a = {.size = size, .width = width};
    a.values = malloc(size * cdg_banded_column(width) * sizeof(double));
    a.pivots = malloc(size * sizeof(int));
    assert_true(a.values != NULL && a.pivots != NULL);
    cdg_banded_clear(&a);
    return a;
}
static void banded_free(cdg_banded a) { free(a.values), free(a.pivots); }

static void fill(cdg_banded *a, cdg_random *random, double *dense) {
    cdg_banded_clear(a);
    memset(dense, 0, a->size * a->size * sizeof *dense);
    for (size_t r = 0; r < a->size; r++)
        for (size_t c = 0; c < a->size; c++)
            if ((r > c ? r - c : c - r) <= a->width)
                *cdg_banded_at(a, r, c) = dense[r * a->size + c] = random_in(random, -1, 1);
}

static void test_general_system(void **state) {
    (void)state;
    cdg_random random = {.state = 1};
    const size_t shapes[][2] = {{1, 10}, {7, 10}, {40, 1}, {103, 10}, {120, 19}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t size = shapes[s][0];
        cdg_banded a = banded_make(size, shapes[s][1]);
        double *dense = malloc(size * size * sizeof *dense), x[128], again[128], right[128];
        assert_non_null(dense);
        fill(&a, &random, dense);
        for (size_t i = 0; i < size; i++) x[i] = right[i] = random_in(&random, -1, 1);
        assert_true(cdg_banded_solve(&a, x));
        for (size_t r = 0; r < size; r++) {
            double sum = 0, scale = 0;
            for (size_t c = 0; c < size; c++) {
                sum += dense[r * size + c] * x[c];
                scale += fabs(dense[r * size + c] * x[c]);
            }
            assert_near(sum, right[r], 1e-12 * (1 + scale));
        }
        cdg_banded_clear(&a); // the same again, to the last bit
        for (size_t r = 0; r < size; r++)
            for (size_t c = 0; c < size; c++)
                if ((r > c ? r - c : c - r) <= a.width) *cdg_banded_at(&a, r, c) = dense[r * size + c];
        memcpy(again, right, sizeof again);
        assert_true(cdg_banded_solve(&a, again));
        assert_memory_equal(again, x, size * sizeof *x);
        free(dense);
        banded_free(a);
    }
}

static void test_singular_matrix_is_noticed(void **state) {
    (void)state;
    cdg_banded a = banded_make(6, 2);
    double right[6] = {1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < 6; i++) *cdg_banded_at(&a, i, i) = i == 3 ? 0 : 1;
    assert_false(cdg_banded_solve(&a, right));
    banded_free(a);
}

static void test_positive_system(void **state) {
    (void)state;
    cdg_random random = {.state = 3};
    enum { SIZE = 30, WIDTH = 6 };
    double values[SIZE * (WIDTH + 1)], dense[SIZE][SIZE] = {{0}}, x[SIZE], right[SIZE];
    cdg_banded_positive a = {SIZE, WIDTH, values};
    cdg_banded_positive_clear(&a);
    for (size_t c = 0; c < SIZE; c++) {
        right[c] = x[c] = random_in(&random, -1, 1);
        for (size_t r = c; r < SIZE && r <= c + WIDTH; r++)
            *cdg_banded_positive_at(&a, r, c) = dense[r][c] = dense[c][r] = r == c ? 10 : random_in(&random, -0.7, 0.7);
    }
    assert_true(cdg_banded_positive_solve(&a, x));
    for (size_t r = 0; r < SIZE; r++) {
        double sum = 0;
        for (size_t c = 0; c < SIZE; c++) sum += dense[r][c] * x[c];
        assert_near(sum, right[r], 1e-13);
    }
    cdg_banded_positive_clear(&a);
    for (size_t c = 0; c < SIZE; c++) *cdg_banded_positive_at(&a, c, c) = c == 11 ? -1 : 1;
    assert_false(cdg_banded_positive_solve(&a, x));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_general_system),
        cmocka_unit_test(test_singular_matrix_is_noticed),
        cmocka_unit_test(test_positive_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
