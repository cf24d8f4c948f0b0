// Implicit steps: a rod under its weight against the closed form, order in time, huge steps, inverted starts, threads.
#include "solid_case.h"

// Hanging by its top: the bottom sinks by rho g L^2/(2 E) when Poisson's ratio is 0.
static void test_hanging_block(void **state) {
    (void)state;
    for (int which = 0; which < 2 * SOLID_CASE_LAWS; which++) {
        cdg_solid_def def =
            solid_case_def((cdg_solid_model)(which / 2), which % 2 == 0 ? CDG_SOLID_EULER : CDG_SOLID_BDF2);
        def.poisson_ratio = 0;
        def.young_modulus = 1e7;
        def.damping_time = 0.02;
        cdg_solid s = solid_case_build(def, vec3(0.1, 0.1, 0.4), 0.05);
        for (size_t i = 0; i < s.node_count; i++) {
            s.is_held[i] = s.rest[2][i] > 0.199;
            s.held_count += s.is_held[i];
        }
        for (int i = 0; i < 200; i++) solid_case_step(&s, 0.05, vec3(0, 0, -10));
        double sunk = 0, pull = 0;
        size_t count = 0;
        for (size_t i = 0; i < s.node_count; i++) {
            pull += s.reaction[2][i];
            if (s.rest[2][i] > -0.199) continue;
            sunk += s.rest[2][i] - s.x[2][i];
            count++;
        }
        assert_near(sunk / (double)count / (1000 * 10 * 0.16 / 2e7), 1, 0.03); // lumped masses
        assert_near(pull, 10 * s.total_mass, 1e-6 * s.total_mass * 10);
        cdg_solid_free(&s);
    }
}

// A free swing along one axis: halving the step divides bdf2's error by about four, Euler's by about two.
static double end_of_swing(cdg_solid_integrator integrator, int steps) {
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, integrator), vec3(0.2, 0.1, 0.1), 0.1);
    for (size_t i = 0; i < s.node_count; i++) s.x[0][i] *= 1.02;
    for (int i = 0; i < steps; i++) solid_case_step(&s, 0.01 / steps, vec3(0, 0, 0));
    double reach = s.x[0][0];
    cdg_solid_free(&s);
    return reach;
}

static void test_order_in_time(void **state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        cdg_solid_integrator way = second ? CDG_SOLID_BDF2 : CDG_SOLID_EULER;
        double exact = end_of_swing(CDG_SOLID_BDF2, 2000);
        double order = log2(fabs(end_of_swing(way, 100) - exact) / fabs(end_of_swing(way, 200) - exact));
        assert_near(order, second ? 2 : 1, 0.35);
    }
}

static void test_any_start_finds_home(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid_def def = solid_case_def((cdg_solid_model)model, CDG_SOLID_EULER);
        cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
        cdg_random random = {15};
        for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, random_vec3(&random, 0.1));
        for (int i = 0; i < 60; i++) solid_case_step(&s, 0.05, vec3(0, 0, 0));
        assert_near(cdg_solid_volume(&s, s.x), s.rest_volume, 0.02 * s.rest_volume);
        assert_true(cdg_solid_least_volume(&s, s.x, NULL) > 0.5);
        cdg_solid_free(&s);
    }
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    double end[2];
    for (int thread_count = 1; thread_count <= 2; thread_count++) {
        cdg_solid s =
            solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.2, 0.1, 0.1), 0.0105);
        cdg_random random = {16};
        solid_case_shake(&s, 0.0005, &random);
        for (int i = 0; i < 3; i++) {
            cdg_solid_result result;
            cdg_error error;
            assert_int_equal(cdg_solid_predict(&s, 0.002, vec3(0, 0, -10), thread_count, &result, &error), CDG_OK);
            cdg_solid_commit(&s, 0.002);
        }
        end[thread_count - 1] = s.x[0][17];
        cdg_solid_free(&s);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
}

