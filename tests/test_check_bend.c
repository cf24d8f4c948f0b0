// Rods bent more sharply than they are thick: told with rod, node and place, at the start and at rest.
#include "scene_text.h"

#define BENT(section, shape, rest)                                                                                     \
    SCENE_HEAD "rods:\n  - name: a\n    material: {young_modulus: 1 MPa, density: 1100}\n"                             \
               "    section: {" section "}\n    centerline: {" shape "}\n    rest: " rest "\n    elements: 40\n"
#define HAIRPIN "points: [[0, 0, 0], [0.2, 0, 0], [0.2, 0.02, 0], [0, 0.02, 0]]"

static void test_a_corner(void **state) {
    (void)state;
    // Elements of 10.5 mm: corners of a circle of 7.42 mm, but for the node that lies beside the corner.
    assert_says(
        BENT("circle: {radius: 8 mm}", HAIRPIN, "straight"),
        "scene.yaml:7:17: warning: rod 'a' at the start bends with a radius of 0.00744 m at node 19, (0.1995, 0, "
        "0) m, but half of its thickness is 0.008 m: there it lies in itself; make it thinner or bend it less\n");
    assert_says(BENT("circle: {radius: 6 mm}", HAIRPIN, "straight"), "");
}

static void test_a_ring(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_with(BENT("circle: {radius: 1.01 cm}", "circle: {radius: 1 cm}", "initial"), NULL, 0);
    char *said = scene_said(scene);
    assert_non_null(strstr(said, "rod 'a' at the start bends with a radius of 0.01 m at node "));
    free(said);
    cdg_scene_destroy(scene);
    assert_says(BENT("circle: {radius: 1.9 mm}", "circle: {radius: 1 cm}", "initial"), "");
}

static void test_at_rest(void **state) {
    (void)state;
    assert_says(BENT("circle: {radius: 5 mm}", "line: {to: [1, 0, 0]}", "{curvature: [150, 160]}"),
                "scene.yaml:8:11: warning: rod 'a' at rest bends with a radius of 0.00456 m, but half of its thickness "
                "is 0.005 m: it would lie in itself; make it thinner or bend it less\n");
    assert_says(BENT("circle: {radius: 5 mm}", "line: {to: [1, 0, 0]}", "{curvature: [120, 150]}"), "");
    cdg_scene *scene = scene_parse_with(
        BENT("circle: {radius: 8 mm}", "line: {to: [0.42, 0, 0]}", "{centerline: {" HAIRPIN "}}"), NULL, 0);
    char *said = scene_said(scene);
    assert_non_null(
        strstr(said, "scene.yaml:8:11: warning: rod 'a' at rest bends with a radius of 0.00744 m at node 19"));
    free(said);
    cdg_scene_destroy(scene);
}

// A ribbon bends about its broad side; a rod that grows thinner may be bent where it is thin.
static void test_thickness(void **state) {
    (void)state;
    assert_says(BENT("rectangle: {width: 3 cm, height: 1 mm}", HAIRPIN, "straight"), "");
    assert_says(BENT("circle: {radius: 12 mm}, end: {circle: {radius: 1 mm}}",
                     "points: [[0, 0, 0], [0.4, 0, 0], [0.4, 0.02, 0]]", "straight"),
                "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_corner),
        cmocka_unit_test(test_a_ring),
        cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_thickness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
