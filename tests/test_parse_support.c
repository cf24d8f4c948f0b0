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
                "scene.yaml:10:5: error: support 1 needs one of clamp, pin, twist or slide\n");
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
    assert_says(
        SUPPORTS("  - {clamp: cable.start, release: 7 s}\n"),
        "scene.yaml:10:35: warning: release is at 7 s, after the simulation's end at 4 s; nothing is let go of\n");
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

#define JOINED(text)                                                                                                   \
    "cordage: 1\nsimulation: {duration: 1 s, model: corde}\n"                                                          \
    "rods:\n"                                                                                                          \
    "  - &rod {name: a, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, section: {circle: {radius: 2 mm}},\n"  \
    "          centerline: {line: {to: [1 m, 0, 0]}}, elements: 10}\n"                                                 \
    "  - {<<: *rod, name: b, centerline: {line: {to: [0, 1 m, 0]}}}\n"                                                 \
    "joints:\n  - join: [a.start, b.start]\nsupports:\n" text

// Supports of joined nodes must take the point to one place; how they hold frames is their own affair.
static void test_contradictions_at_joints(void **state) {
    (void)state;
    assert_says(JOINED("  - clamp: [a.start, b.start]\n"), "");
    assert_says(JOINED("  - pin: a.start\n  - clamp: b.start\n"), "");
    assert_says(
        JOINED("  - pin: a.start\n  - {clamp: b.start, motion: {rotate: {axis: [0, 0, 1], angle: 1}, to: 1}}\n"), "");
    assert_says(JOINED("  - clamp: [a.start, b.start]\n    motion: {move: [1, 0, 0], to: 1}\n"), "");
    assert_says(JOINED("  - twist: a.start\n  - {pin: b.start, motion: {move: [1, 0, 0], to: 1}}\n"), "");
    const char *const other[] = {"{move: [1, 0, 0], to: 1}", "{move: [0, 1, 0], to: 1, from: 0.5}",
                                 "{rotate: {axis: [0, 0, 1], angle: 1, center: [1, 0, 0]}, to: 1}"};
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s  - {pin: b.start, motion: %s}\n",
                 JOINED("  - {pin: a.start, motion: {move: [0, 1, 0], to: 1}}\n"), other[i]);
        assert_says(
            text, "scene.yaml:11:11: error: node 0 of rod 'b' is joined to node 0 of rod 'a', whose support (line 10) "
                  "moves otherwise; give both the same motion, or hold only one of them\n");
    }
}

static void test_slide(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(SUPPORTS("  - {slide: cable.start, along: [0, 2, 0]}\n"
                                  "  - {slide: cable.end, along: [1, 0, 0], holds_frame: true, release: 1 s}\n"
                                  "  - twist: cable.start\n"));
    assert_int_equal(scene->supports[0].kind, CDG_SUPPORT_SLIDE);
    assert_vec3_near(scene->supports[0].along, vec3(0, 1, 0), 1e-15);
    assert_false(scene->supports[0].holds_frame);
    assert_true(scene->supports[1].holds_frame && scene->supports[1].release == 1);
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_UNSUPPORTED); // pobd
    assert_string_equal(error.message, "scene.yaml:10:13: model 'pobd' cannot hold node 0 of rod 'cable' on a line; "
                                       "models that can: galpha");
    cdg_scene_destroy(scene);
    assert_says(SUPPORTS("  - slide: cable.start\n"),
                "scene.yaml:10:5: error: slide needs the direction of its line; add for example 'along: [0, 0, 1]'\n");
    assert_says(SUPPORTS("  - {pin: cable.start, along: [0, 0, 1]}\n"),
                "scene.yaml:10:24: error: along goes with slide only; a pin has none\n");
    assert_says(SUPPORTS("  - {slide: cable.start, along: [0, 0, 0]}\n"),
                "scene.yaml:10:33: error: along is a direction; it must not be zero\n");
    assert_says(SUPPORTS("  - {slide: cable.end, along: [0, 0, 1]}\n  - pin: cable.end\n"),
                "scene.yaml:11:10: error: node 100 of rod 'cable' is held by a slide already (line 10); this pin "
                "contradicts it\n");
    assert_says(SUPPORTS("  - {slide: cable.end, along: [0, 0, 1], holds_frame: true}\n  - twist: cable.end\n"),
                "scene.yaml:11:12: error: node 100 of rod 'cable' is held by a slide already (line 10); this twist "
                "contradicts it\n");
    assert_says(SUPPORTS("  - {slide: cable.end, along: [0, 0, 1]}\n  - {clamp: cable.end, release: 1 s}\n"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_motion_mistakes),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_contradictions_at_joints),
        cmocka_unit_test(test_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
