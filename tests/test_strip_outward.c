// Records of random strips, and loads answered with them, against dense solutions; each instruction set that there is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/processor.h"
#include "math/random.h"
#include "math/strip_outward.h"
#include "near.h"

enum { ELEMENTS = 11, SIZE = 4 * (ELEMENTS + 1) };

// A random strip, diagonally dominant, whose last turn is a stand-in.
static void make(cdg_random *random, size_t nodes, double *rows, double a[SIZE][SIZE]) {
    size_t size = 4 * nodes;
    memset(a, 0, sizeof(double) * SIZE * SIZE);
    memset(rows, 0, STRIP_NODE * nodes * sizeof(double));
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j <= i; j++) {
            bool in_band = i / 4 - j / 4 <= 1 || (i / 4 - j / 4 == 2 && i % 4 < 3);
            bool is_stand_in = i == size - 1;
            if (in_band && !is_stand_in) a[i][j] = a[j][i] = random_in(random, -1, 1) + (i == j ? 5 : 0);
            if (is_stand_in && i == j) a[i][i] = 1;
        }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < STRIP_RIGHT && 4 * (i / 4) + j < size; j++)
            rows[STRIP_NODE * (i / 4) + STRIP_ROW * (i % 4) + j] = a[i][4 * (i / 4) + j];
}

// Gauss without exchange of rows, which these matrices do not need.
static void solve(size_t size, double a[SIZE][SIZE], double *right) {
    static double b[SIZE][SIZE];
    memcpy(b, a, sizeof b);
    for (size_t j = 0; j < size; j++)
        for (size_t i = j + 1; i < size; i++) {
            double factor = b[i][j] / b[j][j];
            for (size_t k = j; k < size; k++) b[i][k] -= factor * b[j][k];
            right[i] -= factor * right[j];
        }
    for (size_t i = size; i-- > 0;) {
        for (size_t k = i + 1; k < size; k++) right[i] -= b[i][k] * right[k];
        right[i] /= b[i][i];
    }
}

typedef bool outward(const strip *s, double *records);
typedef outward_answer pusher(const outward_push *push, size_t first, size_t last, double *const move[3], double *turn);

static void check(cdg_random *random, size_t elements, outward *records_of, pusher *answer) {
    static double a[SIZE][SIZE];
    double *rows = aligned_alloc(64, STRIP_NODE * (elements + 1) * sizeof(double));
    double *records = aligned_alloc(64, elements * OUTWARD_THIN * sizeof(double));
    memset(records, 0xff, elements * OUTWARD_THIN * sizeof(double)); // not a number
    make(random, elements + 1, rows, a);
    strip s = {.rows = rows, .count = elements + 1};
    assert_true(records_of(&s, records));
    for (size_t first = 0; first <= elements; first++)
        for (size_t end = first + 1; end <= elements + 1; end++) {
            double force_memory[3][ELEMENTS + 1], torque[ELEMENTS], right[SIZE] = {0};
            double move_memory[3][ELEMENTS + 1], turn[ELEMENTS];
            double *const force[3] = {force_memory[0], force_memory[1], force_memory[2]};
            double *const move[3] = {move_memory[0], move_memory[1], move_memory[2]};
            memset(force_memory, 0xff, sizeof force_memory), memset(torque, 0xff, sizeof torque);
            memset(move_memory, 0xff, sizeof move_memory), memset(turn, 0xff, sizeof turn);
            for (size_t i = first; i < end; i++)
                for (int k = 0; k < 3; k++) right[4 * i + (size_t)k] = force[k][i] = random_in(random, -1, 1);
            for (size_t j = first; j + 1 < end; j++) right[4 * j + 3] = torque[j] = random_in(random, -1, 1);
            outward_push push = {.records = records,
                                 .element_count = elements,
                                 .node_count = elements + 1,
                                 .nodes = {{first, end}, {0, 0}},
                                 .elements = {{first, end - 1}, {0, 0}},
                                 .force = force,
                                 .torque = torque,
                                 .radius = 1};
            size_t first_element = first < elements ? first : elements - 1;
            size_t last_element = end >= first + 2 ? end - 2 : first_element;
            outward_answer out = answer != NULL ? answer(&push, first_element, last_element, move, turn)
                                                : outward_push_thin(&push, move, turn);
            assert_int_equal(out.nodes.first, 0);
            assert_int_equal(out.nodes.end, elements + 1);
            solve(4 * (elements + 1), a, right);
            for (size_t i = 0; i <= elements; i++)
                for (int k = 0; k < 3; k++)
                    assert_near(move[k][i], right[4 * i + (size_t)k], 1e-12 * (1 + fabs(right[4 * i + (size_t)k])));
            for (size_t j = 0; j < elements; j++)
                assert_near(turn[j], right[4 * j + 3], 1e-12 * (1 + fabs(right[4 * j + 3])));
            assert_true(out.first[0] == turn[0]);
            assert_true(out.last[0] == turn[elements - 1]);
        }
    free(rows);
    free(records);
}

static void test_equals_a_dense_solution(void **state) {
    (void)state;
    cdg_random random = {1};
    for (size_t elements = 1; elements <= ELEMENTS; elements++) {
        check(&random, elements, strip_outward, NULL);
        check(&random, elements, strip_outward_base, outward_push_thin_base);
#if defined(__x86_64__)
        if (cdg_processor_lanes() >= CDG_LANES_AVX2)
            check(&random, elements, strip_outward_avx2, outward_push_thin_avx2);
        if (cdg_processor_lanes() >= CDG_LANES_AVX512)
            check(&random, elements, strip_outward_avx512, outward_push_thin_avx512);
#endif
    }
}

static void test_refuses_what_is_not_positive(void **state) {
    (void)state;
    cdg_random random = {2};
    static double a[SIZE][SIZE];
    _Alignas(64) double rows[STRIP_NODE * (ELEMENTS + 1)], records[OUTWARD_THIN * ELEMENTS];
    for (size_t i = 0; i < SIZE - 1; i++) {
        make(&random, ELEMENTS + 1, rows, a);
        rows[STRIP_NODE * (i / 4) + STRIP_ROW * (i % 4) + i % 4] = -1;
        strip s = {.rows = rows, .count = ELEMENTS + 1};
        assert_false(strip_outward(&s, records));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_a_dense_solution),
        cmocka_unit_test(test_refuses_what_is_not_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
