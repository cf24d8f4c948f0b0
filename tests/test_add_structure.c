// Structures in a world: all of it, or nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/structure.h>
#include <string.h>

#include "net_case.h"
#include "world/world.h"

static void test_all_of_it(void **state) {
    (void)state;
    net_case net = net_case_make(vec3(0, 0, -9.81), 1e-3);
    cdg_rod_def other = cdg_rod_def_default();
    other.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    net_case_add(&net, &other, vec3(0, 0, 5), vec3(1, 0, 5), 4);
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "web";
    def.rod.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    must(net.world, cdg_world_add_structure(net.world, &def));
    assert_int_equal(cdg_world_rod_count(net.world), 11);
    assert_int_equal(net.world->joint_count, 25);
    cdg_rod_id h = cdg_world_find_rod(net.world, "web.h2"), v = cdg_world_find_rod(net.world, "web.v3");
    assert_true(h.index1 > 0 && v.index1 > 0);
    net_run(&net, 5);
    cdg_vec3 a = net_position(&net, h, 12), b = net_position(&net, v, 8);
    assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
    cdg_world_destroy(net.world);
}

static void test_or_nothing(void **state) {
    (void)state;
    net_case net = net_case_make(vec3(0, 0, -9.81), 1e-3);
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "web";
    def.rod.pobd.solver = CDG_POBD_DIRECT;
    assert_int_equal(cdg_world_add_structure(net.world, &def), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(net.world), "gauss_seidel"));
    assert_int_equal(cdg_world_rod_count(net.world), 0);
    assert_int_equal(net.world->joint_count, 0);
    // a name that is taken shows only half-way through
    def.rod.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    cdg_rod_def rod = def.rod;
    rod.name = "web.v2";
    must(net.world, cdg_world_add_rod(net.world, &rod, NULL));
    assert_int_equal(cdg_world_add_structure(net.world, &def), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(net.world), "web.v2"));
    assert_int_equal(cdg_world_rod_count(net.world), 1);
    def.net.size[0] = 0;
    assert_int_equal(cdg_world_add_structure(net.world, &def), CDG_ERROR_ARGUMENT);
    net_run(&net, 2);
    cdg_world_destroy(net.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_of_it), cmocka_unit_test(test_or_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
