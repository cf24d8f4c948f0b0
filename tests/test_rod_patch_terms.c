// Energies of elements and cells: derivatives against differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch_terms.h"
#include "math/random.h"
#include "near.h"

static void edges_have_their_derivatives(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 200; round++) {
        cdg_edge_law law = {.kind = (cdg_edge_kind)(round % 4), .length = 0.1, .stiffness = {30, 30, 40}};
        double size = round % 8 < 4 ? 0.1 : 0.04; // below half its length there is a barrier
        cdg_vec3 at = vec3_scale(size, vec3_normalize(vec3_add(random_vec3(&random, 0.3), vec3(0, 0, 1))));
        double y[3] = {at.x, at.y, at.z}, h = 1e-6;
        cdg_edge_term t, low, high;
        cdg_edge_evaluate(&law, y, &t);
        for (int k = 0; k < 3; k++) {
            double there[3] = {y[0], y[1], y[2]}, back[3] = {y[0], y[1], y[2]};
            there[k] += h, back[k] -= h;
            cdg_edge_evaluate(&law, there, &high);
            cdg_edge_evaluate(&law, back, &low);
            assert_near(t.force[k], (high.energy - low.energy) / (2 * h), 1e-6 * 40);
            for (int i = 0; i < 3; i++)
                assert_near(t.stiffness[i][k], (high.force[i] - low.force[i]) / (2 * h), 2e-6 * 40 / size * 10);
        }
    }
}

static void cells_have_their_derivatives(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 600; round++) {
        cdg_quat left = random_rotation(&random);
        cdg_quat turn = quat_exp(random_vec3(&random, 0.6));
        cdg_cell_law law = {.kind = (cdg_cell_kind)(round % 6), .stiffness = {1.5, 2.5, 2}};
        law.rest = quat_exp(random_vec3(&random, 0.4));
        for (int k = 0; k < 3; k++) law.rest_half[k] = random_in(&random, -0.2, 0.2);
        law.near = round % 12 < 6 ? 0 : 6.283185307179586 * 3;
        cdg_quat right = quat_multiply(left, turn);
        if (random_unit(&random) < 0.5) right = quat_negate(right);
        cdg_cell_term t, low, high;
        cdg_cell_evaluate(&law, left, right, &t);
        const double h = 1e-5, scale = law.near != 0 ? 100 : 10;
        for (int k = 0; k < 6; k++) {
            double by[3] = {0};
            by[k % 3] = h;
            cdg_quat there = quat_exp(vec3(by[0], by[1], by[2])), back = quat_conjugate(there);
            bool is_left = k < 3;
            cdg_cell_evaluate(&law, is_left ? quat_multiply(left, there) : left,
                              is_left ? right : quat_multiply(right, there), &high);
            cdg_cell_evaluate(&law, is_left ? quat_multiply(left, back) : left,
                              is_left ? right : quat_multiply(right, back), &low);
            assert_near(t.torque[k], (high.energy - low.energy) / (2 * h), 1e-7 * scale);
            assert_near(t.stiffness[k][k], (high.energy - 2 * t.energy + low.energy) / (h * h), 1e-4 * scale);
        }
        // between different turns: the second difference of the energy, of turns made at once
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < k; i++) {
                double sum = 0;
                for (int sign = 0; sign < 4; sign++) {
                    double by[6] = {0};
                    by[k] = sign & 1 ? h : -h, by[i] = sign & 2 ? h : -h;
                    cdg_quat l = quat_multiply(left, quat_exp(vec3(by[0], by[1], by[2])));
                    cdg_quat r = quat_multiply(right, quat_exp(vec3(by[3], by[4], by[5])));
                    cdg_cell_evaluate(&law, l, r, &high);
                    sum += (sign == 0 || sign == 3 ? 1 : -1) * high.energy;
                }
                assert_near(t.stiffness[k][i], sum / (4 * h * h), 1e-4 * scale);
                assert_near(t.stiffness[i][k], t.stiffness[k][i], 0);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges_have_their_derivatives),
                                       cmocka_unit_test(cells_have_their_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
