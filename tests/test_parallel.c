// cdg_parallel_for: every piece exactly once, thread numbers in range, results independent of the number of threads.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

// ---- threads that the machine has no time for -----------------------------------------------------------------------

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double duration) {
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)(1e9 * duration)};
    nanosleep(&t, NULL);
}

typedef struct slow_work {
    atomic_int done[2]; // by the caller's thread, by the other
} slow_work;

// The other thread is stopped in its first piece.
static void piece_of_slow_work(void *user, size_t index, int thread) {
    slow_work *w = user;
    (void)index;
    if (thread == 1) sleep_for(0.2);
    atomic_fetch_add(&w->done[thread], 1);
}

static void test_a_thread_without_time_holds_nobody_up(void **state) {
    (void)state;
    for (int times = 0; times < 3; times++) {
        slow_work w = {0};
        cdg_parallel_for(256, 2, piece_of_slow_work, &w);
        assert_int_equal(atomic_load(&w.done[0]) + atomic_load(&w.done[1]), 256);
        assert_in_range(atomic_load(&w.done[1]), 0, 16); // of the 128 pieces of its block, which would take 26 s
        sleep_for(0.06);                                 // until threads are asked again
    }
}

typedef struct stalled_work {
    atomic_bool is_begun; // the other thread is in its piece
    bool is_stalling;
} stalled_work;

// The caller's thread has nothing to do but to see the other one begin, which then is stopped.
static void piece_of_stalled_work(void *user, size_t index, int thread) {
    stalled_work *w = user;
    (void)index;
    if (thread == 1) atomic_store(&w->is_begun, true);
    if (thread == 1 && w->is_stalling) sleep_for(0.2);
    for (int k = 0; thread == 0 && w->is_stalling && k < 1000 && !atomic_load(&w->is_begun); k++) sleep_for(0.0005);
}

// There is time for the other thread to come, if it is asked.
static void piece_of_patient_work(void *user, size_t index, int thread) {
    slow_work *w = user;
    (void)index;
    sleep_for(0.0005);
    atomic_fetch_add(&w->done[thread], 1);
}

// Whether the caller works alone after it has waited for a thread.
static bool works_alone(void) {
    stalled_work w = {.is_stalling = true};
    for (int times = 0; times < 100 && !atomic_load(&w.is_begun); times++)
        cdg_parallel_for(2, 2, piece_of_stalled_work, &w);
    assert_true(atomic_load(&w.is_begun));
    slow_work later = {0};
    cdg_parallel_for(40, 2, piece_of_patient_work, &later);
    bool is_alone = atomic_load(&later.done[1]) == 0;
    sleep_for(0.06); // until threads are asked again
    return is_alone;
}

static void test_after_a_thread_had_no_time_the_caller_works_alone(void **state) {
    (void)state;
    int times = 0;
    while (times < 5 && !works_alone()) times++; // that time may pass unseen on a busy machine
    assert_true(times < 5);
    stalled_work w = {0};
    for (times = 0; times < 1000 && !atomic_load(&w.is_begun); times++) {
        cdg_parallel_for(64, 2, piece_of_stalled_work, &w);
        sleep_for(0.001);
    }
    assert_true(atomic_load(&w.is_begun));
}

enum { EVEN_PIECES = 1024 };

typedef struct even_work {
    atomic_int done;
    atomic_bool is_late; // the piece near the end gave up waiting for all others
} even_work;

// A piece near the end is done when all others are: those after it must not belong to the same part.
static void piece_of_even_work(void *user, size_t index, int thread) {
    even_work *w = user;
    (void)thread;
    for (int k = 0; index == EVEN_PIECES - 5 && atomic_load(&w->done) < EVEN_PIECES - 1; k++) {
        if (k == 5000) {
            atomic_store(&w->is_late, true);
            break;
        }
        sleep_for(0.001);
    }
    atomic_fetch_add(&w->done, 1);
}

static bool are_parts_small(void) {
    even_work w = {0};
    cdg_parallel_for(EVEN_PIECES, 2, piece_of_even_work, &w);
    assert_int_equal(atomic_load(&w.done), EVEN_PIECES);
    return !atomic_load(&w.is_late);
}

static void test_parts_are_small_at_the_end(void **state) {
    (void)state;
    int times = 0;
    while (times < 3 && !are_parts_small()) { // on a busy machine the caller may work alone, for a second at most
        times++;
        for (int k = 0; k < 3; k++) sleep_for(0.4);
    }
    assert_true(times < 3);
}

static void test_threads_that_wait_sleep(void **state) {
    (void)state;
    free(run(PIECES, 4)); // threads are there
    sleep_for(0.05);
    double used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int times = 0; times < 5; times++) {
        free(run(8, 4));
        sleep_for(0.1);
    }
    used = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    assert_true(used < 0.1); // of 0.5 s in which three threads have nothing to do
}

// ---- who may ask ----------------------------------------------------------------------------------------------------

static void share_out_again(void *user, size_t index, int thread) {
    tally *all = user;
    (void)thread;
    cdg_parallel_for(10, 4, count_piece, &all[index]);
}

static void test_pieces_may_be_shared_out_themselves(void **state) {
    (void)state;
    tally *all = calloc(8, sizeof *all);
    assert_non_null(all);
    cdg_parallel_for(8, 4, share_out_again, all);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < PIECES; i++) assert_int_equal(all[k].visits[i], i < 10 ? 1 : 0);
    free(all);
}

static void *run_often(void *result) {
    bool *is_right = result;
    *is_right = true;
    for (int times = 0; times < 50; times++) {
        tally *t = run(PIECES, 3);
        for (int i = 0; i < PIECES; i++) *is_right = *is_right && t->visits[i] == 1;
        free(t);
    }
    return NULL;
}

static void test_threads_may_ask_at_once(void **state) {
    (void)state;
    pthread_t thread[3];
    bool is_right[3];
    for (int k = 0; k < 3; k++) assert_int_equal(pthread_create(&thread[k], NULL, run_often, &is_right[k]), 0);
    for (int k = 0; k < 3; k++) {
        pthread_join(thread[k], NULL);
        assert_true(is_right[k]);
    }
}

static void test_a_child_process_has_threads_of_its_own(void **state) {
    (void)state;
#ifdef CORDAGE_SANITIZED
    skip(); // the thread sanitizer starts no threads in a child of many
#endif
    free(run(PIECES, 4));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool is_right = false;
        run_often(&is_right);
        _exit(is_right ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
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
        cmocka_unit_test(test_a_thread_without_time_holds_nobody_up),
        cmocka_unit_test(test_after_a_thread_had_no_time_the_caller_works_alone),
        cmocka_unit_test(test_parts_are_small_at_the_end),
        cmocka_unit_test(test_threads_that_wait_sleep),
        cmocka_unit_test(test_pieces_may_be_shared_out_themselves),
        cmocka_unit_test(test_threads_may_ask_at_once),
        cmocka_unit_test(test_a_child_process_has_threads_of_its_own),
        cmocka_unit_test(test_no_threads_means_this_one),
        cmocka_unit_test(test_default_is_at_least_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
