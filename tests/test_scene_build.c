// From definitions to a world.
#include "scene_text.h"

#include "near.h"

static void test_a_world_holds_what_the_scene_says(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good("cordage: 1\nsimulation: {duration: 1 s, step: 2 ms, gravity: [0, 0, -5]}\n" SCENE_CABLE
                         "  - {name: ring, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: "
                         "2 mm}}, centerline: {circle: {radius: 10 cm, center: [0, 5, 0]}}, elements: 30}\n"
                         "supports:\n  - clamp: [ring.start, cable.start]\n"
                         "loads:\n  - {force: [0, 0, 1 N], at: ring.node(7)}\n  - {drag: 3 1/s}\n"
                         "probes:\n  - {name: p, position: ring.start}\n  - {name: r, reaction: cable.start}\n");
    cdg_world *world = NULL;
    cdg_error error;
    if (cdg_scene_build(scene, 1, &world, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(cdg_world_rod_count(world), 2);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(world, cdg_world_find_rod(world, "ring"), &info), CDG_OK);
    assert_true(info.is_closed);
    assert_int_equal(info.node_count, 30);
    assert_near(cdg_world_step_size(world), 2e-3, 1e-15);
    cdg_step_report report;
    assert_int_equal(cdg_world_step(world, &report), CDG_OK);
    // The probe of the scene, with the handle of the world, sees the ring's start where the clamp holds it.
    cdg_probe probe = scene->probes[0].probe;
    probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
    double out[CDG_PROBE_COLUMNS_MAX];
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
    assert_near(out[0], 0.1, 1e-9);
    assert_near(out[1], 5, 1e-9);
    assert_near(out[2], 0, 1e-9);
    probe = scene->probes[1].probe;
    probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_a_faulty_scene_is_not_built(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(SCENE_HEAD, NULL, 0);
    cdg_world *world = (cdg_world *)&world;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_SCENE);
    assert_null(world);
    assert_string_equal(error.message, "scene.yaml has errors and cannot be built; its diagnostics name them");
    cdg_scene_destroy(scene);
}

// What only the world notices is said with the place in the file.
static void test_errors_of_the_world_get_a_place(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SCENE_GOOD "supports: [{clamp: cable.start}]\n");
    scene->supports[0].place.index = 5000;
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_ARGUMENT);
    assert_null(world);
    static const char place[] = "scene.yaml:9:20: ";
    assert_memory_equal(error.message, place, sizeof place - 1);
    assert_true(strlen(error.message) > sizeof place + 10);
    scene->supports[0].place.index = 0;
    scene->rods[0].name = "a b";
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_ARGUMENT);
    assert_memory_equal(error.message, "scene.yaml:4:5: ", 16);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_world_holds_what_the_scene_says),
        cmocka_unit_test(test_a_faulty_scene_is_not_built),
        cmocka_unit_test(test_errors_of_the_world_get_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
