// The quasistatic material frame: afterwards no torque acts on any angle, and the energy is not higher than before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/explicit.h"

static double spring_energy(der_case *c) {
    cdg_energy e;
    cdg_rod_measure_energy(c->rod, vec3(0, 0, 0), &e);
    return e.bend + e.twist;
}

static void check(der_case *c) {
    cdg_rod *rod = c->rod;
    der_chain chain;
    der_explicit_work work;
    size_t element;
    int iterations;
    double before = spring_energy(c);
    char *next = der_setup(rod, (der_scheme){0}, &c->loads, c->scratch, &chain);
    der_explicit_work_place(rod, next, &work);
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    assert_true(der_chain_start(&chain, &element));
    assert_true(der_relax_frames(rod, &chain, &work, &iterations));
    assert_true(iterations <= 30);
    double scale = rod->bend_stiffness[2][0] / rod->rest_length[0];
    for (size_t j = 0; j < rod->element_count; j++) {
        double turn;
        der_chain_edge_force(&chain, j, &turn);
        assert_near(turn, 0, 1e-8 * scale);
        // frames are still along their edges and normed
        cdg_quat q = rod_quat(rod->q_next, j);
        assert_near(quat_dot(q, q), 1, 1e-12);
        assert_vec3_near(quat_d3(q), rod_vec3(chain.t, j), 1e-12);
    }
    for (int k = 0; k < 4; k++) memcpy(rod->q[k], rod->q_next[k], rod->element_count * sizeof(double));
    double *twist = rod->twist;
    rod->twist = rod->twist_next, rod->twist_next = twist;
    assert_true(spring_energy(c) <= before * (1 + 1e-12));
}

static void test_frames_relax(void **state) {
    (void)state;
    cdg_random random = {61};
    for (int round = 0; round < 40; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, round / 2 % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE, points, &random);
        def.der.integrator = CDG_DER_EXPLICIT;
        if (round >= 20) { // isotropic and straight: one solution of a linear system
            def.section.kind = def.section_end.kind = CDG_SECTION_CIRCLE;
            def.section.radius = 0.03, def.section_end.radius = 0.02;
            def.rest.kind = CDG_REST_STRAIGHT;
        }
        der_case c = case_build(&def);
        case_shake(&c, &random, 0.5);
        if (round % 3 > 0) case_hold(&c, &random);
        check(&c);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames_relax)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
