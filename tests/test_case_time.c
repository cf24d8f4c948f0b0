// Limits to the time of a case: a case without an end is a row with its sentence, alone and in lanes, and is done again
// by a sweep that goes on with more time.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/case_time.h"
#include "sweep/sweep_run.h"
#include "sweep_beam.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 4 };

static void test_sentence(void **state) {
    (void)state;
    cdg_case_result result = {.code = CDG_ERROR_INTERRUPTED, .sentence = "stopped on request at 1 s of 9 s"};
    cdg_case_time_tell(0.25, &result);
    assert_true(cdg_case_time_told(result.sentence) == 0.25);
    assert_non_null(strstr(result.sentence, "was stopped at 1 s of 9 s;"));
    assert_true(cdg_case_time_told("an element was crushed") == 0);
    assert_true(cdg_case_time_told("took more than the sum") == 0);
    assert_true(cdg_case_time_told(NULL) == 0);
}

static bool never(void *user) {
    (void)user;
    return false;
}

static void test_who_stopped(void **state) {
    (void)state;
    cdg_case_timer late = {.limit = 1e-9, .began = cdg_case_clock() - 1}, asked = late, free = late;
    asked.go_on = never, free.limit = 0;
    assert_false(cdg_case_timer_go_on(&late));
    assert_true(late.is_late);
    assert_false(cdg_case_timer_go_on(&asked)); // what somebody asks for comes first
    assert_false(asked.is_late);
    assert_true(cdg_case_timer_go_on(&free));
}

typedef struct lines {
    cdg_outcome outcomes[CASES];
    size_t count;
} lines;

static void give(void *target, char *line, size_t size) {
    lines *l = target;
    assert_int_equal(cdg_outcome_read(line, size - 1, 1, &l->outcomes[l->count++]), CDG_OUTCOME_READ);
    free(line);
}

static void assert_late(const cdg_outcome *outcome, double limit) {
    assert_true(outcome->has_failed);
    assert_true(cdg_case_time_told(outcome->sentence) == limit);
}

// Two million steps, of which a tenth of a second has time for some ten thousands.
static void test_long_case(void **state) {
    (void)state;
    cdg_sweep sweep;
    lines l = {0};
    sweep_of(cord_text, "simulation.duration=0.02, 2000 s", "tip_z", false, &sweep);
    sweep.case_time = 0.1;
    for (size_t job = 0; job < 2; job++) assert_true(cdg_sweep_do_job(&sweep, job, NULL, NULL, give, &l));
    assert_false(l.outcomes[0].has_failed);
    assert_late(&l.outcomes[1], 0.1);
    assert_non_null(strstr(l.outcomes[1].sentence, " of 2000 s;"));
    for (size_t i = 0; i < l.count; i++) cdg_outcome_free(&l.outcomes[i]);
    cdg_sweep_free(&sweep);
}

static void test_in_lanes(void **state) {
    (void)state;
    static char text[sizeof cord_text + 8];
    const char *duration = strstr(cord_text, "20 ms");
    snprintf(text, sizeof text, "%.*s2000 s%s", (int)(duration - cord_text), cord_text, duration + 5);
    cdg_sweep sweep;
    lines l = {0};
    sweep_of(text, "materials.m.young_modulus=1, 2, 3, 4 MPa", "tip_z", true, &sweep);
    assert_true(sweep.job_size > 1);
    sweep.case_time = 0.05;
    assert_true(cdg_sweep_do_job(&sweep, 0, NULL, NULL, give, &l));
    assert_int_equal(l.count, CASES);
    for (size_t i = 0; i < l.count; i++) {
        assert_late(&l.outcomes[i], 0.05);
        cdg_outcome_free(&l.outcomes[i]);
    }
    cdg_sweep_free(&sweep);
}

// Runs the sweep with a limit; returns how many cases failed, and how many were known before.
static size_t run(cdg_sweep *sweep, const char *directory, double limit, size_t *before) {
    cdg_outcome outcomes[CASES] = {0};
    cdg_sweep_progress progress;
    cdg_error error = {0};
    cdg_sweep_run_def def = {.sweep = sweep, .directory = directory, .resume = true, .thread_count = 1};
    sweep->case_time = limit;
    if (cdg_sweep_run(&def, outcomes, &progress, &error) != CDG_OK) fail_msg("%s", error.message);
    for (size_t i = 0; i < CASES; i++) cdg_outcome_free(&outcomes[i]);
    assert_int_equal(progress.done, CASES);
    *before = progress.done_before;
    return progress.failed;
}

static void test_with_more_time(void **state) {
    (void)state;
    char directory[] = "/tmp/case_timeXXXXXX", journal[64];
    cdg_sweep sweep;
    size_t before;
    assert_non_null(mkdtemp(directory));
    sweep_of(cord_text, "materials.m.young_modulus=1, 2, 3, 4 MPa", "tip_z", false, &sweep);
    assert_int_equal(run(&sweep, directory, 1e-9, &before), CASES);
    assert_int_equal(run(&sweep, directory, 1e-9, &before), CASES); // as much time as they had: they stand
    assert_int_equal(before, CASES);
    assert_int_equal(run(&sweep, directory, 60, &before), 0);
    assert_int_equal(before, 0);
    assert_int_equal(run(&sweep, directory, 1e-9, &before), 0); // what is done is done
    assert_int_equal(before, CASES);
    assert_int_equal(run(&sweep, directory, 0, &before), 0);
    assert_int_equal(before, CASES);
    cdg_sweep_free(&sweep);
    snprintf(journal, sizeof journal, "%s/journal.txt", directory);
    unlink(journal);
    rmdir(directory);
}

// Killed between making its journal and writing into it.
static void test_empty_journal(void **state) {
    (void)state;
    char directory[] = "/tmp/case_timeXXXXXX", journal[64];
    cdg_sweep sweep;
    size_t before;
    assert_non_null(mkdtemp(directory));
    snprintf(journal, sizeof journal, "%s/journal.txt", directory);
    FILE *file = fopen(journal, "w");
    assert_non_null(file);
    fclose(file);
    sweep_of(cord_text, "materials.m.young_modulus=1, 2, 3, 4 MPa", "tip_z", false, &sweep);
    assert_int_equal(run(&sweep, directory, 0, &before), 0);
    assert_int_equal(before, 0);
    cdg_sweep_free(&sweep);
    unlink(journal);
    rmdir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentence), cmocka_unit_test(test_who_stopped),    cmocka_unit_test(test_long_case),
        cmocka_unit_test(test_in_lanes), cmocka_unit_test(test_with_more_time), cmocka_unit_test(test_empty_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
