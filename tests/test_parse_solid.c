// The key `solids`: what it becomes, and what is said about what is wrong.
#include "scene_text.h"

#include <math.h>

#define HEAD "cordage: 1\ncontact: off\nsimulation: {duration: 1 s}\n"
#define MATERIAL "material: {young_modulus: 100 kPa, poisson_ratio: 0.3, density: 500 kg/m^3, damping_time: 2 ms}"

static void test_a_whole_solid(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(
        HEAD
        "solids:\n  - name: block\n    shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm}\n    " MATERIAL
        "\n    model: corotational\n    integrator: explicit\n    position: [1 m, 0, 0]\n    supports: [{plane: "
        "{point: [1.09 m, 0, 0], normal: [1, 0, 0]}, motion: {move: [1 cm, 0, 0], to: 1 s}}]\n    loads: [{box: "
        "{low: [0, -1, -1], high: [1, 1, 1]}, force: [0, 0, -2 N], ramp: 1 s}, {pressure: 1 kPa}]\n",
        NULL, 0);
    assert_int_equal(scene->solid_count, 1);
    const scene_solid *s = &scene->solids[0];
    assert_string_equal(s->def.name, "block");
    assert_int_equal(s->def.model, CDG_SOLID_COROTATIONAL);
    assert_int_equal(s->def.integrator, CDG_SOLID_EXPLICIT);
    assert_true(s->def.young_modulus == 1e5 && s->def.damping_time == 2e-3);
    assert_int_equal(s->def.mesh.point_count, 5 * 3 * 3);
    assert_int_equal(s->support_count, 1);
    assert_int_equal(s->supports[0].motion_count, 1);
    assert_int_equal(s->load_count, 2);
    assert_int_equal(s->loads[0].region->kind, CDG_SHAPE_BOX);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_solid_count(world), 1);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_shape_matching(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(
        HEAD "solids:\n  - name: ball\n    shape: {box: {size: [1, 1, 1]}}\n    model: shape_matching\n    material: "
             "{density: 500 kg/m^3}\n    shape_matching: {mode: quadratic, relaxation_time: 5 ms, linear_time: 1 s, "
             "quadratic_time: 2 s, damping_ratio: 0.5, clusters: 7, overlap: 0.5}\n",
        NULL, 0);
    const cdg_shape_matching_def *d = &scene->solids[0].def.shape_matching;
    assert_int_equal(d->mode, CDG_MATCHING_QUADRATIC);
    assert_true(d->relaxation_time == 5e-3 && d->linear_time == 1 && d->quadratic_time == 2 && d->damping_ratio == 0.5);
    assert_true(d->cluster_count == 7 && d->cluster_overlap == 0.5);
    cdg_scene_destroy(scene);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"model: shape_matching\n    material: {density: 5, young_modulus: 1 kPa}", "does not read young_modulus"},
        {"model: shape_matching\n    pressure: averaged\n    material: {density: 5}", "leave it out"},
        {"model: shape_matching\n    integrator: euler\n    material: {density: 5}", "leave integrator out"},
        {"shape_matching: {clusters: 2}\n    material: {density: 5, young_modulus: 1 kPa}", "add model"},
        {"material: {density: 5}", "needs a young_modulus"},
        {"model: mass_spring\n    integrator: euler\n    material: {density: 5, young_modulus: 1 kPa}",
         "leave integrator"},
        {"model: mass_spring\n    mass_spring: {length: 1 kPa}\n    material: {density: 5, poisson_ratio: 0.3}",
         "does not read poisson_ratio"},
        {"model: mass_spring\n    material: {density: 5, young_modulus: 1 kPa, poisson_ratio: 0.1}", "0.25 at least"},
        {"mass_spring: {length: 1 kPa}\n    material: {density: 5, young_modulus: 1 kPa}", "add model: mass_spring"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "solids:\n  - name: ball\n    shape: {box: {size: [1, 1, 1]}}\n    %s\n",
                 bad[i].text);
        scene = scene_parse_with(text, NULL, 0);
        char *said = scene_said(scene);
        assert_non_null(strstr(said, bad[i].message));
        free(said);
        cdg_scene_destroy(scene);
    }
}

#define NAMED(materials, solid) HEAD "materials: {" materials "}\nsolids:\n  - {name: pad, " solid "}\n"

