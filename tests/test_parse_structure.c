// structures, and places that name their rods.
#include "scene_text.h"

#include "near.h"

#define HEAD                                                                                                           \
    "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"                                                          \
    "materials: {m: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
#define LIKE "material: m, section: {circle: {radius: 2 mm}}"
#define WEB HEAD "structures:\n  - {name: web, net: {size: [1 m, 2 m], threads: [3, 4]}, " LIKE "}\n"

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(HEAD "rods:\n"
                              "  - {name: cable, centerline: {line: {to: [1 m, 0, 0]}}, " LIKE "}\n"
                              "structures:\n"
                              "  - {name: web, net: {size: [1 m, 2 m], threads: [3, 4]}, elements: 2, " LIKE
                              ", corde: {inertia_factor: 0.5}, joint_stiffness: 0.25, origin: [0, 0, 3 m]}\n"
                              "  - {name: oak, tree: {length: 1 m, levels: 1, branches: 2, seed: 5}, " LIKE
                              ", model: pobd, pobd: {solver: gauss_seidel}, damping: 1 ms}\n"
                              "  - {name: hoop, ring: {radius: 10 cm}, " LIKE "}\n"
                              "contact: off\n");
    assert_int_equal(scene->rod_count, 1 + 7 + 3 + 1);
    assert_int_equal(scene->joint_count, 12 + 1);
    assert_string_equal(scene->rods[0].name, "cable");
    assert_string_equal(scene->rods[1].name, "web.h0");
    assert_int_equal(scene->rods[1].element_count, 6);
    assert_near(scene->rods[1].corde.inertia_factor, 0.5, 0);
    assert_near(scene->rods[1].centerline.line.to.z, 3, 0);
    assert_near(scene->joints[0].stiffness, 0.25, 0);
    assert_int_equal(scene->joints[0].places[0].rod.index1, 2); // the first rod of the net, after the cable
    assert_string_equal(scene->rods[8].name, "oak.trunk");
    assert_int_equal(scene->rods[8].model, CDG_MODEL_POBD);
    assert_near(scene->rods[9].material.damping_bend, 1e-3, 1e-18);
    assert_int_equal(scene->joints[12].places[0].rod.index1, 9);
    assert_string_equal(scene->rods[11].name, "hoop");
    assert_int_equal(scene->rods[11].element_count, 40);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_places(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(WEB "supports:\n"
                                            "  - clamp: web.h*.start\n"
                                            "  - pin: [web.v3.end, web.h1.node(-2)]\n"
                                            "loads:\n"
                                            "  - {drag: 2, on: web.v*}\n"
                                            "probes:\n"
                                            "  - {name: middle, position: web.h1.middle}\n"
                                            "  - {name: all, length: web.h1}\n");
    assert_int_equal(scene->support_count, 5);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(scene->supports[i].place.rod.index1, i + 1);
        assert_int_equal(scene->supports[i].place.index, 0);
    }
    assert_int_equal(scene->supports[3].place.rod.index1, 7);
    assert_int_equal(scene->supports[3].place.index, 8);
    assert_int_equal(scene->supports[4].place.index, 11);
    assert_int_equal(scene->load_count, 4);
    assert_int_equal(scene->probes[0].probe.place.index, 6);
    cdg_scene_destroy(scene);
    assert_says(WEB "supports:\n  - clamp: web.h7.start\n",
                "scene.yaml:7:12: error: no rod is named 'web.h7'; did you mean 'web.h0'?\n");
    assert_says(WEB "supports:\n  - clamp: web.h1\n",
                "scene.yaml:7:12: error: clamp takes a node such as cable.start or "
                "cable.node(40); 'web.h1' is a whole rod\n");
    assert_says(WEB "supports:\n  - clamp: web.x*.start\n",
                "scene.yaml:7:12: error: clamp: no rod's name is like 'web.x*'\n");
    assert_says(WEB "supports:\n  - clamp: web.h*.strat\n",
                "scene.yaml:7:12: error: rod 'web.h0' has no place 'strat'; did you mean 'web.h0.start'?\n");
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(HEAD "structures:\n  - {name: web, net: {size: 1 m, threads: 1}, " LIKE "}\n",
                "scene.yaml:5:43: error: threads must be from 2 to 10000; it is '1'\n");
    assert_says(HEAD "structures:\n  - {name: web, net: {size: 1 m, threads: [2, 3, 4]}, " LIKE "}\n",
                "scene.yaml:5:43: error: threads: expected a whole number or a list of two, found a list\n");
    assert_says(HEAD "structures:\n  - {name: web, nett: {size: 1 m}, " LIKE "}\n",
                "scene.yaml:5:17: error: unknown key 'nett' in structure 'web'; did you mean 'net'?\n");
    assert_says(HEAD "structures:\n  - {name: web, " LIKE "}\n",
                "scene.yaml:5:5: error: structure 'web' needs one of net, truss, ribbon, ring, chain, spheroid, "
                "tree, bend or prusik\n");
    assert_says(HEAD "structures:\n  - {name: web, chain: {radius: 5 cm}, elements: 7, " LIKE "}\n",
                "scene.yaml:5:5: error: structure 'web': a ring of 7 elements has no node opposite to its first; use "
                "an even number\n");
    assert_says(HEAD "structures:\n  - {name: web, ring: {radius: 5 MPa}, " LIKE "}\n",
                "scene.yaml:5:32: error: radius is a length; '5 MPa' is a pressure\n");
    assert_says(HEAD "structures:\n  - {name: web, ring: {radius: 5 cm}, material: n, section: {circle: {radius: 2 "
                     "mm}}}\n",
                "scene.yaml:5:49: error: no material 'n'; add it to 'materials'\n");
    assert_says(WEB "  - {name: web, net: {size: 1 m, threads: 2}, " LIKE "}\n",
                "scene.yaml:6:12: error: another rod is named 'web.h0' already (line 5); names must differ\n");
    assert_says(HEAD "structures:\n  - {name: web, ring: {radius: 5 cm}, adapt: on, " LIKE "}\n",
                "scene.yaml:5:46: error: adapt: structures of joined rods keep their resolution; ropes of "
                "'bend' and 'prusik' can change it\n");
    assert_says(HEAD "structures: []\n", "scene.yaml:4:13: error: structures is empty, and there are no rods\n");
}

// A rope's own key counts more than that of the simulation; rods that are joined hear neither.
static void test_adapt(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good("cordage: 1\nsimulation: {duration: 1 s, model: pobd, adapt: {levels: 2}}\n"
                         "materials: {m: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
                         "structures:\n"
                         "  - {name: a, bend: {knot: square}, " LIKE "}\n"
                         "  - {name: b, bend: {knot: square}, adapt: off, origin: [0, 1 m, 0], " LIKE "}\n"
                         "  - {name: c, bend: {knot: square}, adapt: {angle: 0.5 rad}, origin: [0, 2 m, "
                         "0], " LIKE "}\n"
                         "  - {name: d, ring: {radius: 5 cm}, origin: [0, 3 m, 0], " LIKE "}\n");
    assert_int_equal(scene->rod_count, 7);
    assert_true(scene->rods[0].adapt.is_on && scene->rods[1].adapt.is_on && scene->rods[0].adapt.levels == 2);
    assert_false(scene->rods[2].adapt.is_on || scene->rods[3].adapt.is_on || scene->rods[6].adapt.is_on);
    assert_true(scene->rods[4].adapt.is_on && scene->rods[4].adapt.levels == 2);
    assert_near(scene->rods[5].adapt.angle, 0.5, 0);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_adapt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
