// --set path=value.
#include "scene_text.h"

static cdg_scene *parse_set(const char *text, const char *override) {
    cdg_scene *scene = scene_parse_with(text, &override, 1);
    if (!scene->is_usable) {
        char *said = scene_said(scene);
        print_error("%s", said);
        free(said);
    }
    assert_true(scene->is_usable);
    return scene;
}

static void test_values_are_replaced_and_added(void **state) {
    (void)state;
    cdg_scene *scene = parse_set(SCENE_GOOD, "rods.cable.elements=200");
    assert_int_equal(scene->rods[0].element_count, 200);
    assert_string_equal(scene->overrides, "rods.cable.elements=200\n");
    cdg_scene_destroy(scene);
    scene = parse_set(SCENE_GOOD, "rods.0.section={tube: {radius: 5 mm, inner_radius: 4 mm}}");
    assert_int_equal(scene->rods[0].section.kind, CDG_SECTION_TUBE);
    cdg_scene_destroy(scene);
    scene = parse_set(SCENE_GOOD, "simulation.pobd.solver=gauss_seidel"); // makes the map pobd
    assert_int_equal(scene->rods[0].pobd.solver, CDG_POBD_GAUSS_SEIDEL);
    cdg_scene_destroy(scene);
    scene = parse_set(SCENE_GOOD, "title='a = b: c'");
    assert_string_equal(scene->title, "a = b: c");
    cdg_scene_destroy(scene);
    scene = parse_set(SCENE_GOOD, "simulation.gravity=[0, 0, 1]");
    assert_true(scene->gravity.z == 1);
    cdg_scene_destroy(scene);
}

static void test_several_act_in_order(void **state) {
    (void)state;
    const char *overrides[] = {"rods.cable.elements=200", "rods.cable.name=rope", "rods.rope.elements=300"};
    cdg_scene *scene = scene_parse_with(SCENE_GOOD, overrides, 3);
    assert_true(scene->is_usable);
    assert_int_equal(scene->rods[0].element_count, 300);
    assert_string_equal(scene->rods[0].name, "rope");
    assert_string_equal(scene->overrides, "rods.cable.elements=200\nrods.cable.name=rope\nrods.rope.elements=300\n");
    cdg_scene_destroy(scene);
}

