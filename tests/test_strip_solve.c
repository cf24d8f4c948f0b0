// Strips against dense elimination: open and ring, definite and indefinite, each instruction set that this CPU has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "math/strip_solve.h"
#include "near.h"

enum { NODES_MAX = 12, SIZE_MAX_DENSE = 4 * NODES_MAX + STRIP_BORDER };

typedef struct dense {
    size_t size;
    double a[SIZE_MAX_DENSE][SIZE_MAX_DENSE], right[SIZE_MAX_DENSE];
} dense;

// Random symmetric matrix with the strip's pattern; the border comes last. Diagonally dominant unless `shift` says so.
static dense *make(cdg_random *random, strip *s, size_t nodes, bool is_ring, double shift) {
    dense *d = calloc(1, sizeof *d);
    s->count = nodes;
    s->rows = aligned_alloc(64, STRIP_NODE * nodes * sizeof(double));
    s->ring = is_ring ? aligned_alloc(64, STRIP_RING_NODE * nodes * sizeof(double)) : NULL;
    strip_clear(s);
    d->size = 4 * nodes + (is_ring ? STRIP_BORDER : 0);
    for (size_t i = 0; i < d->size; i++) {
        d->right[i] = random_in(random, -1, 1);
        for (size_t j = 0; j <= i; j++) {
            bool in_border = i >= 4 * nodes, in_band = i / 4 - j / 4 <= 1 || (i / 4 - j / 4 == 2 && i % 4 < 3);
            if (!in_border && !in_band) continue;
            d->a[i][j] = d->a[j][i] = random_in(random, -1, 1) + (i == j ? shift : 0);
        }
    }
    for (size_t i = 0; i < 4 * nodes; i++) {
        double *row = s->rows + STRIP_NODE * (i / 4) + STRIP_ROW * (i % 4);
        for (size_t j = 0; j < STRIP_RIGHT; j++)
            if (4 * (i / 4) + j < 4 * nodes) row[j] = d->a[i][4 * (i / 4) + j];
        row[STRIP_RIGHT] = d->right[i];
        if (is_ring) memcpy(s->ring + STRIP_RING_NODE * (i / 4) + 8 * (i % 4), &d->a[i][4 * nodes], 8 * sizeof(double));
    }
    for (size_t i = 0; i < STRIP_BORDER && is_ring; i++) {
        memcpy(s->border[i], &d->a[4 * nodes + i][4 * nodes], 8 * sizeof(double));
        s->border_right[i] = d->right[4 * nodes + i];
    }
    return d;
}

static void release(strip *s, dense *d) {
    free(s->rows);
    free(s->ring);
    free(d);
}

// Largest |A x - right|.
static double residual(const dense *d, const double *x) {
    double worst = 0;
    for (size_t i = 0; i < d->size; i++) {
        double sum = -d->right[i];
        for (size_t j = 0; j < d->size; j++) sum += d->a[i][j] * x[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

// Negative eigenvalues by dense elimination without exchanges, from the other end: the same by Sylvester's law.
static size_t count_negative(dense *d) {
    size_t negative = 0;
    for (size_t j = d->size; j-- > 0;) {
        negative += d->a[j][j] < 0;
        for (size_t i = 0; i < j; i++)
            for (size_t k = 0; k < j; k++) d->a[i][k] -= d->a[i][j] * d->a[j][k] / d->a[j][j];
    }
    return negative;
}

static void test_solves_and_counts(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 200; round++) {
        size_t nodes = 1 + random_bits(&random) % NODES_MAX;
        bool is_ring = round % 2 == 1, is_definite = round / 2 % 2 == 0;
        strip s;
        dense *d = make(&random, &s, nodes, is_ring, is_definite ? 14 : 0);
        double x[SIZE_MAX_DENSE];
        strip_factor(&s);
        assert_false(s.is_broken);
        strip_substitute(&s, x, x + 4 * nodes);
        double tolerance = is_definite ? 1e-13 : 1e-8; // without exchanges small pivots may cost digits
        assert_near(residual(d, x), 0, tolerance);
        double again[SIZE_MAX_DENSE];
        for (size_t i = 0; i < d->size; i++) again[i] = d->right[i] = random_in(&random, -1, 1);
        strip_solve_more(&s, again, again + 4 * nodes);
        assert_near(residual(d, again), 0, tolerance);
        size_t negative = count_negative(d);
        assert_true(is_definite ? negative == 0 : true);
        assert_int_equal(s.negative_count, negative);
        release(&s, d);
    }
}

static void test_zero_pivot_is_noticed(void **state) {
    (void)state;
    cdg_random random = {8};
    strip s;
    dense *d = make(&random, &s, 5, false, 14);
    memset(s.rows, 0, 4 * sizeof(double)); // first row of the first diagonal block
    strip_factor(&s);
    assert_true(s.is_broken);
    release(&s, d);
}

static void test_instruction_sets_agree(void **state) {
    (void)state;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        double first[SIZE_MAX_DENSE];
        for (int variant = 0; variant < 3; variant++) {
#if defined(__x86_64__)
            if (variant == 1 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) continue;
            if (variant == 2 && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")))
                continue;
#else
            if (variant > 0) continue;
#endif
            cdg_random random = {9};
            strip s;
            dense *d = make(&random, &s, 9, is_ring == 1, 14);
            double x[SIZE_MAX_DENSE] = {0}, border[STRIP_BORDER] = {0.1, 0.2, -0.3, 0.4, 0, 0, 0.1, 0};
#if defined(__x86_64__)
            if (variant == 1) strip_factor_avx2(&s), strip_substitute_avx2(&s, x, border);
            if (variant == 2) strip_factor_avx512(&s), strip_substitute_avx512(&s, x, border);
#endif
            if (variant == 0) strip_factor_base(&s), strip_substitute_base(&s, x, border);
            if (variant == 0) memcpy(first, x, sizeof first);
            for (size_t i = 0; i < 4 * s.count; i++) assert_near(x[i], first[i], 1e-14);
            release(&s, d);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_and_counts),
        cmocka_unit_test(test_zero_pivot_is_noticed),
        cmocka_unit_test(test_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
