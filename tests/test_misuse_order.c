// Public functions called in an order that no sound program has: handles of what was removed, also when something new
// has taken its place; removing twice, or what others still need; states that no rod can have; snapshots of another
// world. None may crash, and what can fail says why. tests/test_misuse.c has arguments that are bad in themselves.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/cordage.h>

static size_t misuses; // tried in all tests

#define STALE(call)                                                                                                    \
    do {                                                                                                               \
        misuses++;                                                                                                     \
        cdg_result gave = (call);                                                                                      \
        if (gave != CDG_ERROR_STALE) fail_msg("line %d: %s gave '%s'", __LINE__, #call, cdg_result_text(gave));        \
    } while (0)
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        misuses++;                                                                                                     \
        if ((call) == CDG_OK) fail_msg("line %d: %s was accepted", __LINE__, #call);                                   \
    } while (0)
#define GOOD(call) assert_int_equal((call), CDG_OK)

static cdg_world *world_of(cdg_model model, cdg_rod_id *rod) {
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    cdg_world *world;
    GOOD(cdg_world_create(&def, &world, NULL));
    cdg_rod_def of = cdg_rod_def_default();
    of.model = model;
    of.name = "rod";
    of.element_count = 6;
    GOOD(cdg_world_add_rod(world, &of, rod));
    return world;
}

static void every_call_of_a_rod(cdg_world *world, cdg_rod_id rod) {
    cdg_vec3 vectors[20];
    cdg_quat frames[20];
    double numbers[CDG_PROBE_COLUMNS_MAX + 20];
    size_t count;
    cdg_place place = {rod, CDG_PLACE_NODE, 0};
    STALE(cdg_world_remove_rod(world, rod));
    STALE(cdg_rod_get_info(world, rod, &(cdg_rod_info){0}));
    STALE(cdg_rod_positions(world, rod, vectors));
    STALE(cdg_rod_velocities(world, rod, vectors));
    STALE(cdg_rod_frames(world, rod, frames));
    STALE(cdg_rod_angular_velocities(world, rod, vectors));
    STALE(cdg_rod_forces(world, rod, vectors));
    STALE(cdg_rod_moments(world, rod, vectors));
    STALE(cdg_rod_radii(world, rod, numbers));
    STALE(cdg_rod_sections(world, rod, &(cdg_section){0}));
    STALE(cdg_rod_arc_lengths(world, rod, numbers));
    STALE(cdg_rod_levels(world, rod, (uint8_t[20]){0}));
    STALE(cdg_rod_view(world, rod, CDG_STATE_POSITIONS, &(cdg_state_view){0}));
    STALE(cdg_rod_measure_field(world, rod, "curvature", numbers, 20));
    STALE(cdg_rod_set_state(world, rod, NULL, NULL, NULL, NULL));
    STALE(cdg_rod_set_forces(world, rod, vectors, NULL));
    STALE(cdg_rod_get_forces(world, rod, vectors, vectors + 10));
    STALE(cdg_rod_set_rest_curvature(world, rod, vectors));
    STALE(cdg_rod_rest_curvature(world, rod, vectors));
    STALE(cdg_rod_set_rest_length(world, rod, 1));
    STALE(cdg_rod_find_modes(world, rod, 1, numbers, NULL));
    STALE(cdg_rod_energy(world, rod, &(cdg_energy){0}));
    STALE(cdg_rod_contact_force(world, rod, vectors, &count));
    STALE(cdg_rod_cut(world, place, &(cdg_cut_report){0}));
    STALE(cdg_rod_set_user_data(world, rod, vectors));
    STALE(cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = place}, NULL));
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE, load.place = place;
    STALE(cdg_world_add_load(world, &load, NULL));
    cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = place};
    STALE(cdg_world_measure(world, &probe, numbers));
    cdg_grip_def grip = cdg_grip_def_default();
    grip.place.rod = rod;
    STALE(cdg_world_add_grip(world, &grip, &(cdg_grip_id){0}));
    misuses += 2;
    assert_int_equal(cdg_rod_node_capacity(world, rod), 0);
    assert_null(cdg_rod_user_data(world, rod));
}