// The equilibrium is where a damped run ends; its supports carry the weight, and nothing moves when steps go on.
static void test_equilibria(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid_def def = solid_case_def((cdg_solid_model)model, CDG_SOLID_BDF2);
        def.damping_time = 0.02;
        cdg_solid s = solid_case_build(def, vec3(0.3, 0.1, 0.1), 0.05),
                  run = solid_case_build(def, vec3(0.3, 0.1, 0.1), 0.05);
        cdg_solid *both[2] = {&s, &run};
        for (int which = 0; which < 2; which++)
            for (size_t i = 0; i < s.node_count; i++) {
                both[which]->is_held[i] = s.rest[0][i] < -0.149;
                both[which]->held_count += both[which]->is_held[i];
                both[which]->force[1][i] = 0.01;
            }
        cdg_solid_result result;
        cdg_error error = {0};
        assert_int_equal(cdg_solid_find_equilibrium(&s, vec3(0, 0, -10), 1, &result, &error), CDG_OK);
        for (int i = 0; i < 300; i++) solid_case_step(&run, 0.05, vec3(0, 0, -10));
        cdg_vec3 sum = vec3(0, 0, 0);
        double sunk = 0;
        for (size_t i = 0; i < s.node_count; i++) {
            sum = vec3_add(sum, solid_vec3(s.reaction, i));
            sunk = fmax(sunk, s.rest[2][i] - s.x[2][i]);
            assert_vec3_near(solid_vec3(s.x, i), solid_vec3(run.x, i), 1e-6);
        }
        assert_true(sunk > 0.01); // large enough to bend
        assert_vec3_near(sum, vec3(0, -0.01 * (double)s.node_count, 10 * s.total_mass), 1e-7);
        cdg_solid_free(&s);
        cdg_solid_free(&run);
    }
}

// A beam 85 times as long as it is thick, too large for factors: bending it is a billion times easier than stretching
// an element, less than single precision tells from nothing. Supports carry the load and its moment.
static void test_slender_beam(void **state) {
    (void)state;
    const double length = 1.7, load = 1e-7;
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(length, 0.02, 0.02),
                                   0.01 * (1 + 1e-9));
    size_t ends = 0;
    for (size_t i = 0; i < s.node_count; i++) {
        s.is_held[i] = s.rest[0][i] < -0.5 * length + 1e-9;
        s.held_count += s.is_held[i];
        ends += s.rest[0][i] > 0.5 * length - 1e-9;
        solid_set_vec3(s.target, i, solid_vec3(s.rest, i));
    }
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] > 0.5 * length - 1e-9) s.force[2][i] = -load / (double)ends;
    cdg_solid_result result;
    cdg_error error = {0};
    cdg_result code = cdg_solid_find_equilibrium(&s, vec3(0, 0, 0), 1, &result, &error);
    if (code != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(code, CDG_OK);
    assert_true(s.system->pattern == NULL);
    double carried = 0, moment = 0;
    for (size_t i = 0; i < s.node_count; i++) {
        carried += s.reaction[2][i];
        moment += s.x[2][i] * s.reaction[0][i] - (s.x[0][i] + 0.5 * length) * s.reaction[2][i];
    }
    assert_near(carried, load, 1e-3 * load);
    assert_near(moment, -load * length, 1e-2 * load * length);
    cdg_solid_free(&s);
}

static void test_nothing_holds_it(void **state) {
    (void)state;
    cdg_solid s =
        solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.1, 0.1, 0.1), 0.05);
    cdg_solid_result result;
    cdg_error error = {0};
    assert_int_equal(cdg_solid_find_equilibrium(&s, vec3(0, 0, -10), 1, &result, &error), CDG_ERROR_NO_CONVERGENCE);
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hanging_block),        cmocka_unit_test(test_order_in_time),
        cmocka_unit_test(test_any_start_finds_home), cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_equilibria),           cmocka_unit_test(test_nothing_holds_it),
        cmocka_unit_test(test_slender_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
