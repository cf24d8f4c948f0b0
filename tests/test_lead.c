// Leads: as if poses were set by hand before each step, to the bit; and they are part of snapshots.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "view_case.h"
#include "world/world.h"

#include <cordage/control.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "cordage: 1\n"
                           "simulation: {duration: 1 s, step: 2 ms, model: pobd}\n"
                           "contact: {friction: 0.2}\n"
                           "rods:\n"
                           "  - {name: rope, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, elements: 20,\n"
                           "     section: {circle: {radius: 4 mm}}, centerline: {line: {to: [0.4 m, 0, 0]}}}\n"
                           "obstacles:\n"
                           "  - {name: ball, sphere: {radius: 3 cm}, position: [0.2 m, 0, -5 cm],\n"
                           "     motion: [{move: [0, 1 cm, 0], to: 1 s}]}\n"
                           "supports: [{clamp: rope.start}, {pin: rope.end}]\n";
enum { STEPS = 60, FIRST = 10, LAST = 40 }; // the lead acts in steps FIRST to LAST - 1
static const double step = 2e-3;

static cdg_vec3 ball_at(int k) { return (cdg_vec3){0.2, 0.001 * (k - FIRST), -0.05 + 0.0015 * (k - FIRST)}; }
static cdg_vec3 end_at(int k) { return (cdg_vec3){0.4 - 0.002 * (k - FIRST), 0.001 * (k % 5), 0}; }

static cdg_world *make(void) {
    cdg_scene *scene = view_scene_of(text);
    cdg_world *world;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, step), CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static void add_leads(cdg_world *world) {
    cdg_grip_key ball[LAST - FIRST], end[LAST - FIRST];
    for (int k = FIRST; k < LAST; k++) {
        ball[k - FIRST] = (cdg_grip_key){.time = k * step, .target = ball_at(k)};
        end[k - FIRST] = (cdg_grip_key){.time = k * step, .target = end_at(k)};
    }
    cdg_lead_def def = {.obstacle = {1, 1}, .keys = ball, .key_count = LAST - FIRST, .to = LAST * step};
    assert_int_equal(cdg_world_add_lead(world, &def), CDG_OK);
    def = (cdg_lead_def){.support = {2, 1}, .keys = end, .key_count = LAST - FIRST, .to = LAST * step};
    assert_int_equal(cdg_world_add_lead(world, &def), CDG_OK);
}

