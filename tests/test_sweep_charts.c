// Charts of sweeps: which there are, and that their numbers are those of the cases.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/sweep_charts.h"
#include "sweep_beam.h"

#include <math.h>
#include <stdlib.h>

enum { CASES_MAX = 400 * 300 };

static cdg_outcome outcomes[CASES_MAX];
static double values[CASES_MAX];

// Case i has the number i; case 3 failed.
static void fill(size_t count) {
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)i;
        outcomes[i] = (cdg_outcome){.index = i, .is_known = true, .has_failed = i == 3, .values = &values[i]};
    }
}

static void make(cdg_sweep *sweep, const char *first, const char *second, size_t samples, cdg_sweep_charts *out) {
    cdg_error error = {0};
    *sweep = (cdg_sweep){.source = {.text = beam_text, .size = strlen(beam_text), .name = "scene"},
                         .kind = samples > 0 ? CDG_DESIGN_LATIN : CDG_DESIGN_GRID,
                         .samples = samples};
    cdg_result result = cdg_sweep_vary(sweep, first, &error);
    if (result == CDG_OK && second != NULL) result = cdg_sweep_vary(sweep, second, &error);
    if (result == CDG_OK) result = cdg_readout_add(&sweep->readout, "tip_z", &error);
    if (result == CDG_OK) result = cdg_sweep_prepare(sweep, &error);
    fill(sweep->design.case_count);
    if (result == CDG_OK) result = cdg_sweep_charts_make(sweep, outcomes, out, &error);
    if (result != CDG_OK) fail_msg("%s", error.message);
}

static void drop(cdg_sweep *sweep, cdg_sweep_charts *charts) {
    cdg_sweep_charts_free(charts);
    cdg_sweep_free(sweep);
}

static void test_one_number(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_charts charts;
    make(&sweep, "rods.rod.section.circle.radius=2:1:6 mm", NULL, 0, &charts); // falling: drawn rising
    assert_true(charts.lines.count == 1 && charts.map_count == 0);
    const cdg_chart *chart = &charts.lines.items[0];
    assert_string_equal(chart->x.label, "radius");
    assert_string_equal(chart->x.unit, "m");
    assert_string_equal(chart->y.unit, "m");
    assert_true(chart->series_count == 1 && chart->series[0].count == 6);
    assert_true(fabs(chart->series[0].x[0] - 1e-3) < 1e-15 && chart->series[0].y[0] == 5);
    assert_true(isnan(chart->series[0].y[2])); // case 3: a gap
    drop(&sweep, &charts);
}

static void test_two_numbers(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_charts charts;
    make(&sweep, "E: materials.m.young_modulus=1:8:4 GPa (log)", "rods.rod.section.circle.radius=4:6:3 mm", 0, &charts);
    assert_true(charts.lines.count == 1 && charts.map_count == 1);
    const cdg_chart *chart = &charts.lines.items[0];
    assert_true(chart->x.is_log && chart->is_sequence && chart->series_count == 3); // over the one with more values
    assert_string_equal(chart->x.unit, "GPa");
    assert_string_equal(chart->series[1].name, "5 mm");
    assert_true(chart->series[1].count == 4 && chart->series[1].y[2] == 7); // case 2 * 3 + 1
    const cdg_heat_map *map = &charts.maps[0].map;
    assert_true(map->x_count == 3 && map->y_count == 4 && map->values[7] == 7 && isnan(map->values[3]));
    assert_true(fabs(map->xs[2] - 6e-3) < 1e-15 && map->ys[3] == 8 && map->y.is_log && !map->x.is_log);
    drop(&sweep, &charts);
}

static void test_words(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_charts charts;
    make(&sweep, "simulation.model=der, galpha", "rods.rod.elements=4:8:3", 0, &charts);
    assert_true(charts.lines.count == 1 && charts.map_count == 0);
    const cdg_chart *chart = &charts.lines.items[0];
    assert_true(chart->series_count == 2 && !chart->is_sequence);
    assert_string_equal(chart->series[1].name, "galpha");
    assert_true(chart->series[1].y[2] == 5);
    drop(&sweep, &charts);
}

static void test_samples(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_charts charts;
    make(&sweep, "materials.m.young_modulus=1:8 GPa", "rods.rod.section.circle.radius=4:6 mm", 30, &charts);
    assert_true(charts.lines.count == 2 && charts.map_count == 0); // points over each
    const cdg_chart *chart = &charts.lines.items[1];
    assert_int_equal(chart->series[0].count, 60); // each with a gap behind it
    assert_true(chart->series[0].y[20] == 10 && isnan(chart->series[0].y[21]));
    assert_true(chart->x.low < 4e-3 && chart->x.high > 6e-3);
    drop(&sweep, &charts);
}

static void test_units(void **state) {
    (void)state;
    cdg_vary vary;
    char label[64], unit[64];
    assert_int_equal(cdg_vary_parse("loads.0.moment.2=1:2:3 N m", &vary, NULL), CDG_OK);
    assert_true(cdg_sweep_axis(&vary, label, sizeof label, unit, sizeof unit) == 1);
    assert_string_equal(unit, "N*m");
    assert_string_equal(label, "loads.0.moment.2"); // a bare index says nothing
    cdg_vary_free(&vary);
}

static void test_no_map_has_more_cells_than_can_be_seen(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_charts charts;
    make(&sweep, "materials.m.young_modulus=1:8:400 GPa", "rods.rod.section.circle.radius=4:6:300 mm", 0, &charts);
    assert_true(charts.lines.count == 1 && charts.map_count == 0);
    drop(&sweep, &charts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_number), cmocka_unit_test(test_two_numbers),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_samples),
        cmocka_unit_test(test_units),      cmocka_unit_test(test_no_map_has_more_cells_than_can_be_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
