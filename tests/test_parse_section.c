// section and stiffness.
#include "scene_text.h"

#include "near.h"

#define ROD(text)                                                                                                      \
    SCENE_HEAD "rods:\n  - name: a\n    material: {young_modulus: 1 MPa, density: 1100}\n"                             \
               "    centerline: {line: {to: [1, 0, 0]}}\n    " text "\n"

static cdg_rod_def first_rod(const char *text, cdg_scene **scene) {
    *scene = scene_parse_good(text);
    return (*scene)->rods[0];
}

static void test_kinds(void **state) {
    (void)state;
    cdg_scene *scene;
    cdg_rod_def rod = first_rod(ROD("section: {circle: {radius: 3 mm}}"), &scene);
    assert_int_equal(rod.section.kind, CDG_SECTION_CIRCLE);
    assert_true(rod.section.radius == 3e-3 && !rod.is_tapered && !rod.has_stiffness);
    cdg_scene_destroy(scene);
    rod = first_rod(ROD("section: {ellipse: {semi_axes: [3 mm, 2 mm]}}"), &scene);
    assert_int_equal(rod.section.kind, CDG_SECTION_ELLIPSE);
    assert_true(rod.section.semi_axis[0] == 3e-3 && rod.section.semi_axis[1] == 2e-3);
    cdg_scene_destroy(scene);
    rod = first_rod(ROD("section: {rectangle: {width: 4 mm, height: 1 mm}}"), &scene);
    assert_int_equal(rod.section.kind, CDG_SECTION_RECTANGLE);
    assert_true(rod.section.side[0] == 4e-3 && rod.section.side[1] == 1e-3);
    cdg_scene_destroy(scene);
    rod = first_rod(
        ROD("section: {tube: {radius: 5 mm, inner_radius: 4 mm}, end: {tube: {radius: 3 mm, inner_radius: 1 mm}}}"),
        &scene);
    assert_int_equal(rod.section.kind, CDG_SECTION_TUBE);
    assert_true(rod.is_tapered && rod.section_end.radius == 3e-3 && rod.section_end.inner_radius == 1e-3);
    cdg_scene_destroy(scene);
}

static void test_section_mistakes(void **state) {
    (void)state;
    assert_says(ROD("section: {circle: {radius: 2 MPa}}"),
                "scene.yaml:7:32: error: radius is a length; '2 MPa' is a pressure\n");
    assert_says(ROD("section: {circle: 2 mm}"), "scene.yaml:7:23: error: circle in the section of rod 'a': expected a "
                                                "map such as {radius: 2 mm}, found '2 mm'\n");
    assert_says(
        ROD("section: {circle: {}}"),
        "scene.yaml:7:23: error: circle in the section of rod 'a' has no radius; add for example 'radius: 2 mm'\n");
    assert_says(ROD("section: {circel: {radius: 2 mm}}"),
                "scene.yaml:7:15: error: unknown key 'circel' in the section of rod 'a'; did you mean 'circle'?\n");
    assert_says(ROD("section: {}"),
                "scene.yaml:7:14: error: the section of rod 'a' needs one of circle, ellipse, rectangle or tube\n");
    assert_says(ROD("section: {circle: {radius: 1 mm}, ellipse: {semi_axes: 1 mm}}"),
                "scene.yaml:7:39: error: the section of rod 'a' has both circle and ellipse; keep one\n");
    assert_says(ROD("section: {tube: {radius: 1 mm, inner_radius: 1 mm}}"),
                "scene.yaml:7:50: error: inner_radius (0.001 m) must be less than radius (0.001 m)\n");
    assert_says(ROD("section: {circle: {radius: 1 mm}, end: {tube: {radius: 2 mm, inner_radius: 1 mm}}}"),
                "scene.yaml:7:44: error: the end of the section of rod 'a' is a tube, but the section is a circle; "
                "both must be "
                "of one kind\n");
    assert_says(ROD("section: {circle: {radius: 1 mm}, end: {circle: {radius: 2 mm}, end: {}}}"),
                "scene.yaml:7:69: error: the end of the section of rod 'a' has no end of its own; remove it\n");
    assert_says(ROD("roll: 1"),
                "scene.yaml:4:5: error: rod 'a' has no section; add for example 'section: {circle: {radius: 2 "
                "mm}}'\n");
    assert_says(ROD("secton: 1"), "scene.yaml:7:5: error: unknown key 'secton' in rod 'a'; did you mean 'section'?\n");
}