static void test_rods_that_were_removed(void **state) {
    (void)state;
    for (int model = 0; model < 5; model++) {
        cdg_rod_id old, fresh;
        cdg_world *world = world_of((cdg_model)model, &old);
        GOOD(cdg_world_remove_rod(world, old));
        every_call_of_a_rod(world, old);
        cdg_rod_def def = cdg_rod_def_default(); // takes its place
        def.name = "another";
        GOOD(cdg_world_add_rod(world, &def, &fresh));
        every_call_of_a_rod(world, old);
        GOOD(cdg_world_step(world, NULL));
        every_call_of_a_rod(world, old);
        cdg_world_destroy(world);
    }
}

static void test_supports_and_loads_that_were_removed(void **state) {
    (void)state;
    cdg_rod_id rod;
    cdg_world *world = world_of(CDG_MODEL_POBD, &rod);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {rod, CDG_PLACE_NODE, 0}};
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE, load.place = pin.place;
    cdg_vec3 force, moment;
    cdg_quat frame;
    for (int round = 0; round < 3; round++) { // the places are taken again
        cdg_support_id support, other;
        cdg_load_id weight, heavier;
        GOOD(cdg_world_add_support(world, &pin, &support));
        GOOD(cdg_world_add_load(world, &load, &weight));
        if (round == 1) GOOD(cdg_world_step(world, NULL));
        GOOD(cdg_world_remove_support(world, support));
        GOOD(cdg_world_remove_load(world, weight));
        if (round == 2) {
            GOOD(cdg_world_add_support(world, &pin, &other));
            GOOD(cdg_world_add_load(world, &load, &heavier));
        }
        STALE(cdg_world_remove_support(world, support));
        STALE(cdg_support_reaction(world, support, &force, &moment));
        STALE(cdg_support_set_pose(world, support, &force, NULL));
        STALE(cdg_support_get_pose(world, support, &force, &frame));
        STALE(cdg_support_get_info(world, support, &(cdg_support_info){0}));
        STALE(cdg_support_put(world, support, (cdg_vec3){0, 0, 0}, (cdg_quat){1, 0, 0, 0}));
        STALE(cdg_support_set_user_data(world, support, &force));
        STALE(cdg_world_remove_load(world, weight));
        STALE(cdg_load_change(world, weight, &load));
        STALE(cdg_load_set_user_data(world, weight, &force));
        GOOD(cdg_world_step(world, NULL));
    }
    cdg_world_destroy(world);
}

