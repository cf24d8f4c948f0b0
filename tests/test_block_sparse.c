// Sparse systems of blocks: solutions against multiplication back, for chains, trees, grids and random graphs; signs
// against a dense factorisation; chains and trees make no fill.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/block_sparse.h"
#include "math/random.h"
#include "near.h"

enum { COUNT_MAX = 30, PAIRS_MAX = 200, SIZE_MAX_DENSE = 4 * COUNT_MAX };

typedef struct system_case {
    size_t count, pair_count;
    block_pair pairs[PAIRS_MAX];
    double dense[SIZE_MAX_DENSE][SIZE_MAX_DENSE];
    block_pattern *pattern;
    double *memory;
    block_matrix matrix;
} system_case;

// A chain over three blocks, a binary tree, a grid five wide, or pairs at random.
static void draw(system_case *c, int kind, cdg_random *random) {
    c->count = 1 + random_bits(random) % COUNT_MAX;
    c->pair_count = 0;
    for (size_t i = 1; i < c->count; i++) {
        if (kind == 0) {
            c->pairs[c->pair_count++] = (block_pair){i - 1, i};
            if (i > 1) c->pairs[c->pair_count++] = (block_pair){i, i - 2};
        }
        if (kind == 1) c->pairs[c->pair_count++] = (block_pair){i, (i - 1) / 2};
        if (kind == 2 && i % 5 != 0) c->pairs[c->pair_count++] = (block_pair){i, i - 1};
        if (kind == 2 && i >= 5) c->pairs[c->pair_count++] = (block_pair){i - 5, i};
        for (int k = 0; k < 3 && kind == 3; k++)
            c->pairs[c->pair_count++] = (block_pair){i, random_bits(random) % c->count};
    }
}

