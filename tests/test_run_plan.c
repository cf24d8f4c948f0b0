// When a run steps and writes: steps divide the output interval, whatever the scene says.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/run.h>

#include "math/random.h"
#include "output/run_plan.h"
#include "run_scene.h"
#include "world/world.h"

// A scene with these times; the world is only asked when the step is 0.
static cdg_run_plan plan_of(double step, double duration, double every) {
    cdg_scene scene = {.step = step, .duration = duration, .output_every = every};
    cdg_run_plan plan;
    cdg_error error;
    cdg_result result = cdg_run_plan_make(&scene, NULL, &plan, &error);
    if (result != CDG_OK) fail_msg("%s", error.message);
    return plan;
}

static void test_whole_ratios(void **state) {
    (void)state;
    // pairs whose quotient is a whole number in decimals but not always in doubles
    const double pairs[][2] = {{0.001, 0.02}, {0.1, 0.3},     {0.1, 0.7}, {0.05, 0.35},
                               {0.002, 0.02}, {0.003, 0.021}, {1e-5, 0.1}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        double ratio = round(pairs[i][1] / pairs[i][0]);
        cdg_run_plan plan = plan_of(pairs[i][0], 10 * pairs[i][1], pairs[i][1]);
        assert_true((double)plan.steps_per_output == ratio);
        assert_int_equal(plan.frame_count, 11);
        assert_int_equal(plan.step_count, 10 * plan.steps_per_output);
        assert_string_equal(plan.warning, "");
        assert_null(strstr(plan.reason, "made"));
    }
}

static void test_random_times(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < 20000; i++) {
        double step = exp(random_in(&random, -10, 0)), every = exp(random_in(&random, -6, 1)),
               duration = exp(random_in(&random, -3, 3));
        cdg_run_plan plan = plan_of(step, duration, every);
        assert_true(plan.step <= step * (1 + 1e-8));
        assert_true(plan.step * (double)plan.steps_per_output == plan.every ||
                    fabs(plan.step * (double)plan.steps_per_output - plan.every) < 1e-15 * plan.every);
        assert_true(plan.every <= every);
        if (step <= plan.every) assert_true(plan.step > step / 2);
        assert_true(plan.frame_count >= 2);
        assert_int_equal(plan.step_count, (plan.frame_count - 1) * plan.steps_per_output);
        assert_true(fabs(plan.end - duration) <= 1e-9 * duration); // whatever the interval
        assert_true((plan.warning[0] != '\0') == (every < duration && plan.every != every));
    }
}

static void test_special_times(void **state) {
    (void)state;
    cdg_run_plan plan = plan_of(0.001, 1, 0); // no interval given: 50 outputs
    assert_int_equal(plan.frame_count, 51);
    assert_int_equal(plan.steps_per_output, 20);
    plan = plan_of(0.001, 0.01, 0.02); // interval longer than the run: start and end
    assert_int_equal(plan.frame_count, 2);
    assert_int_equal(plan.steps_per_output, 10);
    assert_true(plan.end == 0.01);
    plan = plan_of(0.03, 1, 0.1); // not a divisor: shortened, and it says so
    assert_int_equal(plan.steps_per_output, 4);
    assert_non_null(strstr(plan.reason, "made 0.025 s"));
    plan = plan_of(1, 1, 0.1); // step longer than the interval
    assert_int_equal(plan.steps_per_output, 1);
    plan = plan_of(0.01, 1, 0.3); // not a divisor: a quarter instead
    assert_int_equal(plan.frame_count, 5);
    assert_true(plan.every == 0.25 && plan.end == 1);
    assert_non_null(strstr(plan.warning, "not a whole number of outputs"));
    plan = plan_of(0.01, 0, 0);
    assert_int_equal(plan.frame_count, 1);
    assert_int_equal(plan.step_count, 0);

    cdg_scene scene = {.step = 1e-300, .duration = 1e9, .output_every = 1};
    cdg_error error;
    assert_int_equal(cdg_run_plan_make(&scene, NULL, &plan, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "longer step"));
}

// With an automatic step the model's own advice is taken and its reason told.
static void test_advice(void **state) {
    (void)state;
    cdg_scene *scene = run_scene_make((run_scene_options){0});
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    cdg_step_advice advice = cdg_world_advice(world);
    cdg_scene automatic = *scene;
    automatic.step = 0;
    cdg_run_plan plan;
    assert_int_equal(cdg_run_plan_make(&automatic, world, &plan, NULL), CDG_OK);
    assert_true(plan.step <= advice.step * (1 + 1e-8));
    assert_true(plan.step > advice.step / 2 || plan.step == plan.every);
    assert_memory_equal(plan.reason, advice.reason, strlen(advice.reason));
    assert_string_equal(plan.warning, "");
    // programs that step by themselves are told the same
    double step = 0;
    assert_int_equal(cdg_run_step(&automatic, world, &step, NULL), CDG_OK);
    assert_true(step == plan.step);
    automatic.mode = SCENE_STATIC;
    assert_int_equal(cdg_run_step(&automatic, world, &step, NULL), CDG_OK);
    assert_true(step == 0);
    // what the model doubts is told
    cdg_scene rash = *scene;
    rash.step = 100;
    rash.output_every = rash.duration = 100;
    ((cdg_pobd_options *)(void *)world->rods[0].rod->options_memory)->solver = CDG_POBD_GAUSS_SEIDEL;
    assert_int_equal(cdg_run_plan_make(&rash, world, &plan, NULL), CDG_OK);
    assert_non_null(strstr(plan.warning, "softer than its stiffness"));
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_ratios),
        cmocka_unit_test(test_random_times),
        cmocka_unit_test(test_special_times),
        cmocka_unit_test(test_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
