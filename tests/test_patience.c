// Patience: asked now and then, over for good, and told to all threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "base/patience.h"

#include <time.h>

typedef struct asked {
    int times, last; // `last`: the answer that is no
} asked;

static bool answer(void *user) {
    asked *a = user;
    return ++a->times != a->last;
}

static void test_no_patience_lasts(void **state) {
    (void)state;
    cdg_patience none = {0};
    assert_true(cdg_patience_lasts(NULL) && cdg_patience_lasts(&none));
    assert_true(cdg_patience_lasts_on(NULL, 0) && cdg_patience_lasts_on(NULL, 3));
    assert_true(cdg_patience_lasts_at(NULL, 0) && !cdg_patience_is_over(NULL));
}

static void test_it_is_asked_by_the_clock(void **state) {
    (void)state;
    asked a = {.last = 3};
    cdg_patience p = {.lasts = answer, .user = &a};
    clock_t began = clock();
    size_t turns = 0;
    while (cdg_patience_lasts(&p)) turns++;
    double spent = (double)(clock() - began) / CLOCKS_PER_SEC;
    assert_int_equal(a.times, 3);
    assert_true(turns > 100);             // most turns do not ask
    assert_true(spent < 0.2);             // twice the pause
    assert_false(cdg_patience_lasts(&p)); // for good, and nobody is asked again
    assert_int_equal(a.times, 3);
    assert_true(cdg_patience_is_over(&p));
}

static void test_loops_ask_at_some_turns(void **state) {
    (void)state;
    asked a = {.last = 1};
    cdg_patience p = {.lasts = answer, .user = &a};
    assert_true(cdg_patience_lasts_at(&p, 1) && cdg_patience_lasts_at(&p, 511));
    assert_int_equal(a.times, 0);
    assert_false(cdg_patience_lasts_at(&p, 512));
}

typedef struct work {
    cdg_patience *patience;
    int done[64], thread[64];
} work;

static void piece(void *user, size_t index, int thread) {
    work *w = user;
    w->done[index] = cdg_patience_lasts_on(w->patience, thread);
    w->thread[index] = thread;
}

// Which thread takes which piece is the machine's affair; pieces of thread 0 know at once, all know afterwards.
static void test_threads_are_told(void **state) {
    (void)state;
    asked a = {.last = 1};
    cdg_patience p = {.lasts = answer, .user = &a};
    work w = {.patience = &p};
    cdg_parallel_for(64, 4, piece, &w);
    for (int i = 0; i < 64; i++)
        if (w.thread[i] == 0) assert_int_equal(w.done[i], 0);
    assert_false(cdg_patience_lasts_on(&p, 0));
    assert_int_equal(a.times, 1); // by thread 0 alone
    cdg_parallel_for(64, 4, piece, &w);
    for (int i = 0; i < 64; i++) assert_int_equal(w.done[i], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_patience_lasts),
        cmocka_unit_test(test_it_is_asked_by_the_clock),
        cmocka_unit_test(test_loops_ask_at_some_turns),
        cmocka_unit_test(test_threads_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
