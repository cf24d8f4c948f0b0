// Strain, force and energy of an element: the force is the derivative of the energy, and the shear force that the
// constraint coupling has no strain for balances the moments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"

// Force on a node, by a step from rest that is too short for anything else.
static cdg_vec3 force_on(corde_case *c, size_t node) {
    const double step = 1e-12;
    case_predict(c, step);
    return vec3_scale(c->rod->node_mass[node] / step, rod_vec3(c->rod->v_next, node));
}

// At the first node of an open rod the force through the first element is all there is.
static void test_force_is_what_the_end_node_feels(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 8; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(false, round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 0.5);
        if (round >= 4) case_hold(&c, &random);
        cdg_element_measure m;
        corde_measure_element(c.rod, 0, &m);
        cdg_vec3 force = quat_rotate(rod_quat(c.rod->q, 0), m.force);
        assert_vec3_near(force_on(&c, 0), force, 1e-9 * vec3_norm(force));
        assert_vec3_near(cdg_rod_section_force(c.rod, 0), m.force, 0);
        assert_vec3_near(cdg_rod_strain(c.rod, 0), m.strain, 0);
        case_free(&c);
    }
}

static void test_rest_has_nothing(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int c = 0; c < 2; c++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(c == 1, c ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        def.rest.kind = CDG_REST_INITIAL;
        corde_case made = case_build(&def);
        for (size_t j = 0; j < made.rod->element_count; j++) {
            cdg_element_measure m;
            corde_measure_element(made.rod, j, &m);
            assert_vec3_near(m.strain, vec3(0, 0, 0), 1e-14);
            assert_vec3_near(m.force, vec3(0, 0, 0), 1e-9);
            assert_near(m.stretch_energy + m.shear_energy, 0, 1e-18);
        }
        case_free(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_is_what_the_end_node_feels),
        cmocka_unit_test(test_rest_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
