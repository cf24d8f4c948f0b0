// Forces found with the energy of a candidate change no bit of later steps, whatever becomes of the candidate.
#include "solid_case.h"

// A block that is shaken, with damping or without.
static cdg_solid start(cdg_solid_model model, cdg_solid_integrator integrator, double damping_time) {
    cdg_solid_def def = solid_case_def(model, integrator);
    def.damping_time = damping_time;
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
    cdg_random random = {17};
    solid_case_shake(&s, 0.003, &random);
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.v, i, vec3(0, 0, 20 * s.x[0][i])); // it turns, too
    return s;
}

static void predict(cdg_solid *s) {
    cdg_solid_result result;
    cdg_error error;
    assert_int_equal(cdg_solid_predict(s, 0.5 * cdg_solid_stable_step(s), vec3(0, 0, -10), 1, &result, &error), CDG_OK);
}

static void compare_states(const cdg_solid *a, const cdg_solid *b) {
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(a->x[k], b->x[k], a->node_count * sizeof(double));
        assert_memory_equal(a->v[k], b->v[k], a->node_count * sizeof(double));
    }
    for (int k = 0; k < 4; k++) assert_memory_equal(a->rotation[k], b->rotation[k], a->slot_count * sizeof(double));
}

static void steps_go_on_as_without(void **state) {
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        cdg_solid a = start(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT, damped * 1e-4);
        cdg_solid b = start(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT, damped * 1e-4);
        size_t taken = 0;
        for (int i = 0; i < 60; i++) {
            predict(&a), predict(&b);
            if (i % 3 != 0) {
                double energy = cdg_solid_elastic_energy(&b, b.x_next);
                assert_near(cdg_solid_look_ahead(&a), energy, 1e-12 * energy);
            }
            taken += a.ahead.is_there;
            assert_false(b.ahead.is_there);
            cdg_solid_commit(&a, 1), cdg_solid_commit(&b, 1);
            compare_states(&a, &b); // rotations are those before, as snapshots have them
        }
        assert_int_equal(taken, 40);
        cdg_solid_free(&a), cdg_solid_free(&b);
    }
}

// The candidate is dropped, another state set, or velocities alone, which damping answers.
static void other_states_find_their_own(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        cdg_solid a = start(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT, 1e-4);
        cdg_solid b = start(CDG_SOLID_COROTATIONAL, CDG_SOLID_EXPLICIT, 1e-4);
        predict(&a), predict(&b);
        cdg_solid_look_ahead(&a);
        if (kind > 0) cdg_solid_commit(&a, 1), cdg_solid_commit(&b, 1);
        double *moved[2] = {kind == 1 ? a.x[1] : a.v[1], kind == 1 ? b.x[1] : b.v[1]};
        for (int n = 0; n < 2 && kind > 0; n++) moved[n][3] += 1e-5;
        predict(&a), predict(&b);
        cdg_solid_commit(&a, 1), cdg_solid_commit(&b, 1);
        compare_states(&a, &b);
        cdg_solid_free(&a), cdg_solid_free(&b);
    }
}

static void solids_that_do_not_look_tell_their_energy(void **state) {
    (void)state;
    const struct {
        cdg_solid_model model;
        cdg_solid_integrator integrator;
    } cases[] = {{CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT},
                 {CDG_SOLID_COROTATIONAL, CDG_SOLID_EULER},
                 {CDG_SOLID_MASS_SPRING, CDG_SOLID_EXPLICIT}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        cdg_solid s = start(cases[n].model, cases[n].integrator, 0);
        predict(&s);
        assert_false(cdg_solid_may_look_ahead(&s));
        assert_true(cdg_solid_look_ahead(&s) == cdg_solid_elastic_energy(&s, s.x_next));
        assert_false(cdg_solid_take_ahead(&s));
        cdg_solid_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_on_as_without),
        cmocka_unit_test(other_states_find_their_own),
        cmocka_unit_test(solids_that_do_not_look_tell_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
