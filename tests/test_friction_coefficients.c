// gamma_t and gamma_r of the papers become damping times; what is refused.
#include "scene_text.h"

#include "near.h"

#define HEAD "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"
#define ROD(damping, more)                                                                                             \
    HEAD "rods:\n"                                                                                                     \
         "  - name: cable\n"                                                                                           \
         "    material: {young_modulus: 1 MPa, shear_modulus: 0.4 MPa, density: 1100 kg/m^3}\n"                        \
         "    centerline: {line: {to: [1 m, 0, 0]}}\n"                                                                 \
         "    damping: " damping "\n"                                                                                  \
         "    " more "\n"

static void frictions_over_stiffness_are_times(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(ROD("{gamma_t: 20 N s, gamma_r: 0.5 N m^2 s}", "section: {circle: {radius: 2 cm}}"));
    const cdg_rod_def *def = &scene->rods[0];
    cdg_stiffness k;
    assert_int_equal(cdg_stiffness_compute(&def->material, &def->section, &k, NULL), CDG_OK);
    assert_near(def->material.damping_stretch, 20 / k.stretch, 1e-18);
    assert_near(def->material.damping_bend, 0.5 / k.bend[0], 1e-15);
    assert_near(def->material.damping_twist, 0.5 / k.twist, 1e-15);
    assert_true(k.twist < 0.9 * k.bend[0]); // so that they are told apart
    assert_near(def->material.damping_shear, 0, 0);
    cdg_scene_destroy(scene);
}

// Figure 15 of Cosserat Nets: E_s 5 MPa, E = G = 0.2 MPa, r 1 cm as the papers compute it: 12.7, 32 and 16 ms.
static void figure_15(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        HEAD "rods:\n"
             "  - name: ribbon\n"
             "    stiffness: {stretch: 1570.796 N, bend: 15.70796 N m^2, twist: 31.41593 N m^2, mass: 0.4 kg/m}\n"
             "    centerline: {line: {to: [24 m, 0, 0]}}\n"
             "    damping: {gamma_t: 20, gamma_r: 0.5}\n");
    assert_near(scene->rods[0].material.damping_stretch, 12.73e-3, 1e-5);
    assert_near(scene->rods[0].material.damping_bend, 31.83e-3, 1e-5);
    assert_near(scene->rods[0].material.damping_twist, 15.92e-3, 1e-5);
    cdg_scene_destroy(scene);
}

// In a material that is named by rods of two sections and a structure: each gets its own times.
static void in_a_material(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        HEAD
        "materials:\n"
        "  soft: {young_modulus: 1 MPa, density: 1100 kg/m^3, damping: {gamma_t: 1 N s, bend: 3 ms}}\n"
        "rods:\n"
        "  - {name: a, material: soft, section: {circle: {radius: 1 cm}}, centerline: {line: {to: [1 m, 0, 0]}}}\n"
        "  - {name: b, material: soft, section: {circle: {radius: 2 cm}}, centerline: {line: {from: [0, 1, 0], to: "
        "[1, 1, 0]}}}\n"
        "structures:\n"
        "  - {name: net, net: {size: [1 m, 1 m], threads: [2, 2]}, origin: [0, 0, 1 m], material: soft, section: "
        "{circle: {radius: 1 cm}}}\n");
    double time = scene->rods[0].material.damping_stretch;
    assert_near(time, 1 / (1e6 * 3.14159265358979 * 1e-4), 1e-12);
    assert_near(scene->rods[1].material.damping_stretch, time / 4, 1e-12);
    assert_true(scene->rod_count == 6);
    for (size_t i = 2; i < 6; i++) assert_near(scene->rods[i].material.damping_stretch, time, 1e-12);
    for (size_t i = 0; i < 6; i++) assert_near(scene->rods[i].material.damping_bend, 3e-3, 0);
    cdg_scene_destroy(scene);
}

static void what_is_refused(void **state) {
    (void)state;
    assert_says(
        ROD("{gamma_t: 20, stretch: 1 ms}", "section: {circle: {radius: 2 cm}}"),
        "scene.yaml:7:15: error: the damping of rod 'cable' gives both gamma_t and stretch, which say the same: a "
        "friction and the time that it is over the stiffness; keep one\n");
    assert_says(ROD("{gamma_r: 0.5 N s}", "section: {circle: {radius: 2 cm}}"),
                "scene.yaml:7:24: error: gamma_r is a friction of bending; '0.5 N s' is a friction of stretching\n");
    assert_says(ROD("{gamma_r: -1}", "section: {circle: {radius: 2 cm}}"),
                "scene.yaml:7:24: error: gamma_r must be 0 or more; it is '-1'\n");
    assert_says(
        ROD("{gamma_r: 1}", "section: {rectangle: {width: 2 cm, height: 1 cm}}"),
        "scene.yaml:7:14: error: gamma_t and gamma_r are for rods of one round section, as in the papers, and "
        "that of rod 'cable' bends differently about its two axes; give damping times, friction over stiffness: "
        "'damping: {stretch: 10 ms, bend: 30 ms, twist: 15 ms}'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictions_over_stiffness_are_times),
        cmocka_unit_test(figure_15),
        cmocka_unit_test(in_a_material),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
