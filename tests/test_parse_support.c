// supports.
#include "scene_text.h"

#include "math/vec3.h"
#include "near.h"

#define SUPPORTS(text) SCENE_GOOD "supports:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(SUPPORTS("  - clamp: [cable.start, cable.end]\n"
                                  "    motion:\n"
                                  "      - {rotate: {axis: [2, 0, 0], angle: 1 turn}, from: 1 s, to: 2 s}\n"
                                  "      - {move: [-0.3 m, 0, 0], to: 2 s, ease: smooth}\n"
                                  "      - {rotate: {axis: [0, 0, 1], angle: 3, center: [1, 2, 3]}, to: 3}\n"
                                  "    release: 3 s\n"
                                  "  - pin: cable.node(50)\n"
                                  "  - twist: cable.node(50)\n"));
    assert_int_equal(scene->support_count, 4);
    const cdg_support_def *first = &scene->supports[0], *second = &scene->supports[1];
    assert_int_equal(first->kind, CDG_SUPPORT_CLAMP);
    assert_int_equal(first->place.index, 0);
    assert_int_equal(second->place.index, 100);
    assert_int_equal(second->motion_count, 3);
    const cdg_motion *m = second->motions;
    assert_int_equal(m[0].kind, CDG_MOTION_ROTATE);
    assert_vec3_near(m[0].axis, vec3(1, 0, 0), 1e-15);
    assert_near(m[0].angle, 2 * acos(-1), 1e-14);
    assert_true(m[0].from == 1 && m[0].to == 2 && !m[0].has_center && m[0].ease == CDG_EASE_LINEAR);
    assert_int_equal(m[1].kind, CDG_MOTION_MOVE);
    assert_true(m[1].move.x == -0.3 && m[1].ease == CDG_EASE_SMOOTH && m[1].from == 0);
    assert_true(m[2].has_center && m[2].center.y == 2);
    assert_true(second->release == 3);
    assert_int_equal(scene->supports[2].kind, CDG_SUPPORT_PIN);
    assert_int_equal(scene->supports[3].kind, CDG_SUPPORT_TWIST);
    assert_true(scene->supports[3].release == 0);
    assert_int_equal(scene->support_marks[1].line, 10);
    assert_int_equal(scene->support_marks[1].column, 26);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(SUPPORTS("  - clmap: cable.start\n"),
                "scene.yaml:10:5: error: unknown key 'clmap' in support 1; did you mean 'clamp'?\n");
    assert_says(SUPPORTS("  - {release: 1 s}\n"),
                "scene.yaml:10:5: error: support 1 needs one of clamp, pin or twist\n");
    assert_says(SUPPORTS("  - {clamp: cable.start, pin: cable.end}\n"),
                "scene.yaml:10:26: error: support 1 has both clamp and pin; keep one\n");
    assert_says(
        SUPPORTS("  - clamp: cable.element(3)\n"),
        "scene.yaml:10:12: error: clamp takes a node such as cable.start or cable.node(40); 'cable.element(3)' is an "
        "element\n");
    assert_says(
        SUPPORTS("  - clamp: []\n"),
        "scene.yaml:10:12: error: clamp: the list is empty; expected a node such as cable.start or cable.node(40)\n");
    assert_says(SUPPORTS("  - clamp:\n"),
                "scene.yaml:10:5: error: clamp has no value; expected a place, or a list of places\n");
    assert_says(SCENE_GOOD "supports: {clamp: cable.start}\n",
                "scene.yaml:9:11: error: supports: expected a list, each item after a '-', such as '- clamp: "
                "cable.start'; found "
                "a map\n");
}

#define MOTION(text) SUPPORTS("  - clamp: cable.start\n    motion: [" text "]\n")

static void test_motion_mistakes(void **state) {
    (void)state;
    assert_says(MOTION("{move: [1, 0, 0], from: 1.5 s, to: 1 s}"),
                "scene.yaml:11:49: error: the motion ends (to 1 s) before it begins (from 1.5 s)\n");
    assert_says(MOTION("{move: [1, 0, 0]}"), "scene.yaml:11:14: error: motion has no to; add for example 'to: 2 s'\n");
    assert_says(MOTION("{to: 1 s}"), "scene.yaml:11:14: error: a motion needs one of move or rotate\n");
    assert_says(MOTION("{rotate: {axis: [0, 0, 0], angle: 3 m}, to: 1 s}"),
                "scene.yaml:11:30: error: axis is a direction; it must not be zero\n"
                "scene.yaml:11:48: error: angle: expected an angle such as '30 deg'; '3 m' is a length\n");
    assert_says(MOTION("{move: [1, 0, 0], to: 5 s}"),
                "scene.yaml:11:14: warning: the motion goes on to 5 s, but the simulation ends at 4 s\n");
    assert_says(MOTION("{move: [1, 0, 0], to: 1 s, ease: bouncy}"),
                "scene.yaml:11:47: error: ease: expected one of linear, smooth, found 'bouncy'\n");
    assert_says(
        SUPPORTS("  - clamp: cable.start\n    motion: up\n"),
        "scene.yaml:11:13: error: motion: expected a list such as [{move: [0, 0, 1 m], to: 1 s}], found 'up'\n");
    assert_says(
        SUPPORTS("  - pin: cable.start\n    motion: {rotate: {axis: [1, 0, 0], angle: 1}, to: 1}\n"),
        "scene.yaml:11:13: warning: pin holds no frame, so this rotate does nothing; use clamp, or give it a center\n");
    assert_says(SUPPORTS("  - twist: cable.start\n    motion: {move: [1, 0, 0], to: 1}\n"),
                "scene.yaml:11:13: warning: twist holds no position, so this move does nothing\n");
    assert_says(SUPPORTS("  - {clamp: cable.start, release: 7 s}\n"),
                "scene.yaml:10:35: warning: release is at 7 s, after the simulation's end at 4 s\n");
}

static void test_contradictions(void **state) {
    (void)state;
    assert_says(
        SUPPORTS("  - clamp: cable.end\n  - clamp: cable.node(100)\n"),
        "scene.yaml:11:12: error: node 100 of rod 'cable' is held by a clamp already (line 10); this clamp contradicts "
        "it\n");
    assert_says(
        SUPPORTS("  - pin: cable.end\n  - clamp: cable.end\n    motion: {move: [1, 0, 0], to: 1}\n"),
        "scene.yaml:11:12: error: node 100 of rod 'cable' is held by a pin already (line 10); this clamp contradicts "
        "it\n");
    assert_says(SUPPORTS("  - pin: cable.end\n  - clamp: cable.end\n"),
                "scene.yaml:11:12: warning: node 100 of rod 'cable' has a clamp, so the pin there adds nothing\n");
    assert_says(SUPPORTS("  - pin: cable.end\n  - {clamp: cable.end, release: 1 s}\n"), "");
    assert_says(SUPPORTS("  - pin: cable.end\n  - twist: cable.end\n"), "");
    assert_says(SUPPORTS("  - pin: [cable.end, cable.start, cable.end]\n"),
                "scene.yaml:10:35: error: node 100 of rod 'cable' is held by a pin already (line 10); this pin "
                "contradicts it\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_motion_mistakes),
        cmocka_unit_test(test_contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
