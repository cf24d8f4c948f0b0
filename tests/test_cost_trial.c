// How long `cordage check` tries a run, by steps whose cost is given.
#include "cost_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"

// A run of `count` steps, `early` seconds each until `change`, `late` from there on.
typedef struct run {
    size_t count, change;
    double early, late;
} run;

static double cost_of(const run *r, size_t step) { return step < r->change ? r->early : r->late; }

static double whole_of(const run *r) {
    double sum = 0;
    for (size_t i = 0; i < r->count; i++) sum += cost_of(r, i);
    return sum;
}

static double tried(const run *r, cost_trial *trial) {
    *trial = (cost_trial){0};
    while (cost_trial_goes_on(trial, r->count - trial->steps)) cost_trial_add(trial, cost_of(r, trial->steps));
    return trial->seconds + cost_trial_rest(trial, r->count - trial->steps);
}

static void short_runs_are_tried_to_their_end(void **state) {
    (void)state;
    cost_trial trial;
    run r = {300, 300, 1e-4, 1e-4};
    assert_near(tried(&r, &trial), 0.03, 1e-12);
    assert_int_equal(trial.steps, 300);
}

static void even_runs_are_told_after_half_or_3_seconds(void **state) {
    (void)state;
    cost_trial trial;
    run r = {100000, 100000, 1e-3, 1e-3};
    assert_near(tried(&r, &trial), 100, 1e-6);
    assert_near(trial.seconds, 3, 2e-3);
    r = (run){4000, 4000, 1e-3, 1e-3};
    assert_near(tried(&r, &trial), 4, 1e-6);
    assert_near(trial.seconds, 2, 2e-3);
    r = (run){900, 900, 1e-3, 1e-3};
    assert_near(tried(&r, &trial), 0.9, 1e-6);
    assert_near(trial.seconds, 0.5, 2e-3);
}

// A coil that falls for a quarter of its time and then lies on itself; a rod that is wound up for a third of it.
static void what_touches_late_is_within_a_factor_of_3(void **state) {
    (void)state;
    static const run runs[] = {{3320, 900, 1.9e-3, 14e-3}, {3500, 1250, 4e-4, 9e-3}, {3500, 1250, 4e-4, 1.2e-3}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        cost_trial trial;
        double whole = whole_of(&runs[i]), told = tried(&runs[i], &trial);
        if (!(told > whole / 3 && told < 3 * whole)) fail_msg("run %zu: %g s told, %g s taken", i, told, whole);
    }
}

static void a_step_of_minutes_is_enough(void **state) {
    (void)state;
    cost_trial trial;
    run r = {10, 10, 100, 100};
    assert_near(tried(&r, &trial), 1000, 1e-9);
    assert_int_equal(trial.steps, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_tried_to_their_end),
        cmocka_unit_test(even_runs_are_told_after_half_or_3_seconds),
        cmocka_unit_test(what_touches_late_is_within_a_factor_of_3),
        cmocka_unit_test(a_step_of_minutes_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
