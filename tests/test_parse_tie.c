// Rods tied to solids by `weld` and `pin`.
#include "scene_text.h"

#include "near.h"

#define ROD                                                                                                            \
    "cordage: 1\nsimulation: {duration: 1 s, model: der, gravity: [0, 0, 0]}\ncontact: off\n"                          \
    "rods:\n"                                                                                                          \
    "  - name: cable\n"                                                                                                \
    "    material: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"                                                     \
    "    section: {circle: {radius: 2 mm}}\n"                                                                          \
    "    centerline: {line: {from: [5 cm, 0, 0], to: [-4 cm, 0, 0]}}\n"                                                \
    "    elements: 10\n"                                                                                               \
    "solids:\n"                                                                                                        \
    "  - name: pad\n"                                                                                                  \
    "    shape: {box: {size: [10 cm, 10 cm, 10 cm]}, resolution: 5 cm}\n"                                              \
    "    material: {young_modulus: 100 kPa, density: 1000 kg/m^3}\n"
#define TIED(text) ROD "joints:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(TIED("  - weld: [cable.start, pad]\n  - pin: [cable.node(5), cable.end, pad]\n"));
    assert_int_equal(scene->tie_count, 3);
    assert_int_equal(scene->weld_count, 0);
    assert_false(scene->ties[0].turns);
    assert_true(scene->ties[1].turns && scene->ties[2].turns);
    assert_int_equal(scene->ties[2].place.index, 10);
    assert_int_equal(scene->tie_marks[1].line, 16);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_tie_count(world), 3);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(TIED("  - pin: [cable, pad]\n"));
    assert_int_equal(scene->tie_count, 11);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(TIED("  - pin: [cable.end, pod]\n"),
                "scene.yaml:15:22: error: no solid is named 'pod'; a pin is a list of places and, last, a solid\n");
    assert_says(TIED("  - pin: cable.end\n"), "scene.yaml:15:10: error: pin: expected a list of places and, last, a "
                                              "solid, such as [tendon.end, finger], found 'cable.end'\n");
    assert_says(TIED("  - weld: [cable.tip, pad]\n"),
                "scene.yaml:15:12: error: rod 'cable' has no place 'tip'; use 'cable.end'\n");
    assert_says(TIED("  - {pin: [cable.end, pad], stiffness: 2}\n"),
                "scene.yaml:15:40: error: a pin is stiff; 'stiffness' belongs to 'join'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
