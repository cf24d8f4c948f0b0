// Jobs handed out: each once, whatever the number of workers; stopping stops.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/hand_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 500 };

static bool work(void *user, int worker, size_t job, cdg_hand_out *hand_out) {
    char *line = malloc(32);
    int length = snprintf(line, 32, "%zu", job);
    (void)worker;
    cdg_hand_out_give(hand_out, line, (size_t)length);
    if (user != NULL && job == *(size_t *)user) cdg_hand_out_stop(hand_out);
    return true;
}

static size_t collect_all(cdg_hand_out *hand_out, cdg_crew *crew, int seen[JOBS]) {
    size_t total = 0;
    for (bool is_last = false; !is_last;) {
        cdg_line *lines;
        is_last = !cdg_crew_is_busy(crew);
        size_t count = cdg_hand_out_collect(hand_out, is_last ? 0 : 0.01, &lines);
        for (size_t i = 0; i < count; i++) {
            seen[atoi(lines[i].text)]++;
            free(lines[i].text);
        }
        free(lines);
        total += count;
    }
    return total;
}

static void test_each_once(void **state) {
    (void)state;
    size_t jobs[JOBS];
    for (size_t i = 0; i < JOBS; i++) jobs[i] = i;
    for (int thread_count = 1; thread_count <= 4; thread_count++) {
        int seen[JOBS] = {0};
        cdg_hand_out hand_out;
        cdg_crew *crew;
        cdg_hand_out_begin(&hand_out, jobs, JOBS);
        assert_int_equal(cdg_crew_start(&hand_out, thread_count, work, NULL, &crew, NULL), CDG_OK);
        assert_int_equal(collect_all(&hand_out, crew, seen), JOBS);
        for (size_t i = 0; i < JOBS; i++) assert_int_equal(seen[i], 1);
        cdg_crew_join(crew);
        cdg_hand_out_end(&hand_out);
    }
}

static void test_stop(void **state) {
    (void)state;
    size_t jobs[JOBS], last = 9;
    int seen[JOBS] = {0};
    for (size_t i = 0; i < JOBS; i++) jobs[i] = i;
    cdg_hand_out hand_out;
    cdg_crew *crew;
    cdg_hand_out_begin(&hand_out, jobs, JOBS);
    assert_int_equal(cdg_crew_start(&hand_out, 1, work, &last, &crew, NULL), CDG_OK);
    assert_int_equal(collect_all(&hand_out, crew, seen), 10);
    assert_true(cdg_hand_out_is_stopped(&hand_out) && cdg_hand_out_left(&hand_out) == 0);
    cdg_crew_join(crew);
    cdg_hand_out_end(&hand_out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once), cmocka_unit_test(test_stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
