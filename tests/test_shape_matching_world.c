// Solids of shape matching in a world: they rest on the floor and on each other, and go on from a snapshot to the same
// bits.
#include "solid_world_case.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

static cdg_world *two_blocks(int thread_count) {
    cdg_world *world = solid_world(thread_count, 2e-3);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.5;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1);
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
    for (int k = 0; k < 2; k++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_SHAPE_MATCHING, CDG_SOLID_BDF2);
        def.shape_matching.mode = k == 0 ? CDG_MATCHING_LINEAR : CDG_MATCHING_QUADRATIC;
        def.shape_matching.relaxation_time = 2e-3;
        def.shape_matching.cluster_count = 1 + (size_t)k;
        def.position = vec3(0.003 * k, 0.002 * k, 0.055 + 0.115 * k);
        solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    }
    return world;
}

static void test_they_rest_on_each_other(void **state) {
    (void)state;
    cdg_world *world = two_blocks(1);
    solid_world_steps(world, 400);
    cdg_solid_state low, high;
    assert_int_equal(cdg_solid_get_state(world, cdg_world_solid_at(world, 0), &low), CDG_OK);
    assert_int_equal(cdg_solid_get_state(world, cdg_world_solid_at(world, 1), &high), CDG_OK);
    assert_true(low.center.z > 0.04 && low.center.z < 0.055);
    assert_true(high.center.z > low.center.z + 0.08 && high.center.z < low.center.z + 0.11);
    assert_true(vec3_norm(low.velocity) < 3e-2 && vec3_norm(high.velocity) < 3e-2);
    assert_true(low.largest_stress == 0);
    cdg_world_destroy(world);
}

static void test_threads_and_snapshots(void **state) {
    (void)state;
    cdg_world *world[2] = {two_blocks(1), two_blocks(2)};
    solid_world_steps(world[0], 60);
    size_t size = cdg_world_snapshot_size(world[0]);
    double *kept = malloc(size * sizeof *kept);
    assert_int_equal(cdg_world_snapshot_save(world[0], kept), CDG_OK);
    solid_world_steps(world[0], 20);
    cdg_world *later = two_blocks(1);
    assert_int_equal(cdg_world_snapshot_load(later, kept), CDG_OK);
    solid_world_steps(later, 20);
    solid_world_steps(world[1], 80);
    for (size_t s = 0; s < 2; s++) {
        cdg_solid_view view[3];
        cdg_world *all[3] = {world[0], world[1], later};
        for (int w = 0; w < 3; w++)
            assert_int_equal(cdg_solid_get_view(all[w], cdg_world_solid_at(all[w], s), &view[w]), CDG_OK);
        for (int w = 1; w < 3; w++)
            for (int k = 0; k < 3; k++)
                assert_memory_equal(view[0].position[k], view[w].position[k], 27 * sizeof(double));
    }
    free(kept);
    cdg_world_destroy(world[0]), cdg_world_destroy(world[1]), cdg_world_destroy(later);
}

static void test_there_is_no_equilibrium(void **state) {
    (void)state;
    cdg_world *world = two_blocks(1);
    double frequency[2];
    assert_int_equal(cdg_solid_find_modes(world, cdg_world_solid_at(world, 0), 2, frequency, NULL),
                     CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(world), "neo_hookean"));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_they_rest_on_each_other),
                                       cmocka_unit_test(test_threads_and_snapshots),
                                       cmocka_unit_test(test_there_is_no_equilibrium)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
