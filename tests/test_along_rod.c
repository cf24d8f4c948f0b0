// Charts along a rod: stored fields as stored, made fields as the world itself measures them.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/along_rod.h"
#include "run_scene.h"

#include "ragged_case.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_scene *scene;
    cdg_run_reader *reader;
} fixture;

static int set_up(void **state) {
    static fixture f;
    cdg_error error = {0};
    run_directory_make(f.base);
    f.scene = run_scene_make((run_scene_options){.force = 0.01});
    cdg_run_def def = {.scene = f.scene, .directory = f.base};
    cdg_run_summary summary;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_open(f.base, &f.reader, &error), CDG_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_reader_close(f->reader);
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

static cdg_chart_list make(const fixture *f, const char *rods, const char *fields, const double *times, size_t count) {
    cdg_chart_list charts;
    cdg_error error = {0};
    if (cdg_along_rod_charts(f->reader, rods, fields, times, count, &charts, &error) != CDG_OK)
        fail_msg("%s", error.message);
    return charts;
}

// The world at the end of the run, simulated again.
static cdg_world *world_at_end(const fixture *f) {
    cdg_world *world;
    cdg_error error = {0};
    assert_int_equal(cdg_scene_build(f->scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, 1e-3), CDG_OK);
    for (int i = 0; i < 60; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    return world;
}

static double measure(const cdg_world *world, cdg_probe_kind kind, size_t rod, size_t node, int column) {
    double out[CDG_PROBE_COLUMNS_MAX];
    cdg_probe probe = {.kind = kind, .place = {cdg_world_rod_at(world, rod), CDG_PLACE_NODE, node}};
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
    return out[column];
}

static void test_made_fields(void **state) {
    fixture *f = *state;
    cdg_world *world = world_at_end(f);
    static const char *const names[] = {"cable", "ring"};
    for (size_t rod = 0; rod < 2; rod++) {
        cdg_chart_list charts = make(f, names[rod], "curvature.1,curvature.2,twist,speed,curvature", NULL, 0);
        assert_int_equal(charts.count, 5);
        size_t nodes = f->reader->rods[rod].node_count, compared = 0;
        for (size_t i = 0; i < nodes; i++) {
            const cdg_series *first = &charts.items[0].series[0];
            if (isnan(first->y[i])) continue;
            double k1 = measure(world, CDG_PROBE_CURVATURE, rod, i, 0),
                   k2 = measure(world, CDG_PROBE_CURVATURE, rod, i, 1);
            assert_float_equal(first->y[i], k1, 1e-12 * (1 + fabs(k1)));
            assert_float_equal(charts.items[1].series[0].y[i], k2, 1e-12 * (1 + fabs(k2)));
            assert_float_equal(charts.items[2].series[0].y[i], measure(world, CDG_PROBE_TWIST, rod, i, 0), 1e-12);
            assert_float_equal(charts.items[4].series[0].y[i], hypot(k1, k2), 1e-12 * (1 + hypot(k1, k2)));
            double v[3];
            for (int k = 0; k < 3; k++) v[k] = measure(world, CDG_PROBE_VELOCITY, rod, i, k);
            assert_float_equal(charts.items[3].series[0].y[i], sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 1e-12);
            compared++;
        }
        for (int k = 0; rod == 1 && k < 2; k++) // a ring that falls freely is bent alike everywhere, the seam included
            assert_float_equal(charts.items[k].series[0].y[0], charts.items[k].series[0].y[1], 1e-3);
        assert_int_equal(compared, rod == 0 ? nodes - 1 : nodes); // the cable's free end is left out
        cdg_chart_list_free(&charts);
    }
    cdg_world_destroy(world);
}

static void test_stored_fields(void **state) {
    fixture *f = *state;
    hid_t file = run_open(f->base);
    size_t count;
    hsize_t size[3];
    double *moment = run_read(file, "/rods/cable/moment", size, &count);
    const double times[] = {0.02, 0.0409};
    cdg_chart_list charts = make(f, "cable", "moment.2,positions,tension,radius,strain", times, 2);
    assert_int_equal(charts.count, 1 + 3 + 1 + 1 + 1);
    const cdg_chart *chart = &charts.items[0];
    assert_string_equal(chart->y.unit, "N*m");
    assert_string_equal(chart->y.label, "moment 2");
    assert_string_equal(chart->series[0].name, "0.02 s");
    assert_string_equal(chart->series[1].name, "0.04 s"); // the nearest output
    for (size_t i = 0; i < size[1]; i++) {
        assert_true(chart->series[0].y[i] == moment[(4 * size[1] + i) * 3 + 1]);
        assert_true(chart->series[1].y[i] == moment[(8 * size[1] + i) * 3 + 1]);
        assert_float_equal(chart->series[0].x[i], 0.1 * (double)i, 1e-12);
    }
    const cdg_chart *tension = &charts.items[4], *strain = &charts.items[6];
    assert_int_equal(tension->series[0].count, 10);
    assert_float_equal(tension->series[0].x[0], 0.05, 1e-12); // the element's middle
    assert_true(tension->x.low == 0 && fabs(tension->x.high - 1) < 1e-12);
    // without shear the tension is EA times the strain
    double stiffness = 1e6 * 3.14159265358979 * 4e-6;
    assert_float_equal(tension->series[1].y[5], stiffness * strain->series[1].y[5],
                       0.02 * fabs(tension->series[1].y[5]) + 1e-6);
    for (size_t i = 0; i < 11; i++) assert_float_equal(charts.items[5].series[0].y[i], 2e-3, 1e-15);
    cdg_chart_list_free(&charts);
    charts = make(f, "*", "speed", NULL, 0);
    assert_int_equal(charts.count, 2);
    cdg_chart_list_free(&charts);
    free(moment);
    H5Fclose(file);
}

static void expect_refused(const fixture *f, const char *rods, const char *fields, double time, const char *part) {
    cdg_chart_list charts;
    cdg_error error = {0};
    assert_int_equal(cdg_along_rod_charts(f->reader, rods, fields, &time, 1, &charts, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(charts.count, 0);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' lacks '%s'", error.message, part);
}

static void test_refusals(void **state) {
    fixture *f = *state;
    expect_refused(f, "cabel", "tension", 0, "no rod 'cabel'; did you mean 'cable'? There are: cable, ring");
    expect_refused(f, "cable", "tenson", 0,
                   "no field 'tenson'; did you mean 'tension'? There are: positions, velocities");
    expect_refused(f, "cable", "moment.4", 0, "components of moment are moment.1, moment.2, moment.3");
    expect_refused(f, "cable", "positions.xy", 0, "components of positions are positions.x");
    expect_refused(f, "cable", "tension.1", 0, "one number");
    expect_refused(f, "cable", ",", 0, "no field was named");
    expect_refused(f, "cable", "tension", 7, "no output at 7 s; it goes from 0 s to 0.06 s");
    expect_refused(f, "cable", "tension", -1, "no output at -1 s");
    expect_refused(f, "cable", "tension", NAN, "no output");
}

// A point for each node or element that an output has, at its arc length.
static void test_changing_resolution(void **state) {
    (void)state;
    fixture f = {0};
    run_directory_make(f.base);
    ragged_run(f.base, false, 6);
    assert_int_equal(cdg_run_reader_open(f.base, &f.reader, NULL), CDG_OK);
    cdg_chart_list charts;
    for (size_t frame = 0; frame < 6; frame++) {
        size_t elements = ragged_elements(ragged_levels_at(frame));
        double time = f.reader->times[frame];
        charts = make(&f, "rope", "level,velocities.x", &time, 1);
        assert_int_equal(charts.count, 2);
        assert_int_equal(charts.items[0].series[0].count, elements);
        assert_int_equal(charts.items[1].series[0].count, elements + 1);
        for (size_t i = 0; i <= elements; i++) // vx is the arc length
            assert_true(fabs(charts.items[1].series[0].x[i] - charts.items[1].series[0].y[i]) < 1e-12);
        cdg_chart_list_free(&charts);
    }
    cdg_run_reader_close(f.reader);
    run_directory_remove(f.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made_fields), cmocka_unit_test(test_stored_fields),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_changing_resolution)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
