// looks.
#include "scene_text.h"

#define LOOKS(text) SCENE_GOOD "looks:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(LOOKS("  - {of: cable, color: \"#c04020\", surface: rope}\n"
                                              "  - {of: cable, surface: metal}\n"));
    assert_int_equal(scene->look_count, 2);
    assert_string_equal(scene->looks[0].of, "cable");
    assert_string_equal(scene->looks[0].color, "#c04020");
    assert_int_equal(scene->looks[0].surface, SCENE_SURFACE_ROPE);
    assert_null(scene->looks[1].color);
    assert_int_equal(scene->looks[1].surface, SCENE_SURFACE_METAL);
    cdg_scene_destroy(scene);
}

static void test_names(void **state) {
    (void)state;
    scene_look look = {.of = (char *)"net"};
    assert_true(cdg_look_is_of(&look, "net"));
    assert_true(cdg_look_is_of(&look, "net.h0"));
    assert_false(cdg_look_is_of(&look, "nets"));
    assert_false(cdg_look_is_of(&look, "ne"));
    assert_false(cdg_look_is_of(&look, NULL));
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {LOOKS("  - {of: cabel, surface: rope}\n"), "did you mean 'cable'"},
        {LOOKS("  - {of: floor, surface: rope}\n"), "no rod, structure, body, obstacle or solid 'floor'"},
        {LOOKS("  - {of: cable, color: red}\n"), "#c04020"},
        {LOOKS("  - {of: cable, color: \"#12345\"}\n"), "#c04020"},
        {LOOKS("  - {of: cable, surface: wood}\n"), "rubber"},
        {LOOKS("  - {surface: rope}\n"), "of"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
