// Section force of an element: the derivative of the rod's measured energy by its edge, whatever holds its ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"

static void test_forces_are_those_of_the_system(void **state) {
    (void)state;
    cdg_random random = {31};
    for (int round = 0; round < 12; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, round / 2 % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE, points, &random);
        der_case c = case_build(&def);
        case_shake(&c, &random, 0.5);
        if (round % 3 > 0) case_hold(&c, &random);
        der_chain chain;
        der_workspace work;
        case_chain(&c, &chain, &work);
        double stretch = 0, value = der_chain_assemble(&chain, &work.matrix, 1);
        for (size_t j = 0; j < c.rod->element_count; j++) {
            cdg_element_measure m;
            double turn;
            der_measure_element(c.rod, j, &m);
            cdg_vec3 force = der_chain_edge_force(&chain, j, &turn);
            assert_vec3_near(quat_rotate(rod_quat(c.rod->q, j), m.force), force, 1e-10 * vec3_norm(force));
            assert_near(m.shear_energy, 0, 0);
            stretch += m.stretch_energy;
        }
        cdg_energy e;
        cdg_rod_measure_energy(c.rod, vec3(0, 0, 0), &e);
        assert_near(e.stretch, stretch, 1e-12 * stretch);
        assert_near(e.stretch + e.bend + e.twist, value, 1e-11 * value); // measured by other code than the model's
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces_are_those_of_the_system)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
