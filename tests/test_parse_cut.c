// cuts.
#include "scene_text.h"

#define CUTS(text) SCENE_GOOD "cuts:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(CUTS("  - {cut: cable.node(12), at: 100 ms}\n  - {cut: cable.middle, at: 0}\n"));
    assert_int_equal(scene->cut_count, 2);
    assert_true(scene->cuts[0].place.rod.index1 == 1 && scene->cuts[0].place.index == 12 && scene->cuts[0].time == 0.1);
    cdg_world *world;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_duration_grows(void **state) {
    (void)state;
    cdg_scene *plain = scene_parse_good(SCENE_GOOD),
              *scene = scene_parse_good(CUTS("  - {cut: cable.middle, at: 1000 s}\n"));
    assert_true(scene->duration >= 1000 && scene->step_duration == plain->duration);
    cdg_scene_destroy(plain);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {CUTS("  - {cut: rope.node(3), at: 1 s}\n"), "no rod is named 'rope'"},
        {CUTS("  - {cut: cable.start, at: 1 s}\n"), "an end of rod 'cable'"},
        {CUTS("  - {cut: cable.end, at: 1 s}\n"), "an end of rod 'cable'"},
        {CUTS("  - {cut: cable.element(3), at: 1 s}\n"), "takes a node"},
        {CUTS("  - {cut: cable.node(3)}\n"), "at"},
        {CUTS("  - {at: 1 s}\n"), "cut"},
        {CUTS("  - {cut: cable.node(3), at: -1 s}\n"), "at"},
        {CUTS("  - {cut: cable.node(3), at: 1 s}\n  - {cut: cable.node(3), at: 2 s}\n"), "cut there already"},
        {CUTS("  - {cut: cable.node(3), time: 1 s}\n"), "use 'at'"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_duration_grows),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
