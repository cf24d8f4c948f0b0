// Steps of solids under every integrator and model: free fall, momentum, rigid spin, what is not finite.
#include "solid_case.h"

static void test_free_fall_and_momentum(void **state) {
    (void)state;
    for (int which = 0; which < SOLID_CASE_LAWS * CDG_SOLID_INTEGRATOR_COUNT; which++) {
        cdg_solid_def def =
            solid_case_def((cdg_solid_model)(which % SOLID_CASE_LAWS), (cdg_solid_integrator)(which / SOLID_CASE_LAWS));
        def.damping_time = 1e-3;
        def.velocity = vec3(1, 0, 2);
        cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
        cdg_random random = {13};
        solid_case_shake(&s, 0.002, &random);
        cdg_vec3 gravity = vec3(0, 0, -10), center = solid_case_center(&s, s.x);
        double step = 0.01;
        for (int i = 0; i < 20; i++) solid_case_step(&s, step, gravity);
        cdg_vec3 linear = {0};
        cdg_solid_momentum(&s, s.x, s.v, &linear, NULL);
        assert_vec3_near(vec3_scale(1 / s.total_mass, linear), vec3(1, 0, 0), 1e-9); // 2 - 10 * 0.2
        cdg_vec3 moved = vec3_sub(solid_case_center(&s, s.x), center);
        assert_near(moved.x, 0.2, 1e-9);
        assert_near(moved.z, 0.2, 0.011); // first order
        cdg_solid_free(&s);
    }
}

// Angular momentum of explicit steps is exact; a spinning solid at its own equilibrium keeps its energy under bdf2.
static void test_angular_momentum(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.angular_velocity = vec3(3, -2, 5);
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
    cdg_random random = {14};
    solid_case_shake(&s, 0.003, &random);
    cdg_vec3 before = {0}, after = {0};
    cdg_solid_momentum(&s, s.x, s.v, NULL, &before);
    for (int i = 0; i < 200; i++) solid_case_step(&s, 0.002, vec3(0, 0, 0));
    cdg_solid_momentum(&s, s.x, s.v, NULL, &after);
    assert_vec3_near(after, before, 1e-12 * vec3_norm(before) * 10);
    cdg_solid_free(&s);
}

static void test_rigid_flight_loses_nothing_to_damping(void **state) {
    (void)state;
    double energy[2];
    for (int damped = 0; damped < 2; damped++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
        def.young_modulus = 1e7;
        def.damping_time = damped ? 0.1 : 0;
        def.angular_velocity = vec3(0, 0, 1);
        cdg_solid s = solid_case_build(def, vec3(0.1, 0.1, 0.1), 0.05);
        for (int i = 0; i < 100; i++) solid_case_step(&s, 0.005, vec3(0, 0, 0));
        energy[damped] = cdg_solid_measure_energy(&s, s.x, s.v, vec3(0, 0, 0)).kinetic;
        cdg_solid_free(&s);
    }
    assert_near(energy[1] / energy[0], 1, 1e-4);
}

static void test_numbers_that_overflow_are_told(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.1, 0.1, 0.1), 0.1);
    s.v[0][0] = INFINITY;
    cdg_solid_result result;
    cdg_error error;
    assert_int_equal(cdg_solid_predict(&s, 1e-3, vec3(0, 0, 0), 1, &result, &error), CDG_ERROR_NOT_FINITE);
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall_and_momentum),
        cmocka_unit_test(test_angular_momentum),
        cmocka_unit_test(test_rigid_flight_loses_nothing_to_damping),
        cmocka_unit_test(test_numbers_that_overflow_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
