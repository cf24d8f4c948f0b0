// Stable equilibria along a load: a rod that buckles, an arch that jumps, a clamp that turns round, steps that are
// divided, side forces, and what stops a path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "arch_case.h"
#include "near.h"

typedef struct trace {
    int calls, stop;
    double last_time;
    bool has_turned_back;
} trace;

static bool on_step(void *user, const cdg_path_report *report) {
    trace *t = user;
    if (t->calls > 0 && report->time <= t->last_time) t->has_turned_back = true;
    assert_int_equal(report->step_count, t->calls);
    t->last_time = report->time;
    return ++t->calls != t->stop;
}

static void test_arch_jumps(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        small_world small = arch_make(k == 0 ? CDG_MODEL_DER : CDG_MODEL_GALPHA, 0.2, 50);
        trace t = {0};
        cdg_path_def path = cdg_path_def_default();
        path.step = 0.1;
        path.on_step = on_step;
        path.user = &t;
        cdg_path_report report;
        must(small.world, cdg_world_follow_path(small.world, &path, &report));
        assert_true(report.snap_count == 1 && report.halvings > 0 && !t.has_turned_back);
        assert_true(report.snap_time > 0.33 && report.snap_time < 0.39 && report.time == 1);
        assert_true(arch_crown(&small) < -0.025 && report.equilibrium.is_stable);
        assert_true(cdg_world_time(small.world) == 1);
        cdg_world_destroy(small.world);
    }
}

// A tip clamp turned by a whole turn twists the rod by that much: no turn is lost in steps that are too long.
static void test_turns_are_not_lost(void **state) {
    (void)state;
    small_world small = column_make(CDG_MODEL_DER, 10, 0);
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = vec3(1, 0, 0), .angle = 6.283185307179586, .to = 1};
    cdg_support_def end = {
        .kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 10}, .motions = &motion, .motion_count = 1};
    cdg_support_id id;
    must(small.world, cdg_world_add_support(small.world, &end, &id));
    cdg_path_def path = cdg_path_def_default();
    path.step = 1;
    cdg_path_report report;
    must(small.world, cdg_world_follow_path(small.world, &path, &report));
    cdg_vec3 force, moment;
    must(small.world, cdg_support_reaction(small.world, id, &force, &moment));
    assert_near(moment.x, 6.283185307179586, 1e-6);
    assert_true(report.step_count >= 8);
    cdg_world_destroy(small.world);
}

static void test_side_forces(void **state) {
    (void)state;
    double tips[3];
    for (int k = 0; k < 3; k++) {
        small_world small = column_make(CDG_MODEL_DER, 10, 0);
        cdg_path_def path = cdg_path_def_default();
        path.end = 0;
        path.imperfection = 0.1;
        path.seed = k == 1 ? 5 : 4;
        must(small.world, cdg_world_follow_path(small.world, &path, NULL));
        cdg_vec3 nodes[11];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        tips[k] = nodes[10].y;
        assert_true(fabs(tips[k]) > 1e-6 && fabs(tips[k]) < 0.1);
        cdg_world_destroy(small.world);
    }
    assert_true(tips[0] == tips[2] && tips[0] != tips[1]); // seeded
}

static void test_stops(void **state) {
    (void)state;
    small_world small = column_make(CDG_MODEL_DER, 10, 1);
    trace t = {.stop = 3};
    cdg_path_def path = cdg_path_def_default();
    path.on_step = on_step;
    path.user = &t;
    assert_int_equal(cdg_world_follow_path(small.world, &path, NULL), CDG_ERROR_INTERRUPTED);
    assert_true(t.calls == 3 && fabs(cdg_world_time(small.world) - 0.04) < 1e-12);
    t = (trace){0};
    path.step_limit = 5;
    assert_int_equal(cdg_world_follow_path(small.world, &path, NULL), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "5 steps are used up"));
    path.end = 0;
    assert_int_equal(cdg_world_follow_path(small.world, &path, NULL), CDG_ERROR_ARGUMENT); // it is past that
    path.end = 1;
    path.step = -1;
    assert_int_equal(cdg_world_follow_path(small.world, &path, NULL), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
    cdg_rod_def def = cdg_rod_def_default();
    small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    path.step = 0.1;
    assert_int_equal(cdg_world_follow_path(small.world, &path, NULL), CDG_ERROR_UNSUPPORTED);
    cdg_world_destroy(small.world);
}

// A support that lets go leaves nothing to hold the rod against its weight: the path ends at the last good equilibrium.
static void test_failure_keeps_the_last_equilibrium(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 6;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, false);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .release = 0.5};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    cdg_path_def path = cdg_path_def_default();
    path.step = 0.25;
    cdg_path_report report;
    assert_int_equal(cdg_world_follow_path(small.world, &path, &report), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "falls for ever"));
    assert_true(report.time < 0.5 && report.time > 0.49 && cdg_world_time(small.world) == report.time);
    assert_true(report.equilibrium.history_count > 0);
    cdg_vec3 nodes[7];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_vec3_near(nodes[0], vec3(0, 0, 0), 0);
    assert_true(nodes[6].z > -1.01);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arch_jumps),
        cmocka_unit_test(test_turns_are_not_lost),
        cmocka_unit_test(test_side_forces),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_failure_keeps_the_last_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
