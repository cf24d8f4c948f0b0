// loads.
#include "scene_text.h"

#include "math/vec3.h"
#include "near.h"

#define LOADS(text) SCENE_GOOD "loads:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        LOADS("  - {force: [0, 0, -1 N], at: [cable.node(40), cable.element(3)], from: 1 s, to: 2 s, ramp: 100 ms}\n"
              "  - {moment: [0, 0, 2 N m], at: cable.end, follow: true}\n"
              "  - {line: [0, 3 N/m, 0], on: cable, keyframes: [[0 s, 0], {time: 1 s, factor: 50 %}]}\n"
              "  - {drag: 2 1/s}\n"
              "  - {drag: 1, on: all}\n"
              "  - {wind: [5 m/s, 0, 0], on: [cable], fluid_density: 2, drag_coefficient: 1}\n"
              "  - {line_moment: [0, 0.2 N m/m, 0], on: cable, follow: true}\n"));
    assert_int_equal(scene->load_count, 8);
    const cdg_load_def *l = scene->loads;
    assert_int_equal(l[0].kind, CDG_LOAD_FORCE);
    assert_int_equal(l[7].kind, CDG_LOAD_LINE_MOMENT);
    assert_true(l[7].value.y == 0.2 && l[7].follows && l[7].place.rod.index1 == 1);
    assert_int_equal(l[0].place.kind, CDG_PLACE_NODE);
    assert_int_equal(l[0].place.index, 40);
    assert_int_equal(l[1].place.kind, CDG_PLACE_ELEMENT);
    assert_true(l[1].value.z == -1 && l[1].from == 1 && l[1].to == 2 && l[1].ramp == 0.1 && !l[1].follows);
    assert_int_equal(l[2].kind, CDG_LOAD_MOMENT);
    assert_true(l[2].follows && l[2].value.z == 2 && l[2].to <= l[2].from);
    assert_int_equal(l[3].kind, CDG_LOAD_LINE);
    assert_int_equal(l[3].keyframe_count, 2);
    assert_true(l[3].keyframes[1].time == 1 && l[3].keyframes[1].factor == 0.5);
    assert_int_equal(l[3].place.rod.index1, 1);
    assert_true(l[4].drag_rate == 2 && l[4].place.rod.index1 == 0);
    assert_true(l[5].drag_rate == 1 && l[5].place.rod.index1 == 0);
    assert_int_equal(l[6].kind, CDG_LOAD_WIND);
    assert_true(l[6].fluid_density == 2 && l[6].drag_coefficient == 1 && l[6].value.x == 5);
    cdg_scene_destroy(scene);
}

static void test_vortices(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        LOADS("  - {wind: [5 m/s, 0, 0], vortices: [{center: [1, 2, 3], speed: -8 m/s, radius: 50 cm},\n"
              "     {center: [0, 0, 0], axis: [2, 0, 0], speed: 1, radius: 1, velocity: [4, 0, 0]}]}\n"));
    const cdg_load_def *load = &scene->loads[0];
    assert_int_equal(load->vortex_count, 2);
    assert_vec3_near(load->vortices[0].center, vec3(1, 2, 3), 0);
    assert_vec3_near(load->vortices[0].axis, vec3(0, 0, 1), 0);
    assert_near(load->vortices[0].speed, -8, 0);
    assert_near(load->vortices[0].radius, 0.5, 0);
    assert_vec3_near(load->vortices[1].axis, vec3(1, 0, 0), 0);
    assert_vec3_near(load->vortices[1].velocity, vec3(4, 0, 0), 0);
    cdg_scene_destroy(scene);
    assert_says(LOADS("  - {drag: 1, vortices: [{center: [0, 0, 0], speed: 1, radius: 1}]}\n"),
                "scene.yaml:10:15: error: 'vortices' does not go with drag; only wind has some\n");
    assert_says(LOADS("  - {wind: [1, 0, 0], vortices: {speed: 1}}\n"),
                "scene.yaml:10:33: error: vortices: expected a list such as [{center: [0, 0, 0], speed: 8 m/s, radius: "
                "0.5 m}], found a map\n");
    assert_says(LOADS("  - {wind: [1, 0, 0], vortices: [{center: [0, 0, 0], speed: 1, radius: 0}]}\n"),
                "scene.yaml:10:72: error: radius must be greater than 0; it is '0'\n");
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(LOADS("  - {force: [0, 0, 1 N]}\n"),
                "scene.yaml:10:5: error: load 1 has no 'at'; say where the force acts, for example 'at: cable.end'\n");
    assert_says(LOADS("  - {forse: [0, 0, 1 N], at: cable.end}\n"),
                "scene.yaml:10:6: error: unknown key 'forse' in load 1; did you mean 'force'?\n");
    assert_says(LOADS("  - {at: cable.end}\n"),
                "scene.yaml:10:5: error: load 1 needs one of force, moment, line, drag, wind or line_moment\n");
    assert_says(LOADS("  - {drag: 2 1/s, at: cable.end, follow: yes, fluid_density: 1}\n"),
                "scene.yaml:10:19: error: 'at' does not go with drag; 'on' chooses the rod\n"
                "scene.yaml:10:34: error: 'follow' does not go with drag; only force, moment, line and line_moment "
                "can follow the rod\n"
                "scene.yaml:10:47: error: 'fluid_density' does not go with drag; only wind has one\n");
    assert_says(LOADS("  - {force: [0, 0, 1], at: cable.end, on: cable}\n"),
                "scene.yaml:10:39: error: 'on' does not go with force; 'at' chooses the place\n");
    assert_says(LOADS("  - {line: [0, 0, 1 N]}\n"),
                "scene.yaml:10:19: error: line is a force per length; '1 N' is a force\n");
    assert_says(LOADS("  - {drag: 1, on: cabel}\n"),
                "scene.yaml:10:19: error: no rod is named 'cabel'; did you mean 'cable'?\n");
    assert_says(LOADS("  - {drag: 1, on: cable.end}\n"),
                "scene.yaml:10:19: error: on takes the name of a rod; write 'cable' instead of 'cable.end'\n");
    assert_says(LOADS("  - {drag: 1, from: 2 s, to: 2 s}\n"),
                "scene.yaml:10:30: error: the load ends (to 2 s) before it begins (from 2 s)\n");
    assert_says(LOADS("  - {drag: 1, from: 9 s}\n"),
                "scene.yaml:10:21: warning: the load begins at 9 s, but the simulation ends at 4 s\n");
    assert_says(LOADS("  - {drag: 1, keyframes: [[0 s, 1], [0 s, 2]]}\n"),
                "scene.yaml:10:37: error: keyframe 2 (0 s) must be later than the one before it (0 s)\n");
    assert_says(LOADS("  - {drag: 1, keyframes: [[0 s, 1], 3, {time: 1 s}]}\n"),
                "scene.yaml:10:37: error: keyframes: expected [time, factor] such as [1 s, 0.5], found '3'\n"
                "scene.yaml:10:40: error: keyframes: expected [time, factor] such as [1 s, 0.5], found a map\n");
    assert_says(
        LOADS("  - {drag: 1, keyframes: []}\n"),
        "scene.yaml:10:26: error: keyframes: expected a list such as [[0 s, 0], [1 s, 1]], found an empty list\n");
    assert_says(LOADS("  - down\n"),
                "scene.yaml:10:5: error: load 1: expected a map such as {force: [0, 0, -1 N]}, found 'down'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_vortices),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
