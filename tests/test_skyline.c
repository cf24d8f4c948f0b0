// Cholesky's factor by skylines: solves what dense elimination solves, for each instruction set, and leaves alone what
// cannot be told from others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "math/random.h"
#include "math/skyline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, GROUPS = MOST / 4 };

typedef struct system {
    size_t count;
    double matrix[MOST][MOST], right[MOST], least[MOST];
    uint32_t left[GROUPS];
    size_t start[GROUPS];
    double *value;
    skyline skyline;
} system_of;

// Rows reach `width` to the left at most; some reach much farther.
static void make(system_of *s, size_t count, size_t width, uint64_t seed) {
    cdg_random random = {seed};
    memset(s, 0, sizeof *s);
    s->count = (count + 3) / 4 * 4;
    for (size_t i = 0; i < s->count; i++) {
        s->matrix[i][i] = 1;
        if (i >= count) continue;
        size_t reach = i % 7 == 3 ? 3 * width : width;
        for (size_t j = i > reach ? i - reach : 0; j < i; j++) {
            double entry = random_in(&random, -1, 1);
            s->matrix[i][j] = s->matrix[j][i] = entry;
        }
        s->right[i] = random_in(&random, -1, 1);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (j != i) s->matrix[i][i] += fabs(s->matrix[i][j]);
}

static void lay_out(system_of *s) {
    for (size_t g = 0; g < s->count / 4; g++) {
        s->left[g] = (uint32_t)g;
        for (size_t i = 4 * g; i < 4 * g + 4; i++)
            for (size_t j = i + 1; j-- > 0;)
                if (s->matrix[i][j] != 0 && j / 4 < s->left[g]) s->left[g] = (uint32_t)(j / 4);
    }
    size_t size = skyline_lay_out(s->left, s->count, s->start);
    s->value = calloc(size, sizeof *s->value);
    assert_non_null(s->value);
    s->skyline = (skyline){s->count, s->left, s->start, s->value};
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 4 * (size_t)s->left[i / 4]; j <= i; j++) *skyline_entry(&s->skyline, i, j) = s->matrix[i][j];
}

static double residual(const system_of *s, const double *x) {
    double worst = 0;
    for (size_t i = 0; i < s->count; i++) {
        double sum = -s->right[i];
        for (size_t j = 0; j < s->count; j++) sum += s->matrix[i][j] * x[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void check(const skyline_kernels *kernels) {
    const size_t counts[] = {1, 4, 5, 17, 40, 63, 64};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t width = 0; width < 12; width += 3) {
            system_of s;
            make(&s, counts[c], width, 10 * c + width);
            lay_out(&s);
            double x[MOST];
            memcpy(x, s.right, sizeof x);
            kernels->factor(&s.skyline, s.least);
            kernels->solve(&s.skyline, x);
            assert_true(residual(&s, x) < 1e-13);
            free(s.value);
        }
}

static void test_solves(void **state) {
    (void)state;
    check(&skyline_kernels_base);
#if defined(__x86_64__)
    if (cdg_processor_lanes() != CDG_LANES_BASE) check(&skyline_kernels_avx2);
    if (cdg_processor_lanes() == CDG_LANES_AVX512) check(&skyline_kernels_avx512);
#endif
    system_of s;
    make(&s, 30, 5, 3);
    lay_out(&s);
    double x[MOST];
    memcpy(x, s.right, sizeof x);
    skyline_factor(&s.skyline, s.least);
    skyline_solve(&s.skyline, x);
    assert_true(residual(&s, x) < 1e-13);
    free(s.value);
}

// Two equal rows: the second has no part in the solution, and the others are as if it were not there.
static void test_leaves_alone_what_cannot_be_told_apart(void **state) {
    (void)state;
    system_of s;
    make(&s, 12, 4, 8);
    for (size_t j = 0; j < s.count; j++) s.matrix[7][j] = s.matrix[6][j];
    for (size_t j = 0; j < s.count; j++) s.matrix[j][7] = s.matrix[j][6];
    s.matrix[7][7] = s.matrix[6][6];
    s.right[7] = s.right[6];
    for (size_t i = 0; i < s.count; i++) s.least[i] = 1e-9;
    lay_out(&s);
    double x[MOST];
    memcpy(x, s.right, sizeof x);
    skyline_factor(&s.skyline, s.least);
    skyline_solve(&s.skyline, x);
    assert_true(x[7] == 0);
    assert_true(residual(&s, x) < 1e-12);
    free(s.value);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves),
                                       cmocka_unit_test(test_leaves_alone_what_cannot_be_told_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
