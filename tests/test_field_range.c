// A field over a rod and a run: where and when it is least and most, and its mean over length and outputs.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/field_range.h"
#include "run_scene.h"

// Both fall freely.
static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 10 ms, duration: 0.1 s}\n"
                                 "output: {every: 10 ms}\n"
                                 "contact: off\n"
                                 "materials: {m: {young_modulus: 10 MPa, density: 1200}}\n"
                                 "rods:\n"
                                 "  - {name: bar, material: m, section: {circle: {radius: 5 mm}},\n"
                                 "     centerline: {line: {from: [1, 0, 0], to: [2, 0, 0]}}, elements: 4}\n"
                                 "  - {name: ring, material: m, section: {circle: {radius: 5 mm}}, rest: initial,\n"
                                 "     centerline: {circle: {radius: 30 cm}}, elements: 12}\n";

static cdg_field_range find(const cdg_run_reader *reader, size_t rod, const char *field) {
    cdg_view view;
    cdg_field_range range;
    cdg_error error = {0};
    if (cdg_view_parse(field, NULL, &view, &error) != CDG_OK) fail_msg("%s", error.message);
    if (cdg_field_range_find(reader, rod, &view, &range, &error) != CDG_OK) fail_msg("%s", error.message);
    return range;
}

static void look(const cdg_run_reader *reader) {
    cdg_field_range x = find(reader, 0, "positions.x");
    assert_float_equal(x.least.value, 1, 1e-9);
    assert_float_equal(x.most.value, 2, 1e-9);
    assert_float_equal(x.least.place, 0, 1e-12);
    assert_float_equal(x.most.place, 1, 1e-9);
    assert_int_equal(x.most.entry, 4);
    assert_float_equal(x.mean, 1.5, 1e-9); // the ends stand for half an element each

    cdg_field_range fall = find(reader, 0, "velocities.z"); // 0, -0.0981, ... -0.981
    assert_float_equal(fall.most.value, 0, 0);
    assert_float_equal(fall.most.time, 0, 0);
    assert_float_equal(fall.least.value, -0.981, 1e-6);
    assert_float_equal(fall.least.time, 0.1, 1e-9);
    assert_float_equal(fall.mean, -0.4905, 1e-6);

    cdg_field_range tension = find(reader, 0, "tension"); // elements are in their middles
    assert_float_equal(tension.least.place, 0.125 + 0.25 * (double)tension.least.entry, 1e-9);
    cdg_field_range bend = find(reader, 0, "curvature"); // nothing is measured at free ends
    assert_true(isfinite(bend.mean) && bend.least.entry > 0 && bend.most.entry > 0 && bend.most.entry < 4);

    cdg_field_range ring = find(reader, 1, "positions.x");
    assert_float_equal(ring.mean, 0, 1e-6);
    assert_true(ring.most.value > 0.29 && ring.least.value < -0.29);
    assert_true(fabs(fabs(ring.most.place - ring.least.place) - reader->rods[1].length / 2) < 1e-6);
}

static void test_ranges(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_scene *scene = NULL;
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "falls", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    if (cdg_run_reader_open(base, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    look(reader);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
