// Steps that are divided: where that helps, and where it ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"

// A rod wound into a coil that would be straight springs open: Newton's method fails at the step's length, not at a
// part of it.
static void test_steps_are_divided_without_contact(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 26;
    def.section.radius = 2e-3;
    def.material.young_modulus = 1e8;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = vec3(1, 0, 0);
    def.centerline.helix.radius = 0.0117;
    def.centerline.helix.pitch = 0.0112;
    def.centerline.helix.turns = 2.8;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
    int halvings = 0;
    for (int i = 0; i < 5; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        if (report.contact_halvings > halvings) halvings = report.contact_halvings;
    }
    assert_true(halvings > 0);
    assert_near(cdg_world_time(small.world), 0.01, 1e-15);
    cdg_world_destroy(small.world);
}

// Ten times the longest stable step: it is told before numbers are absurd, also where contact would repeat the step in
// halves, and the world stays at its last good time.
static void test_blown_up_is_said(void **state) {
    (void)state;
    for (int has_contact = 0; has_contact < 2; has_contact++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.integrator = CDG_DER_EXPLICIT;
        def.element_count = 16;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        must(small.world, cdg_world_set_step_size(small.world, 10 * cdg_world_advice(small.world).step));
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.offset = -1e3;
        if (has_contact) must(small.world, cdg_world_add_obstacle(small.world, &floor, NULL));
        cdg_result result = CDG_OK;
        cdg_vec3 x[17];
        double before = 0;
        for (int i = 0; i < 2000 && result == CDG_OK; i++) {
            before = cdg_world_time(small.world);
            result = cdg_world_step(small.world, NULL);
            must(small.world, cdg_rod_positions(small.world, small.rod, x));
            for (int k = 0; k < 17; k++) assert_true(vec3_norm(x[k]) < 100);
        }
        assert_true(result == CDG_ERROR_NOT_FINITE || result == CDG_ERROR_NO_CONVERGENCE || result == CDG_ERROR_ENERGY);
        assert_non_null(strstr(cdg_world_message(small.world), "step"));
        assert_near(cdg_world_time(small.world), before, 0);
        cdg_world_destroy(small.world);
    }
}

// Two jaws close on a rod that has nowhere to go: after a bounded number of tries the step says where and why.
static void test_dividing_ends(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 1;
    def.section.radius = 5e-3;
    def.centerline.line.to = vec3(0.1, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
    cdg_motion motions[2] = {{.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.02}, .from = 0, .to = 0.02},
                             {.kind = CDG_MOTION_MOVE, .move = {0, 0, -0.02}, .from = 0, .to = 0.02}};
    for (int k = 0; k < 2; k++) {
        cdg_obstacle_def plane = cdg_obstacle_def_default();
        plane.shape.normal = vec3(0, 0, k == 0 ? 1 : -1);
        plane.shape.offset = -6e-3;
        plane.motions = &motions[k];
        plane.motion_count = 1;
        must(small.world, cdg_world_add_obstacle(small.world, &plane, NULL));
    }
    cdg_result result = CDG_OK;
    for (int i = 0; i < 20 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "squeeze"));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_divided_without_contact),
        cmocka_unit_test(test_blown_up_is_said),
        cmocka_unit_test(test_dividing_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
