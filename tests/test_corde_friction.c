// Inner friction: the rates it acts at are those at the end of the sub-step, however strong it is; it never adds
// energy. (test_corde.c has its power, rigid motion and momentum.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"

static void set_damping(cdg_rod_def *def, double stretch, double shear, double bend, double twist) {
    def->material.damping_stretch = stretch;
    def->material.damping_shear = shear;
    def->material.damping_bend = bend;
    def->material.damping_twist = twist;
}

static double kinetic(const cdg_rod *rod) {
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.kinetic;
}

// At its rest shape, moved at random, with friction of all strengths: a single short step never gains kinetic energy,
// and in the limit of infinite friction only rigid motion is left.
static void test_never_adds_energy(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 32; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_corde_coupling coupling = round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY;
        cdg_rod_def def = case_def(round / 2 % 2, coupling, points, &random);
        def.rest.kind = CDG_REST_INITIAL;
        const double times[] = {1e-6, 1e-2, 1e2, 1e8};
        double time = times[round / 8];
        if (round / 4 % 2)
            set_damping(&def, time, time, time, time);
        else
            set_damping(&def, 0, 0, time, 0);
        corde_case c = case_build(&def);
        for (size_t i = 0; i < c.rod->node_count; i++) rod_set_vec3(c.rod->v, i, random_vec3(&random, 0.01));
        for (size_t j = 0; j < c.rod->element_count; j++) c.rod->w[2][j] = random_in(&random, -0.1, 0.1);
        double before = kinetic(c.rod);
        case_predict(&c, 1e-6);
        c.rod->model->commit(c.rod, 1e-6);
        assert_true(kinetic(c.rod) <= before * (1 + 1e-9));
        if (time > 1e7 && round / 4 % 2) {
            // rigid: every element's length keeps its value
            for (size_t j = 0; j < c.rod->element_count; j++) {
                size_t next = rod_next_node(c.rod, j);
                cdg_vec3 e = vec3_sub(rod_vec3(c.rod->x, next), rod_vec3(c.rod->x, j));
                cdg_vec3 de = vec3_sub(rod_vec3(c.rod->v, next), rod_vec3(c.rod->v, j));
                assert_near(vec3_dot(e, de), 0, 1e-6);
            }
        }
        case_free(&c);
    }
}

// The velocities after the step solve (M + h C) v = M v_now + h f: friction by differences of the rates that the step
// ends with equals the momentum that was lost.
static void test_acts_at_the_end_of_the_step(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.corde.coupling = c ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY;
        def.corde.substeps = 1;
        def.element_count = 1;
        def.section.radius = 1e-2;
        set_damping(&def, 0.5, 0, 0, 0);
        corde_case one = case_build(&def);
        double h = 1e-3, v = 0.3;
        one.rod->v[0][1] = v; // pulls its end along the rod
        case_predict(&one, h);
        double k = 1e6 * 3.14159265358979323846 * 1e-4, m = one.rod->node_mass[0];
        // relative velocity u: m u'/2 = m u/2 - h tau k u', and the mean stays
        double u = v / (1 + 2 * h * 0.5 * k / m);
        assert_near(one.rod->v_next[0][1] - one.rod->v_next[0][0], u, 1e-12);
        assert_near(one.rod->v_next[0][1] + one.rod->v_next[0][0], v, 1e-12);
        case_free(&one);
    }
}

static void test_scratch_is_enough_for_every_kind(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 8; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def =
            case_def(round % 2, round / 2 % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        assert_false(corde_has_friction(&(cdg_rod){0}));
        set_damping(&def, 1e-3, 1e-3, 1e-3, 1e-3);
        corde_case c = case_build(&def);
        assert_true(corde_has_friction(c.rod));
        if (round >= 4) case_hold(&c, &random);
        case_predict(&c, 1e-5); // a sanitizer sees a step beyond the scratch
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_adds_energy),
        cmocka_unit_test(test_acts_at_the_end_of_the_step),
        cmocka_unit_test(test_scratch_is_enough_for_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
