// Explicit forces: minus the gradient of the energy, plus loads and torques; damping opposes the rates of strains.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/explicit.h"

static void place(der_case *c, der_chain *chain) {
    cdg_rod *rod = c->rod;
    size_t element;
    der_setup(rod, (der_scheme){0}, &c->loads, c->scratch, chain);
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    assert_true(der_chain_start(chain, &element));
}

static void test_forces_are_the_gradient(void **state) {
    (void)state;
    cdg_random random = {71};
    for (int round = 0; round < 12; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, round / 2 % 2 == 0 ? CDG_DER_TANGENT : CDG_DER_ANGLE, points, &random);
        der_case c = case_build(&def); // implicit, for the larger scratch; forces do not ask
        case_shake(&c, &random, 0.5);
        if (round % 3 == 0) case_hold(&c, &random);
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < c.rod->node_count; i++) c.force[k][i] = random_in(&random, -1, 1);
            for (size_t j = 0; j < c.rod->element_count; j++) c.torque[k][j] = random_in(&random, -1, 1);
        }
        der_chain chain;
        der_workspace work;
        double storage[3][CASE_ELEMENTS + 1], *force[3] = {storage[0], storage[1], storage[2]};
        double pulls[3][CASE_ELEMENTS], *pull[3] = {pulls[0], pulls[1], pulls[2]};
        case_chain(&c, &chain, &work);
        der_internal_forces(c.rod, &chain, pull, force);
        der_chain_assemble(&chain, &work.matrix, 1);
        for (size_t i = 0; i < c.rod->node_count; i++)
            for (int k = 0; k < 3; k++) {
                double expected = *der_right_side(&chain, &work.matrix, i, k);
                assert_near(force[k][i], expected, 1e-10 * (1 + fabs(expected)));
            }
        case_free(&c);
    }
}

static void test_damping_takes_energy(void **state) {
    (void)state;
    cdg_random random = {72};
    for (int round = 0; round < 12; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        def.material.damping_stretch = round / 2 % 3 == 0 ? 1e-3 : 0;
        def.material.damping_bend = round / 2 % 3 == 1 ? 1e-3 : 0;
        def.material.damping_twist = round / 2 % 3 == 2 ? 1e-3 : 0;
        der_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        case_shake(&c, &random, 0.3);
        for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(&random, 1));
        der_chain chain;
        double storage[2][3][CASE_ELEMENTS + 1], power = 0;
        double *damped[3] = {storage[0][0], storage[0][1], storage[0][2]};
        double pulls[3][CASE_ELEMENTS], *pull[3] = {pulls[0], pulls[1], pulls[2]};
        double *elastic[3] = {storage[1][0], storage[1][1], storage[1][2]};
        place(&c, &chain);
        der_internal_forces(rod, &chain, pull, damped);
        double times[4];
        memcpy(times, rod->damping_time, sizeof times);
        memset(rod->damping_time, 0, sizeof times);
        der_internal_forces(rod, &chain, pull, elastic);
        for (size_t i = 0; i < rod->node_count; i++)
            for (int k = 0; k < 3; k++) power += (damped[k][i] - elastic[k][i]) * rod->v[k][i];
        // strains a moment before and after
        double d = 1e-6, expected = 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 curl[2];
            size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
            for (int s = 0; s < 2; s++) {
                cdg_quat q[2];
                for (int e = 0; e < 2; e++) {
                    size_t j = e == 0 ? left : right;
                    if (j == SIZE_MAX) continue;
                    cdg_vec3 from = vec3_mad(rod_vec3(rod->x, j), s == 0 ? -d : d, rod_vec3(rod->v, j));
                    size_t n = rod_next_node(rod, j);
                    cdg_vec3 to = vec3_mad(rod_vec3(rod->x, n), s == 0 ? -d : d, rod_vec3(rod->v, n));
                    q[e] = der_transport(rod_quat(rod->q, j), vec3_normalize(vec3_sub(to, from)), 0);
                    if (e == 1) { // and the stretching of the element after the node
                        double length = vec3_distance(from, to) / rod->rest_length[j];
                        curl[s].x = length;
                    }
                }
                if (right != SIZE_MAX && s == 1) {
                    double rate = (curl[1].x - curl[0].x) / (2 * d);
                    expected += times[1] * rod->stretch_stiffness[2][right] * rod->rest_length[right] * rate * rate;
                }
                if (left == SIZE_MAX || right == SIZE_MAX) continue;
                cdg_vec3 strain = der_turn_strain(quat_relative(q[0], q[1]), rod->twist[i], false);
                if (s == 0) {
                    storage[1][0][0] = strain.x, storage[1][1][0] = strain.y, storage[1][2][0] = strain.z;
                } else {
                    double x = (strain.x - storage[1][0][0]) / (2 * d), y = (strain.y - storage[1][1][0]) / (2 * d);
                    double z = (strain.z - storage[1][2][0]) / (2 * d), length = rod_cell_length(rod, i);
                    expected +=
                        times[2] / length * (rod->bend_stiffness[0][i] * x * x + rod->bend_stiffness[1][i] * y * y);
                    expected += times[3] / length * rod->bend_stiffness[2][i] * z * z;
                }
            }
        }
        assert_true(expected > 1e-6);
        assert_near(-power, expected, 1e-5 * expected);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_the_gradient),
        cmocka_unit_test(test_damping_takes_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