static void test_shared_nodes_change_in_one_place_only(void **state) {
    (void)state;
    const char *text =
        SCENE_HEAD "rods:\n"
                   "  - &r {name: a, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 "
                   "mm}}, centerline: {line: {to: [1, 0, 0]}}}\n"
                   "  - {<<: *r, name: b}\n";
    cdg_scene *scene = parse_set(text, "rods.b.section.circle.radius=3 mm");
    assert_true(scene->rods[0].section.radius == 2e-3);
    assert_true(scene->rods[1].section.radius == 3e-3);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_set_says(SCENE_GOOD, "rods.cable.elements=abc",
                    "--set rods.cable.elements: error: elements: expected a whole number such as 5, found 'abc'\n");
    assert_set_says(SCENE_GOOD, "rods.cabel.elements=3",
                    "--set rods.cabel.elements: error: no item is named 'cabel'; did you mean 'cable'?\n");
    assert_set_says(SCENE_GOOD, "rods.xyz.elements=3",
                    "--set rods.xyz.elements: error: no item is named 'xyz'; an item is "
                    "chosen by its name, or by its index from 0\n");
    assert_set_says(SCENE_GOOD "materials: {rubber: {young_modulus: 1 MPa, density: 1100}}\n",
                    "materials.ruber.density=900",
                    "--set materials.ruber.density: error: no material is named 'ruber'; did you mean 'rubber'?\n"
                    "scene.yaml:9:13: warning: material 'rubber' is not used by any rod\n");
    cdg_scene_destroy(parse_set(SCENE_GOOD "materials: {rubber: {young_modulus: 1 MPa, density: 1100}}\n",
                                "materials.rubbers={young_modulus: 2 MPa, density: 1000}")); // a new one
    assert_set_says(SCENE_GOOD, "rods.1.elements=3",
                    "--set rods.1.elements: error: item '1' is not there; the list has 1, counted from 0\n");
    assert_set_says(
        SCENE_GOOD, "rods[0].elements=3",
        "--set rods[0].elements: error: 'rods[0]' has brackets; an item is chosen by a point and its name, or its "
        "index from 0: rods.cable.elements, rods.0.elements\n");
    assert_set_says(
        SCENE_GOOD, "rods.cable.elements.x=3",
        "--set rods.cable.elements.x: error: 'x' is not inside a map or a list but after the value '100'\n");
    assert_set_says(SCENE_GOOD, "rods", "--set rods: error: expected path=value, such as rods.cable.elements=200\n");
    assert_set_says(SCENE_GOOD, "=3",
                    "--set : error: the path before '=' is names joined by '.', such as rods.cable.elements\n");
    assert_set_says(SCENE_GOOD, "a..b=3",
                    "--set a..b: error: the path before '=' is names joined by '.', such as rods.cable.elements\n");
    assert_set_says(SCENE_GOOD, "title=", "--set title: error: no value after '='\n");
    assert_set_says(
        SCENE_GOOD, "rods.cable.elemets=3",
        "--set rods.cable.elemets: error: unknown key 'elemets' in rod 'cable'; did you mean 'elements'?\n");
    assert_set_says(
        SCENE_GOOD, "title=[1",
        "--set title: error: not valid YAML: flow sequence without a closing bracket; add the missing ']'\n");
    assert_set_says(SCENE_GOOD, "simulation.model=dre",
                    "--set simulation.model: error: unknown model 'dre'; did you mean 'der'?\n");
}

static void test_deep_paths_are_refused(void **state) {
    (void)state;
    char override[400] = "a";
    for (int i = 0; i < 150; i++) strcat(override, ".b");
    strcat(override, "=1");
    cdg_scene *scene = scene_parse_with(SCENE_GOOD, (const char *[]){override}, 1);
    assert_true(scene_says(scene, "the path before '='"));
    cdg_scene_destroy(scene);
}

// The key `set` of the text does the same, first.
static void test_the_text_has_its_own(void **state) {
    (void)state;
    const char *text = SCENE_GOOD "set: ['rods.cable.elements=120', title=Set]\n", *override = "title=Given";
    cdg_scene *scene = scene_parse_with(text, &override, 1);
    assert_true(scene->is_usable);
    assert_int_equal(scene->rods[0].element_count, 120);
    assert_string_equal(scene->title, "Given");
    assert_string_equal(scene->own_sets, "rods.cable.elements=120\ntitle=Set\n");
    assert_string_equal(scene->overrides, "title=Given\n");
    cdg_scene_destroy(scene);
    static const char *const wrong[] = {"set: title=Set\n", "set: [{title: Set}]\n", "set: ['nothing']\n",
                                        "set: {title: Set}\n"};
    for (int i = 0; i < 4; i++) {
        char bad[4096];
        snprintf(bad, sizeof bad, "%s%s", SCENE_GOOD, wrong[i]);
        scene = scene_parse_with(bad, NULL, 0);
        assert_false(scene->is_usable);
        cdg_scene_destroy(scene);
    }
    for (int count = 256; count <= 257; count++) {
        char many[8192] = SCENE_GOOD "set: [title=Set";
        for (int i = 1; i < count; i++) strcat(many, ", title=Set");
        strcat(many, "]\n");
        scene = scene_parse_with(many, NULL, 0);
        assert_true(scene->is_usable == (count == 256));
        cdg_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_replaced_and_added),
        cmocka_unit_test(test_several_act_in_order),
        cmocka_unit_test(test_shared_nodes_change_in_one_place_only),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_the_text_has_its_own),
        cmocka_unit_test(test_deep_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