static void take(cdg_world *world, int steps) {
    for (int i = 0; i < steps; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
}

static void assert_same(const cdg_world *a, const cdg_world *b) {
    const cdg_rod *one = cdg_world_get_rod(a, cdg_world_rod_at(a, 0)),
                  *two = cdg_world_get_rod(b, cdg_world_rod_at(b, 0));
    cdg_vec3 x[2];
    cdg_quat q[2];
    assert_memory_equal(one->x[0], two->x[0], rod_state_bytes(one));
    for (int i = 0; i < 2; i++)
        assert_int_equal(cdg_obstacle_get_pose(i ? a : b, (cdg_obstacle_id){1, 1}, &x[i], &q[i]), CDG_OK);
    assert_memory_equal(&x[0], &x[1], sizeof x[0]);
}

static void a_lead_is_a_hand(void **state) {
    (void)state;
    cdg_world *led = make(), *driven = make();
    add_leads(led);
    for (int k = 0; k < STEPS; k++) {
        cdg_vec3 ball = ball_at(k), end = end_at(k);
        bool does = k >= FIRST && k < LAST, ends = k == LAST;
        if (does || ends) {
            assert_int_equal(cdg_obstacle_set_pose(driven, (cdg_obstacle_id){1, 1}, does ? &ball : NULL, NULL), CDG_OK);
            assert_int_equal(cdg_support_set_pose(driven, (cdg_support_id){2, 1}, does ? &end : NULL, NULL), CDG_OK);
        }
        take(led, 1);
        take(driven, 1);
        assert_same(led, driven);
    }
    cdg_world_destroy(led);
    cdg_world_destroy(driven);
}

// From before it acted, while it acts, and after it has.
static void snapshots_hold_leads(void **state) {
    (void)state;
    const int moments[] = {5, 20, 50};
    for (int m = 0; m < 3; m++) {
        cdg_world *world = make(), *straight = make();
        add_leads(world);
        add_leads(straight);
        take(world, moments[m]);
        double *saved = malloc(cdg_world_snapshot_size(world) * sizeof *saved);
        assert_int_equal(cdg_world_snapshot_save(world, saved), CDG_OK);
        take(world, STEPS);
        assert_int_equal(cdg_world_snapshot_load(world, saved), CDG_OK);
        take(world, 9);
        take(straight, moments[m] + 9);
        assert_same(world, straight);
        free(saved);
        cdg_world_destroy(world);
        cdg_world_destroy(straight);
    }
}

// What is taken by hand only after a snapshot was made goes back to its own motion.
static void what_is_noted_later_goes_back(void **state) {
    (void)state;
    cdg_world *world = make(), *straight = make();
    take(world, 5);
    double *saved = malloc(cdg_world_snapshot_size(world) * sizeof *saved);
    assert_int_equal(cdg_world_snapshot_save(world, saved), CDG_OK);
    assert_int_equal(cdg_led_note(world, true, 0), CDG_OK);
    assert_int_equal(cdg_obstacle_set_pose(world, (cdg_obstacle_id){1, 1}, &(cdg_vec3){0.2, 0, -0.049}, NULL), CDG_OK);
    take(world, 10);
    assert_int_equal(cdg_world_snapshot_load(world, saved), CDG_OK);
    take(world, 10);
    take(straight, 15);
    assert_same(world, straight);
    free(saved);
    cdg_world_destroy(world);
    cdg_world_destroy(straight);
}

// Two threads that lie beside each other, pinned, and a ball above the end of one: nothing held can give way.
static const char held_text[] =
    "cordage: 1\n"
    "simulation: {duration: 1 s, step: 2 ms, model: %s, gravity: [0, 0, 0]}\n"
    "contact: {friction: 0.2}\n"
    "rods:\n"
    "  - &one\n"
    "    {name: one, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, elements: %d,\n"
    "     section: {circle: {radius: 4 mm}}, centerline: {line: {to: [0.2 m, 0, 0]}}}\n"
    "  - {<<: *one, name: two, centerline: {line: {from: [0, 3 cm, 0], to: [0.2 m, 3 cm, 0]}}}\n"
    "obstacles: [{name: ball, sphere: {radius: 2 cm}, position: [0, 0, 5 cm]}]\n"
    "supports: [{pin: [one.start, one.end, two.start, two.end]}]\n";

static cdg_world *make_held(const char *model, int elements) {
    char written[sizeof held_text + 64];
    snprintf(written, sizeof written, held_text, model, elements);
    cdg_scene *scene = view_scene_of(written);
    cdg_world *world;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, step), CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static cdg_vec3 place_of(const cdg_world *world, bool is_obstacle) {
    cdg_vec3 x;
    cdg_quat q;
    if (is_obstacle)
        assert_int_equal(cdg_obstacle_get_pose(world, (cdg_obstacle_id){1, 1}, &x, &q), CDG_OK);
    else
        cdg_support_pose(&world->supports[2], cdg_world_time(world), &x, &q);
    return x;
}

static void tell(cdg_world *world, bool is_obstacle, const cdg_vec3 *to) {
    if (is_obstacle)
        assert_int_equal(cdg_obstacle_set_pose(world, (cdg_obstacle_id){1, 1}, to, NULL), CDG_OK);
    else
        assert_int_equal(cdg_support_set_pose(world, (cdg_support_id){3, 1}, to, NULL), CDG_OK);
}

// The ball, or the start of the second thread, is led through the start of the first at 1 m/s, as a hand would: where a
// step fails it stays. It never gets in, and what is not stuck goes on.
static void lead_through(const char *model, int elements, bool is_obstacle) {
    const double least = is_obstacle ? 0.024 : 0.008, deep = 1e-2 * 0.004;
    const cdg_vec3 way = is_obstacle ? (cdg_vec3){0, 0, -0.002} : (cdg_vec3){0, -0.002, 0};
    cdg_world *world = make_held(model, elements);
    int stuck = 0;
    assert_int_equal(cdg_led_note(world, is_obstacle, is_obstacle ? 0 : 2), CDG_OK);
    for (int i = 0; i < 50; i++) {
        cdg_vec3 now = place_of(world, is_obstacle), to = vec3_add(now, way);
        tell(world, is_obstacle, &to);
        if (cdg_world_step(world, NULL) != CDG_OK) {
            assert_non_null(strstr(cdg_world_message(world), "neither can give way"));
            stuck++;
            tell(world, is_obstacle, &now);
            take(world, 1);
        }
        assert_true(vec3_norm(place_of(world, is_obstacle)) > least - deep);
    }
    assert_true(stuck > 20);
    cdg_vec3 back = vec3_mad(place_of(world, is_obstacle), -1, way);
    tell(world, is_obstacle, &back);
    take(world, 1);
    cdg_world_destroy(world);
}

static void what_is_held_gives_way_to_nothing(void **state) {
    (void)state;
    const char *const models[] = {"pobd", "der", "corde"};
    for (int m = 0; m < 3; m++)
        for (int is_obstacle = 0; is_obstacle < 2; is_obstacle++) {
            lead_through(models[m], 10, is_obstacle);
            lead_through(models[m], 1, is_obstacle); // all of it is held
        }
}

// What a scene moves is its author's: held ends pass where nobody leads anything.
static void scenes_lead_what_is_held_where_they_like(void **state) {
    (void)state;
    cdg_world *world = make_held("pobd", 10);
    tell(world, false, &(cdg_vec3){0, 0.03, 0});
    for (int i = 0; i < 15; i++) {
        cdg_vec3 to = vec3_add(place_of(world, false), (cdg_vec3){0, -0.002, 0});
        tell(world, false, &to);
        take(world, 1);
    }
    cdg_world_destroy(world);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    cdg_world *world = make();
    cdg_grip_key keys[2] = {{.time = 0}, {.time = 0}};
    cdg_lead_def good = {.obstacle = {1, 1}, .keys = keys, .key_count = 1, .to = 1}, wrong = good;
    assert_int_equal(cdg_world_add_lead(NULL, &good), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_add_lead(world, NULL), CDG_ERROR_ARGUMENT);
    wrong.obstacle.index1 = 2;
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_STALE);
    wrong = good, wrong.support = (cdg_support_id){7, 1};
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_STALE);
    wrong = good, wrong.key_count = 2; // times must rise
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_ARGUMENT);
    wrong = good, wrong.to = 0;
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_ARGUMENT);
    wrong = good, wrong.key_count = 0;
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_ARGUMENT);
    wrong = good, wrong.keys = NULL;
    assert_int_equal(cdg_world_add_lead(world, &wrong), CDG_ERROR_ARGUMENT);
    take(world, 3);
    cdg_world_destroy(world);
}

