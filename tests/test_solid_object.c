// Solids as objects: work is accounted for, advice is a step that works.
#include "solid_world_case.h"

static void test_work_is_accounted_for(void **state) {
    (void)state;
    for (int which = 0; which < CDG_SOLID_INTEGRATOR_COUNT; which++) {
        cdg_world *world = solid_world(1, 1e-3);
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, (cdg_solid_integrator)which);
        cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.05);
        cdg_motion lift = {.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.1}, .from = 0, .to = 0.2};
        cdg_solid_support_def top = {.solid = id,
                                     .region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                                                            .position = {0, 0, 0.099},
                                                            .orientation = {1, 0, 0, 0},
                                                            .normal = {0, 0, -1}},
                                     .motions = &lift,
                                     .motion_count = 1};
        cdg_solid_load_def push = {.solid = id, .force = {1, 0, 0}};
        assert_int_equal(cdg_world_add_solid_support(world, &top, NULL), CDG_OK);
        assert_int_equal(cdg_world_add_solid_load(world, &push, NULL), CDG_OK);
        double before = cdg_world_energy(world).total;
        solid_world_steps(world, 400);
        cdg_energy e = cdg_world_energy(world);
        assert_true(e.total - before > 1);                   // 2 kg by 10 cm
        double most = which == CDG_SOLID_EULER ? 0.4 : 0.05; // that Euler's method takes of the swings
        assert_true(e.dissipated > -0.01 * (e.total - before) && e.dissipated < most * (e.total - before));
        cdg_world_destroy(world);
    }
}

// A support sets out at full speed: BDF2's reaction swings about that, which is not energy from nowhere. At the start,
// where the first step is Euler's, and later.
static void test_a_jump_of_speed_is_no_gain(void **state) {
    (void)state;
    for (int later = 0; later < 2; later++) {
        cdg_world *world = solid_world(1, 1e-4);
        cdg_solid_def def = solid_case_def(CDG_SOLID_COROTATIONAL, CDG_SOLID_BDF2);
        cdg_solid_id id = solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.05);
        cdg_motion lift = {.kind = CDG_MOTION_MOVE, .move = {0.5, 0, 0}, .from = 1e-3 * later, .to = 1};
        cdg_solid_support_def most = {.solid = id,
                                      .region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                                                             .position = {0, 0, -0.07},
                                                             .orientation = {1, 0, 0, 0},
                                                             .normal = {0, 0, -1}},
                                      .motions = &lift,
                                      .motion_count = 1};
        assert_int_equal(cdg_world_add_solid_support(world, &most, NULL), CDG_OK);
        solid_world_steps(world, 60);
        cdg_world_destroy(world);
    }
}

// A state that was saved goes on to the same bits under every integrator and model, in a world that was elsewhere.
static void test_snapshots_go_on(void **state) {
    (void)state;
    for (int which = 0; which < CDG_SOLID_INTEGRATOR_COUNT * CDG_SOLID_MODEL_COUNT; which++) {
        cdg_solid_def def = solid_case_def((cdg_solid_model)(which / CDG_SOLID_INTEGRATOR_COUNT),
                                           (cdg_solid_integrator)(which % CDG_SOLID_INTEGRATOR_COUNT));
        cdg_world *worlds[2];
        def.angular_velocity = vec3(1, 2, 3);
        for (int k = 0; k < 2; k++) {
            worlds[k] = solid_world(1, 5e-4);
            cdg_solid_id id = solid_world_add(worlds[k], def, vec3(0.1, 0.1, 0.2), 0.05);
            cdg_solid_support_def top = {.solid = id,
                                         .region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                                                                .position = {0, 0, 0.099},
                                                                .orientation = {1, 0, 0, 0},
                                                                .normal = {0, 0, -1}}};
            assert_int_equal(cdg_world_add_solid_support(worlds[k], &top, NULL), CDG_OK);
            solid_world_steps(worlds[k], k == 0 ? 7 : 3);
        }
        size_t size = cdg_world_snapshot_size(worlds[0]);
        double *saved = malloc(size * sizeof *saved), *ends[2];
        assert_int_equal(cdg_world_snapshot_save(worlds[0], saved), CDG_OK);
        assert_int_equal(cdg_world_snapshot_load(worlds[1], saved), CDG_OK);
        for (int k = 0; k < 2; k++) {
            ends[k] = malloc(size * sizeof *saved);
            solid_world_steps(worlds[k], 5);
            assert_int_equal(cdg_world_snapshot_save(worlds[k], ends[k]), CDG_OK);
        }
        assert_memory_equal(ends[0], ends[1], size * sizeof *saved);
        assert_memory_not_equal(ends[0], saved, size * sizeof *saved);
        for (int k = 0; k < 2; k++) {
            free(ends[k]);
            cdg_world_destroy(worlds[k]);
        }
        free(saved);
    }
}

