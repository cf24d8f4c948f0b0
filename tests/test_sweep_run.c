// Running a sweep: the same outcomes on any number of threads, and after an interruption; nothing done twice.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "sweep/sweep_run.h"
#include "sweep_beam.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 24 };

static bool stop_after(void *user, const cdg_sweep_progress *progress) { return progress->done < *(size_t *)user; }

static cdg_result run(const cdg_sweep *sweep, const char *directory, int thread_count, bool resume, size_t most,
                      cdg_outcome outcomes[CASES], cdg_sweep_progress *progress, cdg_error *error) {
    memset(outcomes, 0, CASES * sizeof *outcomes);
    cdg_sweep_run_def def = {.sweep = sweep,
                             .directory = directory,
                             .resume = resume,
                             .thread_count = thread_count,
                             .on_progress = most > 0 ? stop_after : NULL,
                             .user = &most};
    return cdg_sweep_run(&def, outcomes, progress, error);
}

static void free_outcomes(cdg_outcome outcomes[CASES]) {
    for (size_t i = 0; i < CASES; i++) cdg_outcome_free(&outcomes[i]);
}

static void expect_same(const cdg_outcome *a, const cdg_outcome *b, size_t columns) {
    for (size_t i = 0; i < CASES; i++) {
        assert_true(a[i].is_known && b[i].is_known && a[i].has_failed == b[i].has_failed);
        if (!a[i].has_failed) assert_memory_equal(a[i].values, b[i].values, columns * sizeof(double));
        if (a[i].has_failed) assert_string_equal(a[i].sentence, b[i].sentence);
    }
}

static void try_scene(const char *text, const char *vary, bool has_lanes) {
    char one[RUN_PATH_SIZE], other[RUN_PATH_SIZE];
    cdg_sweep sweep;
    cdg_sweep_progress progress;
    cdg_outcome first[CASES], second[CASES];
    cdg_error error = {0};
    run_directory_make(one);
    run_directory_make(other);
    sweep_of(text, vary, "tip, hold_peak", has_lanes, &sweep);
    assert_int_equal(sweep.job_size > 1, has_lanes);
    assert_int_equal(sweep.design.case_count, CASES);
    if (run(&sweep, one, 1, false, 0, first, &progress, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(progress.done == CASES && progress.failed > 0 && progress.failed < 6 && progress.done_before == 0);
    size_t failed = progress.failed;
    // stopped on its way, then resumed with more threads
    cdg_result result = run(&sweep, other, 2, false, 5, second, &progress, &error);
    size_t before = progress.done;
    if (result != CDG_OK) assert_int_equal(result, CDG_ERROR_INTERRUPTED);
    assert_true(before >= 5);
    free_outcomes(second);
    if (run(&sweep, other, 3, true, 0, second, &progress, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(progress.done == CASES && progress.done_before == before && progress.failed == failed);
    expect_same(first, second, sweep.readout.column_count);
    free_outcomes(second);
    // all is there: nothing is done, and nothing is done without being asked to go on
    if (run(&sweep, other, 2, true, 0, second, &progress, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(progress.done_before == CASES);
    free_outcomes(second);
    assert_int_equal(run(&sweep, other, 2, false, 0, second, &progress, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--resume"));
    free_outcomes(second);
    free_outcomes(first);
    cdg_sweep_free(&sweep);
    run_directory_remove(one);
    run_directory_remove(other);
}

static void test_statics(void **state) {
    (void)state;
    try_scene(beam_text, "rods.rod.elements=-3:20:24", false); // -3 ... 20
}

static void test_lanes(void **state) {
    (void)state;
    try_scene(cord_text, "materials.m.density=0:2300:24", true); // no rod has no mass
}

// ---- a rank that is not the first -----------------------------------------------------------------------------------

enum { JOBS = 8, HELD = 5 }; // jobs of the one message; the one that waits until more are asked for

static struct {
    atomic_int asked;  // for jobs, how often
    int answered;      // of them
    atomic_int looked; // of all cases: how often they asked whether to go on
    int looks[JOBS];   // of each case, when nobody waits
    int job;
    bool asked_in_time;
} rank;

static bool rank_sends(int to, const char *text, size_t size) {
    size_t wanted = 0;
    (void)to, (void)size;
    if (sscanf(text, "want %zu", &wanted) == 1 && wanted > 0) atomic_fetch_add(&rank.asked, 1);
    return true;
}

static bool rank_receives(int *from, char **text, size_t *size) {
    *from = 0;
    *text = NULL;
    if (rank.answered == atomic_load(&rank.asked)) return false;
    *text = strdup(rank.answered++ == 0 ? "do 0 1 2 3 4 5 6 7\n" : "end\n");
    *size = strlen(*text);
    return true;
}

static bool count_looks(void *user) {
    (void)user;
    rank.looks[rank.job]++;
    return true;
}

// The case in the middle goes on when more jobs were asked for, or after ten seconds.
static bool hold_one(void *user) {
    (void)user;
    int held = 0, looked = atomic_fetch_add(&rank.looked, 1);
    for (int job = 0; job < HELD; job++) held += rank.looks[job];
    for (int wait = 0; looked == held && wait < 10000 && atomic_load(&rank.asked) < 2; wait++) usleep(1000);
    if (looked == held) rank.asked_in_time = atomic_load(&rank.asked) == 2;
    return true;
}

static void test_more_is_asked_for_in_time(void **state) {
    (void)state;
    const cdg_mpi_door door = {.send = rank_sends, .receive = rank_receives};
    cdg_ranks ranks = {.door = &door, .rank = 1, .size = 2};
    cdg_sweep sweep;
    cdg_sweep_progress progress;
    cdg_error error = {0};
    size_t size;
    sweep_of(beam_text, "rods.rod.elements=3:10:8", "tip", false, &sweep);
    for (rank.job = 0; rank.job < JOBS; rank.job++)
        free(cdg_sweep_do_case(&sweep, (size_t)rank.job, count_looks, NULL, &size));
    cdg_sweep_run_def def = {.sweep = &sweep, .ranks = &ranks, .go_on = hold_one};
    cdg_outcome outcomes[JOBS] = {0};
    assert_true(rank.looks[HELD] > 0);
    assert_int_equal(cdg_sweep_run(&def, outcomes, &progress, &error), CDG_OK);
    assert_true(rank.asked_in_time);
    cdg_sweep_free(&sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statics), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_more_is_asked_for_in_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
