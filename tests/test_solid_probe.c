// Probes of solids: sums that are known, places that go with the material, forces that balance weight.
#include "solid_world_case.h"

#include "small_world.h"

static double measure(const cdg_world *world, const cdg_probe *probe, int column) {
    double out[CDG_PROBE_COLUMNS_MAX];
    assert_int_equal(cdg_world_measure(world, probe, out), CDG_OK);
    return out[column];
}

static void test_of_the_whole_and_of_places(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
    def.position = vec3(1, 2, 3), def.velocity = vec3(0.5, 0, 0);
    cdg_solid_id id = solid_world_add(world, def, vec3(0.2, 0.1, 0.1), 0.05);
    cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = cdg_solid_whole(id)};
    assert_near(measure(world, &probe, 1), 2, 1e-12);
    probe.kind = CDG_PROBE_VELOCITY;
    assert_near(measure(world, &probe, 0), 0.5, 1e-12);
    probe.kind = CDG_PROBE_VOLUME;
    assert_near(measure(world, &probe, 0), 2e-3, 1e-12);
    probe.kind = CDG_PROBE_ENERGY;
    assert_near(measure(world, &probe, 4), 0.5 * 2 * 0.25, 1e-12);
    assert_near(measure(world, &probe, 5), 2 * 10 * 3, 1e-9);
    cdg_probe all = {.kind = CDG_PROBE_ENERGY};
    assert_near(measure(world, &all, 6), measure(world, &probe, 6), 1e-12);
    cdg_probe place = {.kind = CDG_PROBE_POSITION, .place = cdg_solid_point(id, vec3(1.07, 2.03, 3.01))};
    solid_world_steps(world, 100);
    assert_near(measure(world, &place, 0), 1.07 + 0.05, 1e-9);
    assert_near(measure(world, &place, 2), 3.01 - 0.05, 1e-3);
    place.kind = CDG_PROBE_VELOCITY;
    assert_near(measure(world, &place, 2), -1, 1e-9);
    // stretched by 1 % with the sides free: E times that
    cdg_solid *s = &world->solids[0]->solid;
    for (size_t i = 0; i < s->node_count; i++) {
        s->x[0][i] = 1.01 * s->rest[0][i];
        s->x[1][i] = (1 - 0.0035) * s->rest[1][i], s->x[2][i] = (1 - 0.0035) * s->rest[2][i];
    }
    place.kind = CDG_PROBE_STRESS;
    assert_near(measure(world, &place, 0), 1e3, 0.02e3);
    probe.kind = CDG_PROBE_STRESS;
    assert_near(measure(world, &probe, 0), measure(world, &place, 0), 1e-6);
    double out[CDG_PROBE_COLUMNS_MAX];
    place.kind = CDG_PROBE_VELOCITY, place.place.point = vec3(1, 2, 3.09); // a little outside
    assert_int_equal(cdg_world_measure(world, &place, out), CDG_OK);
    place.place.point = vec3(1, 2, 8); // nothing of it is there
    assert_int_equal(cdg_world_measure(world, &place, out), CDG_ERROR_ARGUMENT);
    place.place.point = vec3(1, 2, NAN);
    assert_int_equal(cdg_world_measure(world, &place, out), CDG_ERROR_ARGUMENT);
    place.kind = CDG_PROBE_VOLUME, place.place.point = vec3(1, 2, 3); // not of a place
    assert_int_equal(cdg_world_measure(world, &place, out), CDG_ERROR_ARGUMENT);
    probe.place.solid.generation = 7;
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

static void test_what_holds_it_carries_its_weight(void **state) {
    (void)state;
    for (int is_held = 0; is_held < 2; is_held++) {
        cdg_world *world = solid_world(1, 1e-2);
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
        def.damping_time = 0.05, def.position = vec3(0, 0, 0.053);
        cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.kind = CDG_SHAPE_PLANE, floor.shape.normal = vec3(0, 0, 1);
        cdg_solid_support_def support = cdg_solid_support_def_default();
        support.solid = id;
        support.region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                                      .position = vec3(0, 0, 0.004),
                                      .orientation = {1, 0, 0, 0},
                                      .normal = vec3(0, 0, 1)};
        if (is_held)
            must(world, cdg_world_add_solid_support(world, &support, NULL));
        else
            must(world, cdg_world_add_obstacle(world, &floor, NULL));
        solid_world_steps(world, 100);
        cdg_probe probe = {.kind = is_held ? CDG_PROBE_REACTION : CDG_PROBE_CONTACT_FORCE,
                           .place = cdg_solid_whole(id)};
        assert_near(measure(world, &probe, 2), 10, 0.02);
        probe.kind = CDG_PROBE_CONTACTS;
        assert_true(is_held ? measure(world, &probe, 0) == 0 : measure(world, &probe, 0) >= 4);
        cdg_vec3 force;
        size_t count = 0;
        assert_int_equal(cdg_solid_contact_force(world, id, &force, &count), CDG_OK);
        assert_int_equal(count > 0, !is_held);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_of_the_whole_and_of_places),
                                       cmocka_unit_test(test_what_holds_it_carries_its_weight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
