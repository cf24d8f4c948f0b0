// Numbers that are unlike anything there is, and those next to them that are not.
#include "scene_text.h"

#define MATERIAL(young, density)                                                                                       \
    "cordage: 1\nsimulation: {duration: 4 s}\nrods:\n  - name: a\n    material: {young_modulus: " young                \
    ", density: " density "}\n    section: {circle: {radius: 2 mm}}\n    centerline: {line: {to: [1 m, 0, 0]}}\n"

static void test_materials(void **state) {
    (void)state;
    assert_says(MATERIAL("1 MPa", "1100"), "");
    assert_says(MATERIAL("1 kPa", "20"), "");
    assert_says(MATERIAL("999 Pa", "1100"),
                "scene.yaml:5:31: warning: a young_modulus of 999 Pa is softer than jelly; a "
                "unit forgotten, such as MPa or GPa?\n");
    assert_says(MATERIAL("1 MPa", "1.1"),
                "scene.yaml:5:47: warning: a density of 1.1 kg/m^3 is lighter than foam; in g/cm^3 it would be 1100 "
                "kg/m^3: write '1.1 g/cm^3'\n");
    assert_says(MATERIAL("1 MPa", "1e6"),
                "scene.yaml:5:47: warning: a density of 1e+06 kg/m^3 is unlike any material; rubber has 1100 kg/m^3, "
                "which is 1.1 g/cm^3\n");
    assert_says(
        MATERIAL("2e14", "7800"),
        "scene.yaml:5:31: warning: a young_modulus of 2e+14 Pa is stiffer than diamond, which has 1.2 TPa; steel "
        "has 200 GPa\n");
}

#define WITH(text) "cordage: 1\nsimulation: {duration: 4 s" text "}\n" SCENE_CABLE
static void test_gravity_and_friction(void **state) {
    (void)state;
    assert_says(WITH(", gravity: [0, 0, -9.81]"), "");
    assert_says(WITH(", gravity: [0, 0, 1.6]"), "");
    assert_says(WITH(", gravity: [0, 0, 9.81]"),
                "scene.yaml:2:38: warning: gravity points up; things fall down with [0, 0, -9.81]\n");
    assert_set_says(SCENE_GOOD, "contact={friction: 3}", "");
    assert_set_says(SCENE_GOOD, "contact={friction: 40 %}", "");
    assert_set_says(SCENE_GOOD, "contact={friction: 40}",
                    "--set contact: warning: a coefficient of friction of 40; most are below 1: was '40 %' meant?\n");
}

static void test_lengths(void **state) {
    (void)state;
    assert_set_says(SCENE_GOOD, "rods.0.centerline={line: {to: [1000, 0, 0]}}",
                    "scene.yaml:4:5: warning: rod 'cable' is 1000 m long and 0.004 m thick, 250000 times as long as "
                    "thick; coordinates without a unit are in metres: was '1000 mm' meant?\n");
    assert_set_says(SCENE_GOOD, "rods.0.centerline={line: {to: [100, 0, 0]}}", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_gravity_and_friction),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
