// Worlds that are steered between steps: each change does what a scene that had it from the start would do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "near.h"
#include "world/world.h"

#include <string.h>

static const double h = 1e-3;
enum { ELEMENTS = 10 };

static const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE, CDG_MODEL_REFERENCE,
                                   CDG_MODEL_GALPHA};
enum { MODELS = sizeof models / sizeof *models };

static cdg_rod_id add_rod(cdg_world *world, cdg_model model) {
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    def.model = model;
    return contact_add(world, &def);
}

static cdg_vec3 momentum_of(const cdg_world *world) {
    cdg_vec3 linear, angular;
    cdg_world_momentum(world, &linear, &angular);
    return linear;
}

// A force of one's own gives its impulse, and stops when it is taken away.
static void own_forces_act_while_they_are_set(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
        cdg_rod_id rod = add_rod(world, models[m]);
        cdg_vec3 forces[ELEMENTS + 1];
        for (size_t i = 0; i <= ELEMENTS; i++) forces[i] = vec3(0, 0, 0.01);
        must(world, cdg_rod_set_forces(world, rod, forces, NULL));
        contact_run(world, 20);
        // what has a memory takes in a little more of a new force, and gives it back when that ends
        assert_near(momentum_of(world).z, 0.01 * (ELEMENTS + 1) * 20 * h, 1e-4);
        must(world, cdg_rod_set_forces(world, rod, NULL, NULL));
        contact_run(world, 30);
        assert_near(momentum_of(world).z, 0.01 * (ELEMENTS + 1) * 20 * h, models[m] == CDG_MODEL_GALPHA ? 1e-6 : 1e-9);
        forces[3].y = NAN;
        assert_int_equal(cdg_rod_set_forces(world, rod, forces, NULL), CDG_ERROR_ARGUMENT);
        cdg_world_destroy(world);
    }
}

// A torque about the rod's axis, given in world axes, is carried by a clamp at the other end.
static void own_torques_twist(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0, 0.2, 0), 5e-3, ELEMENTS);
    def.model = CDG_MODEL_DER;
    def.material.damping_bend = def.material.damping_twist = 0.02;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_id clamp;
    must(world,
         cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}}, &clamp));
    cdg_vec3 torques[ELEMENTS] = {0};
    torques[ELEMENTS - 1] = vec3(0, 1e-4, 0);
    must(world, cdg_rod_set_forces(world, rod, NULL, torques));
    contact_run(world, 1000);
    cdg_vec3 force, moment;
    must(world, cdg_support_reaction(world, clamp, &force, &moment));
    assert_vec3_near(moment, vec3(0, -1e-4, 0), 1e-6);
    cdg_world_destroy(world);
}

// Step by step by hand, or by one motion: the same rod.
static void a_driven_support_is_a_moving_one(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cdg_vec3 ends[2][ELEMENTS + 1];
        double work[2];
        for (int by_hand = 0; by_hand < 2; by_hand++) {
            cdg_world *world = contact_world(vec3(0, 0, 0), h, 0, 1);
            cdg_rod_id rod = add_rod(world, models[m]);
            cdg_motion motions[2] = {
                {.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.01}, .to = 50 * h},
                {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 0.5, .to = 50 * h},
            };
            cdg_support_def def = {
                .kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}, .motions = motions, .motion_count = by_hand ? 0 : 2};
            cdg_support_id clamp;
            must(world, cdg_world_add_support(world, &def, &clamp));
            cdg_quat start;
            cdg_vec3 place;
            cdg_support_pose(&world->supports[clamp.index1 - 1], 0, &place, &start);
            for (int i = 1; i <= 50; i++) {
                cdg_vec3 at = vec3(0, 0, 0.01 * i / 50);
                cdg_quat turned = quat_multiply(quat_from_axis_angle(vec3(1, 0, 0), 0.5 * i / 50), start);
                if (by_hand) must(world, cdg_support_set_pose(world, clamp, &at, &turned));
                must(world, cdg_world_step(world, NULL));
            }
            must(world, cdg_rod_positions(world, rod, ends[by_hand]));
            work[by_hand] = world->external_work;
            cdg_world_destroy(world);
        }
        for (size_t i = 0; i <= ELEMENTS; i++) assert_vec3_near(ends[1][i], ends[0][i], 1e-9);
        assert_near(work[1], work[0], 1e-6 * work[0]);
    }
}