static void fill(system_case *c, double dominance, cdg_random *random) {
    size_t size = 4 * c->count;
    memset(c->dense, 0, sizeof c->dense);
    c->pattern = block_pattern_find(c->count, c->pairs, c->pair_count);
    assert_non_null(c->pattern);
    size_t doubles = block_matrix_doubles(c->pattern);
    c->memory = malloc(doubles * sizeof(double));
    for (size_t i = 0; i < doubles; i++) c->memory[i] = NAN;
    block_matrix_place(&c->matrix, c->pattern, c->memory);
    block_clear(&c->matrix);
    for (size_t p = 0; p < c->pair_count; p++) {
        double values[BLOCK_DOUBLES];
        if (c->pairs[p].a == c->pairs[p].b) continue;
        for (int k = 0; k < 16; k++) values[k] = random_in(random, -1, 1);
        block_add(&c->matrix, c->pairs[p].a, c->pairs[p].b, values);
        for (size_t k = 0; k < 16; k++) {
            size_t row = 4 * c->pairs[p].a + k / 4, column = 4 * c->pairs[p].b + k % 4;
            c->dense[row][column] += values[k];
            c->dense[column][row] += values[k];
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        double values[BLOCK_DOUBLES] = {0};
        for (size_t k = 0; k < 4; k++)
            for (size_t l = 0; l <= k; l++) values[4 * k + l] = values[4 * l + k] = random_in(random, -1, 1);
        for (size_t k = 0; k < 4; k++) {
            double sum = 1;
            for (size_t j = 0; j < size; j++) sum += fabs(c->dense[4 * i + k][j]);
            values[5 * k] += dominance * (4 + sum);
        }
        block_add(&c->matrix, i, i, values);
        for (size_t k = 0; k < 16; k++) c->dense[4 * i + k / 4][4 * i + k % 4] += values[k];
    }
}

static void drop(system_case *c) {
    block_pattern_free(c->pattern);
    free(c->memory);
}

typedef struct variant {
    void (*factor)(block_matrix *);
    void (*solve)(const block_matrix *, double *, double *);
    void (*units)(const block_matrix *, size_t, double *);
} variant;

static int variants(variant out[4]) {
    int count = 0;
    out[count++] = (variant){block_factor, block_solve, block_solve_units};
    out[count++] = (variant){block_factor_base, block_solve_base, block_solve_units_base};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        out[count++] = (variant){block_factor_avx2, block_solve_avx2, block_solve_units_avx2};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        out[count++] = (variant){block_factor_avx512, block_solve_avx512, block_solve_units_avx512};
#endif
    return count;
}

static void test_solves(void **state) {
    (void)state;
    cdg_random random = {11};
    static system_case c;
    variant v[4];
    int variant_count = variants(v);
    for (int round = 0; round < 120; round++) {
        const variant *by = &v[round / 4 % variant_count];
        draw(&c, round % 4, &random);
        fill(&c, 1, &random);
        double x[SIZE_MAX_DENSE], right[SIZE_MAX_DENSE] = {0}, spare[SIZE_MAX_DENSE];
        for (size_t i = 0; i < 4 * c.count; i++) x[i] = random_in(&random, -1, 1);
        for (size_t i = 0; i < 4 * c.count; i++)
            for (size_t j = 0; j < 4 * c.count; j++) right[i] += c.dense[i][j] * x[j];
        by->factor(&c.matrix);
        assert_false(c.matrix.is_broken);
        assert_int_equal(c.matrix.negative_count, 0);
        by->solve(&c.matrix, right, spare);
        for (size_t i = 0; i < 4 * c.count; i++) assert_near(right[i], x[i], 1e-12);
        drop(&c);
    }
}

// Columns of the inverse are what solutions with units on the right side are.
static void test_solves_units(void **state) {
    (void)state;
    cdg_random random = {13};
    static system_case c;
    variant v[4];
    int variant_count = variants(v);
    for (int round = 0; round < 120; round++) {
        const variant *by = &v[round / 4 % variant_count];
        draw(&c, round % 4, &random);
        fill(&c, 1, &random);
        by->factor(&c.matrix);
        size_t block = random_bits(&random) % c.count;
        double columns[BLOCK_DOUBLES * COUNT_MAX], spare[SIZE_MAX_DENSE];
        for (size_t i = 0; i < BLOCK_DOUBLES * COUNT_MAX; i++) columns[i] = NAN;
        by->units(&c.matrix, block, columns);
        for (size_t k = 0; k < 4; k++) {
            double right[SIZE_MAX_DENSE] = {0};
            right[4 * block + k] = 1;
            by->solve(&c.matrix, right, spare);
            for (size_t i = 0; i < 4 * c.count; i++)
                assert_near(columns[BLOCK_DOUBLES * c.pattern->position[i / 4] + 4 * (i % 4) + k], right[i], 1e-13);
        }
        drop(&c);
    }
}

// Pivots of a dense elimination in the natural order: as many negative ones, whatever the order.
static void test_counts_signs(void **state) {
    (void)state;
    cdg_random random = {12};
    static system_case c;
    for (int round = 0; round < 40; round++) {
        draw(&c, round % 4, &random);
        fill(&c, 0.2, &random);
        size_t size = 4 * c.count, negative = 0;
        block_factor(&c.matrix);
        for (size_t j = 0; j < size; j++) {
            negative += c.dense[j][j] < 0;
            for (size_t i = j + 1; i < size; i++) {
                double factor = c.dense[i][j] / c.dense[j][j];
                for (size_t k = j; k < size; k++) c.dense[i][k] -= factor * c.dense[j][k];
            }
        }
        assert_int_equal(c.matrix.negative_count, negative);
        drop(&c);
    }
}

static void test_breaks_on_zero(void **state) {
    (void)state;
    double memory[BLOCK_DOUBLES], one[BLOCK_DOUBLES] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    block_pattern *pattern = block_pattern_find(1, NULL, 0);
    block_matrix matrix;
    block_matrix_place(&matrix, pattern, memory);
    block_clear(&matrix);
    block_add(&matrix, 0, 0, one);
    block_factor(&matrix);
    assert_true(matrix.is_broken);
    block_pattern_free(pattern);
}

// A long chain over three blocks has two entries a column, a ring four or so, a tree one; a grid more, but few.
static void test_little_fill(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static block_pair pairs[2 * COUNT];
    size_t chain = 0, tree = 0, ring = 0, grid = 0;
    for (size_t i = 1; i < COUNT; i++) {
        pairs[chain++] = (block_pair){i, i - 1};
        if (i > 1) pairs[chain++] = (block_pair){i, i - 2};
    }
    block_pattern *p = block_pattern_find(COUNT, pairs, chain);
    assert_int_equal(p->entry_count, 2 * COUNT - 3);
    block_pattern_free(p);
    for (size_t i = 1; i < COUNT; i++) pairs[tree++] = (block_pair){i, (i - 1) / 3};
    p = block_pattern_find(COUNT, pairs, tree);
    assert_int_equal(p->entry_count, COUNT - 1);
    block_pattern_free(p);
    for (size_t i = 0; i < COUNT; i++) pairs[ring++] = (block_pair){i, (i + 1) % COUNT};
    p = block_pattern_find(COUNT, pairs, ring);
    assert_int_equal(p->entry_count, 2 * COUNT - 3);
    block_pattern_free(p);
    for (size_t i = 0; i < 900; i++) {
        if (i % 30 != 0) pairs[grid++] = (block_pair){i, i - 1};
        if (i >= 30) pairs[grid++] = (block_pair){i, i - 30};
    }
    p = block_pattern_find(900, pairs, grid);
    assert_true(p->entry_count < 14000); // row after row it would be 27,000
    block_pattern_free(p);
}

// In the order that was found, the pattern that was found; and none where there is not enough room. The memory is used
// again, for graphs of other sizes.
static void test_a_given_order(void **state) {
    (void)state;
    cdg_random random = {14};
    static system_case c;
    block_planner *planner = block_planner_make(COUNT_MAX, PAIRS_MAX, COUNT_MAX * COUNT_MAX);
    for (int round = 0; round < 200; round++) {
        draw(&c, round % 4, &random);
        block_pattern *found = block_pattern_find(c.count, c.pairs, c.pair_count);
        const block_pattern *same = block_planner_order(planner, c.count, found->position, c.pairs, c.pair_count);
        assert_int_equal(same->count, found->count);
        assert_int_equal(same->entry_count, found->entry_count);
        assert_memory_equal(same->position, found->position, c.count * sizeof(size_t));
        assert_memory_equal(same->first, found->first, (c.count + 1) * sizeof(size_t));
        assert_memory_equal(same->row, found->row, found->entry_count * sizeof(size_t));
        if (found->entry_count > 0) {
            block_planner *small = block_planner_make(c.count, c.pair_count, found->entry_count - 1);
            assert_null(block_planner_order(small, c.count, found->position, c.pairs, c.pair_count));
            block_planner_free(small);
        }
        block_pattern_free(found);
    }
    block_planner_free(planner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_given_order),  cmocka_unit_test(test_solves),
        cmocka_unit_test(test_solves_units),   cmocka_unit_test(test_counts_signs),
        cmocka_unit_test(test_breaks_on_zero), cmocka_unit_test(test_little_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
