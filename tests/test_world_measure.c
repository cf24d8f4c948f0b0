// Fields of a world's rods: the same before the first step as after a snapshot, at clamps too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "small_world.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static cdg_rod_def bent_rod(cdg_model model) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.model = model;
    def.material = cdg_material_default();
    def.material.young_modulus = 1e6;
    def.section.radius = 5e-3;
    def.element_count = 8;
    def.initial_twist = 3;
    return def;
}

// A straight rod that is twisted at the start and at rest without: its clamp's half cell is measured, its free end not.
static void test_before_the_first_step(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod_def def = bent_rod((cdg_model)model);
        small_world small = small_world_make(&def, (cdg_vec3){0, 0, 0}, 1e-3, true);
        double twist[9], one;
        must(small.world, cdg_world_measure_field(small.world, small.rod, CDG_FIELD_twist, twist));
        assert_true(isfinite(twist[0]) && isnan(twist[8]));
        for (size_t i = 1; i < 8; i++) assert_float_equal(twist[i], 3, 0.1);
        must(small.world, cdg_world_measure_field_at(small.world, small.rod, CDG_FIELD_twist, 0, &one));
        assert_true(one == twist[0]);
        cdg_world_destroy(small.world);
    }
}

static void test_after_a_snapshot(void **state) {
    (void)state;
    cdg_rod_def def = bent_rod(CDG_MODEL_POBD);
    small_world a = small_world_make(&def, (cdg_vec3){0, 0, -9.81}, 1e-3, true);
    small_world b = small_world_make(&def, (cdg_vec3){0, 0, -9.81}, 1e-3, true);
    small_world_run(&a, 30);
    size_t words = cdg_world_snapshot_size(a.world);
    double *snapshot = malloc(words * sizeof *snapshot);
    assert_non_null(snapshot);
    must(a.world, cdg_world_snapshot_save(a.world, snapshot));
    must(b.world, cdg_world_snapshot_load(b.world, snapshot));
    for (int field = 0; field < CDG_FIELD_COUNT; field++) {
        double here[9 * CDG_FIELD_COMPONENTS_MAX], there[9 * CDG_FIELD_COMPONENTS_MAX];
        cdg_field_info info = cdg_field_get((cdg_field)field);
        must(a.world, cdg_world_measure_field(a.world, a.rod, (cdg_field)field, here));
        must(b.world, cdg_world_measure_field(b.world, b.rod, (cdg_field)field, there));
        size_t count = cdg_field_entries(&info, 9, 8) * info.component_count;
        for (size_t i = 0; i < count; i++)
            assert_true(isnan(here[i]) ? isnan(there[i]) : fabs(here[i] - there[i]) <= 1e-12 * fmax(1, fabs(here[i])));
    }
    free(snapshot);
    cdg_world_destroy(a.world);
    cdg_world_destroy(b.world);
}

static void test_stale_rods(void **state) {
    (void)state;
    cdg_rod_def def = bent_rod(CDG_MODEL_POBD);
    small_world small = small_world_make(&def, (cdg_vec3){0, 0, 0}, 1e-3, true);
    double out[9 * 3];
    cdg_rod_id stale = {small.rod.index1, small.rod.generation + 1};
    assert_int_equal(cdg_world_measure_field(small.world, stale, CDG_FIELD_moment, out), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_measure_field_at(small.world, stale, CDG_FIELD_moment, 0, out), CDG_ERROR_STALE);
    cdg_world_destroy(small.world);
}

// Turns of 0.5 rad between neighbours: too much for a sine, exact for an angle, and no matter for der's twist.
static void test_turn_error(void **state) {
    (void)state;
    const double expected[CDG_MODEL_COUNT] = {[CDG_MODEL_CORDE] = 1 - sin(0.5) / 0.5};
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod_def def = bent_rod((cdg_model)model);
        def.initial_twist = 0.5 * 8;
        small_world small = small_world_make(&def, (cdg_vec3){0, 0, 0}, 1e-3, false);
        cdg_rod_id rod = {0};
        cdg_turn_error found = cdg_world_turn_error(small.world, &rod);
        // pobd's measure is the angle's but for a millionth
        assert_float_equal(found.error, expected[model], model == CDG_MODEL_POBD ? 2e-6 : 1e-9);
        if (model == CDG_MODEL_POBD) rod.index1 = 0;
        assert_int_equal(rod.index1, expected[model] > 0 ? 1 : 0);
        if (expected[model] > 0) assert_float_equal(found.turn, 0.5, 1e-9);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_before_the_first_step),
                                       cmocka_unit_test(test_after_a_snapshot), cmocka_unit_test(test_stale_rods),
                                       cmocka_unit_test(test_turn_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
