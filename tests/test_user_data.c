// The program's own pointers: each thing has its own, whatever comes and goes, and a new one has none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>

static int marks[12];

static void test_each_kind(void **state) {
    (void)state;
    cdg_world *world;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.thread_count = 1;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    assert_null(cdg_world_user_data(world));
    assert_int_equal(cdg_world_set_user_data(world, &marks[11]), CDG_OK);
    assert_ptr_equal(cdg_world_user_data(world), &marks[11]);

    cdg_rod_def rod_def = cdg_rod_def_default();
    rod_def.model = CDG_MODEL_CORDE;
    rod_def.element_count = 4;
    rod_def.name = "a";
    cdg_rod_id rod, other;
    assert_int_equal(cdg_world_add_rod(world, &rod_def, &rod), CDG_OK);
    rod_def.name = "b";
    assert_int_equal(cdg_world_add_rod(world, &rod_def, &other), CDG_OK);
    cdg_support_def support_def = cdg_support_def_default();
    support_def.place.rod = rod;
    cdg_support_id support;
    assert_int_equal(cdg_world_add_support(world, &support_def, &support), CDG_OK);
    cdg_load_def load_def = cdg_load_def_default();
    load_def.place.rod = rod;
    cdg_load_id load;
    assert_int_equal(cdg_world_add_load(world, &load_def, &load), CDG_OK);
    cdg_joint_def joint_def = cdg_joint_def_default();
    const cdg_place ends[2] = {{rod, CDG_PLACE_NODE, 0}, {other, CDG_PLACE_NODE, 0}};
    joint_def.places = ends;
    joint_def.place_count = 2;
    cdg_joint_id joint;
    assert_int_equal(cdg_world_add_joint(world, &joint_def, &joint), CDG_OK);
    cdg_obstacle_def obstacle_def = cdg_obstacle_def_default();
    cdg_obstacle_id obstacle, first;
    assert_int_equal(cdg_world_add_obstacle(world, &obstacle_def, &first), CDG_OK);
    assert_int_equal(cdg_world_add_obstacle(world, &obstacle_def, &obstacle), CDG_OK);
    cdg_body_def body_def = cdg_body_def_default();
    cdg_body_id body;
    assert_int_equal(cdg_world_add_body(world, &body_def, &body), CDG_OK);
    cdg_weld_def weld_def = cdg_weld_def_default();
    weld_def.place = (cdg_place){rod, CDG_PLACE_NODE, 4};
    weld_def.body = body;
    cdg_weld_id weld;
    assert_int_equal(cdg_world_add_weld(world, &weld_def, &weld), CDG_OK);
    cdg_shape shape = cdg_shape_default();
    shape.kind = CDG_SHAPE_BOX;
    cdg_solid_def solid_def = cdg_solid_def_default();
    assert_int_equal(cdg_shape_mesh(&shape, 0.1, &solid_def.mesh, NULL), CDG_OK);
    cdg_solid_id solid;
    assert_int_equal(cdg_world_add_solid(world, &solid_def, &solid), CDG_OK);
    cdg_mesh_free(&solid_def.mesh);
    cdg_solid_support_def solid_support_def = cdg_solid_support_def_default();
    solid_support_def.solid = solid;
    cdg_solid_support_id solid_support;
    assert_int_equal(cdg_world_add_solid_support(world, &solid_support_def, &solid_support), CDG_OK);
    cdg_solid_load_def solid_load_def = cdg_solid_load_def_default();
    solid_load_def.solid = solid;
    cdg_solid_load_id solid_load;
    assert_int_equal(cdg_world_add_solid_load(world, &solid_load_def, &solid_load), CDG_OK);
    cdg_grip_def grip_def = cdg_grip_def_default();
    grip_def.place = cdg_body_point(body, (cdg_vec3){0, 0, 0});
    cdg_grip_id grip;
    assert_int_equal(cdg_world_add_grip(world, &grip_def, &grip), CDG_OK);

#define EACH(X)                                                                                                        \
    X(rod, 0)                                                                                                          \
    X(support, 1)                                                                                                      \
    X(load, 2)                                                                                                         \
    X(joint, 3)                                                                                                        \
    X(obstacle, 4)                                                                                                     \
    X(body, 5)                                                                                                         \
    X(weld, 6)                                                                                                         \
    X(solid, 7)                                                                                                        \
    X(solid_support, 8)                                                                                                \
    X(solid_load, 9)                                                                                                   \
    X(grip, 10)
#define SET(kind, number)                                                                                              \
    assert_null(cdg_##kind##_user_data(world, kind));                                                                  \
    assert_int_equal(cdg_##kind##_set_user_data(world, kind, &marks[number]), CDG_OK);
#define CHECK(kind, number) assert_ptr_equal(cdg_##kind##_user_data(world, kind), &marks[number]);
    EACH(SET)
    EACH(CHECK)
    assert_null(cdg_rod_user_data(world, other));
    assert_null(cdg_obstacle_user_data(world, first));

    // What is closed up keeps its own; what comes into a slot has none.
    assert_int_equal(cdg_world_remove_obstacle(world, first), CDG_OK);
    EACH(CHECK)
    assert_int_equal(cdg_world_remove_support(world, support), CDG_OK);
    assert_null(cdg_support_user_data(world, support));
    assert_int_equal(cdg_support_set_user_data(world, support, marks), CDG_ERROR_STALE);
    assert_string_equal(cdg_world_message(world), "the support no longer exists");
    assert_int_equal(cdg_world_add_support(world, &support_def, &support), CDG_OK);
    assert_null(cdg_support_user_data(world, support));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