static void test_materials_by_name(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(NAMED("foam: {young_modulus: 50 kPa, shear_modulus: 20 kPa, density: 100, "
                                              "damping: 3 ms}",
                                              "material: foam, shape: {box: {size: [1, 1, 1]}}"),
                                        NULL, 0);
    const cdg_solid_def *def = &scene->solids[0].def;
    assert_true(def->young_modulus == 5e4 && def->density == 100 && def->damping_time == 3e-3);
    assert_true(fabs(def->poisson_ratio - 0.25) < 1e-15);
    assert_int_equal(cdg_scene_diagnostic_count(scene), 0);
    cdg_scene_destroy(scene);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {NAMED("foam: {young_modulus: 50 kPa, density: 100}", "material: form, shape: {box: {size: [1, 1, 1]}}"),
         "no material 'form'; did you mean 'foam'?"},
        {NAMED("foam: {young_modulus: 50 kPa, shear_modulus: 10 kPa, density: 100}",
               "material: foam, shape: {box: {size: [1, 1, 1]}}"),
         "Poisson's ratio of 1.5"},
        {NAMED("foam: {young_modulus: 50 kPa, density: 100}",
               "material: foam, shape: {box: {size: [1, 1, 1], resolution: 10 cm}}"),
         "unknown key 'resolution' in box; it stands beside the shape"},
        {NAMED("foam: {young_modulus: 50 kPa, density: 100}", "material: [1], shape: {box: {size: [1, 1, 1]}}"),
         "expected the name of a material, or a map"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        cdg_scene *refused = NULL;
        snprintf(text, sizeof text, "%sprobes: [{name: f, contact force: pad}]\n", bad[i].text);
        assert_int_equal(cdg_scene_parse(text, strlen(text), "s.yaml", NULL, NULL, 0, &refused, NULL), CDG_ERROR_SCENE);
        if (!scene_says(refused, bad[i].message)) fail_msg("not told: %s", bad[i].message);
        assert_false(scene_says(refused, "not a rod")); // the probe is right
        cdg_scene_destroy(refused);
    }
    scene = scene_parse_with(NAMED("foam: {young_modulus: 50 kPa, density: 100, damping: {stretch: 1 ms}}, steel: "
                                   "{young_modulus: 1 GPa, density: 7800}",
                                   "material: foam, shape: {box: {size: [1, 1, 1]}}"),
                             NULL, 0);
    assert_true(scene_says(scene, "of this material's they take stretch, 0.001 s"));
    assert_true(scene_says(scene, "material 'steel' is not used by any rod or solid"));
    cdg_scene_destroy(scene);
}

static void test_structures(void **state) {
    (void)state;
    static const char *const kinds[] = {"arch: {count: 12, gap: 1 mm}", "stack: {count: 12, distance: 1 m}",
                                        "chain: {count: 12, distance: 1 m}",
                                        "heap: {count: 12, distance: 1 m, side: 2, seed: 3}"};
    for (int k = 0; k < 4; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "solids:\n  - name: one\n    shape: {box: {size: [10 cm, 10 cm, 10 cm]}, resolution: 10 cm}\n    "
                      "position: [0, 0, 5 m]\n    orientation: {axis: [1, 0, 0], angle: 90 deg}\n    " MATERIAL
                      "\n    structure: {%s}\n",
                 kinds[k]);
        cdg_scene *scene = scene_parse_with(text, NULL, 0);
        assert_int_equal(scene->solid_count, 12);
        assert_string_equal(scene->solids[11].def.name, "one_12");
        if (k == 1) { // its z is the scene's -y
            assert_true(fabs(scene->solids[11].def.position.y + 11) < 1e-12);
            assert_true(fabs(scene->solids[11].def.position.z - 5) < 1e-12);
        }
        cdg_scene_destroy(scene);
    }
    cdg_scene *scene =
        scene_parse_with(HEAD "solids:\n  - name: one\n    shape: {box: {size: [1, 1, 1]}}\n    " MATERIAL
                              "\n    structure: {heap: {count: 3, distance: 1 m}, stack: {count: 1, distance: 1}}\n",
                         NULL, 0);
    char *said = scene_said(scene);
    assert_non_null(strstr(said, "structure"));
    assert_int_equal(scene->solid_count, 0);
    free(said);
    cdg_scene_destroy(scene);
}

static void test_every_shape(void **state) {
    (void)state;
    static const char *const shapes[] = {"box: {size: [1, 1, 1]}",
                                         "sphere: {radius: 1}",
                                         "ellipsoid: {size: [1, 2, 1]}",
                                         "cylinder: {radius: 1, length: 2}",
                                         "tube: {radius: 1, inner_radius: 0.5, length: 2}",
                                         "torus: {radius: 1, thickness: 0.2}",
                                         "wedge: {radius: 1, inner_radius: 0.8, length: 0.2, angle: 20 deg}",
                                         "revolved: [[1, 0], [0.5, 1], [0.7, 2]]"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "solids: [{name: a, shape: {%s}, " MATERIAL "}]\n", shapes[i]);
        cdg_scene *scene = scene_parse_with(text, NULL, 0);
        assert_int_equal(scene->solid_count, 1);
        assert_true(scene->solids[0].def.mesh.tetrahedron_count > 0);
        cdg_scene_destroy(scene);
    }
}

