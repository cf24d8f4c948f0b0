// Distances between runs: zero to itself, exact for a shift, and independent of how the rods are divided.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/run_distance.h"
#include "run_scene.h"

#include "ragged_case.h"

// A rod and a ring that move without any force; `x` shifts them, `v` is their speed along y.
static cdg_run_reader *run(const char *base, const char *name, int elements, double x, double v, double every_ms,
                           double end_ms) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "cordage: 1\n"
        "contact: off\n"
        "simulation: {step: 1 ms, duration: %g ms, gravity: [0, 0, 0]}\n"
        "output: {every: %g ms}\n"
        "materials:\n  rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"
        "rods:\n"
        "  - {name: rod, material: rubber, section: {circle: {radius: 2 mm}}, elements: %d, velocity: [0, %g, 0],\n"
        "     centerline: {line: {from: [%g, 0, 0], to: [%g, 0, 0]}}}\n"
        "  - {name: ring, material: rubber, section: {circle: {radius: 2 mm}}, elements: %d, rest: initial,\n"
        "     velocity: [0, %g, 0], centerline: {circle: {radius: 10 cm}}}\n",
        end_ms, every_ms, elements, v, x, x + 1, elements + 3, v);
    cdg_scene *scene = run_scene_parse(text, NULL, 0);
    cdg_run_def def = {.scene = scene, .directory = run_path(base, name)};
    cdg_run_summary summary;
    cdg_error error = {0};
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader;
    if (cdg_run_reader_open(run_path(base, name), &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

static void expect(const cdg_run_reader *a, const cdg_run_reader *b, const char *rod, double shift, double speed,
                   double tolerance) {
    double distances[100];
    cdg_error error = {0};
    assert_int_equal(cdg_run_distance(a, cdg_run_find_rod(a, rod), b, cdg_run_find_rod(b, rod), distances, &error),
                     CDG_OK);
    double last = b->times[b->frame_count - 1];
    for (size_t i = 0; i < a->frame_count; i++) {
        if (a->times[i] > last + 1e-9) {
            assert_true(isnan(distances[i]));
        } else {
            assert_float_equal(distances[i], hypot(shift, speed * a->times[i]), tolerance);
        }
    }
}

static void test_distances(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_run_reader *a = run(base, "a", 10, 0, 0, 5, 40);
    cdg_run_reader *same = run(base, "same", 10, 0, 0, 5, 40);
    cdg_run_reader *fast = run(base, "fast", 10, 0.25, 2, 5, 40);
    cdg_run_reader *fine = run(base, "fine", 23, 0.25, 2, 8, 40); // other nodes and other times
    cdg_run_reader *brief = run(base, "brief", 10, 0, 0, 5, 20);
    expect(a, a, "rod", 0, 0, 0);
    expect(a, same, "rod", 0, 0, 0);
    expect(a, fast, "rod", 0.25, 2, 1e-9);
    expect(a, fine, "rod", 0.25, 2, 1e-9);
    expect(fine, a, "rod", 0.25, 2, 1e-9);
    expect(a, brief, "rod", 0, 0, 1e-12);
    expect(a, fast, "ring", 0, 2, 1e-9);
    // a ring of other elements: chords instead of arcs, at most the sagitta of the coarser one apart
    double distances[100];
    cdg_error error = {0};
    assert_int_equal(cdg_run_distance(a, 1, fine, 1, distances, &error), CDG_OK);
    assert_true(distances[0] < 0.1 * (1 - cos(3.15 / 13)) + 0.1 * (1 - cos(3.15 / 26)) + 1e-3);
    assert_true(distances[0] > 0);
    // an open rod against a closed one
    assert_int_equal(cdg_run_distance(a, 0, a, 1, distances, &error), CDG_OK);
    assert_true(isnan(distances[0]));
    assert_true(cdg_run_find_rod(a, "none") == SIZE_MAX);
    cdg_run_reader *all[] = {a, same, fast, fine, brief};
    for (size_t i = 0; i < 5; i++) cdg_run_reader_close(all[i]);
    run_directory_remove(base);
}

// The same curve at any resolution is no distance, but for what lies between nodes.
static void test_changing_resolution(void **state) {
    (void)state;
    char base[2][RUN_PATH_SIZE];
    cdg_run_reader *runs[2];
    for (int k = 0; k < 2; k++) {
        run_directory_make(base[k]);
        ragged_run(base[k], false, 5 + (size_t)k);
        assert_int_equal(cdg_run_reader_open(base[k], &runs[k], NULL), CDG_OK);
    }
    double out[5], turned[5];
    assert_int_equal(cdg_run_distance(runs[0], 0, runs[1], 0, out, NULL), CDG_OK);
    for (size_t i = 0; i < 5; i++) assert_true(out[i] == 0); // the same outputs
    for (size_t i = 0; i < 6; i++) runs[1]->times[i] += 1e-3;
    assert_int_equal(cdg_run_distance(runs[0], 0, runs[1], 0, turned, NULL), CDG_OK);
    assert_true(isnan(turned[0]));
    // one output later the curve has turned by 0.1 rad at a radius of 0.2 m, and risen by 0.01 m
    for (size_t i = 1; i < 5; i++) assert_true(fabs(turned[i] - hypot(0.4 * sin(0.05), 0.01)) < 5e-4);
    for (int k = 0; k < 2; k++) {
        cdg_run_reader_close(runs[k]);
        run_directory_remove(base[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_distances), cmocka_unit_test(test_changing_resolution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
