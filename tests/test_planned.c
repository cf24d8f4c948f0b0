// Changes that are planned for a world: which is in force when, and what they are refused for.
#include "scene_text.h"

#include <cordage/cordage.h>

#include "world/planned.h"
#include "world/solid_object.h"

#include <math.h>

#define FULL                                                                                                           \
    "cordage: 1\n"                                                                                                     \
    "simulation: {duration: 1 s, step: 1 ms}\n"                                                                        \
    "contact: {friction: 0.3}\n"                                                                                       \
    "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 5 ms}}\n"                       \
    "rods:\n"                                                                                                          \
    "  - {name: a, material: m, section: {circle: {radius: 5 mm}}, elements: 10,\n"                                    \
    "     centerline: {line: {from: [0, 0, 0.2], to: [0.3, 0, 0.2]}}}\n"                                               \
    "bodies: [{name: ball, shape: {sphere: {radius: 2 cm}}, mass: 50 g, position: [0, 0.2, 0.03]}]\n"                  \
    "solids:\n"                                                                                                        \
    "  - {name: pad, shape: {box: {size: [4 cm, 4 cm, 2 cm]}, resolution: 2 cm}, position: [0.5, 0, 0.03],\n"          \
    "     material: {young_modulus: 50 kPa, poisson_ratio: 0.3, density: 1000 kg/m^3}}\n"                              \
    "obstacles: [{name: floor, plane: {normal: [0, 0, 1]}}]\n"

static cdg_world *world_of(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    cdg_world *world = NULL;
    cdg_error error;
    cdg_result result = cdg_scene_build(scene, 1, &world, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static void times_decide(void **state) {
    (void)state;
    cdg_world *world = world_of(FULL), *second = world_of(FULL), *third = world_of(FULL);
    cdg_rod_id rod = cdg_world_rod_at(world, 0);
    int own[2];
    assert_int_equal(cdg_world_set_user_data(world, &own[0]), CDG_OK);
    assert_int_equal(cdg_rod_set_user_data(world, rod, &own[1]), CDG_OK);
    second->def.gravity.z = -1;
    third->def.gravity.z = -2;
    assert_int_equal(cdg_world_plan_change(world, 0.01, second), CDG_OK);
    assert_int_equal(cdg_world_plan_change(world, 0.02, third), CDG_OK);
    static const double times[][2] = {{0, -9.81}, {0.01, -9.81}, {0.011, -1}, {0.02, -1}, {0.021, -2}, {0.5, -2}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double expected = times[i][1];
        const cdg_world *then = cdg_planned_at(world, times[i][0], 1e-3);
        assert_true(fabs(then->def.gravity.z - expected) < 0.01);
        assert_int_equal(cdg_planned_choose(world, times[i][0], 1e-3), CDG_OK);
        assert_true(fabs(world->def.gravity.z - expected) < 0.01);
        assert_ptr_equal(cdg_planned_at(world, times[i][0], 1e-3), world);
        assert_ptr_equal(world->solids[0]->world, world);
        assert_ptr_equal(cdg_world_user_data(world), &own[0]);
        assert_ptr_equal(cdg_rod_user_data(world, rod), &own[1]);
    }
    assert_int_equal(cdg_planned_choose(world, 0, 1e-3), CDG_OK);
    assert_false(cdg_planned_are_due(world));
    cdg_world_destroy(world);
}

// Rods, bodies and solids fall on, from where they are, with the speed that they have.
static void all_kinds_go_on(void **state) {
    (void)state;
    cdg_world *world = world_of(FULL "changes: [{at: 10 ms, set: 'simulation.gravity=[0, 0, 0]'}]\n");
    cdg_vec3 before[3], after[3], later[3];
    for (int i = 0; i < 30; i++) {
        cdg_result result = cdg_world_step(world, NULL);
        if (result != CDG_OK) print_error("%s\n", cdg_world_message(world));
        assert_int_equal(result, CDG_OK);
        cdg_vec3 *at = i < 9 ? NULL : i == 9 ? before : i == 10 ? after : i == 11 ? later : NULL;
        if (at == NULL) continue;
        cdg_vec3 x[11];
        assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 0), x), CDG_OK);
        at[0] = x[5];
        at[1] = world->bodies[0].now.x;
        at[2] = (cdg_vec3){0, 0, world->solids[0]->solid.x[2][0]};
    }
    for (int k = 0; k < 3; k++) { // 9.81 m/s^2 for 10 ms: 98 um a step, the same in the next
        assert_true(fabs(before[k].z - after[k].z - 9.81e-5) < 1e-5);
        assert_true(fabs((before[k].z - after[k].z) - (after[k].z - later[k].z)) < 5e-6); // g h^2: 9.8e-6
    }
    cdg_world_destroy(world);
}

// The step serves all of them.
static void a_stiffer_change_shortens_the_step(void **state) {
    (void)state;
    cdg_world *plain = world_of(FULL),
              *stiffer = world_of(FULL "changes: [{at: 10 ms, set: 'materials.m.young_modulus=100 MPa'}]\n");
    cdg_step_advice one = cdg_world_advice(plain), two = cdg_world_advice(stiffer);
    assert_true(two.step < 0.5 * one.step);
    assert_non_null(strstr(two.reason, "after the change at 0.01 s"));
    cdg_world_destroy(plain);
    cdg_world_destroy(stiffer);
}

// ---- cuts and changes -----------------------------------------------------------------------------------------------

