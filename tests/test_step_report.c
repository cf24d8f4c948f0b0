// A step's report: the most of all objects, whose rod is named by its handle, and contact only where it is on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hand_rod.h"
#include "world/step.h"

static void test_the_most_of_all(void **state) {
    (void)state;
    cdg_rod rod = {0};
    world_rod rods[4] = {{.rod = &rod, .result = {.iterations = 3, .residual = 0.1, .halvings = 2}},
                         {.rod = NULL, .result = {.iterations = 99, .residual = 9, .halvings = 99, .parts = 99}},
                         {.rod = &rod, .result = {.iterations = 5, .residual = 0.4, .parts = 7}},
                         {.rod = &rod, .result = {.iterations = 4, .residual = 0.2, .halvings = 1, .parts = 6}}};
    cdg_object objects[2] = {{.report = {.iterations = 4, .parts = 9, .residual = 0.3}},
                             {.report = {.iterations = 6, .residual = 0.5}}};
    cdg_world world;
    hand_world(&world, rods, 4);
    world.time = 2, world.step = 0.25;
    world.contact_outcome = (cdg_contact_outcome){.count = 8, .iterations = 11, .deepest = 0.01};
    cdg_step_report report;
    cdg_step_tell(&world, &report);
    assert_true(report.time == 2 && report.step == 0.25);
    assert_int_equal(report.iterations, 5);
    assert_int_equal(report.halvings, 2);
    assert_int_equal(report.parts, 7);
    assert_true(report.residual == 0.4);
    assert_int_equal(report.worst_rod.index1, 3);
    assert_int_equal(report.worst_rod.generation, hand_generation(2));
    assert_int_equal(report.contact_count, 8);
    assert_int_equal(report.contact_iterations, 11);
    assert_true(report.deepest == 0.01);

    world.objects = objects, world.object_count = 2;
    world.contact_def.choice = CDG_CONTACT_OFF;
    cdg_step_tell(&world, &report);
    assert_int_equal(report.iterations, 6);
    assert_int_equal(report.parts, 9);
    assert_true(report.residual == 0.5);
    assert_int_equal(report.worst_rod.index1, 3); // of rods
    assert_int_equal(report.contact_count + (size_t)report.contact_iterations, 0);
    assert_true(report.deepest == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_most_of_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