static void test_bodies_and_obstacles_that_were_removed(void **state) {
    (void)state;
    cdg_rod_id rod;
    cdg_world *world = world_of(CDG_MODEL_DER, &rod);
    cdg_vec3 vector = {0, 0, 0}, other;
    cdg_quat turn = {1, 0, 0, 0};
    for (int round = 0; round < 2; round++) {
        cdg_body_def sphere = cdg_body_def_default();
        sphere.shape.position = (cdg_vec3){0, 5, 5};
        cdg_body_id body, next_body;
        cdg_obstacle_def plane = cdg_obstacle_def_default();
        plane.shape.position = (cdg_vec3){0, 0, -9};
        cdg_obstacle_id obstacle, next_obstacle;
        cdg_weld_id weld;
        GOOD(cdg_world_add_body(world, &sphere, &body));
        GOOD(cdg_world_add_obstacle(world, &plane, &obstacle));
        cdg_weld_def welded = {.place = {rod, CDG_PLACE_NODE, 6}, .body = body};
        GOOD(cdg_world_add_weld(world, &welded, &weld));
        misuses++;
        (void)cdg_world_remove_body(world, body); // while it is welded: refused, or its weld goes with it
        (void)cdg_world_remove_weld(world, weld);
        (void)cdg_world_remove_body(world, body);
        GOOD(cdg_world_remove_obstacle(world, obstacle));
        if (round == 1) GOOD(cdg_world_add_body(world, &sphere, &next_body));
        if (round == 1) GOOD(cdg_world_add_obstacle(world, &plane, &next_obstacle));
        STALE(cdg_world_remove_weld(world, weld));
        STALE(cdg_weld_reaction(world, weld, &vector, &other));
        STALE(cdg_weld_set_user_data(world, weld, &vector));
        STALE(cdg_world_remove_body(world, body));
        STALE(cdg_body_get_info(world, body, &(cdg_body_info){0}));
        STALE(cdg_body_get_state(world, body, &(cdg_body_state){0}));
        STALE(cdg_body_set_state(world, body, &(cdg_body_state){.orientation = turn}));
        STALE(cdg_body_set_friction(world, body, 0.5));
        STALE(cdg_body_energy(world, body, &vector.x, &vector.y));
        STALE(cdg_body_set_user_data(world, body, &vector));
        STALE(cdg_world_add_weld(world, &welded, &weld));
        STALE(cdg_world_remove_obstacle(world, obstacle));
        STALE(cdg_obstacle_get_info(world, obstacle, &(cdg_obstacle_info){0}));
        STALE(cdg_obstacle_get_pose(world, obstacle, &vector, &turn));
        STALE(cdg_obstacle_set_pose(world, obstacle, &vector, NULL));
        STALE(cdg_obstacle_put(world, obstacle, vector, turn));
        STALE(cdg_obstacle_set_friction(world, obstacle, 0.5));
        STALE(cdg_obstacle_set_user_data(world, obstacle, &vector));
        GOOD(cdg_world_step(world, NULL));
    }
    cdg_world_destroy(world);
}

static void test_joints_and_grips_that_were_removed(void **state) {
    (void)state;
    cdg_rod_id rod, second;
    cdg_world *world = world_of(CDG_MODEL_DER, &rod);
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.name = "second", def.element_count = 6;
    def.centerline.line.from = (cdg_vec3){0, 0, 0}, def.centerline.line.to = (cdg_vec3){0, 1, 0};
    GOOD(cdg_world_add_rod(world, &def, &second));
    cdg_place places[2] = {{rod, CDG_PLACE_NODE, 0}, {second, CDG_PLACE_NODE, 0}};
    cdg_joint_def joint_def = cdg_joint_def_default();
    joint_def.places = places, joint_def.place_count = 2;
    cdg_joint_id joint;
    cdg_grip_def hold = cdg_grip_def_default();
    hold.place.rod = rod, hold.place.index = 3, hold.target = (cdg_vec3){0.5, 0, 0.1};
    cdg_grip_id grip;
    cdg_vec3 point, force;
    for (int round = 0; round < 2; round++) {
        GOOD(cdg_world_add_joint(world, &joint_def, &joint));
        GOOD(cdg_world_add_grip(world, &hold, &grip));
        if (round == 1) GOOD(cdg_world_step(world, NULL));
        GOOD(cdg_world_remove_joint(world, joint));
        GOOD(cdg_world_remove_grip(world, grip));
        STALE(cdg_world_remove_joint(world, joint));
        STALE(cdg_joint_set_user_data(world, joint, &point));
        STALE(cdg_world_remove_grip(world, grip));
        STALE(cdg_grip_move(world, grip, &force));
        STALE(cdg_grip_twist(world, grip, 1));
        STALE(cdg_grip_get(world, grip, &point, &force));
        STALE(cdg_grip_set_user_data(world, grip, &point));
    }
    GOOD(cdg_world_add_joint(world, &joint_def, &joint));
    REFUSED(cdg_world_remove_rod(world, second)); // while it is joined
    GOOD(cdg_world_remove_joint(world, joint));
    GOOD(cdg_world_remove_rod(world, second));
    STALE(cdg_world_add_joint(world, &joint_def, &joint));
    GOOD(cdg_world_step(world, NULL));
    cdg_world_destroy(world);
}