#define CUT                                                                                                            \
    "cordage: 1\n"                                                                                                     \
    "simulation: {duration: 40 ms, step: 1 ms, pobd: {solver: direct}}\n"                                              \
    "contact: {friction: 0.3}\n"                                                                                       \
    "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 5 ms}}\n"                       \
    "rods:\n"                                                                                                          \
    "  - {name: a, material: m, section: {circle: {radius: 5 mm}}, elements: 9,\n"                                     \
    "     centerline: {line: {from: [0, 0, 0.2], to: [0, 0, 0]}}}\n"                                                   \
    "  - {name: b, material: m, section: {circle: {radius: 5 mm}}, elements: 8,\n"                                     \
    "     centerline: {line: {from: [0.1, -0.1, 0.011], to: [0.1, 0.1, 0.011]}}}\n"                                    \
    "  - {name: c, material: m, section: {circle: {radius: 4 mm}}, elements: 10,\n"                                    \
    "     centerline: {line: {from: [0.05, 0, 0.0205], to: [0.3, 0, 0.0205]}}}\n"                                      \
    "bodies: [{name: bob, shape: {sphere: {radius: 2 cm}}, mass: 50 g, position: [0, 0, -0.02]}]\n"                    \
    "joints: [{weld: [a.end, bob]}]\n"                                                                                 \
    "supports: [{clamp: a.start}, {pin: c.end}]\n"                                                                     \
    "loads: [{force: [0, 0.2 N, 0], at: c.node(3)}]\n"                                                                 \
    "obstacles: [{box: {size: [20 cm, 40 cm, 1 cm]}, position: [0.2, 0, 0]}]\n"                                        \
    "cuts: [{cut: b.node(3), at: 8 ms}, {cut: c.node(5), at: 22 ms}, {cut: c.node(7), at: 34 ms}]\n"

// All that moves; how many numbers.
static size_t list_state(const cdg_world *world, double *out) {
    size_t count = 0;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_id id = cdg_world_rod_at(world, i);
        cdg_rod_info info;
        cdg_vec3 x[16];
        assert_int_equal(cdg_rod_get_info(world, id, &info), CDG_OK);
        assert_int_equal(cdg_rod_positions(world, id, x), CDG_OK);
        for (size_t n = 0; n < info.node_count; n++, count += 3)
            out[count] = x[n].x, out[count + 1] = x[n].y, out[count + 2] = x[n].z;
    }
    cdg_vec3 bob = world->bodies[0].now.x, speed = world->bodies[0].now.v;
    double last[] = {bob.x, bob.y, bob.z, speed.x, speed.y, speed.z, world->time};
    memcpy(out + count, last, sizeof last);
    return count + sizeof last / sizeof *last;
}

enum { CUT_STEPS = 40, CUT_NUMBERS = 200 };

static void take_step(cdg_world *world) {
    if (cdg_world_step(world, NULL) != CDG_OK) fail_msg("%s", cdg_world_message(world));
}

// A change of nothing changes nothing, whatever was cut before it and is cut after it; and a snapshot of any moment
// goes on from there in a world that is at any other.
static void cuts_and_changes_agree(void **state) {
    (void)state;
    static double expected[CUT_STEPS + 1][CUT_NUMBERS], found[CUT_NUMBERS];
    size_t counts[CUT_STEPS + 1];
    cdg_world *plain = world_of(CUT);
    cdg_world *world = world_of(CUT "changes: [{at: 4 ms, set: 'simulation.gravity=[0, 0, -9.81]'},"
                                    " {at: 15 ms, set: 'simulation.gravity=[0, 0, -9.81]'},"
                                    " {at: 30 ms, set: 'simulation.gravity=[0, 0, -9.81]'}]\n");
    size_t size = cdg_world_snapshot_size(world);
    double *snapshots = calloc((CUT_STEPS + 1) * size, sizeof *snapshots);
    assert_non_null(snapshots);
    for (int i = 0; i <= CUT_STEPS; i++) {
        counts[i] = list_state(plain, expected[i]);
        assert_int_equal(list_state(world, found), counts[i]);
        assert_memory_equal(found, expected[i], counts[i] * sizeof *found);
        assert_int_equal(cdg_world_snapshot_size(world), size);
        assert_int_equal(cdg_world_snapshot_save(world, snapshots + (size_t)i * size), CDG_OK);
        if (i < CUT_STEPS) take_step(plain), take_step(world);
    }
    static const int order[][2] = {{2, 12}, {36, 40}, {6, 10}, {25, 31}, {13, 24}, {0, 40}, {20, 23}};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        int from = order[k][0], to = order[k][1];
        if (cdg_world_snapshot_load(world, snapshots + (size_t)from * size) != CDG_OK)
            fail_msg("%s", cdg_world_message(world));
        for (int i = from; i <= to; i++) {
            assert_int_equal(list_state(world, found), counts[i]);
            assert_memory_equal(found, expected[i], counts[i] * sizeof *found);
            if (i < to) take_step(world);
        }
    }
    free(snapshots);
    cdg_world_destroy(plain);
    cdg_world_destroy(world);
}

static void order_is_checked(void **state) {
    (void)state;
    cdg_world *world = world_of(FULL);
    assert_int_equal(cdg_world_plan_change(world, 0.02, world_of(FULL)), CDG_OK);
    assert_int_equal(cdg_world_plan_change(world, 0.01, world_of(FULL)), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_plan_change(world, NAN, world_of(FULL)), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_decide), cmocka_unit_test(all_kinds_go_on),
                                       cmocka_unit_test(a_stiffer_change_shortens_the_step),
                                       cmocka_unit_test(cuts_and_changes_agree), cmocka_unit_test(order_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
