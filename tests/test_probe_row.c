// A row of what probes say: its columns without a world, its numbers with one, peaks since the row before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/probe_row.h"

#include <math.h>
#include <string.h>

static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 1 ms, duration: 60 ms, gravity: [0, 0, -10]}\n"
                                 "materials: {m: {young_modulus: 1 GPa, density: 1200}}\n"
                                 "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: "
                                 "{line: {to: [0.2, 0, 0]}}, elements: 6}]\n"
                                 "supports: [{clamp: rod.start}]\n"
                                 "probes: [{name: hold, reaction: rod.start}, {name: tip, position: rod.end}]\n";

static void test_row(void **state) {
    (void)state;
    cdg_scene *scene = NULL;
    cdg_world *world = NULL;
    cdg_probe_row row;
    assert_int_equal(cdg_scene_parse(scene_text, strlen(scene_text), "row", NULL, NULL, 0, &scene, NULL), CDG_OK);
    assert_int_equal(cdg_probe_row_make(scene, NULL, &row, NULL), CDG_OK);
    const char *const titles[] = {"hold_fx [N]",   "hold_fy [N]",   "hold_fz [N]", "hold_mx [N*m]", "hold_my [N*m]",
                                  "hold_mz [N*m]", "hold_peak [N]", "tip_x [m]",   "tip_y [m]",     "tip_z [m]"};
    assert_int_equal(row.column_count, 10);
    for (size_t i = 0; i < 10; i++) assert_string_equal(row.titles[i], titles[i]);
    cdg_probe_row_free(&row);

    double values[10];
    cdg_run_peaks peaks;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    assert_int_equal(cdg_probe_row_make(scene, world, &row, NULL), CDG_OK);
    assert_int_equal(cdg_run_peaks_make(scene, world, &peaks, NULL), CDG_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
        cdg_run_peaks_look(&peaks, world);
    }
    assert_int_equal(cdg_probe_row_measure(&row, world, &peaks, values, NULL), CDG_OK);
    assert_true(fabs(values[7] - 0.2) < 1e-3 && values[9] < 0);
    assert_true(values[6] == peaks.values[0].since_output && values[6] > 0);
    assert_int_equal(cdg_probe_row_measure(&row, world, NULL, values, NULL), CDG_OK);
    double size = sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
    assert_true(fabs(values[6] - size) < 1e-12);
    cdg_run_peaks_free(&peaks);
    cdg_probe_row_free(&row);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
