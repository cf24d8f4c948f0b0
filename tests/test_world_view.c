// Views of the state without a copy, and fields by their names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "near.h"
#include "world/world.h"

#include <cordage/control.h>

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 10 };

// In every model, and after any number of steps (states swap their memory), a view has the numbers of a copy.
static void views_have_the_numbers_of_copies(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_world *world = contact_world(vec3(0, 1, -10), 1e-3, 0, 1);
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
        def.model = (cdg_model)model;
        cdg_rod_id rod = contact_add(world, &def);
        must(world,
             cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}}, NULL));
        for (int i = 0; i < 5; i++) {
            cdg_vec3 x[ELEMENTS + 1], w[ELEMENTS];
            cdg_quat q[ELEMENTS];
            cdg_state_view view;
            must(world, cdg_rod_positions(world, rod, x));
            must(world, cdg_rod_frames(world, rod, q));
            must(world, cdg_rod_angular_velocities(world, rod, w));
            must(world, cdg_rod_view(world, rod, CDG_STATE_POSITIONS, &view));
            assert_int_equal(view.count, ELEMENTS + 1);
            assert_ptr_equal(view.data, cdg_world_get_rod(world, rod)->x[0]);
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + 2 * view.component_stride], x[k].z, 0);
            must(world, cdg_rod_view(world, rod, CDG_STATE_FRAMES, &view));
            assert_int_equal(view.components, 4);
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + 3 * view.component_stride], q[k].z, 0);
            must(world, cdg_rod_view(world, rod, CDG_STATE_ANGULAR_VELOCITIES, &view));
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + view.component_stride], w[k].y, 0);
            contact_run(world, 1);
        }
        cdg_world_destroy(world);
    }
}

static void fields_are_found_by_name(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -10), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    double out[4 * (ELEMENTS + 1)];
    for (size_t i = 0; i < cdg_field_shape_count(); i++) {
        cdg_field_shape shape;
        assert_int_equal(cdg_field_shape_at(i, &shape), CDG_OK);
        must(world, cdg_rod_measure_field(world, rod, shape.name, out, sizeof out / sizeof *out));
        size_t needed = shape.components * (ELEMENTS + (shape.is_per_element ? 0 : 1));
        assert_int_equal(cdg_rod_measure_field(world, rod, shape.name, out, needed - 1), CDG_ERROR_ARGUMENT);
        must(world, cdg_rod_measure_field(world, rod, shape.name, out, needed));
    }
    assert_int_equal(cdg_rod_measure_field(world, rod, "colour", out, 1), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "colour"));
    cdg_world_destroy(world);
}

static void a_support_says_where_it_holds(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_id pin;
    must(world, cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = {.rod = rod}}, &pin));
    cdg_vec3 position, target = {0, 0, 1e-4};
    cdg_quat frame;
    must(world, cdg_support_set_pose(world, pin, &target, NULL));
    must(world, cdg_support_get_pose(world, pin, &position, &frame));
    assert_vec3_near(position, vec3(0, 0, 0), 0); // it goes there in the next step
    contact_run(world, 1);
    must(world, cdg_support_get_pose(world, pin, &position, &frame));
    assert_vec3_near(position, target, 1e-15);
    must(world, cdg_world_remove_support(world, pin));
    assert_int_equal(cdg_support_get_pose(world, pin, &position, &frame), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

// A world is steered, goes back to a snapshot with all that was set put back, and is steered in the same way again: the
// same bits, whatever was done in between.
static void what_was_set_by_hand_can_be_put_back(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_world *world = contact_world(vec3(0, 0, -10), 1e-3, 0.2, 1);
        cdg_obstacle_def plate = cdg_obstacle_def_default();
        cdg_obstacle_id floor;
        plate.shape.position = vec3(0, 0, -6e-3);
        must(world, cdg_world_add_obstacle(world, &plate, &floor));
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
        def.model = (cdg_model)model;
        def.material.damping_bend = def.material.damping_stretch = 5e-3;
        cdg_rod_id rod = contact_add(world, &def);
        cdg_support_id clamp;
        must(world, cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}},
                                          &clamp));
        cdg_vec3 forces[ELEMENTS + 1], torques[ELEMENTS], ends[2][ELEMENTS + 1], at, place;
        cdg_quat frame, orientation;
        double *snapshot = NULL;
        for (size_t i = 0; i <= ELEMENTS; i++) forces[i] = vec3(0, 1e-3, 0);
        for (int i = 1; i <= 10; i++) {
            cdg_vec3 to = vec3(0, 0, 1e-5 * i), down = vec3(0, 0, -6e-3 - 1e-6 * i);
            must(world, cdg_support_set_pose(world, clamp, &to, NULL));
            must(world, cdg_obstacle_set_pose(world, floor, &down, NULL));
            must(world, cdg_rod_set_forces(world, rod, forces, NULL));
            contact_run(world, 1);
        }
        snapshot = malloc(cdg_world_snapshot_size(world) * sizeof *snapshot);
        must(world, cdg_world_snapshot_save(world, snapshot));
        must(world, cdg_support_get_pose(world, clamp, &at, &frame));
        must(world, cdg_obstacle_get_pose(world, floor, &place, &orientation));
        must(world, cdg_rod_get_forces(world, rod, forces, torques));
        assert_vec3_near(forces[3], vec3(0, 1e-3, 0), 0);
        assert_vec3_near(cdg_world_gravity(world), vec3(0, 0, -10), 0);
        for (int again = 0; again < 2; again++) {
            if (again) {
                must(world, cdg_support_put(world, clamp, at, frame));
                must(world, cdg_obstacle_put(world, floor, place, orientation));
                must(world, cdg_rod_set_forces(world, rod, forces, torques));
                must(world, cdg_world_snapshot_load(world, snapshot));
            }
            for (int i = 1; i <= 10; i++) {
                cdg_vec3 to = vec3(0, 1e-5 * i, at.z);
                must(world, cdg_support_set_pose(world, clamp, &to, NULL));
                contact_run(world, 1);
            }
            must(world, cdg_rod_positions(world, rod, ends[again]));
            must(world, cdg_rod_set_forces(world, rod, NULL, NULL));
            contact_run(world, 3); // somewhere else altogether
        }
        for (size_t i = 0; i <= ELEMENTS; i++) assert_vec3_near(ends[0][i], ends[1][i], 1e-12);
        free(snapshot);
        cdg_world_destroy(world);
    }
}

static void supports_can_be_listed(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_id pin;
    cdg_support_info info;
    must(world, cdg_world_add_support(
                    world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = {.rod = rod, .index = 3}}, &pin));
    assert_int_equal(cdg_world_support_count(world), 1);
    must(world, cdg_support_get_info(world, cdg_world_support_at(world, 0), &info));
    assert_int_equal(info.kind, CDG_SUPPORT_PIN);
    assert_int_equal(info.place.index, 3);
    assert_false(info.is_moving);
    must(world, cdg_world_remove_support(world, pin));
    assert_int_equal(cdg_world_support_at(world, 0).index1, 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_have_the_numbers_of_copies), cmocka_unit_test(fields_are_found_by_name),
        cmocka_unit_test(a_support_says_where_it_holds),    cmocka_unit_test(what_was_set_by_hand_can_be_put_back),
        cmocka_unit_test(supports_can_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
