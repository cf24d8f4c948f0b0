// Explicit steps: sub-steps, held nodes with their reactions, energy of a free swing.
#include "solid_case.h"

static void test_energy_of_a_swing_is_kept(void **state) {
    (void)state;
    cdg_solid s =
        solid_case_build(solid_case_def(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT), vec3(0.2, 0.1, 0.1), 0.05);
    for (size_t i = 0; i < s.node_count; i++) s.x[0][i] *= 1.05;
    double before = cdg_solid_elastic_energy(&s, s.x), least = INFINITY, most = 0;
    for (int i = 0; i < 500; i++) {
        solid_case_step(&s, 0.001, vec3(0, 0, 0));
        cdg_solid_energy e = cdg_solid_measure_energy(&s, s.x, s.v, vec3(0, 0, 0));
        least = fmin(least, e.kinetic + e.elastic), most = fmax(most, e.kinetic + e.elastic);
    }
    assert_true(least > 0.85 * before && most < 1.2 * before);
    cdg_solid_free(&s);
}

static void test_held_nodes_follow_and_carry_the_weight(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.damping_time = 0.02;
    cdg_solid s = solid_case_build(def, vec3(0.1, 0.1, 0.2), 0.05);
    for (size_t i = 0; i < s.node_count; i++) {
        s.is_held[i] = s.rest[2][i] > 0.099;
        s.held_count += s.is_held[i];
    }
    for (int i = 0; i < 1500; i++) {
        for (size_t n = 0; n < s.node_count && i < 100; n++)
            if (s.is_held[n]) s.target[0][n] = s.rest[0][n] + 0.0005 * (i + 1);
        solid_case_step(&s, 0.002, vec3(0, 0, -10));
    }
    cdg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s.node_count; i++) {
        sum = vec3_add(sum, solid_vec3(s.reaction, i));
        if (s.is_held[i]) assert_near(s.x[0][i], s.rest[0][i] + 0.05, 1e-12);
    }
    assert_near(sum.z, 10 * s.total_mass, 1e-3);
    assert_near(sum.x, 0, 1e-3);
    cdg_solid_free(&s);
}

static void test_far_too_long_steps_are_refused(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.1, 0.1, 0.1), 0.1);
    cdg_solid_result result;
    cdg_error error;
    assert_int_equal(cdg_solid_predict(&s, 1e4, vec3(0, 0, 0), 1, &result, &error), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(error.message, "sub-steps"));
    assert_int_equal(cdg_solid_predict(&s, 0.01, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
    assert_true(result.parts > 1);
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_of_a_swing_is_kept),
        cmocka_unit_test(test_held_nodes_follow_and_carry_the_weight),
        cmocka_unit_test(test_far_too_long_steps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
