// Gravity of a run: from its scene with what was set on the command line, that of the earth where nothing tells.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_gravity.h"

static cdg_vec3 gravity_of(const char *text, const char *overrides) {
    cdg_run_reader reader = {.scene_text = (char *)text, .overrides = (char *)overrides};
    return cdg_run_reader_gravity(&reader);
}

#define SCENE                                                                                                          \
    "cordage: 1\nsimulation: {duration: 1 s, gravity: [1, 2, 3]}\nmaterials: {m: {young_modulus: 1 MPa, "              \
    "density: 1000 kg/m^3}}\nrods: [{name: r, material: m, section: {circle: {radius: 1 mm}}, "                        \
    "centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, elements: 5}]\n"

static void scenes_tell(void **state) {
    (void)state;
    cdg_vec3 gravity = gravity_of(SCENE, NULL);
    assert_true(gravity.x == 1 && gravity.y == 2 && gravity.z == 3);
    gravity = gravity_of(SCENE, "simulation.gravity=[0, 0, 0]");
    assert_true(gravity.x == 0 && gravity.y == 0 && gravity.z == 0);
    gravity = gravity_of(SCENE, "simulation.duration=2 s\nsimulation.gravity=[0, 5, 0]");
    assert_true(gravity.y == 5);
}

static void what_cannot_be_read_is_the_earth(void **state) {
    (void)state;
    assert_true(gravity_of(NULL, NULL).z == -9.81);
    assert_true(gravity_of("cordage: 1\nrods: [", NULL).z == -9.81);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_tell),
                                       cmocka_unit_test(what_cannot_be_read_is_the_earth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
