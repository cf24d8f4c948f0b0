// Paths by arc length: through the limits of an arch's load, the same with both models; the last point is at the asked
// time; points on stable parts are those of the other way; a turning path counts its limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch_case.h"
#include "near.h"

typedef struct trace {
    double highest, lowest; // s: times
    int unstable;
    double first_limit; // s
} trace;

static bool on_step(void *user, const cdg_path_report *report) {
    trace *t = user;
    t->highest = fmax(t->highest, report->time);
    t->lowest = fmin(t->lowest, report->time);
    t->unstable += !report->equilibrium.is_stable;
    if (t->first_limit == 0 && report->turn_count == 1) t->first_limit = t->highest;
    return true;
}

static double limit_of_arch(cdg_model model, double *crown) {
    small_world small = arch_make(model, 0.14, 30);
    trace t = {0};
    cdg_path_def path = cdg_path_def_default();
    path.kind = CDG_PATH_ARC_LENGTH;
    path.step = 0.05;
    path.on_step = on_step;
    path.user = &t;
    cdg_path_report report;
    must(small.world, cdg_world_follow_path(small.world, &path, &report));
    assert_true(report.time == 1 && report.turn_count == 2 && report.equilibrium.is_stable);
    assert_true(t.unstable > 3 && t.lowest < 0.9 * t.first_limit);
    assert_true(report.equilibrium.residual <= 1e-6 * report.equilibrium.force);
    *crown = arch_crown(&small);
    cdg_world_destroy(small.world);
    return t.first_limit;
}

static void test_arch(void **state) {
    (void)state;
    double crowns[3], limits[2];
    limits[0] = limit_of_arch(CDG_MODEL_DER, &crowns[0]);
    limits[1] = limit_of_arch(CDG_MODEL_GALPHA, &crowns[1]);
    assert_near(limits[0] / limits[1], 1, 0.03); // 20 elements
    assert_near(crowns[0], crowns[1], 2e-4);
    // The far side, where both ways of following meet.
    small_world small = arch_make(CDG_MODEL_DER, 0.14, 30);
    cdg_path_def path = cdg_path_def_default();
    path.step = 0.2;
    must(small.world, cdg_world_follow_path(small.world, &path, NULL));
    crowns[2] = arch_crown(&small);
    assert_near(crowns[0], crowns[2], 1e-7);
    cdg_world_destroy(small.world);
}

// A perfect arch that is high enough passes a branch point before its limit; side forces lead it off there, lower.
static void test_branches(void **state) {
    (void)state;
    double limits[2];
    for (int k = 0; k < 2; k++) {
        small_world small = arch_make(CDG_MODEL_DER, 0.2, 50);
        trace t = {0};
        cdg_path_def path = cdg_path_def_default();
        path.kind = CDG_PATH_ARC_LENGTH;
        path.step = 0.05;
        path.step_limit = 30;
        path.on_step = on_step;
        path.user = &t;
        path.imperfection = k == 0 ? 0 : 0.02;
        cdg_path_report report;
        assert_int_equal(cdg_world_follow_path(small.world, &path, &report), CDG_ERROR_NO_CONVERGENCE); // too few steps
        assert_int_equal(report.branch_count, k == 0 ? 1 : 0);
        assert_int_equal(report.turn_count, 1);
        limits[k] = t.first_limit;
        cdg_vec3 nodes[ARCH_ELEMENTS + 1];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        double tilt = fabs(nodes[5].z - nodes[15].z);
        assert_true(k == 0 ? tilt < 1e-6 : tilt > 1e-3);
        cdg_world_destroy(small.world);
    }
    assert_true(limits[1] < 0.95 * limits[0] && limits[1] > 0.8 * limits[0]);
}

// A rod that only bends: time never turns, and the end is that of the stable path.
static void test_without_limits(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_vec3 tips[2];
        for (int kind = 0; kind < CDG_PATH_KIND_COUNT; kind++) {
            small_world small = column_make(k == 0 ? CDG_MODEL_DER : CDG_MODEL_GALPHA, 16, 0);
            arch_load(&small, 16, vec3(0.3, 3, 1));
            cdg_path_def path = cdg_path_def_default();
            path.kind = (cdg_path_kind)kind;
            path.step = 0.2;
            cdg_path_report report;
            must(small.world, cdg_world_follow_path(small.world, &path, &report));
            assert_true(report.turn_count == 0 && report.snap_count == 0 && report.equilibrium.is_stable);
            cdg_vec3 nodes[17], force, moment;
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            tips[kind] = nodes[16];
            must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
            assert_vec3_near(force, vec3(-0.3, -3, -1), 1e-6);
            cdg_world_destroy(small.world);
        }
        assert_vec3_near(tips[0], tips[1], 1e-6);
        assert_true(tips[0].y > 0.4);
    }
}

// A closed rod, held at one node: both ways lead to the same shape.
static void test_ring(void **state) {
    (void)state;
    cdg_vec3 far[CDG_PATH_KIND_COUNT];
    for (int kind = 0; kind < CDG_PATH_KIND_COUNT; kind++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.centerline.kind = CDG_CENTERLINE_CIRCLE;
        def.centerline.circle.radius = 0.2;
        def.centerline.circle.axis = vec3(0, 0, 1);
        def.rest.kind = CDG_REST_INITIAL;
        def.section.radius = 0.01;
        def.element_count = 16;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
        arch_load(&small, 8, vec3(-0.3, 0.1, 0.05));
        cdg_path_def path = cdg_path_def_default();
        path.kind = (cdg_path_kind)kind;
        path.step = 0.2;
        must(small.world, cdg_world_follow_path(small.world, &path, NULL));
        cdg_vec3 nodes[16];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        far[kind] = nodes[8];
        cdg_world_destroy(small.world);
    }
    assert_vec3_near(far[0], far[1], 1e-6);
    assert_true(far[0].x < -0.21);
}

// Told to, a path ends at the first limit of the load, and reports how far back it went.
static void test_ends_at_a_limit(void **state) {
    (void)state;
    small_world small = arch_make(CDG_MODEL_DER, 0.14, 30);
    cdg_path_def path = cdg_path_def_default();
    path.kind = CDG_PATH_ARC_LENGTH;
    path.step = 0.05;
    path.turn_limit = 1;
    cdg_path_report report;
    must(small.world, cdg_world_follow_path(small.world, &path, &report));
    assert_int_equal(report.turn_count, 1);
    assert_true(report.time < 1 && report.time > 0.1);
    assert_true(report.earliest == 0);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arch),           cmocka_unit_test(test_branches),        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_without_limits), cmocka_unit_test(test_ends_at_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
