// Where time goes: phases of tries that became steps, and tries that did not; steps that stand for others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "world/step_clock.h"

#include <time.h>

// Until the clock has gone on.
static void wait_a_little(void) {
    struct timespec first, now;
    clock_gettime(CLOCK_MONOTONIC, &first);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec == first.tv_sec && now.tv_nsec < first.tv_nsec + 1000);
}

static void test_phases(void **state) {
    (void)state;
    cdg_step_clock clock = {0};
    cdg_step_clock_start(&clock, 7, 1);
    wait_a_little();
    cdg_step_clock_lap(&clock, CDG_PHASE_PREDICT);
    wait_a_little();
    cdg_step_clock_lap(&clock, CDG_PHASE_CONTACT);
    cdg_step_clock_end_try(&clock, false); // divided
    assert_true(clock.in_vain >= 2e-6);
    for (int k = 0; k < CDG_PHASE_COUNT; k++) assert_true(clock.seconds[k] == 0);
    double in_vain = clock.in_vain;
    wait_a_little();
    cdg_step_clock_lap(&clock, CDG_PHASE_PREDICT);
    cdg_step_clock_round(&clock);
    cdg_step_clock_end_try(&clock, true);
    assert_true(clock.seconds[CDG_PHASE_PREDICT] >= 1e-6 && clock.seconds[CDG_PHASE_CONTACT] == 0);
    assert_true(clock.in_vain == in_vain && clock.rounds == 1);
}

static void test_one_stands_for_others(void **state) {
    (void)state;
    cdg_step_clock clock = {0};
    for (uint64_t step = 0; step < 32; step++) {
        cdg_step_clock_start(&clock, step, 16);
        assert_true(clock.weight == (step % 16 == 0 ? 16 : 0));
        wait_a_little();
        cdg_step_clock_lap(&clock, CDG_PHASE_COMMIT);
        cdg_step_clock_end_try(&clock, true);
    }
    assert_true(clock.seconds[CDG_PHASE_COMMIT] >= 32e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phases), cmocka_unit_test(test_one_stands_for_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
