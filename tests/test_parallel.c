// cdg_parallel_for: every piece exactly once, thread numbers in range, results independent of the number of threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "math/random.h"

enum { PIECES = 1000, THREADS_MAX = 8 };

typedef struct tally {
    int visits[PIECES];
    int thread[PIECES];
    double result[PIECES];
    size_t per_thread[THREADS_MAX * 16]; // padded: a thread counts in its own cache lines
} tally;

static void count_piece(void *user, size_t index, int thread) {
    tally *t = user;
    t->visits[index]++;
    t->thread[index] = thread;
    cdg_random random = {index};
    double sum = 0;
    for (int k = 0; k < 100; k++) sum += random_unit(&random);
    t->result[index] = sum;
    t->per_thread[thread * 16]++; // a race here would mean two threads share a number: the thread sanitizer sees it
}

static tally *run(size_t count, int thread_count) {
    tally *t = calloc(1, sizeof *t);
    assert_non_null(t);
    cdg_parallel_for(count, thread_count, count_piece, t);
    return t;
}

static void test_every_piece_exactly_once(void **state) {
    (void)state;
    const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 100, PIECES};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            tally *t = run(counts[c], threads);
            size_t sum = 0;
            for (size_t i = 0; i < PIECES; i++) {
                assert_int_equal(t->visits[i], i < counts[c] ? 1 : 0);
                assert_in_range(t->thread[i], 0, threads - 1);
            }
            for (int k = 0; k < threads; k++) sum += t->per_thread[k * 16];
            assert_int_equal(sum, counts[c]);
            free(t);
        }
    }
}

static void test_results_do_not_depend_on_threads(void **state) {
    (void)state;
    tally *one = run(PIECES, 1);
    for (int threads = 2; threads <= THREADS_MAX; threads++) {
        tally *many = run(PIECES, threads);
        assert_memory_equal(one->result, many->result, sizeof one->result); // bit for bit
        free(many);
    }
    free(one);
}

static void test_pieces_are_dealt_the_same_way_every_time(void **state) {
    (void)state;
    tally *first = run(PIECES, 3), *second = run(PIECES, 3);
    assert_memory_equal(first->thread, second->thread, sizeof first->thread);
    free(first);
    free(second);
}

static void test_no_threads_means_this_one(void **state) {
    (void)state;
    for (int threads = -1; threads <= 0; threads++) {
        tally *t = run(10, threads);
        for (int i = 0; i < 10; i++) assert_int_equal(t->visits[i], 1);
        assert_int_equal(t->per_thread[0], 10);
        free(t);
    }
}

static void test_default_is_at_least_one(void **state) {
    (void)state;
    assert_true(cdg_parallel_default_threads() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_exactly_once),
        cmocka_unit_test(test_results_do_not_depend_on_threads),
        cmocka_unit_test(test_pieces_are_dealt_the_same_way_every_time),
        cmocka_unit_test(test_no_threads_means_this_one),
        cmocka_unit_test(test_default_is_at_least_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
