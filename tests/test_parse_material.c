// materials.
#include "scene_text.h"

#define ROD                                                                                                            \
    "rods: [{name: a, material: rubber, section: {circle: {radius: 2 mm}}, centerline: {line: {to: [1, 0, 0]}}}]\n"

static cdg_material first_material(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    cdg_material material = scene->rods[0].material;
    cdg_scene_destroy(scene);
    return material;
}

static void test_values(void **state) {
    (void)state;
    cdg_material m =
        first_material(SCENE_HEAD "materials: {rubber: {young_modulus: 2 MPa, density: 1.2 g/cm^3}}\n" ROD);
    assert_true(m.young_modulus == 2e6 && m.poisson_ratio == cdg_material_default().poisson_ratio);
    assert_true(m.density > 1199.999 && m.density < 1200.001 && m.shear_modulus == 0 && m.damping_bend == 0);
    m = first_material(SCENE_HEAD
                       "materials: {rubber: {young_modulus: 3 GPa, poisson_ratio: 30 %, density: 1000, shear_modulus: "
                       "1 GPa, damping: 2 ms}}\n" ROD);
    assert_true(m.shear_modulus == 1e9 && m.poisson_ratio == 0.3);
    assert_true(m.damping_stretch == 2e-3 && m.damping_shear == 2e-3 && m.damping_bend == 2e-3 &&
                m.damping_twist == 2e-3);
    m = first_material(
        SCENE_HEAD
        "materials: {rubber: {young_modulus: 3 GPa, density: 1000, damping: {bend: 1 ms, twist: 2 ms}}}\n" ROD);
    assert_true(m.damping_stretch == 0 && m.damping_shear == 0 && m.damping_bend == 1e-3 && m.damping_twist == 2e-3);
}

// A rope's: its fibres slide, so that it bends more easily than it stretches.
static void test_stretch_modulus(void **state) {
    (void)state;
    cdg_material m = first_material(
        SCENE_HEAD "materials: {rubber: {young_modulus: 2 MPa, density: 1200, stretch_modulus: 1 GPa}}\n" ROD);
    assert_true(m.stretch_modulus == 1e9 && m.young_modulus == 2e6);
    assert_says(SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa, density: 1100, stretch_modulus: 0}}\n" ROD,
                "scene.yaml:3:76: error: stretch_modulus must be greater than 0; it is '0'\n");
    assert_says(SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa, density: 1100, E_s: 1 GPa}}\n" ROD,
                "scene.yaml:3:59: error: unknown key 'E_s' in material 'rubber'; use 'stretch_modulus'\n");
}

// As the papers have ropes without torsion. 0 in the struct means the modulus of E and nu.
static void test_no_shear_modulus(void **state) {
    (void)state;
    cdg_material m =
        first_material("cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"
                       "materials: {rubber: {young_modulus: 2 MPa, density: 1200, shear_modulus: 0}}\n" ROD);
    assert_true(m.shear_modulus == 2);
    assert_says("cordage: 1\nsimulation: {duration: 1 s, model: pobd}\n"
                "materials: {rubber: {young_modulus: 2 MPa, density: 1200, shear_modulus: 0}}\n" ROD,
                "scene.yaml:4:8: error: rod 'a': with 'shear_modulus: 0' nothing resists shear in model 'pobd' "
                "either; choose corde or der, or give 'stiffness' with a small twist\n");
}

static void test_a_rod_s_own_damping(void **state) {
    (void)state;
    cdg_material m = first_material(
        SCENE_HEAD "rods: [{name: a, material: {young_modulus: 1 MPa, density: 1100, damping: 2 ms}, section: {circle: "
                   "{radius: 2 mm}}, centerline: {line: {to: [1, 0, 0]}}, damping: {stretch: 3 ms}}]\n");
    assert_true(m.damping_stretch == 3e-3 && m.damping_bend == 0);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(
        SCENE_HEAD "materials: {rubber: {young_modul: 1 MPa, density: 1100}}\n" ROD,
        "scene.yaml:3:22: error: unknown key 'young_modul' in material 'rubber'; did you mean 'young_modulus'?\n");
    assert_says(SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa}}\n" ROD,
                "scene.yaml:3:21: error: material 'rubber' has no density; add for example 'density: 1100 kg/m^3'\n");
    assert_says(
        SCENE_HEAD "materials: {rubber: }\n" ROD,
        "scene.yaml:3:13: error: material 'rubber' is empty; write for example {young_modulus: 1 MPa, density: 1100 "
        "kg/m^3}\n");
    assert_says(
        SCENE_HEAD "materials: [rubber]\n" ROD,
        "scene.yaml:3:12: error: materials: expected a map from names to materials, such as 'rubber: {young_modulus: 1 "
        "MPa, density: 1100 kg/m^3}', found a list\n"
        "scene.yaml:4:28: error: no material 'rubber'; add it to 'materials'\n");
    assert_says(SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa, density: 3 kg}}\n" ROD,
                "scene.yaml:3:53: error: density: expected a density such as '1100 kg/m^3'; '3 kg' is a mass\n");
    assert_says(SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa, density: 1100, poisson_ratio: 0.7}}\n" ROD,
                "scene.yaml:3:74: error: poisson_ratio must be greater than -1 and at most 0.5; it is '0.7'\n");
    assert_says(
        SCENE_HEAD "materials: {rubber: {young_modulus: 1 MPa, density: 1100, damping: {bent: 1 ms}}}\n" ROD,
        "scene.yaml:3:69: error: unknown key 'bent' in the damping of material 'rubber'; did you mean 'bend'?\n");
    assert_says(SCENE_HEAD "materials: {gummi: {young_modulus: 1 MPa, density: 1100}}\n" ROD,
                "scene.yaml:3:13: warning: material 'gummi' is not used by any rod\n"
                "scene.yaml:4:28: error: no material 'rubber'; add it to 'materials'\n");
    assert_says(SCENE_HEAD "materials: {ruber: {young_modulus: 1 MPa, density: 1100}}\n" ROD,
                "scene.yaml:4:28: error: no material 'rubber'; did you mean 'ruber'?\n");
}

static void test_warnings(void **state) {
    (void)state;
    assert_says(SCENE_HEAD
                "materials: {rubber: {young_modulus: 1, density: 1.1e6}, x: {young_modulus: 1e6, density: 1100}}\n" ROD,
                "scene.yaml:3:37: warning: a young_modulus of 1 Pa is softer than jelly; a unit forgotten, such as MPa "
                "or GPa?\n"
                "scene.yaml:3:49: warning: a density of 1.1e+06 kg/m^3 is unlike any material; rubber has 1100 kg/m^3, "
                "which is "
                "1.1 g/cm^3\n"
                "scene.yaml:3:57: warning: material 'x' is not used by any rod\n");
    assert_says(
        SCENE_HEAD
        "materials: {rubber: {young_modulus: 3 MPa, poisson_ratio: 0.5, shear_modulus: 2 MPa, density: 1100}}\n" ROD,
        "scene.yaml:3:79: warning: shear_modulus is 2e+06 Pa, but young_modulus and poisson_ratio give 1e+06 Pa; the "
        "shear_modulus given is used\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),           cmocka_unit_test(test_stretch_modulus),
        cmocka_unit_test(test_no_shear_modulus), cmocka_unit_test(test_a_rod_s_own_damping),
        cmocka_unit_test(test_mistakes),         cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
