// Predicting rods: turns that no model could tell are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"

// A rod of ten elements, drawn straight and then twisted by `turns` within `time`.
static small_world twisted(cdg_model model, cdg_pobd_solver solver, double turns, double time, double step) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.pobd.solver = solver;
    def.element_count = 10;
    def.centerline.line.to = vec3(0.2, 0, 0);
    def.section.radius = 5e-3;
    def.material.damping_stretch = def.material.damping_shear = 5e-3;
    def.material.damping_bend = def.material.damping_twist = 5e-3;
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    const double pi = 3.14159265358979323846;
    cdg_motion motions[] = {
        {.kind = CDG_MOTION_MOVE, .move = {0.04, 0, 0}, .to = 0.05},
        {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = turns * 2 * pi, .from = 0.05, .to = 0.05 + time}};
    cdg_support_def end = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = 10}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &end, NULL));
    return small;
}

// Eleven turns on ten elements: der counts them; the others stop before they would exert the torque of one turn.
static void test_turns_are_counted_or_refused(void **state) {
    (void)state;
    const struct {
        cdg_model model;
        cdg_pobd_solver solver;
        bool counts;
    } cases[] = {{CDG_MODEL_POBD, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_POBD, CDG_POBD_GAUSS_SEIDEL, false},
                 {CDG_MODEL_CORDE, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_GALPHA, CDG_POBD_DIRECT, false},
                 {CDG_MODEL_DER, CDG_POBD_DIRECT, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        small_world small = twisted(cases[i].model, cases[i].solver, 11, 0.45, 5e-4);
        cdg_result result = CDG_OK;
        for (int s = 0; s < 1200 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        if (cases[i].counts) {
            must(small.world, result);
            cdg_vec3 force, moment;
            must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
            assert_near(fabs(moment.x), 0.1131, 1e-3);
        } else {
            assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
            assert_non_null(
                strstr(cdg_world_message(small.world), "use more elements or model der, which counts turns"));
            assert_true(cdg_world_time(small.world) < 0.3); // five turns are half a turn an element
        }
        cdg_world_destroy(small.world);
    }
}

// Three turns at once look like none to any model.
static void test_turns_at_once_are_refused(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        small_world small = twisted((cdg_model)model, CDG_POBD_DIRECT, 3, 0, 0.01);
        cdg_result result = CDG_OK;
        for (int s = 0; s < 20 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
        assert_non_null(strstr(cdg_world_message(small.world), "turns by 3 turns in a step"));
        cdg_world_destroy(small.world);
    }
}

// A free rod whose roll is held and that a moment turns over: where it fails, it says what of.
static void test_a_roll_that_means_nothing_is_told(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_REFERENCE;
    def.element_count = 8;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = vec3(1, 0, 0);
    def.centerline.helix.radius = 0.01645;
    def.centerline.helix.pitch = 0.04329;
    def.centerline.helix.turns = 1;
    def.rest.kind = CDG_REST_INITIAL;
    def.section.radius = 4e-3;
    def.material = (cdg_material){.young_modulus = 2.57e8, .poisson_ratio = 0.36, .density = 6070};
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1.8e-3, false);
    cdg_support_def roll = {.kind = CDG_SUPPORT_TWIST, .place = {.rod = small.rod}};
    must(small.world, cdg_world_add_support(small.world, &roll, NULL));
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_MOMENT;
    load.place = (cdg_place){small.rod, CDG_PLACE_ELEMENT, 4};
    load.value = vec3(-0.05, 0, -0.03);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    cdg_result result = CDG_OK;
    for (int s = 0; s < 60 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
    assert_int_not_equal(result, CDG_OK);
    assert_non_null(strstr(cdg_world_message(small.world), "near 180 a roll means nothing"));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_roll_that_means_nothing_is_told),
        cmocka_unit_test(test_turns_are_counted_or_refused),
        cmocka_unit_test(test_turns_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