static void test_stiffness(void **state) {
    (void)state;
    cdg_scene *scene;
    cdg_rod_def rod = first_rod(
        SCENE_HEAD
        "rods:\n  - name: a\n    centerline: {line: {to: [1, 0, 0]}}\n    stiffness: {stretch: 12 kN, shear: [4 "
        "kN, 5 kN], bend: [1.3 N m^2, 1.4 N m^2], twist: 0.79 N m^2, mass: 13.8 g/m, inertia: [1e-6, "
        "2e-6, 3e-6], radius: 2 mm}\n",
        &scene);
    assert_true(rod.has_stiffness);
    assert_near(rod.stiffness.stretch, 12e3, 1e-9);
    assert_near(rod.stiffness.shear[1], 5e3, 1e-9);
    assert_near(rod.stiffness.bend[1], 1.4, 1e-12);
    assert_near(rod.stiffness.twist, 0.79, 1e-12);
    assert_near(rod.stiffness.mass, 0.0138, 1e-12);
    assert_near(rod.stiffness.inertia[2], 3e-6, 1e-18);
    assert_near(rod.stiffness.radius, 2e-3, 1e-15);
    cdg_scene_destroy(scene);
}

// What is left out is that of a homogeneous circular section: compare with one.
static void test_stiffness_defaults_are_those_of_a_circle(void **state) {
    (void)state;
    cdg_material material = cdg_material_default();
    cdg_section section = cdg_section_default();
    section.radius = 3e-3;
    cdg_stiffness circle;
    assert_int_equal(cdg_stiffness_compute(&material, &section, &circle, NULL), CDG_OK);
    char text[500];
    snprintf(text, sizeof text,
             SCENE_HEAD
             "rods:\n  - name: a\n    centerline: {line: {to: [1, 0, 0]}}\n    stiffness: {stretch: %.17g, bend: "
             "%.17g, twist: %.17g, mass: %.17g}\n",
             circle.stretch, circle.bend[0], circle.twist, circle.mass);
    cdg_scene *scene;
    cdg_rod_def rod = first_rod(text, &scene);
    for (int i = 0; i < 3; i++) assert_near(rod.stiffness.inertia[i], circle.inertia[i], 1e-12 * circle.inertia[i]);
    assert_near(rod.stiffness.radius, circle.radius, 1e-12 * circle.radius);
    assert_near(rod.stiffness.bend[1], circle.bend[1], 1e-12 * circle.bend[1]);
    assert_near(rod.stiffness.shear[0], circle.stretch, 1e-12 * circle.stretch);
    cdg_scene_destroy(scene);
}

static void test_stiffness_mistakes(void **state) {
    (void)state;
    assert_says(ROD("stiffness: {stretch: 12 kN, bend: 1 N m, twist: 1 N m^2, mass: 1 kg/m}"),
                "scene.yaml:7:39: error: bend is a bending or twisting stiffness; '1 N m' is a moment or an energy\n");
    assert_says(
        ROD("stiffness: {stretch: 12 kN, bend: [1, 2, 3], twist: 1 N m^2, mass: 1 kg/m}"),
        "scene.yaml:7:39: error: bend: expected two bending or twisting stiffnesses such as [1.3 N m^2, 1.3 N m^2], "
        "found a list of 3\n");
    assert_says(
        ROD("stiffness: {stretch: 12 kN, bend: 1 N m^2, twist: 1 N m^2, mass: 1 kg/m}\n    section: {circle: {radius: "
            "1 mm}}"),
        "scene.yaml:7:5: error: rod 'a' has both section and stiffness; keep one (stiffness has a radius of its "
        "own)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_section_mistakes),
        cmocka_unit_test(test_stiffness),
        cmocka_unit_test(test_stiffness_defaults_are_those_of_a_circle),
        cmocka_unit_test(test_stiffness_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
