// Cases in lanes: the numbers of cases that go alone; failures and other steps touch no neighbour.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/lanes.h"
#include "sweep_beam.h"

#include <math.h>
#include <stdlib.h>

enum { CASES = 11, COLUMNS = 4 };

typedef struct lines {
    cdg_outcome outcomes[CASES];
    size_t count;
} lines;

static void give(void *target, char *line, size_t size) {
    lines *l = target;
    assert_int_equal(cdg_outcome_read(line, size - 1, COLUMNS, &l->outcomes[l->count]), CDG_OUTCOME_READ);
    assert_int_equal(l->outcomes[l->count].index, l->count);
    l->count++;
    free(line);
}

static void free_lines(lines *l) {
    for (size_t i = 0; i < l->count; i++) cdg_outcome_free(&l->outcomes[i]);
}

// A lane does the same sums in another order: 1e-9 of a size is far above roundings of 20 steps.
static void try_vary(const char *vary, size_t failing) {
    cdg_sweep sweep;
    lines together = {0}, alone = {0};
    size_t failed = 0;
    sweep_of(cord_text, vary, "tip, hold_peak", true, &sweep);
    assert_true(sweep.job_size == CDG_LANES_JOB_SIZE && sweep.design.case_count == CASES);
    assert_int_equal(cdg_lanes_run(&sweep, 0, CASES, NULL, NULL, give, &together), CDG_LANES_DONE);
    sweep.job_size = 1;
    for (size_t i = 0; i < CASES; i++) assert_true(cdg_sweep_do_job(&sweep, i, NULL, NULL, give, &alone));
    for (size_t i = 0; i < CASES; i++) {
        const cdg_outcome *a = &together.outcomes[i], *b = &alone.outcomes[i];
        assert_int_equal(a->has_failed, b->has_failed);
        failed += a->has_failed;
        if (a->has_failed) assert_string_equal(a->sentence, b->sentence);
        for (size_t k = 0; k < COLUMNS && !a->has_failed; k++)
            assert_true(fabs(a->values[k] - b->values[k]) <= 1e-9 * (1e-3 + fabs(b->values[k])));
    }
    assert_int_equal(failed, failing);
    free_lines(&together);
    free_lines(&alone);
    cdg_sweep_free(&sweep);
}

static void test_as_alone(void **state) {
    (void)state;
    try_vary("materials.m.young_modulus=0.5:20:11 MPa (log)", 0);
    try_vary("rods.rod.section.circle.radius=2:12:11 mm", 0);
    try_vary("materials.m.density=0:2000:11", 1);         // one is refused
    try_vary("rods.rod.elements=4:14:11", 0);             // none is like its neighbour
    try_vary("simulation.step=0.5:1.5:11 ms", 0);         // other steps: alone
    try_vary("simulation.gravity.0=-1e200:1e200:11", 10); // all but the middle fail on their way
}

static bool count_down(void *user) { return --*(int *)user > 0; }

static void test_stops(void **state) {
    (void)state;
    cdg_sweep sweep;
    lines none = {0};
    int left = 20;
    sweep_of(cord_text, "materials.m.young_modulus=0.5:20:11 MPa", "tip, hold_peak", true, &sweep);
    assert_int_equal(cdg_lanes_run(&sweep, 0, CASES, count_down, &left, give, &none), CDG_LANES_STOPPED);
    assert_int_equal(none.count, 0);
    cdg_sweep_free(&sweep);
}

static void test_who_may(void **state) {
    (void)state;
    cdg_sweep sweep;
    sweep_of(beam_text, "materials.m.young_modulus=1, 2 MPa", "tip, hold_peak", true, &sweep);
    assert_int_equal(sweep.job_size, 1);
    assert_non_null(strstr(sweep.note, "static"));
    cdg_sweep_free(&sweep);
    sweep_of(cord_text, "contact=on, on", "tip, hold_peak", true, &sweep);
    assert_non_null(strstr(sweep.note, "contact: off"));
    cdg_sweep_free(&sweep);
    sweep_of(cord_text, "simulation.pobd.solver=direct, direct", "tip, hold_peak", true, &sweep);
    assert_non_null(strstr(sweep.note, "gauss_seidel"));
    cdg_sweep_free(&sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_alone), cmocka_unit_test(test_stops),
                                       cmocka_unit_test(test_who_may)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