static void refuse(const char *text, const char *word) {
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    assert_false(scene->is_usable);
    bool is_said = false;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++)
        is_said = is_said || strstr(cdg_scene_diagnostic(scene, i).text, word) != NULL;
    if (!is_said) print_error("nothing is said of '%s'\n", word);
    assert_true(is_said);
    cdg_scene_destroy(scene);
}

static void test_what_is_wrong(void **state) {
    (void)state;
    refuse("cordage: 1\ncontact: off\nsimulation: {duration: 1 s, modes: 3}\nsolids: [{name: a, shape: {sphere: "
           "{radius: 1}}, model: shape_matching, material: {density: 1000}}]\n",
           "vibrations");
    refuse(HEAD "solids: [{name: a, shape: {sphere: {radius: 1}}}]\n", "material");
    refuse(HEAD "solids: [{name: a, " MATERIAL "}]\n", "shape");
    refuse(HEAD "solids: [{name: a, shape: {sphere: {radius: 1}, box: {size: [1, 1, 1]}}, " MATERIAL "}]\n", "box");
    refuse(HEAD "solids: [{name: a, shape: {torus: {radius: 1, thickness: 2}}, " MATERIAL "}]\n", "thickness");
    refuse(HEAD "solids: [{name: a, shape: {file: part.vtu}, " MATERIAL "}]\n", "part.vtu");
    refuse(HEAD "solids: [{name: a, shape: {revolved: [1, 2]}, " MATERIAL "}]\n", "pairs");
    refuse(HEAD "solids: [{name: a, shape: {box: {size: [1, 1, 1]}}, " MATERIAL ", loads: [{ramp: 1 s}]}]\n",
           "force or a pressure");
    refuse(HEAD "solids: [{name: a, shape: {box: {size: [1, 1, 1]}}, " MATERIAL
                "}, {name: a, shape: {box: {size: [1, 1, 1]}}, " MATERIAL "}]\n",
           "names must differ");
}

// A static scene lasts until the last load of a solid has come to its end.
static void test_static_scenes_know_loads_of_solids(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_with("cordage: 1\ncontact: off\nsimulation: {mode: static}\nsolids: [{name: a, shape: "
                         "{box: {size: [1, 1, 1]}}, " MATERIAL ", loads: [{force: [0, 0, 1 N], ramp: 3 s}]}]\n",
                         NULL, 0);
    assert_true(scene->is_usable);
    assert_true(scene->duration == 3);
    cdg_scene_destroy(scene);
}

#define NEAR_HALF                                                                                                      \
    "shape: {box: {size: [1, 1, 1]}}, material: {young_modulus: 1 MPa, poisson_ratio: 0.49, density: 1000 kg/m^3}}]\n"

static void test_locking_is_told(void **state) {
    (void)state;
    const struct {
        const char *text;
        cdg_solid_pressure pressure;
        bool is_told;
    } cases[] = {
        {HEAD "solids: [{name: a, " NEAR_HALF, CDG_SOLID_PRESSURE_AUTO, false},
        {HEAD "solids: [{name: a, pressure: averaged, " NEAR_HALF, CDG_SOLID_PRESSURE_AVERAGED, false},
        {HEAD "solids: [{name: a, pressure: elements, " NEAR_HALF, CDG_SOLID_PRESSURE_ELEMENTS, true},
        {HEAD "solids: [{name: a, model: mass_spring, " NEAR_HALF, CDG_SOLID_PRESSURE_AUTO, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_scene *scene = scene_parse_with(cases[i].text, NULL, 0);
        assert_true(scene->is_usable);
        assert_int_equal(scene->solids[0].def.pressure, cases[i].pressure);
        assert_int_equal(cdg_scene_diagnostic_count(scene), cases[i].is_told ? 1 : 0);
        if (cases[i].is_told) assert_non_null(strstr(cdg_scene_diagnostic(scene, 0).text, "lock"));
        cdg_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_solid),
        cmocka_unit_test(test_shape_matching),
        cmocka_unit_test(test_materials_by_name),
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_what_is_wrong),
        cmocka_unit_test(test_static_scenes_know_loads_of_solids),
        cmocka_unit_test(test_locking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
