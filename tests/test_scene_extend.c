// Worlds that are built by parts from pieces of scenes are those that one scene gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"

#include <cordage/cordage.h>

#include <stdio.h>
#include <string.h>

#define ROD                                                                                                            \
    "{name: cable, elements: 10, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, " \
    "centerline: {line: {to: [1, 0, 0]}}}"
#define HEAD "cordage: 1\nsimulation: {duration: 1, step: 2 ms, gravity: [0, 0, -5]}\n"

static cdg_scene *parse(const char *text) {
    cdg_scene *scene;
    cdg_error error = {0};
    if (cdg_scene_parse(text, strlen(text), "part", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s: %s", error.message, cdg_scene_diagnostic(scene, 0).text);
    return scene;
}

static cdg_world *build(const char *text) {
    cdg_scene *scene = parse(text);
    cdg_world *world;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static cdg_scene_added extend(cdg_world *world, const char *text, size_t rods, size_t bodies) {
    cdg_scene *scene = parse(text);
    cdg_scene_added added;
    cdg_error error = {0};
    cdg_rod_id known = cdg_world_find_rod(world, "cable");
    if (cdg_scene_extend(scene, &known, rods, bodies, world, &added, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    return added;
}

static void parts_make_the_same_world(void **state) {
    (void)state;
    const char *tail = "supports: [{clamp: cable.start}]\n"
                       "loads: [{force: [0, 0, -1 mN], at: cable.middle}]\n"
                       "contact: {friction: 0.3}\n"
                       "obstacles: [{plane: {normal: [0, 0, 1], offset: -1 m}}]\n";
    char whole[2000];
    snprintf(whole, sizeof whole, HEAD "rods: [" ROD "]\n%s", tail);
    cdg_world *one = build(whole);
    cdg_world_def def = cdg_world_def_default();
    def.gravity = (cdg_vec3){0, 0, -5};
    def.step = 2e-3;
    def.thread_count = 1;
    cdg_world *other;
    assert_int_equal(cdg_world_create(&def, &other, NULL), CDG_OK);
    assert_int_equal(extend(other, HEAD "rods: [" ROD "]\n", 0, 0).rod_count, 1);
    cdg_scene_added added = extend(other, whole, 1, 0);
    assert_int_equal(added.rod_count, 0);
    assert_int_equal(added.support_count, 1);
    assert_int_equal(added.load_place.index, 5);
    assert_int_equal(added.obstacle.index1, 1);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(cdg_world_step(one, NULL), CDG_OK);
        assert_int_equal(cdg_world_step(other, NULL), CDG_OK);
    }
    cdg_vec3 a[11], b[11];
    assert_int_equal(cdg_rod_positions(one, cdg_world_find_rod(one, "cable"), a), CDG_OK);
    assert_int_equal(cdg_rod_positions(other, cdg_world_find_rod(other, "cable"), b), CDG_OK);
    assert_memory_equal(a, b, sizeof a);
    cdg_world_destroy(one);
    cdg_world_destroy(other);
}

static void bodies_and_welds_find_each_other(void **state) {
    (void)state;
    cdg_world *world = build(HEAD "rods: [" ROD "]\n");
    cdg_scene_added body = extend(
        world,
        HEAD "rods: [" ROD "]\nbodies: [{name: bob, shape: {sphere: {radius: 2 cm}}, mass: 1, position: [1, 0, 0]}]\n",
        1, 0);
    assert_int_equal(body.body.index1, 1);
    cdg_scene_added weld =
        extend(world,
               HEAD "rods: [" ROD "]\nbodies: [{name: bob, shape: {sphere: {radius: 1 cm}}, mass: 1}]\n"
                    "joints: [{weld: [cable.end, bob]}]\n",
               1, 1);
    assert_int_equal(cdg_world_body_count(world), 1);
    assert_int_equal(cdg_world_weld_count(world), 1);
    assert_int_equal(weld.weld.index1, 1);
    cdg_world_destroy(world);
}

#define BLOCK                                                                                                          \
    "name: block, shape: {box: {size: [1, 1, 1]}, resolution: 0.5}, material: {young_modulus: 1 MPa, density: 1000}"

static void solids_are_added_held_and_loaded(void **state) {
    (void)state;
    cdg_world *world = build(HEAD "rods: [" ROD "]\n");
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    // What cannot be held is not added, and its name is free.
    cdg_scene *scene = parse(HEAD "solids: [{" BLOCK ", supports: [{sphere: {center: [9, 9, 9], radius: 1}}]}]\n");
    cdg_error error = {0};
    cdg_scene_added added;
    assert_int_equal(cdg_scene_extend(scene, NULL, 0, 0, world, &added, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no node of solid 'block' is in the region"));
    assert_int_equal(cdg_world_solid_count(world), 0);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_scene_destroy(scene);
    added = extend(world, HEAD "solids: [{" BLOCK ", position: [0, 0, 5]}]\n", 0, 0);
    assert_int_equal(cdg_world_solid_count(world), 1);
    assert_int_equal(added.solid.index1, 1);
    scene = parse(HEAD "solids: [{" BLOCK ", supports: [{plane: {point: [0, 0, 5.5], normal: [0, 0, 1]}}], "
                       "loads: [{force: [1 N, 0, 0]}, {force: [2 N, 0, 0]}]}]\n");
    cdg_scene_added held;
    assert_int_equal(cdg_scene_extend_solid(scene, world, added.solid, &held, &error), CDG_OK);
    assert_int_equal(held.solid_support.index1, 1);
    assert_int_equal(held.solid_load.index1, 2); // the last one
    for (int i = 0; i < 5; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_vec3 force;
    assert_int_equal(cdg_solid_support_reaction(world, held.solid_support, &force), CDG_OK);
    assert_true(force.z > 100); // it hangs
    assert_int_equal(cdg_scene_extend_solid(scene, world, (cdg_solid_id){7, 1}, &held, &error), CDG_ERROR_STALE);
    cdg_scene_destroy(scene);
    cdg_world_destroy(world);
}

static void a_part_that_cannot_be_says_why(void **state) {
    (void)state;
    cdg_world *world = build(HEAD "rods: [" ROD "]\n");
    cdg_scene *scene = parse(HEAD "rods: [" ROD "]\n");
    cdg_error error = {0};
    cdg_scene_added added;
    assert_int_equal(cdg_scene_extend(scene, NULL, 0, 0, world, &added, &error),
                     CDG_ERROR_ARGUMENT); // the name is taken
    assert_non_null(strstr(error.message, "cable"));
    assert_int_equal(added.rod_count, 0);
    cdg_scene_destroy(scene);
    cdg_world_destroy(world);
}

static void times_and_probes_can_be_asked_for(void **state) {
    (void)state;
    cdg_scene *scene = parse(HEAD "rods: [" ROD "]\nprobes: [{name: tip, position: cable.end}]\n");
    cdg_world *world;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    cdg_scene_times times;
    assert_int_equal(cdg_scene_get_times(scene, &times), CDG_OK);
    assert_near(times.duration, 1, 0);
    assert_near(times.step, 2e-3, 1e-18);
    assert_false(times.is_static);
    const char *name;
    cdg_probe probe;
    double out[CDG_PROBE_COLUMNS_MAX];
    assert_int_equal(cdg_scene_probe_count(scene), 1);
    assert_int_equal(cdg_scene_probe(scene, world, NULL, 0, 0, &name, &probe), CDG_OK);
    assert_string_equal(name, "tip");
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
    assert_near(out[0], 1, 1e-12);
    assert_int_equal(cdg_scene_probe(scene, world, NULL, 0, 1, &name, &probe), CDG_ERROR_ARGUMENT);
    cdg_rod_id other = {7, 1}; // stands for the first rod
    assert_int_equal(cdg_scene_probe(scene, world, &other, 1, 0, &name, &probe), CDG_OK);
    assert_int_equal(probe.place.rod.index1, 7);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_the_same_world),         cmocka_unit_test(bodies_and_welds_find_each_other),
        cmocka_unit_test(solids_are_added_held_and_loaded),  cmocka_unit_test(a_part_that_cannot_be_says_why),
        cmocka_unit_test(times_and_probes_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
