// Shapes by value: defaults that everything takes, names, and meshes that are only looked at.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>

static void test_names(void **state) {
    (void)state;
    assert_string_equal(cdg_shape_name(CDG_SHAPE_PLANE), "plane");
    assert_string_equal(cdg_shape_name(CDG_SHAPE_REVOLVED), "revolved");
    assert_string_equal(cdg_shape_name(CDG_SHAPE_KIND_COUNT), "");
}

// One shape is an obstacle, a body and a solid, with the sizes that it has by default.
static void test_one_shape_for_everything(void **state) {
    (void)state;
    static const cdg_shape_kind kinds[] = {CDG_SHAPE_SPHERE, CDG_SHAPE_BOX, CDG_SHAPE_CYLINDER};
    for (int i = 0; i < 3; i++) {
        cdg_world_def world_def = cdg_world_def_default();
        cdg_world *world = NULL;
        assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
        cdg_shape shape = cdg_shape_default();
        shape.kind = kinds[i];
        cdg_obstacle_def obstacle = cdg_obstacle_def_default();
        cdg_body_def body = cdg_body_def_default();
        cdg_solid_def solid = cdg_solid_def_default();
        obstacle.shape = body.shape = shape;
        body.shape.position.x = 1;
        shape.position.x = 2;
        assert_int_equal(cdg_shape_mesh(&shape, 0.03, &solid.mesh, NULL), CDG_OK);
        cdg_obstacle_id obstacle_id;
        cdg_body_id body_id;
        cdg_solid_id solid_id;
        assert_int_equal(cdg_world_add_obstacle(world, &obstacle, &obstacle_id), CDG_OK);
        assert_int_equal(cdg_world_add_body(world, &body, &body_id), CDG_OK);
        assert_int_equal(cdg_world_add_solid(world, &solid, &solid_id), CDG_OK);
        cdg_mesh_free(&solid.mesh);
        cdg_obstacle_info obstacle_info;
        cdg_body_info body_info;
        cdg_solid_state solid_state;
        assert_int_equal(cdg_obstacle_get_info(world, obstacle_id, &obstacle_info), CDG_OK);
        assert_int_equal(cdg_body_get_info(world, body_id, &body_info), CDG_OK);
        assert_int_equal(cdg_solid_get_state(world, solid_id, &solid_state), CDG_OK);
        assert_int_equal(obstacle_info.shape.kind, kinds[i]);
        assert_true(obstacle_info.shape.radius == 0.05 && body_info.shape.size.z == 0.1);
        assert_true(body_info.shape.kind == kinds[i] && body_info.shape.position.x == 1);
        double volume = body_info.mass / body.density;
        assert_true(solid_state.volume > 0.8 * volume && solid_state.volume < 1.01 * volume);
        assert_true(solid_state.center.x > 1.999 && solid_state.center.x < 2.001);
        cdg_world_destroy(world);
    }
}

static void test_meshes_are_only_looked_at(void **state) {
    (void)state;
    cdg_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    cdg_mesh mesh = {points, 4, triangles, 4};
    cdg_shape shape = cdg_shape_of_mesh(&mesh);
    assert_true(shape.kind == CDG_SHAPE_MESH && shape.mesh.points == points && shape.mesh.triangle_count == 4);
    cdg_shape none = cdg_shape_of_mesh(NULL);
    assert_true(none.kind == CDG_SHAPE_MESH && none.mesh.point_count == 0);
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_body_def body = cdg_body_def_default();
    cdg_body_id id;
    body.shape = shape;
    assert_int_equal(cdg_world_add_body(world, &body, &id), CDG_OK);
    points[1].x = 7; // the world has a copy
    cdg_body_info info;
    assert_int_equal(cdg_body_get_info(world, id, &info), CDG_OK);
    assert_true(info.shape.mesh.points != points && info.mass > 0.99 * body.density / 6);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_one_shape_for_everything),
                                       cmocka_unit_test(test_meshes_are_only_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
