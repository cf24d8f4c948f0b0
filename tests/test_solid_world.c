// Solids in a world: names, handles, what is read back.
#include "solid_world_case.h"

static void test_names_and_handles(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    cdg_solid_def def = solid_case_def(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT);
    def.name = "cube";
    cdg_solid_id cube = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    def.mesh = solid_case_box(vec3(1, 1, 1), 1);
    assert_int_equal(cdg_world_add_solid(world, &def, NULL), CDG_ERROR_ARGUMENT); // the name is taken
    def.name = "a b";
    assert_int_equal(cdg_world_add_solid(world, &def, NULL), CDG_ERROR_ARGUMENT);
    def.name = NULL;
    cdg_solid_id other;
    assert_int_equal(cdg_world_add_solid(world, &def, &other), CDG_OK);
    // Without a name it has the first number, from its own on, that is free.
    cdg_world *names = solid_world(1, 1e-3);
    cdg_solid_info named;
    cdg_solid_id id;
    def.name = "solid_3";
    assert_int_equal(cdg_world_add_solid(names, &def, NULL), CDG_OK);
    def.name = NULL;
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(cdg_world_add_solid(names, &def, &id), CDG_OK);
        assert_int_equal(cdg_solid_get_info(names, id, &named), CDG_OK);
        assert_string_equal(named.name, k == 0 ? "solid_2" : "solid_4");
    }
    cdg_world_destroy(names);
    cdg_mesh_free(&def.mesh);
    assert_int_equal(cdg_world_solid_count(world), 2);
    assert_int_equal(cdg_world_find_solid(world, "cube").index1, cube.index1);
    assert_int_equal(cdg_world_find_solid(world, "none").index1, 0);
    assert_int_equal(cdg_world_solid_at(world, 1).index1, other.index1);
    assert_int_equal(cdg_world_solid_at(world, 2).index1, 0);
    cdg_solid_info info;
    assert_int_equal(cdg_solid_get_info(world, cube, &info), CDG_OK);
    assert_string_equal(info.name, "cube");
    assert_int_equal(info.node_count, 27);
    assert_int_equal(info.tetrahedron_count, 48);
    assert_int_equal(info.surface_count, 48);
    assert_near(info.mass, 1, 1e-12);
    assert_near(info.rest_volume, 1e-3, 1e-15);
    double mises[48], strain[48];
    assert_int_equal(cdg_solid_stress(world, cube, mises, strain), CDG_OK);
    for (int i = 0; i < 48; i++) assert_true(mises[i] < 1e-6 && fabs(strain[i]) < 1e-12);
    assert_int_equal(cdg_solid_get_info(world, (cdg_solid_id){7, 1}, &info), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

static void test_state(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
    def.velocity = vec3(3, 0, 0);
    cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    solid_world_steps(world, 100);
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.center.x, 0.3, 1e-9);
    assert_near(s.velocity.z, -1, 1e-9);
    assert_near(s.volume, 1e-3, 1e-9);
    assert_near(s.least_volume, 1, 1e-6);
    assert_near(s.kinetic, 0.5 * (9 + 1), 1e-6);
    assert_vec3_near(s.reaction, vec3(0, 0, 0), 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_handles),
        cmocka_unit_test(test_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