// A snapshot tells which world it is of; what is no snapshot is refused; nothing of the world is changed.
static void test_snapshots_of_other_worlds(void **state) {
    (void)state;
    for (int model = 0; model < 5; model++) {
        cdg_rod_id rod, other_rod;
        cdg_world *world = world_of((cdg_model)model, &rod),
                  *other = world_of((cdg_model)((model + 1) % 5), &other_rod);
        cdg_rod_def more = cdg_rod_def_default();
        more.name = "more";
        more.centerline.line.from.y = more.centerline.line.to.y = 1; // beside the other rod, which it could touch
        GOOD(cdg_world_add_rod(other, &more, NULL));
        size_t size = cdg_world_snapshot_size(world), large = cdg_world_snapshot_size(other);
        double *mine = calloc(size + large, sizeof(double)), *theirs = calloc(size + large, sizeof(double));
        REFUSED(cdg_world_snapshot_load(world, mine)); // nothing but zeros
        REFUSED(cdg_world_snapshot_check(world, mine));
        GOOD(cdg_world_snapshot_save(world, mine));
        GOOD(cdg_world_snapshot_save(other, theirs));
        REFUSED(cdg_world_snapshot_load(world, theirs));
        REFUSED(cdg_world_snapshot_load(other, mine));
        REFUSED(cdg_world_snapshot_check(world, theirs));
        REFUSED(cdg_world_snapshot_check(other, mine));
        GOOD(cdg_world_add_rod(world, &more, NULL)); // no longer the world that it was
        REFUSED(cdg_world_snapshot_load(world, mine));
        GOOD(cdg_world_step(world, NULL));
        free(mine), free(theirs);
        cdg_world_destroy(world), cdg_world_destroy(other);
    }
}

// What was refused leaves a world that goes on.
static void test_worlds_go_on(void **state) {
    (void)state;
    cdg_rod_id rod;
    cdg_world *world = world_of(CDG_MODEL_POBD, &rod);
    REFUSED(cdg_world_set_step_size(world, NAN));
    REFUSED(cdg_world_set_step_size(world, -1));
    REFUSED(cdg_rod_set_state(world, rod, (cdg_vec3[7]){{NAN, 0, 0}}, NULL, NULL, NULL));
    REFUSED(cdg_world_follow_path(world, &(cdg_path_def){0}, &(cdg_path_report){0}));
    REFUSED(cdg_world_contact_at(world, 0, &(cdg_contact_info){0}));                        // there has been no step
    REFUSED(cdg_rod_cut(world, (cdg_place){rod, CDG_PLACE_NODE, 0}, &(cdg_cut_report){0})); // an end
    REFUSED(cdg_rod_cut(world, (cdg_place){rod, CDG_PLACE_NODE, 6}, &(cdg_cut_report){0})); // the other
    REFUSED(cdg_world_plan_cut(world, (cdg_place){rod, CDG_PLACE_NODE, 3}, NAN));
    GOOD(cdg_world_step(world, NULL));
    cdg_vec3 far[7];
    for (int i = 0; i < 7; i++) far[i] = (cdg_vec3){1e300 * i, -1e300 * i, 1e300};
    misuses++;
    if (cdg_rod_set_state(world, rod, far, NULL, NULL, NULL) == CDG_OK) REFUSED(cdg_world_step(world, NULL));
    for (int i = 0; i < 7; i++) far[i] = (cdg_vec3){i / 6.0, 0, 0};
    GOOD(cdg_rod_set_state(world, rod, far, NULL, NULL, NULL));
    GOOD(cdg_world_step(world, NULL));
    cdg_world_destroy(world);
}

static void test_enough(void **state) {
    (void)state;
    print_message("%zu misuses by order\n", misuses);
    assert_true(misuses >= 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rods_that_were_removed),
        cmocka_unit_test(test_supports_and_loads_that_were_removed),
        cmocka_unit_test(test_bodies_and_obstacles_that_were_removed),
        cmocka_unit_test(test_joints_and_grips_that_were_removed),
        cmocka_unit_test(test_snapshots_of_other_worlds),
        cmocka_unit_test(test_worlds_go_on),
        cmocka_unit_test(test_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
