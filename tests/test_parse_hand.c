// hands.
#include "scene_text.h"

#include "math/quat.h"
#include "near.h"

#define HANDS(text) SCENE_GOOD "hands:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(HANDS("  - {rod: cable, element: 12, fraction: 50 %, to: 100 ms, path: [[0, "
                                              "[0, 0, 0]], [50 ms, [0, 0, 1 cm], 1 rad]]}\n"));
    assert_int_equal(scene->hand_count, 1);
    const cdg_grip_def *hand = &scene->hands[0].def;
    assert_true(hand->place.rod.index1 == 1 && hand->place.index == 12 && hand->place.fraction == 0.5 &&
                hand->to == 0.1);
    assert_int_equal(hand->key_count, 2);
    assert_true(hand->keys[1].time == 0.05 && hand->keys[1].target.z == 0.01 && hand->keys[1].twist == 1);
    assert_true(hand->keys[0].twist == 0);
    cdg_scene_destroy(scene);
}

static void test_leads(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        HANDS("  - {support: 0, to: 100 ms, path: [[0, [0, 0, 0]]]}\n") "supports: [{clamp: cable.start}]\n");
    assert_true(scene->hand_count == 1 && scene->hands[0].support1 == 1 && scene->hands[0].obstacle1 == 0);
    cdg_scene_destroy(scene);
}

// A hand that lasts longer makes the run longer; output interval and what the step is chosen for stay.
static void test_duration_grows(void **state) {
    (void)state;
    cdg_scene *plain = scene_parse_good(SCENE_GOOD);
    cdg_scene *scene = scene_parse_good(HANDS("  - {rod: cable, to: 1000 s, path: [[0, [0, 0, 0]]]}\n"));
    assert_true(scene->duration >= 1000 && scene->step_duration == plain->duration);
    double every = plain->output_every > 0 ? plain->output_every : plain->duration / 50;
    assert_true(scene->output_every == every);
    cdg_scene_destroy(plain);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {HANDS("  - {rod: rope, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no rod 'rope'"},
        {HANDS("  - {body: ball, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no body 'ball'"},
        {HANDS("  - {rod: cable, element: 100, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no element 100"},
        {HANDS("  - {rod: cable, fraction: 2, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "between 0 and 1"},
        {HANDS("  - {rod: cable, to: 1 s, path: [[0, [0, 0, 0]], [0, [0, 0, 0]]]}\n"), "must be after the one before"},
        {HANDS("  - {rod: cable, to: 1 s, path: [[2 s, [0, 0, 0]]]}\n"), "after the last point"},
        {HANDS("  - {rod: cable, to: 1 s, path: []}\n"), "expected a list of [time, point]"},
        {HANDS("  - {rod: cable, to: 1 s, path: [[0 s]]}\n"), "expected [time, point]"},
        {HANDS("  - {obstacle: ball, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no obstacle 'ball'"},
        {HANDS("  - {support: 99, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no support '99'"},
        {HANDS("  - {support: -1, to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "there is no support '-1'"},
        {HANDS("  - {to: 1 s, path: [[0, [0, 0, 0]]]}\n"), "rod"},
        {HANDS("  - {rod: cable, path: [[0, [0, 0, 0]]]}\n"), "to"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_leads),
        cmocka_unit_test(test_duration_grows),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
