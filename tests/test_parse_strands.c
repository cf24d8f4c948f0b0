// strands: values, guides among rods and joints of structures, places, meshes from files, mistakes.
#define _DEFAULT_SOURCE // mkdtemp
#include "scene_text.h"

#include "near.h"
#include "run_scene.h"

#define HEAD                                                                                                           \
    "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"                                                          \
    "materials: {m: {young_modulus: 1 GPa, density: 1300 kg/m^3}}\n"
#define LIKE "material: m, section: {circle: {radius: 50 um}}"
#define DISC "roots: {disc: {radius: 1 cm}}"

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        HEAD
        "rods:\n  - {name: cable, centerline: {line: {to: [1 m, 0, 0]}}, elements: 4, " LIKE "}\n"
        "structures:\n  - {name: web, net: {size: [1 m, 2 m], threads: 2}, elements: 1, " LIKE "}\n"
        "strands:\n"
        "  - {name: tress, " DISC ", " LIKE "}\n"
        "  - {name: wig, roots: {cap: {center: [0, 0, 1 m], radius: 9 cm, angle: 60 deg}}, guides: 7, fibers: 40,\n"
        "     elements: 12, length: 10 cm, curl: {radius: 5 mm, pitch: 2 cm}, clump: 1, taper: 0.2, seed: 9,\n"
        "     fiber_radius: 20 um, model: galpha, galpha: {extensible: false}, damping: 1 ms, " LIKE ",\n"
        "     motion: {rotate: {axis: [0, 0, 1], angle: 90 deg}, to: 1 s}}\n"
        "supports:\n  - clamp: cable.start\n"
        "probes:\n  - {name: tip, position: wig.g6.end}\n");
    assert_int_equal(scene->rod_count, 1 + 4 + 1 + 7);
    assert_int_equal(scene->joints[0].places[0].rod.index1, 2); // structures' rods stand before the guides
    assert_string_equal(scene->rods[5].name, "tress.g0");
    assert_int_equal(scene->rods[5].model, CDG_MODEL_CORDE);
    assert_int_equal(scene->rods[5].element_count, 100);
    assert_string_equal(scene->rods[12].name, "wig.g6");
    const cdg_rod_def *rod = &scene->rods[12];
    assert_true(rod->model == CDG_MODEL_GALPHA && !rod->galpha.is_extensible && rod->element_count == 12);
    assert_near(rod->material.damping_bend, 1e-3, 1e-18);
    assert_int_equal(rod->centerline.kind, CDG_CENTERLINE_HELIX);
    assert_int_equal(scene->strands_count, 2);
    assert_int_equal(scene->strands[0]->fibers.fiber_count, 180);
    const cdg_fibers *fibers = &scene->strands[1]->fibers;
    assert_true(fibers->fiber_count == 40 && fibers->node_count == 13);
    assert_near(fibers->radius, 2e-5, 1e-18);
    assert_near(fibers->weights[3][0], 1, 1e-15);
    assert_near(fibers->spread[12], 0.2, 1e-15);
    // clamps of all guides, then those of the scene
    assert_int_equal(scene->support_count, 9);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(scene->supports[i].place.rod.index1, 6 + i);
        assert_int_equal(scene->supports[i].motion_count, i > 0);
    }
    assert_vec3_near(scene->supports[3].motions[0].center, ((cdg_vec3){0, 0, 1}), 0);
    assert_int_equal(scene->supports[8].place.rod.index1, 1);
    assert_int_equal(scene->probes[0].probe.place.rod.index1, 13);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_mesh(void **state) {
    (void)state;
    char directory[RUN_PATH_SIZE];
    run_directory_make(directory);
    const char *obj = "v 0 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 3\n";
    run_write_text(directory, "a.obj", obj, strlen(obj));
    const char *text = HEAD "strands:\n  - {name: a, roots: {mesh: {file: a.obj, scale: 1 mm}}, guides: 3, " LIKE "}\n";
    cdg_scene *scene = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_parse(text, strlen(text), "s.yaml", directory, NULL, 0, &scene, &error), CDG_OK);
    for (int i = 0; i < 3; i++) {
        cdg_vec3 root = scene->rods[i].centerline.line.from, tip = scene->rods[i].centerline.line.to;
        assert_true(root.x >= 0 && root.y >= 0 && root.x + root.y <= 0.1 && root.z == 0);
        assert_near(tip.z, 0.25, 1e-12);
    }
    cdg_scene_destroy(scene);
    const char *missing = HEAD "strands:\n  - {name: a, roots: {mesh: {file: b.obj}}, " LIKE "}\n";
    assert_int_equal(cdg_scene_parse(missing, strlen(missing), "s.yaml", directory, NULL, 0, &scene, &error),
                     CDG_ERROR_SCENE);
    assert_true(scene_says(scene, "s.yaml:5:36: error: ") && scene_says(scene, "b.obj: cannot open"));
    cdg_scene_destroy(scene);
    assert_says(missing,
                "scene.yaml:5:36: error: file 'b.obj': this scene does not come from a file, so it cannot refer "
                "to others; use disc or cap\n");
    run_directory_remove(directory);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(HEAD "strands:\n  - {name: a, " LIKE "}\n",
                "scene.yaml:5:5: error: strands 'a' has no roots; add for example 'roots: {disc: {radius: 1 cm}}'\n");
    assert_says(HEAD "strands:\n  - {name: a, roots: {}, " LIKE "}\n",
                "scene.yaml:5:22: error: the roots of strands 'a' needs one of disc, cap or mesh\n");
    assert_says(HEAD "strands:\n  - {name: a, roots: {cap: {radius: 1 cm, angle: 400 deg}}, " LIKE "}\n",
                "scene.yaml:5:5: error: strands 'a': roots: the angle is 6.98132 rad; it lies between 0 and half a "
                "turn\n");
    assert_says(HEAD "strands:\n  - {name: a, " DISC ", curl: {radius: 1 cm}, " LIKE "}\n",
                "scene.yaml:5:52: error: the curl of strands 'a' has no pitch; add for example 'pitch: 3 cm'\n");
    assert_says(HEAD "strands:\n  - {name: a, " DISC ", clump: 2, " LIKE "}\n",
                "scene.yaml:5:53: error: clump must be from 0 to 1; it is '2'\n");
    assert_says(HEAD "strands:\n  - {name: a, " DISC ", fibers: 1000000, " LIKE "}\n",
                "scene.yaml:5:5: error: the strands up to here have more than 10000000 nodes together\n");
    assert_says(HEAD "strands:\n  - {name: a, " DISC ", " LIKE "}\nsupports:\n  - pin: a.g0.start\n",
                "scene.yaml:7:10: warning: node 0 of rod 'a.g0' has a clamp, so the pin there adds nothing\n");
    assert_says(HEAD "strands: []\n", "scene.yaml:4:10: error: strands is empty, and there are no rods\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_mesh),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
