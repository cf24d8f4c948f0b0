// Snapshots of worlds that differ in material, section or mass alone are refused; what is set by hand does not count.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "small_world.h"
#include "world/world.h"

enum { SAME, RADIUS, YOUNG, DENSITY, DAMPING, BODY, CASES };

static cdg_world *make(int what, bool is_tapered) {
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 8;
    if (is_tapered) def.section_end = def.section, def.section_end.radius *= 0.5, def.is_tapered = true;
    if (what == RADIUS) def.section.radius *= 1 + 1e-9;
    if (what == YOUNG) def.material.young_modulus *= 1.01;
    if (what == DENSITY) def.material.density *= 1.01;
    if (what == DAMPING) def.material.damping_bend = 1e-3;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, false);
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.position = vec3(9, 9, 9);
    if (what == BODY) ball.density *= 2;
    must(small.world, cdg_world_add_body(small.world, &ball, NULL));
    return small.world;
}

static void test_other_worlds_are_refused(void **state) {
    (void)state;
    for (int is_tapered = 0; is_tapered < 2; is_tapered++)
        for (int what = 0; what < CASES; what++) {
            cdg_world *first = make(SAME, is_tapered == 1), *second = make(what, is_tapered == 1);
            size_t size = cdg_world_snapshot_size(first);
            assert_int_equal(cdg_world_snapshot_size(second), size);
            double *saved = malloc(size * sizeof *saved);
            for (int i = 0; i < 5; i++) must(first, cdg_world_step(first, NULL));
            must(first, cdg_world_snapshot_save(first, saved));
            assert_int_equal(cdg_world_snapshot_check(second, saved) == CDG_OK, what == SAME);
            assert_int_equal(cdg_world_snapshot_load(second, saved) == CDG_OK, what == SAME);
            assert_int_equal(cdg_world_step_index(second), what == SAME ? 5 : 0); // refused: nothing has changed
            if (what != SAME) assert_non_null(strstr(cdg_world_message(second), "materials, sections and masses"));
            must(second, cdg_world_take_state_over(second, saved));
            assert_int_equal(cdg_world_step_index(second), 5);
            free(saved);
            cdg_world_destroy(first);
            cdg_world_destroy(second);
        }
}

static void test_what_is_set_by_hand_does_not_count(void **state) {
    (void)state;
    cdg_world *world = make(SAME, false);
    cdg_rod_id rod = cdg_world_rod_at(world, 0);
    double before = cdg_world_fingerprint(world);
    must(world, cdg_rod_set_rest_length(world, rod, 1.1));
    must(world, cdg_world_set_gravity(world, vec3(1, 2, 3)));
    must(world, cdg_world_step(world, NULL));
    assert_true(cdg_world_fingerprint(world) == before && before > 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_worlds_are_refused),
        cmocka_unit_test(test_what_is_set_by_hand_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
