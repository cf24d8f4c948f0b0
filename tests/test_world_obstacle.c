// Obstacles and the treatment of contact in a world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>

#include "closed_meshes.h"
#include "near.h"

#include <string.h>

static cdg_world *make_world(void) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    cdg_error error;
    def.step = 0.25;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_OK);
    return world;
}

static void obstacles_are_kept_and_found(void **state) {
    (void)state;
    cdg_world *world = make_world();
    cdg_obstacle_def def = cdg_obstacle_def_default();
    cdg_obstacle_id id[3];
    assert_int_equal(cdg_world_add_obstacle(world, &def, &id[0]), CDG_OK);
    char name[] = "ball";
    cdg_motion motion = {.move = {0, 0, 4}, .from = 0, .to = 1};
    def.shape.kind = CDG_SHAPE_SPHERE;
    def.name = name;
    def.friction = 0.7;
    def.motions = &motion;
    def.motion_count = 1;
    assert_int_equal(cdg_world_add_obstacle(world, &def, &id[1]), CDG_OK);
    name[0] = 'X', motion.move.z = 99; // copied
    cdg_vec3 vertices[8];
    block_vertices(vec3(1, 1, 1), vertices);
    cdg_obstacle_def mesh = cdg_obstacle_def_default();
    mesh.shape.kind = CDG_SHAPE_MESH;
    mesh.shape.mesh.points = vertices, mesh.shape.mesh.point_count = 8;
    mesh.shape.mesh.triangles = block_triangles, mesh.shape.mesh.triangle_count = 12;
    assert_int_equal(cdg_world_add_obstacle(world, &mesh, &id[2]), CDG_OK);

    assert_int_equal(cdg_world_obstacle_count(world), 3);
    assert_int_equal(cdg_world_obstacle_at(world, 1).index1, id[1].index1);
    assert_int_equal(cdg_world_obstacle_at(world, 3).index1, 0);
    assert_int_equal(cdg_world_find_obstacle(world, "ball").index1, id[1].index1);
    assert_int_equal(cdg_world_find_obstacle(world, "nobody").index1, 0);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.25;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    cdg_obstacle_info info;
    assert_int_equal(cdg_obstacle_get_info(world, id[0], &info), CDG_OK);
    assert_string_equal(info.name, "obstacle_1");
    assert_near(info.friction, 0.25, 0);
    assert_false(info.is_moving);
    assert_int_equal(cdg_obstacle_get_info(world, id[1], &info), CDG_OK);
    assert_string_equal(info.name, "ball");
    assert_near(info.friction, 0.7, 0);
    assert_true(info.is_moving);
    assert_int_equal(cdg_obstacle_get_info(world, id[2], &info), CDG_OK);
    assert_int_equal(info.shape.mesh.triangle_count, 12);
    assert_int_equal(info.shape.mesh.point_count, 8);

    for (int k = 0; k < 2; k++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_vec3 position;
    cdg_quat orientation;
    assert_int_equal(cdg_obstacle_get_pose(world, id[1], &position, &orientation), CDG_OK);
    assert_vec3_near(position, vec3(0, 0, 2), 1e-14);
    assert_rotation_near(orientation, quat_identity(), 1e-15);
    assert_int_equal(cdg_obstacle_get_pose(world, (cdg_obstacle_id){0}, &position, NULL), CDG_ERROR_STALE);
    assert_int_equal(cdg_obstacle_get_info(world, (cdg_obstacle_id){9, 1}, &info), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

static void bad_ones_are_refused(void **state) {
    (void)state;
    cdg_world *world = make_world();
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.name = "floor";
    assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_OK);
    assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "floor"));
    def.name = "a b";
    assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_ERROR_ARGUMENT);
    def.name = NULL;
    def.shape.kind = CDG_SHAPE_SPHERE;
    def.shape.radius = -1;
    assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_world_obstacle_count(world), 1);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = -0.1;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
    contact.friction = 0.3, contact.restitution = 1.5;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_ERROR_ARGUMENT);
    assert_near(cdg_world_contact(world).friction, 0, 0);
    cdg_world_destroy(world);
}

static void names_are_chosen_apart(void **state) {
    (void)state;
    cdg_world *world = make_world();
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.name = "obstacle_2";
    assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_OK);
    def.name = NULL;
    for (int k = 0; k < 10; k++) assert_int_equal(cdg_world_add_obstacle(world, &def, NULL), CDG_OK);
    assert_int_equal(cdg_world_obstacle_count(world), 11);
    cdg_world_destroy(world);
}

// An obstacle's own friction counts, none at all too; without one it has that of contact.
static void friction_is_its_own_or_that_of_contact(void **state) {
    (void)state;
    const double own[] = {0, 0.7, -1}, expected[] = {0, 0.7, 0.4};
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.4;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    for (int i = 0; i < 3; i++) {
        cdg_obstacle_def def = cdg_obstacle_def_default();
        def.friction = own[i];
        cdg_obstacle_id id;
        cdg_obstacle_info info;
        assert_int_equal(cdg_world_add_obstacle(world, &def, &id), CDG_OK);
        assert_int_equal(cdg_obstacle_get_info(world, id, &info), CDG_OK);
        assert_true(info.friction == expected[i]);
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obstacles_are_kept_and_found),
        cmocka_unit_test(bad_ones_are_refused),
        cmocka_unit_test(names_are_chosen_apart),
        cmocka_unit_test(friction_is_its_own_or_that_of_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
