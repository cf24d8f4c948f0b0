// Real time: in time, late with fewer pictures, and slow motion with its ratio.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "view/stage_clock.h"

// A world that manages `capacity` simulated seconds a second, looked at 100 times a second.
static cdg_stage_clock run(double speed, double capacity, double seconds, double *reached) {
    cdg_stage_clock clock = {.speed = speed};
    double time = 0;
    cdg_clock_start(&clock, 100, time);
    for (int i = 1; i <= seconds * 100; i++) {
        double wall = 100 + i * 0.01, wanted = cdg_clock_wanted(&clock, wall);
        time = fmin(wanted, time + capacity * 0.01);
        cdg_clock_settle(&clock, wall, time, 1);
    }
    *reached = time;
    return clock;
}

static void time_is_kept(void **state) {
    (void)state;
    double reached;
    cdg_stage_clock clock = run(1, 5, 3, &reached);
    assert_near(reached, 3, 1e-9);
    assert_near(clock.ratio, 1, 1e-9);
    assert_false(clock.is_late);
    assert_near(clock.steps_per_second, 100, 5);
    assert_near(cdg_clock_picture_interval(&clock, 103, reached), 1.0 / 60, 1e-12);
    clock = run(0.1, 5, 3, &reached);
    assert_near(reached, 0.3, 1e-9);
}

static void slow_motion_is_told(void **state) {
    (void)state;
    double reached;
    cdg_stage_clock clock = run(1, 0.25, 4, &reached);
    assert_near(reached, 1, 1e-9);
    assert_near(clock.ratio, 0.25, 0.01);
    assert_true(clock.is_late);
    assert_true(cdg_clock_picture_interval(&clock, 104, reached) >= 1.0 / 20); // fewer pictures, too
    assert_true(cdg_clock_wanted(&clock, 104) - reached < 0.2);                // what was lost is not chased
}

static void pictures_get_fewer_first(void **state) {
    (void)state;
    cdg_stage_clock clock = {.speed = 1};
    cdg_clock_start(&clock, 0, 0);
    assert_near(cdg_clock_picture_interval(&clock, 1, 0.99), 1.0 / 60, 1e-12);
    assert_near(cdg_clock_picture_interval(&clock, 1, 0.97), 1.0 / 30, 1e-12);
    assert_near(cdg_clock_picture_interval(&clock, 1, 0.94), 1.0 / 20, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_kept),
        cmocka_unit_test(slow_motion_is_told),
        cmocka_unit_test(pictures_get_fewer_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
