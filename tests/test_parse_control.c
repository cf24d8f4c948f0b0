// controls.
#include "scene_text.h"

#define CONTROLS(text) SCENE_GOOD "controls:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(CONTROLS("  - {path: rods.cable.elements, label: elements, min: 5, max: 50, value: 20}\n"
                                  "  - {path: simulation.step, unit: ms, min: 0.1, max: 2, value: 1}\n"));
    assert_int_equal(scene->control_count, 2);
    assert_string_equal(scene->controls[0].path, "rods.cable.elements");
    assert_string_equal(scene->controls[0].label, "elements");
    assert_null(scene->controls[0].unit);
    assert_null(scene->controls[1].label);
    assert_string_equal(scene->controls[1].unit, "ms");
    assert_true(scene->controls[1].least == 0.1 && scene->controls[1].most == 2 && scene->controls[1].value == 1);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {CONTROLS("  - {path: a, min: 5, max: 1, value: 2}\n"), "must lie between"},
        {CONTROLS("  - {path: a, min: 1, max: 5, value: 7}\n"), "must lie between"},
        {CONTROLS("  - {min: 1, max: 5, value: 2}\n"), "path"},
        {CONTROLS("  - {path: 'a=1', min: 1, max: 5, value: 2}\n"), "plain words"},
        {CONTROLS("  - {path: a, unit: '{x: 1}', min: 1, max: 5, value: 2}\n"), "plain words"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
