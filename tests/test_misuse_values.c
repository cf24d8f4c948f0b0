// Public functions with numbers, kinds and handles that no sound program gives: refused with a sentence, and nothing
// changes. test_misuse.c leaves out what they need.
#include "misuse_case.h"

static void test_worlds(void **state) {
    fixture *f = *state;
    cdg_world_def def = cdg_world_def_default(), bad;
    cdg_world *world = NULL;
    double *const numbers[] = {&bad.gravity.x, &bad.gravity.y, &bad.gravity.z, &bad.step};
    for (size_t k = 0; k < 4; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            bad = def;
            *numbers[k] = bad_numbers[i];
            REFUSED_WITH_ERROR(cdg_world_create(&bad, &world, &f->error));
        }
    const int threads[] = {-1, INT32_MIN, 1000000, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        bad = def;
        bad.thread_count = threads[i];
        REFUSED_WITH_ERROR(cdg_world_create(&bad, &world, &f->error));
    }
    bad = def;
    bad.step = -1;
    REFUSED_WITH_ERROR(cdg_world_create(&bad, &world, &f->error));
    for (int i = 0; i < BAD_NUMBERS; i++) REFUSED_BY_WORLD(cdg_world_set_step_size(f->world, bad_numbers[i]));
    REFUSED_BY_WORLD(cdg_world_set_step_size(f->world, 0));
    REFUSED_BY_WORLD(cdg_world_set_step_size(f->world, -1));
}

static void test_rods(void **state) {
    fixture *f = *state;
    cdg_rod_def def = cdg_rod_def_default(), bad;
    def.name = "other";
    double *const numbers[] = {&bad.velocity.x,     &bad.angular_velocity.y,     &bad.roll,
                               &bad.initial_twist,  &bad.material.young_modulus, &bad.material.density,
                               &bad.section.radius, &bad.centerline.line.to.z,   &bad.pobd.tolerance};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            bad = def;
            *numbers[k] = bad_numbers[i];
            REFUSED_BY_WORLD(cdg_world_add_rod(f->world, &bad, NULL));
        }
    int *const kinds[] = {(int *)&bad.model,          (int *)&bad.section.kind, (int *)&bad.centerline.kind,
                          (int *)&bad.rest.kind,      (int *)&bad.pobd.solver,  (int *)&bad.pobd.integrator,
                          (int *)&bad.pobd.iterations};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int value = -1; value < 100; value += 100) {
            if (value > 0 && k == 6) continue; // 99 iterations are fine
            bad = def;
            *kinds[k] = value;
            REFUSED_BY_WORLD(cdg_world_add_rod(f->world, &bad, NULL));
        }
    const size_t counts[] = {0, SIZE_MAX, SIZE_MAX / 24, (size_t)1 << 40};
    for (size_t i = 0; i < 4; i++) {
        bad = def;
        bad.element_count = counts[i];
        REFUSED_BY_WORLD(cdg_world_add_rod(f->world, &bad, NULL));
    }
    const char *const names[] = {NULL, "", "a b", "rod", "x\ny"};
    for (size_t i = 0; i < 5; i++) {
        bad = def;
        bad.name = names[i];
        REFUSED_BY_WORLD(cdg_world_add_rod(f->world, &bad, NULL));
    }
    bad = def;
    bad.centerline.kind = CDG_CENTERLINE_FILE;
    bad.centerline.file.path = NULL;
    REFUSED_BY_WORLD(cdg_world_add_rod(f->world, &bad, NULL));
}

