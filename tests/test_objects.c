// Objects of a world: they step, add up, are put back to the bit, and threads change nothing.
#include "solid_world_case.h"

static cdg_world *several(int thread_count) {
    cdg_world *world = solid_world(thread_count, 2e-3);
    for (int i = 0; i < 6; i++) {
        cdg_solid_def def = solid_case_def((cdg_solid_model)(i % 2), (cdg_solid_integrator)(i % 3));
        def.position = vec3(i, 0, 0);
        def.angular_velocity = vec3(1, i, 2);
        def.velocity = vec3(0, 1, i);
        solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.05);
    }
    return world;
}

static void test_energy_and_momentum_add_up(void **state) {
    (void)state;
    cdg_world *world = several(1);
    cdg_vec3 before, linear, angular;
    cdg_world_momentum(world, &before, NULL);
    assert_vec3_near(before, vec3(0, 12, 30), 1e-9); // six blocks of two kilograms
    solid_world_steps(world, 50);
    cdg_world_momentum(world, &linear, &angular);
    assert_vec3_near(linear, vec3(0, 12, 30 - 12 * 10 * 0.1), 1e-8);
    assert_true(vec3_norm(angular) > 1);
    cdg_energy e = cdg_world_energy(world);
    double kinetic = 0, elastic = 0;
    for (size_t i = 0; i < 6; i++) {
        cdg_solid_state s;
        assert_int_equal(cdg_solid_get_state(world, cdg_world_solid_at(world, i), &s), CDG_OK);
        kinetic += s.kinetic, elastic += s.elastic;
    }
    assert_near(e.kinetic, kinetic, 1e-9);
    assert_near(e.stretch, elastic, 1e-9);
    assert_near(e.total, e.kinetic + e.stretch + e.gravity, 1e-9);
    cdg_world_destroy(world);
}

// Saved in the middle, gone on, loaded, gone on: the same bits. And with other threads.
static void test_snapshots_and_threads_change_no_bit(void **state) {
    (void)state;
    double end[3];
    cdg_world *world = several(1);
    solid_world_steps(world, 7);
    size_t size = cdg_world_snapshot_size(world);
    double *saved = malloc(size * sizeof *saved);
    assert_int_equal(cdg_world_snapshot_save(world, saved), CDG_OK);
    for (int pass = 0; pass < 2; pass++) {
        solid_world_steps(world, 9);
        end[pass] = 0;
        for (size_t i = 0; i < 6; i++) {
            cdg_solid_view view;
            assert_int_equal(cdg_solid_get_view(world, cdg_world_solid_at(world, i), &view), CDG_OK);
            for (size_t n = 0; n < 10; n++) end[pass] += view.position[n % 3][n] * (double)(n + 1);
        }
        assert_int_equal(cdg_world_snapshot_load(world, saved), CDG_OK);
    }
    free(saved);
    cdg_world_destroy(world);
    int thread_count = 2;
    world = several(thread_count);
    solid_world_steps(world, 16);
    end[2] = 0;
    for (size_t i = 0; i < 6; i++) {
        cdg_solid_view view;
        assert_int_equal(cdg_solid_get_view(world, cdg_world_solid_at(world, i), &view), CDG_OK);
        for (size_t n = 0; n < 10; n++) end[2] += view.position[n % 3][n] * (double)(n + 1);
    }
    cdg_world_destroy(world);
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    assert_memory_equal(&end[0], &end[2], sizeof end[0]);
}

static void test_a_failing_object_is_named(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e5); // far too long for explicit steps
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.name = "jelly";
    cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.1);
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(world), "jelly"));
    cdg_solid_state s;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_near(s.center.z, 0, 1e-15); // still where it was
    assert_near(cdg_world_time(world), 0, 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_and_momentum_add_up),
        cmocka_unit_test(test_snapshots_and_threads_change_no_bit),
        cmocka_unit_test(test_a_failing_object_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
