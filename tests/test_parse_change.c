// changes.
#include "scene_text.h"

#define CHANGES(text) SCENE_GOOD "changes:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(CHANGES("  - {at: 100 ms, set: 'title=b'}\n"
                                                "  - {at: 0.2 s, set: ['title=c', 'title=d']}\n"));
    assert_int_equal(scene->change_count, 3);
    assert_true(scene->changes[0].time == 0.1 && scene->changes[1].time == 0.2 && scene->changes[2].time == 0.2);
    assert_string_equal(scene->changes[1].line, "title=c");
    assert_string_equal(scene->changes[2].line, "title=d");
    cdg_scene_destroy(scene);
}

static void test_duration_grows(void **state) {
    (void)state;
    cdg_scene *plain = scene_parse_good(SCENE_GOOD),
              *scene = scene_parse_good(CHANGES("  - {at: 1000 s, set: 'title=b'}\n"));
    assert_true(scene->duration >= 1000 && scene->step_duration == plain->duration);
    cdg_scene_destroy(plain);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {CHANGES("  - {at: 1 s}\n"), "set"},
        {CHANGES("  - {set: 'title=b'}\n"), "at"},
        {CHANGES("  - {at: 1 s, set: title}\n"), "a line as of --set"},
        {CHANGES("  - {at: 1 s, set: []}\n"), "a line as of --set"},
        {CHANGES("  - {at: 1 s, set: {title: b}}\n"), "a line as of --set"},
        {CHANGES("  - {at: -1 s, set: 'title=b'}\n"), "at"},
        {CHANGES("  - {at: 2 s, set: 'title=b'}\n  - {at: 1 s, set: 'title=c'}\n"), "sort them"},
        {CHANGES("  - {time: 1 s, set: 'title=b'}\n"), "use 'at'"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static void test_equilibria_have_no_time(void **state) {
    (void)state;
    const char *lines[] = {"simulation.mode=static"};
    cdg_scene *scene = scene_parse_with(CHANGES("  - {at: 1 s, set: 'title=b'}\n"), lines, 1);
    bool is_told = false;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++)
        is_told |= strstr(cdg_scene_diagnostic(scene, i).text, "equilibria have no time") != NULL;
    assert_true(is_told);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_duration_grows),
                                       cmocka_unit_test(test_mistakes), cmocka_unit_test(test_equilibria_have_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
