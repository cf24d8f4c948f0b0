// The scene that a run keeps: with its overrides; nothing when it can no longer be read.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_scene.h"

#define SCENE                                                                                                          \
    "cordage: 1\nsimulation: {duration: 1 s}\nmaterials: {m: {young_modulus: 1 MPa, density: 1000 kg/m^3}}\n"          \
    "rods: [{name: r, material: m, section: {circle: {radius: 1 mm}}, "                                                \
    "centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, elements: 5}]\n"

static void text_and_overrides(void **state) {
    (void)state;
    cdg_run_reader reader = {.scene_text = (char *)SCENE,
                             .overrides = (char *)"simulation.duration=3 s\nsupports=[{pin: r.end}]"};
    cdg_scene *scene = cdg_run_reader_scene(&reader);
    assert_non_null(scene);
    assert_true(scene->duration == 3);
    assert_int_equal(scene->support_count, 1);
    cdg_scene_destroy(scene);
}

static void what_cannot_be_read(void **state) {
    (void)state;
    cdg_run_reader reader = {.scene_text = NULL};
    assert_null(cdg_run_reader_scene(&reader));
    reader.scene_text = (char *)"cordage: 1\nrods: [";
    assert_null(cdg_run_reader_scene(&reader));
    reader.scene_text = (char *)SCENE "obstacles: [{name: o, mesh: {file: gone.stl}}]\n";
    assert_null(cdg_run_reader_scene(&reader));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_and_overrides), cmocka_unit_test(what_cannot_be_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
