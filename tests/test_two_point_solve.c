// Elimination along random two-point chains against a dense solution, for each instruction set that this CPU has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

#include "math/random.h"
#include "math/two_point_solve.h"
#include "near.h"

static int variants(const two_point_kernels *out[3]) {
    int count = 0;
    out[count++] = &two_point_kernels_base;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out[count++] = &two_point_kernels_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        out[count++] = &two_point_kernels_avx512;
#endif
    return count;
}

// A chain as dense rows: 6, then 12 a pair, then 6.
typedef struct chain {
    size_t pairs, size;
    double *matrix, *value, *expected;
} chain;

static double *at(const chain *c, size_t row, size_t column) { return &c->matrix[row * c->size + column]; }

static chain make_chain(cdg_random *random, size_t pairs) {
    chain c = {.pairs = pairs, .size = 12 * (pairs + 1)};
    c.matrix = calloc(c.size * c.size, sizeof(double));
    c.value = calloc(c.size, sizeof(double));
    c.expected = calloc(c.size, sizeof(double));
    for (size_t r = 0; r < c.size; r++) {
        size_t pair = r < 6 ? 0 : (r - 6) / 12;
        bool is_end = r < 6 || r >= c.size - 6;
        size_t first = 12 * (r >= c.size - 6 ? pairs : pair), count = is_end ? 12 : 24;
        for (size_t k = 0; k < count; k++)
            if (random_unit(random) < 0.5) *at(&c, r, first + k) = random_in(random, -1, 1); // sparse: pivots vanish
        *at(&c, r, r) += 2; // solvable, and for the last six rows of a node the pivot lies below
    }
    for (size_t k = 0; k < c.size; k++) c.expected[k] = random_in(random, -1, 1);
    for (size_t r = 0; r < c.size; r++)
        for (size_t k = 0; k < c.size; k++) c.value[r] += *at(&c, r, k) * c.expected[k];
    return c;
}

static void free_chain(chain *c) {
    free(c->matrix);
    free(c->value);
    free(c->expected);
}

static bool solve_chain(const two_point_kernels *kernels, const chain *c, double (*out)[12]) {
    size_t bytes = ((c->pairs + 1) * sizeof(two_point_factor) + 63) / 64 * 64;
    two_point_factor *factors = aligned_alloc(64, bytes);
    memset(factors, 0xff, bytes); // not a number
    two_point_rows rows;
    memset(&rows, 0xff, sizeof rows);
    for (size_t r = 0; r < 6; r++) {
        memset(rows.row[r], 0, sizeof rows.row[r]);
        memcpy(rows.row[r], at(c, r, 0), 12 * sizeof(double));
    }
    bool is_good = true;
    for (size_t j = 0; j < c->pairs && is_good; j++) {
        for (size_t r = 0; r < 12; r++) memcpy(rows.row[6 + r], at(c, 6 + 12 * j + r, 12 * j), 24 * sizeof(double));
        is_good = kernels->eliminate(&rows, &factors[j]);
    }
    for (size_t r = 0; r < 6; r++) {
        memset(rows.row[6 + r], 0, sizeof rows.row[r]);
        memcpy(rows.row[6 + r], at(c, c->size - 6 + r, c->size - 12), 12 * sizeof(double));
    }
    is_good = is_good && kernels->finish(&rows, &factors[c->pairs]);
    if (is_good) {
        double *value = malloc(c->size * sizeof *value);
        memcpy(value, c->value, c->size * sizeof *value);
        kernels->solve(factors, c->pairs, value, out);
        free(value);
    }
    free(factors);
    return is_good;
}

static void test_random(void **state) {
    (void)state;
    const two_point_kernels *kernels[3];
    int count = variants(kernels);
    cdg_random random = {1};
    for (size_t pairs = 1; pairs <= 20; pairs++) {
        chain c = make_chain(&random, pairs);
        double(*out)[12] = malloc(c.size * sizeof(double));
        for (int v = 0; v < count; v++) {
            assert_true(solve_chain(kernels[v], &c, out));
            for (size_t k = 0; k < c.size; k++) assert_near(out[k / 12][k % 12], c.expected[k], 1e-8);
        }
        free(out);
        free_chain(&c);
    }
}

// x' = (+-k) x on a long interval: growing and decaying solutions, which marching from one end cannot tell apart.
static void test_stiff(void **state) {
    (void)state;
    const two_point_kernels *kernels[3];
    int count = variants(kernels);
    enum { PAIRS = 300 };
    chain c = {.pairs = PAIRS, .size = 12 * (PAIRS + 1)};
    c.matrix = calloc(c.size * c.size, sizeof(double));
    c.value = calloc(c.size, sizeof(double));
    for (size_t k = 0; k < 6; k++) { // decaying ones are given at the start, growing ones at the end
        *at(&c, k, k) = c.value[k] = 1;
        *at(&c, c.size - 6 + k, c.size - 6 + k) = c.value[c.size - 6 + k] = 1;
    }
    for (size_t j = 0; j < PAIRS; j++)
        for (size_t k = 0; k < 12; k++) {
            *at(&c, 6 + 12 * j + k, 12 * j + k) = k < 6 ? 1 : 3;
            *at(&c, 6 + 12 * j + k, 12 * j + 12 + k) = k < 6 ? -3 : -1;
        }
    double(*out)[12] = malloc(c.size * sizeof(double));
    for (int v = 0; v < count; v++) {
        assert_true(solve_chain(kernels[v], &c, out));
        for (int j = 0; j <= PAIRS; j++)
            for (int k = 0; k < 12; k++) assert_near(out[j][k], pow(3, k < 6 ? -j : j - PAIRS), 1e-12);
    }
    free(out);
    free(c.matrix);
    free(c.value);
}

static void test_singular(void **state) {
    (void)state;
    const two_point_kernels *kernels[3];
    int count = variants(kernels);
    cdg_random random = {2};
    double out[5][12];
    for (int v = 0; v < count; v++) {
        chain c = make_chain(&random, 4);
        for (size_t r = 0; r < c.size; r++) *at(&c, r, 17) = 0; // an unknown in no equation
        assert_false(solve_chain(kernels[v], &c, out));
        free_chain(&c);
        c = make_chain(&random, 4);
        *at(&c, c.size - 1, c.size - 1) = NAN;
        for (size_t k = c.size - 12; k < c.size - 1; k++) *at(&c, c.size - 1, k) = NAN;
        assert_false(solve_chain(kernels[v], &c, out));
        free_chain(&c);
    }
    assert_non_null(two_point_kernels_get());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
