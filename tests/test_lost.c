// What thin walls and small parts lose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/lost.h"

static cdg_mesher_report fill(cdg_mesh s, double size) {
    cdg_mesher_options o = cdg_mesher_options_default();
    cdg_mesh mesh;
    cdg_mesher_report report;
    cdg_error error;
    o.size = size;
    assert_int_equal(cdg_mesh_fill(&s, &o, &mesh, &report, &error), CDG_OK);
    cdg_mesh_free(&mesh);
    cdg_mesh_free(&s);
    return report;
}

static void test_nothing_is_lost_of_thick_bodies(void **state) {
    (void)state;
    for (double size = 0.05; size < 0.3; size *= 1.3) {
        assert_true(fill(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), size).lost_share < 0.02);
        assert_true(fill(shape_sphere(1, vec3(0, 0, 0), 20, 40), size).lost_share < 0.02);
    }
}

static void test_thin_plates_are_lost(void **state) {
    (void)state;
    cdg_mesher_report r = fill(shape_box(vec3(0, 0, 0), vec3(1, 1, 0.03)), 1.0 / 24);
    assert_true(r.quality.volume < 0.02);
    assert_true(fabs(r.lost_share - (1 - r.quality.volume / 0.03)) < 0.25);
    assert_true(r.lost_share > 0.3);
    assert_true(fill(shape_box(vec3(0, 0, 0), vec3(1, 1, 0.03)), 0.015).lost_share < 0.02);
}

// The whole is thick, but a part is too small; its volume is nothing.
static void test_small_parts_are_lost(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    for (int i = 0; i < 100; i++) {
        cdg_vec3 at = vec3(2, 0.1 * (i / 10), 0.1 * (i % 10));
        cdg_mesh part = shape_box(at, vec3_add(at, vec3(0.03, 0.03, 0.03)));
        shape_join(&s, &part);
    }
    cdg_mesher_report r = fill(s, 0.1); // 0.54 of 6.54 m^2 are small
    assert_true(r.lost_share > 0.05 && r.lost_share < 0.09);
    assert_true(fabs(r.lost_thickness - 0.03) < 1e-3);
}

static void test_the_default_is_finer_for_thin_shapes(void **state) {
    (void)state;
    cdg_mesher_report r = fill(shape_box(vec3(0, 0, 0), vec3(1, 1, 0.03)), 0);
    assert_true(r.size < 0.016 && fabs(r.quality.volume / 0.03 - 1) < 0.02 && r.lost_share < 0.02);
    r = fill(shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), 0);
    assert_true(fabs(r.size - 1.0 / 24) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost_of_thick_bodies),
        cmocka_unit_test(test_thin_plates_are_lost),
        cmocka_unit_test(test_small_parts_are_lost),
        cmocka_unit_test(test_the_default_is_finer_for_thin_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
