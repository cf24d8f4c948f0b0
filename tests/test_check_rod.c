// Whole rods: what the model refuses, and numbers that do not fit each other.
#include "scene_text.h"

#define ROD(section, centerline, elements)                                                                             \
    SCENE_HEAD "rods:\n  - name: a\n    material: {young_modulus: 1 MPa, density: 1100}\n"                             \
               "    section: {" section "}\n    centerline: {" centerline "}\n    elements: " elements "\n"

static void test_slenderness(void **state) {
    (void)state;
    assert_says(
        ROD("circle: {radius: 11 cm}", "line: {to: [1, 0, 0]}", "3"),
        "scene.yaml:4:5: warning: rod 'a' is 1 m long and 0.22 m thick; rods should be at least five times as long as "
        "thick\n");
    assert_says(ROD("circle: {radius: 9 cm}", "line: {to: [1, 0, 0]}", "5"), "");
}

static void test_elements_shorter_than_the_section(void **state) {
    (void)state;
    assert_says(ROD("circle: {radius: 1 cm}", "line: {to: [1, 0, 0]}", "201"),
                "scene.yaml:8:15: warning: the section of rod 'a' is 0.02 m thick but an element only 0.00498 m long; "
                "50 elements "
                "would do\n");
    assert_says(ROD("circle: {radius: 1 cm}", "line: {to: [1, 0, 0]}", "190"), "");
    assert_says(ROD("circle: {radius: 1 mm}, end: {circle: {radius: 1 cm}}", "line: {to: [1, 0, 0]}", "300"),
                "scene.yaml:8:15: warning: the section of rod 'a' is 0.02 m thick but an element only 0.00333 m long; "
                "50 elements "
                "would do\n"); // the thicker end counts
}

static void test_too_few_elements_for_the_curve(void **state) {
    (void)state;
    assert_says(
        ROD("circle: {radius: 1 mm}", "helix: {radius: 5 cm, pitch: 1 cm, turns: 10}", "50"),
        "scene.yaml:8:15: warning: 50 elements are too few to follow the centerline of rod 'a': they are 6.4 % shorter "
        "than the curve\n");
    assert_says(ROD("circle: {radius: 1 mm}", "helix: {radius: 5 cm, pitch: 1 cm, turns: 10}", "200"), "");
}

// Values that are each fine but whose product is not.
static void test_stiffness_beyond_numbers(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(
        SCENE_HEAD "rods:\n  - name: a\n    material: {young_modulus: 1e300, density: 1100}\n"
                   "    section: {circle: {radius: 1e10}}\n    centerline: {line: {to: [1e12, 0, 0]}}\n",
        NULL, 0);
    assert_false(scene->is_usable);
    assert_int_equal(cdg_scene_diagnostic(scene, 0).line, 4);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slenderness),
        cmocka_unit_test(test_elements_shorter_than_the_section),
        cmocka_unit_test(test_too_few_elements_for_the_curve),
        cmocka_unit_test(test_stiffness_beyond_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
