// rods.
#include "scene_text.h"

#include "math/vec3.h"
#include "near.h"

static void test_defaults_and_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SCENE_HEAD "rods:\n"
                   "  - {name: a, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: "
                   "2 mm}}, centerline: {line: {to: [1, 0, 0]}}}\n"
                   "  - name: b-2_x\n"
                   "    material: {young_modulus: 1 MPa, density: 1100}\n"
                   "    section: {circle: {radius: 2 mm}}\n"
                   "    centerline: {line: {to: [1, 0, 0]}}\n"
                   "    elements: 7\n    roll: 90 deg\n    twist: 1 turn/m\n    normal: [0, 0, 3]\n"
                   "    velocity: [1 m/s, 2, 3]\n    angular_velocity: [0, 0, 1 turn/s]\n"
                   "    rest: initial\n");
    const cdg_rod_def *a = &scene->rods[0], *b = &scene->rods[1], standard = cdg_rod_def_default();
    assert_int_equal(scene->rod_count, 2);
    assert_string_equal(a->name, "a");
    assert_int_equal(a->element_count, standard.element_count);
    assert_int_equal(a->rest.kind, CDG_REST_STRAIGHT);
    assert_null(a->initial_normal);
    assert_true(a->roll == 0 && a->initial_twist == 0);
    assert_string_equal(b->name, "b-2_x");
    assert_int_equal(b->element_count, 7);
    assert_near(b->roll, acos(-1) / 2, 1e-15);
    assert_near(b->initial_twist, 2 * acos(-1), 1e-14);
    assert_vec3_near(*b->initial_normal, vec3(0, 0, 1), 1e-15);
    assert_vec3_near(b->velocity, vec3(1, 2, 3), 0);
    assert_near(b->angular_velocity.z, 2 * acos(-1), 1e-14);
    assert_int_equal(b->rest.kind, CDG_REST_INITIAL);
    assert_int_equal(scene->rod_marks[1].line, 5);
    cdg_scene_destroy(scene);
}

static void test_rest_shapes(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SCENE_GOOD "    rest: {curvature: [3 1/m, 2 rad/m], twist: 1}\n");
    const cdg_rest *rest = &scene->rods[0].rest;
    assert_int_equal(rest->kind, CDG_REST_CURVATURE);
    assert_true(rest->curvature[0] == 3 && rest->curvature[1] == 2 && rest->twist == 1);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SCENE_GOOD "    rest: {twist: 2 rad/m}\n");
    assert_true(scene->rods[0].rest.twist == 2 && scene->rods[0].rest.curvature[0] == 0);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SCENE_GOOD "    rest: {centerline: {line: {to: [0, 1, 0]}}, roll: 1}\n");
    rest = &scene->rods[0].rest;
    assert_int_equal(rest->kind, CDG_REST_CENTERLINE);
    assert_true(rest->roll == 1 && rest->centerline.line.to.y == 1);
    cdg_scene_destroy(scene);
}

static void test_rest_mistakes(void **state) {
    (void)state;
    assert_says(
        SCENE_GOOD "    rest: strait\n",
        "scene.yaml:9:11: error: rest: expected straight, initial, {curvature: [3 1/m, 0], twist: 0} or {centerline: "
        "...}, found 'strait'\n");
    assert_says(
        SCENE_GOOD "    rest: {centerline: {circle: {radius: 20 cm}}}\n",
        "scene.yaml:9:24: error: rod 'cable' is open, but its rest centerline is closed; both must be the same\n");
    assert_says(
        SCENE_GOOD "    rest: {centerline: {line: {to: [2, 0, 0]}}}\n",
        "scene.yaml:9:24: warning: rod 'cable' starts 50 % shorter than its rest centerline (1 m against 2 m): it will "
        "pull itself to that length at once\n");
    assert_says(SCENE_GOOD "    rest: {centerline: {line: {to: [1.01, 0, 0]}}}\n", "");
    assert_says(SCENE_GOOD "    rest: {centerline: {line: {to: [1, 0, 0]}}, twist: 3}\n",
                "scene.yaml:9:49: error: rest has either centerline or curvature and twist\n");
    assert_says(SCENE_GOOD "    rest: {curvature: [1, 0], roll: 3}\n",
                "scene.yaml:9:31: error: roll in rest goes with centerline only\n");
    assert_says(SCENE_GOOD "    rest: {curvature: [1 m, 0]}\n",
                "scene.yaml:9:24: error: curvature: expected a curvature such as "
                "'3 1/m'; '1 m' is a length\n");
}

static void test_names(void **state) {
    (void)state;
    assert_says(SCENE_GOOD
                "  - {name: cable, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "
                "centerline: {line: {to: [1, 0, 0]}}}\n",
                "scene.yaml:9:12: error: another rod is named 'cable' already (line 4); names must differ\n");
    assert_says(SCENE_GOOD
                "  - {name: a b, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "
                "centerline: {line: {to: [1, 0, 0]}}}\n",
                "scene.yaml:9:12: error: the name of a rod has letters, digits, '_' and '-' only; found 'a b'; write "
                "for example 'a_b'\n");
    assert_says(SCENE_GOOD "  - {material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "
                           "centerline: {line: {to: [1, 0, 0]}}}\n",
                "scene.yaml:9:5: error: rod 2 has no name; add for example 'name: cable'\n");
}

static void test_wrong_forms(void **state) {
    (void)state;
    assert_says(
        SCENE_HEAD "rods: {name: cable}\n",
        "scene.yaml:3:7: error: rods: expected a list, each item after a '-', such as '- name: cable'; found a map\n");
    assert_says(SCENE_HEAD "rods: []\n", "scene.yaml:3:7: error: rods is empty; a scene needs at least one rod\n");
    assert_says(SCENE_HEAD "rods:\n", "scene.yaml:3:1: error: rods has no value; expected a list of rods\n");
    assert_says(SCENE_HEAD "rods: [cable]\n",
                "scene.yaml:3:8: error: rod 1: expected a map such as {name: cable}, found 'cable'\n");
    assert_says(SCENE_HEAD, "scene.yaml:1:1: error: the scene has no rods; add for example 'rods: [{name: cable, "
                            "...}]', or structures, strands or solids\n");
}

static void test_element_counts(void **state) {
    (void)state;
    assert_set_says(SCENE_GOOD, "rods.cable.elements=0",
                    "--set rods.cable.elements: error: elements must be from 1 to 10000000; it is '0'\n");
    assert_set_says(SCENE_GOOD, "rods.cable.elements=1e8",
                    "--set rods.cable.elements: error: elements must be from 1 to 10000000; it is '1e8'\n");
    assert_says(SCENE_HEAD
                "rods: [{name: a, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "
                "elements: 2, centerline: {circle: {radius: 1 m}}}]\n",
                "scene.yaml:3:112: error: rod 'a' is closed and needs at least 3 elements; it has 2\n");
}

static void test_all_elements_are_bounded_together(void **state) {
    (void)state;
    char text[4000] = SCENE_HEAD "rods:\n";
    for (int i = 0; i < 11; i++) {
        sprintf(text + strlen(text),
                "  - {name: r%d, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 1e-8}}, "
                "elements: "
                "10000000, centerline: {line: {to: [1, 0, 0]}}}\n",
                i);
    }
    assert_says(text, "scene.yaml:14:111: error: the rods up to here have more than 100000000 elements together\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_and_values),
        cmocka_unit_test(test_rest_shapes),
        cmocka_unit_test(test_rest_mistakes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_wrong_forms),
        cmocka_unit_test(test_element_counts),
        cmocka_unit_test(test_all_elements_are_bounded_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
