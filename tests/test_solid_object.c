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
                                     .region = {.kind = CDG_REGION_PLANE, .point = {0, 0, 0.099}, .normal = {0, 0, 1}},
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

static void test_implicit_contact_is_refused(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    solid_world_add(world, solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.1, 0.1, 0.2), 0.05);
    cdg_contact_def contact = cdg_contact_def_default();
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(world), "contact"));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_accounted_for),
        cmocka_unit_test(test_advice_works),
        cmocka_unit_test(test_implicit_contact_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