static void test_advice_works(void **state) {
    (void)state;
    for (int which = 0; which < CDG_SOLID_INTEGRATOR_COUNT; which++) {
        cdg_world *world = solid_world(1, 0);
        cdg_solid_id id = solid_world_add(world, solid_case_def(CDG_SOLID_COROTATIONAL, (cdg_solid_integrator)which),
                                          vec3(0.1, 0.1, 0.2), 0.05);
        cdg_step_advice advice = cdg_world_advice(world);
        assert_non_null(strstr(advice.reason, "solid"));
        cdg_solid_info info;
        assert_int_equal(cdg_solid_get_info(world, id, &info), CDG_OK);
        assert_true(advice.step >= info.stable_step && advice.step < 0.1);
        solid_world_steps(world, 20);
        cdg_world_destroy(world);
    }
}

// Pressure follows the faces: inside a box it pulls nothing away, and a wall's support carries pressure times area.
static void test_equilibrium_of_a_world(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    cdg_contact_def contact = {.choice = CDG_CONTACT_OFF};
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    cdg_solid_id id =
        solid_world_add(world, solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.2, 0.1, 0.1), 0.05);
    cdg_solid_support_def wall = {
        .solid = id,
        .region = &(cdg_shape){
            .kind = CDG_SHAPE_PLANE, .position = {-0.0999, 0, 0}, .orientation = {1, 0, 0, 0}, .normal = {1, 0, 0}}};
    cdg_solid_load_def push = {.solid = id,
                               .region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                                                      .position = {0.0999, 0, 0},
                                                      .orientation = {1, 0, 0, 0},
                                                      .normal = {-1, 0, 0}},
                               .pressure = 3000,
                               .to = INFINITY};
    cdg_solid_support_id support;
    assert_int_equal(cdg_world_add_solid_support(world, &wall, &support), CDG_OK);
    assert_int_equal(cdg_world_add_solid_load(world, &push, NULL), CDG_OK);
    cdg_world_set_gravity(world, vec3(0, 0, 0));
    cdg_equilibrium_report report;
    assert_int_equal(cdg_world_find_equilibrium(world, &report), CDG_OK);
    assert_true(report.is_stable && report.lowest > 0);
    assert_true(report.force > 1 && report.residual < 1e-6 * report.force);
    cdg_solid_state s;
    cdg_vec3 reaction;
    assert_int_equal(cdg_solid_get_state(world, id, &s), CDG_OK);
    assert_int_equal(cdg_solid_support_reaction(world, support, &reaction), CDG_OK);
    assert_true(reaction.x > 30.1 && reaction.x < 31.5); // the loaded end has grown wider
    assert_true(s.volume < 0.002 * (1 - 0.005));
    cdg_world_set_gravity(world, vec3(0, 0, -10));
    assert_int_equal(cdg_world_find_equilibrium(world, &report), CDG_OK);
    assert_int_equal(cdg_solid_support_reaction(world, support, &reaction), CDG_OK);
    assert_true(fabs(reaction.z - 20) > 0.1); // the face that is pushed has turned
    double tones[3];
    assert_int_equal(cdg_solid_find_modes(world, id, 3, tones, NULL), CDG_OK);
    assert_true(tones[0] > 0 && tones[2] >= tones[0]);
    // A path of rising loads ends at the same place; arc length is refused.
    cdg_path_def path = cdg_path_def_default();
    path.end = 0.1;
    assert_int_equal(cdg_world_follow_path(world, &path, NULL), CDG_OK);
    path.kind = CDG_PATH_ARC_LENGTH, path.end = 0.2;
    assert_int_equal(cdg_world_follow_path(world, &path, NULL), CDG_ERROR_UNSUPPORTED);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_accounted_for),      cmocka_unit_test(test_snapshots_go_on),
        cmocka_unit_test(test_a_jump_of_speed_is_no_gain), cmocka_unit_test(test_advice_works),
        cmocka_unit_test(test_equilibrium_of_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