static void supports_and_loads_can_be_removed(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -10), h, 0, 1);
    cdg_rod_id rod = add_rod(world, CDG_MODEL_POBD);
    cdg_support_id pins[2];
    cdg_load_id loads[3];
    for (size_t k = 0; k < 2; k++)
        must(world,
             cdg_world_add_support(
                 world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = {.rod = rod, .index = k * ELEMENTS}},
                 &pins[k]));
    for (size_t k = 0; k < 3; k++) {
        cdg_load_def def = cdg_load_def_default();
        def.place.rod = k == 2 ? (cdg_rod_id){0} : rod;
        def.kind = CDG_LOAD_LINE;
        def.value = vec3(0, 1 + (double)k, 0);
        must(world, cdg_world_add_load(world, &def, &loads[k]));
    }
    contact_run(world, 10);
    for (size_t k = 0; k < 3; k++) must(world, cdg_world_remove_load(world, loads[(k + 1) % 3]));
    for (size_t k = 0; k < 2; k++) must(world, cdg_world_remove_support(world, pins[k]));
    for (size_t k = 0; k < 3; k++) assert_int_equal(cdg_world_remove_load(world, loads[k]), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_remove_support(world, pins[0]), CDG_ERROR_STALE);
    cdg_vec3 force;
    assert_int_equal(cdg_support_reaction(world, pins[0], &force, NULL), CDG_ERROR_STALE);
    assert_int_equal(cdg_support_set_pose(world, pins[1], NULL, NULL), CDG_ERROR_STALE);
    contact_run(world, 40); // what integrators with a memory still take in
    cdg_rod_info info;
    must(world, cdg_rod_get_info(world, rod, &info));
    cdg_vec3 before = momentum_of(world);
    contact_run(world, 50);
    cdg_vec3 change = vec3_sub(momentum_of(world), before);
    assert_vec3_near(change, vec3(0, 0, -10 * info.mass * 50 * h), 1e-9); // nothing but gravity acts
    cdg_world_destroy(world);
}

static void loads_and_gravity_change(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -10), h, 0, 1);
    cdg_rod_id rod = add_rod(world, CDG_MODEL_CORDE);
    cdg_load_def def = cdg_load_def_default();
    def.place.rod = rod;
    def.place.index = ELEMENTS;
    def.value = vec3(0.1, 0, 0);
    cdg_load_id load;
    must(world, cdg_world_add_load(world, &def, &load));
    contact_run(world, 10);
    double dissipated = cdg_world_energy(world).dissipated;
    must(world, cdg_world_set_gravity(world, vec3(0, 5, 0)));
    assert_near(cdg_world_energy(world).dissipated, dissipated, 1e-12); // the books stay balanced
    def.value = vec3(0, 0, 0.2);
    must(world, cdg_load_change(world, load, &def));
    cdg_rod_info info;
    must(world, cdg_rod_get_info(world, rod, &info));
    cdg_vec3 before = momentum_of(world);
    contact_run(world, 10);
    assert_vec3_near(vec3_sub(momentum_of(world), before), vec3(0, 5 * info.mass * 10 * h, 0.2 * 10 * h), 1e-9);
    def.place.rod = (cdg_rod_id){0};
    def.kind = CDG_LOAD_LINE;
    assert_int_equal(cdg_load_change(world, load, &def), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_set_gravity(world, vec3(0, NAN, 0)), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

// A plate that is lifted by hand takes the rod on it along, however far it goes in a step.
static void driven_obstacles_carry(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -10), h, 0.5, 1);
    cdg_obstacle_def plate = cdg_obstacle_def_default();
    plate.shape.kind = CDG_SHAPE_BOX;
    plate.shape.size = vec3(1, 1, 0.02);
    plate.shape.position = vec3(0, 0, -0.0151);
    cdg_obstacle_id id;
    must(world, cdg_world_add_obstacle(world, &plate, &id));
    cdg_rod_id rod = add_rod(world, CDG_MODEL_POBD);
    contact_run(world, 5);
    cdg_vec3 at = plate.shape.position;
    for (int i = 0; i < 20; i++) {
        at.z += 0.01; // two radii a step
        must(world, cdg_obstacle_set_pose(world, id, &at, NULL));
        must(world, cdg_world_step(world, NULL));
        cdg_vec3 nodes[ELEMENTS + 1];
        must(world, cdg_rod_positions(world, rod, nodes));
        for (size_t k = 0; k <= ELEMENTS; k++) assert_true(nodes[k].z > at.z + 0.015 - 5e-6);
    }
    cdg_vec3 now;
    must(world, cdg_obstacle_get_pose(world, id, &now, NULL));
    assert_vec3_near(now, at, 1e-12);
    assert_int_equal(cdg_obstacle_set_pose(world, id, NULL, &(cdg_quat){0}), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_forces_act_while_they_are_set), cmocka_unit_test(own_torques_twist),
        cmocka_unit_test(a_driven_support_is_a_moving_one),  cmocka_unit_test(supports_and_loads_can_be_removed),
        cmocka_unit_test(loads_and_gravity_change),          cmocka_unit_test(driven_obstacles_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
