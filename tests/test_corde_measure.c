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

static double strain_energy_at(corde_case *c, const cdg_vec3 *x, const cdg_quat *q, double time) {
    cdg_rod *rod = c->rod;
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->x, i, vec3_mad(x[i], time, rod_vec3(rod->v, i)));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat turned = quat_multiply(q[j], quat_exp(vec3_scale(time, rod_vec3(rod->w, j))));
        rod_set_quat(rod->q, j, corde_is_constraint(rod) ? case_follow(rod, j, turned) : turned);
    }
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.stretch + e.shear + e.bend + e.twist;
}

// The power of strain is the rate of its energy, whatever moves.
static void test_power_is_the_rate_of_the_energy(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 16; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_vec3 x[CASE_ELEMENTS + 1];
        cdg_quat q[CASE_ELEMENTS];
        cdg_rod_def def =
            case_def(round / 4 % 2, round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        corde_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        case_shake(&c, &random, 1);
        if (round >= 8) case_hold(&c, &random);
        for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(&random, 1));
        for (size_t j = 0; j < rod->element_count; j++) {
            cdg_vec3 w = random_vec3(&random, 1);
            if (corde_is_constraint(rod)) { // frames turn with their tangents
                cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
                cdg_vec3 de = vec3_sub(rod_vec3(rod->v, rod_next_node(rod, j)), rod_vec3(rod->v, j));
                cdg_vec3 local = vec3_scale(1 / vec3_norm(e), quat_rotate_inverse(rod_quat(rod->q, j), de));
                w.x = -local.y, w.y = local.x;
            }
            rod_set_vec3(rod->w, j, w);
        }
        for (size_t i = 0; i < rod->node_count; i++) x[i] = rod_vec3(rod->x, i);
        for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q, j);
        double power = corde_strain_power(rod), d = 1e-5;
        double rate = (strain_energy_at(&c, x, q, d) - strain_energy_at(&c, x, q, -d)) / (2 * d);
        assert_true(fabs(rate) > 1e-3);
        assert_near(power, rate, 1e-6 * fabs(rate) + 1e-6);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_is_what_the_end_node_feels),
        cmocka_unit_test(test_rest_has_nothing),
        cmocka_unit_test(test_power_is_the_rate_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