static void test_handles_of_nothing(void **state) {
    fixture *f = *state;
    const uint32_t pairs[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {7, 7}, {UINT32_MAX, UINT32_MAX}};
    cdg_vec3 vectors[10];
    cdg_quat frames[10];
    double numbers[20];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cdg_rod_id rod = {pairs[i][0], pairs[i][1]};
        cdg_body_id body = {pairs[i][0], pairs[i][1]};
        STALE(cdg_world_remove_rod(f->world, rod));
        STALE(cdg_rod_get_info(f->world, rod, &(cdg_rod_info){0}));
        STALE(cdg_rod_positions(f->world, rod, vectors));
        STALE(cdg_rod_frames(f->world, rod, frames));
        STALE(cdg_rod_set_state(f->world, rod, NULL, NULL, NULL, NULL));
        STALE(cdg_rod_energy(f->world, rod, &(cdg_energy){0}));
        STALE(cdg_rod_find_modes(f->world, rod, 1, numbers, NULL));
        STALE(cdg_rod_contact_force(f->world, rod, vectors, NULL));
        STALE(cdg_support_reaction(f->world, (cdg_support_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        STALE(cdg_support_set_pose(f->world, (cdg_support_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        STALE(cdg_world_remove_support(f->world, (cdg_support_id){pairs[i][0], pairs[i][1]}));
        STALE(cdg_load_change(f->world, (cdg_load_id){pairs[i][0], pairs[i][1]}, &(cdg_load_def){0}));
        STALE(cdg_world_remove_load(f->world, (cdg_load_id){pairs[i][0], pairs[i][1]}));
        STALE(cdg_rod_set_forces(f->world, rod, NULL, NULL));
        STALE(cdg_grip_move(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}, NULL));
        STALE(cdg_grip_twist(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}, 0));
        STALE(cdg_rod_cut(f->world, (cdg_place){.rod = rod, .index = 1}, NULL));
        STALE(cdg_world_plan_cut(f->world, (cdg_place){.rod = rod, .index = 1}, 1));
        STALE(cdg_grip_get(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        STALE(cdg_world_remove_grip(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}));
        STALE(cdg_obstacle_set_pose(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        STALE(cdg_weld_reaction(f->world, (cdg_weld_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        REFUSED(cdg_world_remove_obstacle(NULL, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}));
        REFUSED_BY_WORLD(cdg_world_remove_obstacle(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_world_remove_body(NULL, body));
        REFUSED_BY_WORLD(cdg_world_remove_body(f->world, body));
        REFUSED(cdg_world_remove_weld(NULL, (cdg_weld_id){pairs[i][0], pairs[i][1]}));
        REFUSED_BY_WORLD(cdg_world_remove_weld(f->world, (cdg_weld_id){pairs[i][0], pairs[i][1]}));
        STALE(cdg_solid_contact_force(f->world, (cdg_solid_id){pairs[i][0], pairs[i][1]}, &(cdg_vec3){0}, NULL));
        STALE(cdg_tie_reaction(f->world, (cdg_tie_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        REFUSED(cdg_world_remove_tie(NULL, (cdg_tie_id){pairs[i][0], pairs[i][1]}));
        REFUSED_BY_WORLD(cdg_world_remove_tie(f->world, (cdg_tie_id){pairs[i][0], pairs[i][1]}));
        REFUSED_BY_WORLD(cdg_world_add_tie(f->world, &(cdg_tie_def){{rod, CDG_PLACE_NODE, 0}, {1, 1}, false}, NULL));
        REFUSED_BY_WORLD(cdg_world_add_tie(
            f->world, &(cdg_tie_def){{f->rod, CDG_PLACE_NODE, 0}, {pairs[i][0], pairs[i][1]}, false}, NULL));
        REFUSED(cdg_world_remove_joint(NULL, (cdg_joint_id){pairs[i][0], pairs[i][1]}));
        REFUSED_BY_WORLD(cdg_world_remove_joint(f->world, (cdg_joint_id){pairs[i][0], pairs[i][1]}));
        STALE(cdg_obstacle_get_info(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}, &(cdg_obstacle_info){0}));
        STALE(cdg_obstacle_get_pose(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}, NULL, NULL));
        STALE(cdg_body_get_info(f->world, body, &(cdg_body_info){0}));
        STALE(cdg_body_set_state(f->world, body, &(cdg_body_state){.orientation = {1, 0, 0, 0}}));
        cdg_place place = {rod, CDG_PLACE_NODE, 0};
        REFUSED_BY_WORLD(cdg_world_add_support(f->world, &(cdg_support_def){.place = place}, NULL));
        REFUSED_BY_WORLD(cdg_world_add_weld(f->world, &(cdg_weld_def){place, f->body}, NULL));
        REFUSED_BY_WORLD(cdg_world_add_weld(f->world, &(cdg_weld_def){{f->rod, CDG_PLACE_NODE, 0}, body}, NULL));
        STALE(cdg_world_measure(f->world, &(cdg_probe){.place = place}, numbers));
    }
}

static void test_user_data(void **state) {
    fixture *f = *state;
    REFUSED(cdg_world_set_user_data(NULL, f));
    assert_null(cdg_world_user_data(NULL));
    const uint32_t pairs[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {7, 7}, {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        REFUSED(cdg_rod_set_user_data(NULL, (cdg_rod_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_rod_set_user_data(f->world, (cdg_rod_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_rod_user_data(NULL, (cdg_rod_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_rod_user_data(f->world, (cdg_rod_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_support_set_user_data(NULL, (cdg_support_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_support_set_user_data(f->world, (cdg_support_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_support_user_data(NULL, (cdg_support_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_support_user_data(f->world, (cdg_support_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_load_set_user_data(NULL, (cdg_load_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_load_set_user_data(f->world, (cdg_load_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_load_user_data(NULL, (cdg_load_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_load_user_data(f->world, (cdg_load_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_joint_set_user_data(NULL, (cdg_joint_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_joint_set_user_data(f->world, (cdg_joint_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_joint_user_data(NULL, (cdg_joint_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_joint_user_data(f->world, (cdg_joint_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_obstacle_set_user_data(NULL, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_obstacle_set_user_data(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_obstacle_user_data(NULL, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_obstacle_user_data(f->world, (cdg_obstacle_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_body_set_user_data(NULL, (cdg_body_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_body_set_user_data(f->world, (cdg_body_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_body_user_data(NULL, (cdg_body_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_body_user_data(f->world, (cdg_body_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_weld_set_user_data(NULL, (cdg_weld_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_weld_set_user_data(f->world, (cdg_weld_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_weld_user_data(NULL, (cdg_weld_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_weld_user_data(f->world, (cdg_weld_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_tie_set_user_data(NULL, (cdg_tie_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_tie_set_user_data(f->world, (cdg_tie_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_tie_user_data(NULL, (cdg_tie_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_tie_user_data(f->world, (cdg_tie_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_solid_set_user_data(NULL, (cdg_solid_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_solid_set_user_data(f->world, (cdg_solid_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_solid_user_data(NULL, (cdg_solid_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_solid_user_data(f->world, (cdg_solid_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_solid_support_set_user_data(NULL, (cdg_solid_support_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(
            cdg_solid_support_set_user_data(f->world, (cdg_solid_support_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_solid_support_user_data(NULL, (cdg_solid_support_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_solid_support_user_data(f->world, (cdg_solid_support_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_solid_load_set_user_data(NULL, (cdg_solid_load_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_solid_load_set_user_data(f->world, (cdg_solid_load_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_solid_load_user_data(NULL, (cdg_solid_load_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_solid_load_user_data(f->world, (cdg_solid_load_id){pairs[i][0], pairs[i][1]}));
        REFUSED(cdg_grip_set_user_data(NULL, (cdg_grip_id){pairs[i][0], pairs[i][1]}, NULL));
        REFUSED_BY_WORLD(cdg_grip_set_user_data(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}, NULL));
        assert_null(cdg_grip_user_data(NULL, (cdg_grip_id){pairs[i][0], pairs[i][1]}));
        assert_null(cdg_grip_user_data(f->world, (cdg_grip_id){pairs[i][0], pairs[i][1]}));
        misuses += 22;
    }
}

static void test_supports_loads_and_joints(void **state) {
    fixture *f = *state;
    cdg_support_def support = {.place = {f->rod, CDG_PLACE_NODE, 0}}, bad = support;
    const size_t places[] = {6, 1000, SIZE_MAX};
    cdg_load_def load = cdg_load_def_default(), bad_load;
    load.place = support.place;
    load.kind = CDG_LOAD_FORCE;
    double numbers[CDG_PROBE_COLUMNS_MAX];
    for (size_t i = 0; i < 3; i++) {
        bad.place.index = places[i];
        REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
        bad_load = load;
        bad_load.place.index = places[i];
        REFUSED_BY_WORLD(cdg_world_add_load(f->world, &bad_load, NULL));
        REFUSED_BY_WORLD(cdg_world_add_weld(f->world, &(cdg_weld_def){bad.place, f->body}, NULL));
        for (int kind = 0; kind <= CDG_PROBE_CURVATURE; kind++)
            REFUSED(
                cdg_world_measure(f->world, &(cdg_probe){.kind = (cdg_probe_kind)kind, .place = bad.place}, numbers));
    }
    for (int kind = -1; kind < 100; kind += 100) {
        bad = support;
        bad.kind = (cdg_support_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
        bad = support;
        bad.place.kind = (cdg_place_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
        bad_load = load;
        bad_load.kind = (cdg_load_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_load(f->world, &bad_load, NULL));
        bad_load = load;
        bad_load.place.kind = (cdg_place_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_load(f->world, &bad_load, NULL));
        REFUSED(
            cdg_world_measure(f->world, &(cdg_probe){.kind = (cdg_probe_kind)kind, .place = support.place}, numbers));
    }
    bad = support;
    bad.motion_count = 3;
    REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .angle = 1, .to = 1}; // without an axis
    bad.motions = &motion;
    bad.motion_count = 1;
    REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
    motion = (cdg_motion){.kind = (cdg_motion_kind)9};
    REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
    bad = support;
    bad.release = NAN;
    REFUSED_BY_WORLD(cdg_world_add_support(f->world, &bad, NULL));
    bad_load = load;
    bad_load.keyframe_count = 2;
    REFUSED_BY_WORLD(cdg_world_add_load(f->world, &bad_load, NULL));
    double *const values[] = {&bad_load.value.x, &bad_load.drag_rate, &bad_load.fluid_density, &bad_load.from,
                              &bad_load.ramp};
    for (size_t k = 0; k < 5; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            bad_load = load;
            *values[k] = bad_numbers[i];
            REFUSED_BY_WORLD(cdg_world_add_load(f->world, &bad_load, NULL));
        }
    cdg_joint_def joint = cdg_joint_def_default();
    joint.place_count = 2;
    REFUSED_BY_WORLD(cdg_world_add_joint(f->world, &joint, NULL)); // without places
    cdg_place same[2] = {support.place, support.place};
    joint.places = same;
    joint.place_count = 1;
    REFUSED_BY_WORLD(cdg_world_add_joint(f->world, &joint, NULL));
    cdg_vec3 nodes[6] = {{NAN, 0, 0}};
    REFUSED_BY_WORLD(cdg_rod_set_state(f->world, f->rod, nodes, NULL, NULL, NULL));
    REFUSED_BY_WORLD(cdg_rod_set_state(f->world, f->rod, NULL, NULL, nodes, NULL));
    cdg_quat frames[5] = {{0}};
    REFUSED_BY_WORLD(cdg_rod_set_state(f->world, f->rod, NULL, frames, NULL, NULL));
}

static void test_bodies_obstacles_and_contact(void **state) {
    fixture *f = *state;
    cdg_body_def body = cdg_body_def_default(), bad;
    cdg_obstacle_def obstacle = cdg_obstacle_def_default(), wrong;
    double *const of_body[] = {&bad.shape.radius, &bad.density, &bad.shape.position.x, &bad.velocity.y,
                               &bad.angular_velocity.z};
    for (size_t k = 0; k < 5; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            bad = body;
            *of_body[k] = bad_numbers[i];
            REFUSED_BY_WORLD(cdg_world_add_body(f->world, &bad, NULL));
        }
    for (int kind = -1; kind < 100; kind += 100) {
        bad = body;
        bad.shape.kind = (cdg_shape_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_body(f->world, &bad, NULL));
        wrong = obstacle;
        wrong.shape.kind = (cdg_shape_kind)kind;
        REFUSED_BY_WORLD(cdg_world_add_obstacle(f->world, &wrong, NULL));
    }
    bad = body;
    bad.shape.kind = CDG_SHAPE_MESH;
    bad.shape.mesh.point_count = 4;
    bad.shape.mesh.triangle_count = 4;
    REFUSED_BY_WORLD(cdg_world_add_body(f->world, &bad, NULL));
    bad = body;
    bad.motion_count = 1;
    bad.is_fixed = true;
    REFUSED_BY_WORLD(cdg_world_add_body(f->world, &bad, NULL));
    wrong = obstacle;
    wrong.shape.kind = CDG_SHAPE_MESH;
    wrong.shape.mesh.point_count = 4;
    wrong.shape.mesh.triangle_count = 4;
    REFUSED_BY_WORLD(cdg_world_add_obstacle(f->world, &wrong, NULL));
    wrong = obstacle;
    wrong.shape.orientation = (cdg_quat){0};
    REFUSED_BY_WORLD(cdg_world_add_obstacle(f->world, &wrong, NULL));
    wrong = obstacle;
    wrong.name = "a b";
    REFUSED_BY_WORLD(cdg_world_add_obstacle(f->world, &wrong, NULL));
    cdg_contact_def contact = cdg_contact_def_default(), off;
    double *const of_contact[] = {&off.friction, &off.restitution};
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            off = contact;
            *of_contact[k] = bad_numbers[i];
            REFUSED_BY_WORLD(cdg_world_set_contact(f->world, &off));
        }
    REFUSED(cdg_world_contact_at(f->world, SIZE_MAX, &(cdg_contact_info){0}));
    for (int i = 0; i < BAD_NUMBERS; i++)
        REFUSED_BY_WORLD(cdg_body_set_state(
            f->world, f->body, &(cdg_body_state){.position = {bad_numbers[i], 0, 0}, .orientation = {1, 0, 0, 0}}));
    cdg_path_def path = cdg_path_def_default();
    path.kind = (cdg_path_kind)99;
    misuses++;
    assert_int_not_equal(cdg_world_follow_path(f->world, &path, NULL), CDG_OK);
    assert_int_not_equal(cdg_world_find_equilibrium(f->world, NULL), CDG_OK); // pobd has none
}

static void test_solids(void **state) {
    fixture *f = *state;
    cdg_solid_def solid = cdg_solid_def_default(); // without a mesh
    cdg_solid_id none = {9, 1};
    cdg_solid_support_def support = {.solid = none};
    cdg_solid_load_def load = {.solid = none};
    cdg_solid_info info;
    cdg_solid_view view;
    cdg_solid_state now;
    cdg_vec3 force;
    REFUSED(cdg_world_add_solid(NULL, &solid, NULL));
    REFUSED_BY_WORLD(cdg_world_add_solid(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_solid(f->world, &solid, NULL));
    HARMLESS(cdg_world_solid_count(NULL));
    HARMLESS(cdg_world_solid_at(NULL, 0));
    HARMLESS(cdg_world_solid_at(f->world, 7));
    HARMLESS(cdg_world_find_solid(NULL, "a"));
    HARMLESS(cdg_world_find_solid(f->world, NULL));
    REFUSED(cdg_solid_get_info(NULL, none, &info));
    REFUSED(cdg_solid_get_info(f->world, none, NULL));
    STALE(cdg_solid_get_info(f->world, none, &info));
    REFUSED(cdg_solid_get_view(NULL, none, &view));
    REFUSED(cdg_solid_get_view(f->world, none, NULL));
    STALE(cdg_solid_get_view(f->world, none, &view));
    REFUSED(cdg_solid_get_state(NULL, none, &now));
    REFUSED(cdg_solid_get_state(f->world, none, NULL));
    STALE(cdg_solid_get_state(f->world, none, &now));
    REFUSED(cdg_solid_stress(NULL, none, NULL, NULL));
    STALE(cdg_solid_stress(f->world, none, NULL, NULL));
    double tone = 0;
    REFUSED(cdg_solid_load_set(NULL, (cdg_solid_load_id){0}, (cdg_vec3){0}, 0));
    STALE(cdg_solid_load_set(f->world, (cdg_solid_load_id){0}, (cdg_vec3){0}, 0));
    REFUSED(cdg_solid_set_forces(NULL, none, NULL));
    STALE(cdg_solid_set_forces(f->world, none, NULL));
    REFUSED(cdg_solid_find_modes(NULL, none, 1, &tone, NULL));
    REFUSED(cdg_solid_find_modes(f->world, none, 1, NULL, NULL));
    STALE(cdg_solid_find_modes(f->world, none, 1, &tone, NULL));
    REFUSED(cdg_world_add_solid_support(NULL, &support, NULL));
    REFUSED_BY_WORLD(cdg_world_add_solid_support(f->world, NULL, NULL));
    STALE(cdg_world_add_solid_support(f->world, &support, NULL));
    REFUSED(cdg_world_add_solid_load(NULL, &load, NULL));
    REFUSED_BY_WORLD(cdg_world_add_solid_load(f->world, NULL, NULL));
    STALE(cdg_world_add_solid_load(f->world, &load, NULL));
    cdg_solid_support_id held = {1, 1};
    cdg_solid_load_id pulled = {1, 1};
    REFUSED(cdg_solid_support_reaction(NULL, held, &force));
    REFUSED(cdg_solid_support_reaction(f->world, held, NULL));
    STALE(cdg_solid_support_reaction(f->world, held, &force));
    REFUSED(cdg_solid_support_set_pose(NULL, held, &force, NULL));
    REFUSED_BY_WORLD(cdg_solid_support_set_pose(f->world, held, &force, NULL));
    REFUSED(cdg_world_remove_solid_support(NULL, held));
    REFUSED_BY_WORLD(cdg_world_remove_solid_support(f->world, held));
    REFUSED(cdg_solid_load_change(NULL, pulled, &load));
    REFUSED_BY_WORLD(cdg_solid_load_change(f->world, pulled, NULL));
    REFUSED_BY_WORLD(cdg_solid_load_change(f->world, pulled, &load));
    REFUSED(cdg_world_remove_solid_load(NULL, pulled));
    REFUSED_BY_WORLD(cdg_world_remove_solid_load(f->world, pulled));
    REFUSED(cdg_world_remove_solid(NULL, none));
    REFUSED_BY_WORLD(cdg_world_remove_solid(f->world, none));
}

static void test_meshes(void **state) {
    fixture *f = *state;
    cdg_mesh triangles = {0};
    cdg_mesh tetrahedra = {0};
    cdg_mesher_options options = cdg_mesher_options_default();
    cdg_embedding embedding = {0};
    cdg_mesh_quality quality;
    cdg_mesh_faults faults;
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .orientation = {1, 0, 0, 0}}; // of no size
    REFUSED_WITH_ERROR(cdg_shape_mesh(NULL, 0, &tetrahedra, &f->error));
    REFUSED_WITH_ERROR(cdg_shape_mesh(&shape, 0, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_shape_mesh(&shape, 0, &tetrahedra, &f->error));
    shape = cdg_shape_default();
    shape.orientation = (cdg_quat){0, 0, 0, 0};
    REFUSED_WITH_ERROR(cdg_shape_mesh(&shape, 0, &tetrahedra, &f->error));
    shape = cdg_shape_default();
    shape.kind = CDG_SHAPE_PLANE;
    REFUSED_WITH_ERROR(cdg_shape_mesh(&shape, 0, &tetrahedra, &f->error));
    assert_string_equal(cdg_shape_name(CDG_SHAPE_KIND_COUNT), "");
    assert_string_equal(cdg_shape_name((cdg_shape_kind)-1), "");
    assert_true(cdg_solid_def_default().density > 0);
    assert_true(cdg_shape_matching_def_default().relaxation_time > 0);
    assert_true(cdg_mass_spring_def_default().length == 0);
    REFUSED_WITH_ERROR(cdg_mesh_fill(NULL, &options, &tetrahedra, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_fill(&triangles, &options, NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_boundary(NULL, &triangles, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_boundary(&tetrahedra, NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_measure(NULL, &quality, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_measure(&tetrahedra, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_check(NULL, &faults, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_check(&tetrahedra, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_embed(NULL, NULL, 0, 1, &embedding, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_embed(&tetrahedra, NULL, 3, 1, &embedding, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_embed(&tetrahedra, NULL, 0, 1, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read(NULL, 1, &triangles, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read("a.obj", 1, NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read("a.obj", NAN, &triangles, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read(NULL, 1, &tetrahedra, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read("a.vtu", 1, NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_read("a.vtu", 0, &tetrahedra, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_write(NULL, &tetrahedra, &f->error));
    REFUSED_WITH_ERROR(cdg_mesh_write("a.vtu", NULL, &f->error));
    HARMLESS(cdg_mesh_format_of(NULL));
    assert_false(cdg_mesh_format_has_triangles((cdg_mesh_format)-1));
    assert_false(cdg_mesh_format_has_tetrahedra((cdg_mesh_format)99));
    HARMLESS((cdg_embedding_positions(NULL, NULL, NULL, NULL), 0));
    HARMLESS((cdg_embedding_free(NULL), 0));
    HARMLESS((cdg_mesh_free(NULL), 0));
}

static void test_enough(void **state) {
    (void)state;
    expect_enough(800);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_worlds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_handles_of_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_supports_loads_and_joints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bodies_obstacles_and_contact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_solids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_meshes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_user_data, set_up, tear_down),
        cmocka_unit_test(test_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