// The lead of what is removed goes with it; others go on with theirs.
static void what_is_led_may_be_removed(void **state) {
    (void)state;
    cdg_world *world = make();
    add_leads(world);
    take(world, 20);
    assert_int_equal(world->lead_count, 2);
    assert_int_equal(cdg_world_remove_obstacle(world, (cdg_obstacle_id){1, 1}), CDG_OK);
    assert_int_equal(world->lead_count, 1);
    assert_int_equal(world->led_count, 1);
    for (int k = 20; k < LAST; k++) {
        cdg_vec3 x;
        cdg_quat q;
        take(world, 1);
        cdg_support_pose(&world->supports[1], cdg_world_time(world), &x, &q);
        assert_true(vec3_distance(x, end_at(k)) < 1e-12);
    }
    assert_int_equal(cdg_world_remove_support(world, (cdg_support_id){2, 1}), CDG_OK);
    assert_true(world->lead_count == 0 && world->led_count == 0);
    take(world, 5);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lead_is_a_hand),
                                       cmocka_unit_test(snapshots_hold_leads),
                                       cmocka_unit_test(what_is_noted_later_goes_back),
                                       cmocka_unit_test(what_is_led_may_be_removed),
                                       cmocka_unit_test(what_is_held_gives_way_to_nothing),
                                       cmocka_unit_test(scenes_lead_what_is_held_where_they_like),
                                       cmocka_unit_test(mistakes_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
