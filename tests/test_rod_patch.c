// A few elements of a rod: derivatives of their energy are those of differences, and what is solved for is in
// equilibrium.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch.h"
#include "adapt_case.h"

static const size_t elements[3] = {3, 4, 5}, nodes[4] = {3, 4, 5, 6};

static double unit_of(const cdg_rod_patch *patch, size_t unknown, double length) {
    return cdg_rod_patch_is_position(patch, unknown) ? length : 1;
}

static void derivatives_are_those_of_differences(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {23};
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
        cdg_rod_patch patch;
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        double h[CDG_PATCH_UNKNOWNS][CDG_PATCH_UNKNOWNS], g[CDG_PATCH_UNKNOWNS];
        size_t n = cdg_rod_patch_hessian(&patch, h, g);
        assert_int_equal(n, patch.follows ? 9 : 15);
        double energy = cdg_rod_patch_energy(&patch, NULL), l = rod->rest_length[0];
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k <= i; k++) {
                double di = unit_of(&patch, i, l) * 2e-4, dk = unit_of(&patch, k, l) * 2e-4, value[4];
                for (int sign = 0; sign < 4; sign++) {
                    double by[CDG_PATCH_UNKNOWNS] = {0};
                    by[i] += sign & 1 ? di : -di;
                    by[k] += sign & 2 ? dk : -dk;
                    cdg_rod_patch moved = patch;
                    cdg_rod_patch_move(&moved, by);
                    value[sign] = cdg_rod_patch_energy(&moved, NULL);
                }
                double second = (value[3] - value[1] - value[2] + value[0]) / (4 * di * dk);
                double scale = sqrt(fabs(h[i][i] * h[k][k]));
                assert_near(h[i][k], second, 2e-3 * scale + 1e-9 * energy / (di * dk));
                if (i == k)
                    assert_near(g[i], (value[3] - value[0]) / (4 * di), 1e-4 * scale * di * 10 + 1e-6 * fabs(g[i]));
            }
        cdg_rod_destroy(rod);
    }
}

static void solutions_are_equilibria(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {41};
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
        cdg_rod_patch patch;
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        cdg_rod_patch_gradient start, wanted = {0}, now;
        double energy = cdg_rod_patch_energy(&patch, &start), scale = energy;
        for (size_t k = 1; k < 3; k++) wanted.node[k] = vec3_scale(0.002, start.node[k]);
        for (size_t k = 0; k < 3; k++) wanted.frame[k] = vec3_scale(0.002, start.frame[k]);
        assert_true(cdg_rod_patch_solve(&patch, &wanted, false, &energy) > 0);
        assert_near(energy, cdg_rod_patch_energy(&patch, &now), 1e-13 * scale);
        for (size_t k = 1; k < 3; k++)
            assert_vec3_near(now.node[k], wanted.node[k], 1e-8 * (vec3_norm(start.node[k]) + 1));
        for (size_t k = 0; k < 3; k++)
            assert_vec3_near(now.frame[k], wanted.frame[k], 1e-8 * (vec3_norm(start.frame[k]) + 0.01));
        cdg_rod_destroy(rod);
    }
}

// From where an edge is pressed the way back is found.
static void a_pressed_start_leads_back(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {41};
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
        cdg_rod_patch patch, from;
        cdg_rod_patch_gradient start, wanted = {0};
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        double energy = cdg_rod_patch_energy(&patch, &start), scale = energy;
        for (size_t k = 1; k < 3; k++) wanted.node[k] = vec3_scale(0.002, start.node[k]);
        for (size_t k = 0; k < 3; k++) wanted.frame[k] = vec3_scale(0.002, start.frame[k]);
        assert_true(cdg_rod_patch_solve(&patch, &wanted, false, &energy) > 0);
        from = patch;
        from.x[1] = vec3_lerp(from.x[1], from.x[2], 0.003);
        for (size_t e = 0; e < 3 && patch.follows; e++) {
            cdg_vec3 edge = vec3_normalize(vec3_sub(from.x[e + 1], from.x[e]));
            from.q[e] = quat_multiply(quat_between(quat_d3(from.q[e]), edge), from.q[e]);
        }
        assert_true(cdg_rod_patch_solve(&from, &wanted, true, &energy) > 0);
        assert_near(energy, cdg_rod_patch_energy(&from, NULL), 1e-13 * scale);
        for (size_t k = 1; k < 3; k++) assert_vec3_near(from.x[k], patch.x[k], 1e-8 * rod->rest_length[0]);
        cdg_rod_destroy(rod);
    }
}

static void planes_have_no_part_in_its_own_energy(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {29};
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
        cdg_rod_patch patch;
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        double energy = cdg_rod_patch_energy(&patch, NULL);
        assert_true(energy > 0);
        assert_true(cdg_rod_patch_own_energy(&patch) == energy);
        cdg_vec3 normal = vec3(0, 0, 1);
        cdg_rod_patch_add_plane(&patch, 1, 0.5, normal, vec3_dot(normal, patch.x[1]) + 1); // 1 m deep in it
        assert_true(cdg_rod_patch_energy(&patch, NULL) > energy);
        assert_true(cdg_rod_patch_own_energy(&patch) == energy);
        cdg_rod_destroy(rod);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences), cmocka_unit_test(solutions_are_equilibria),
        cmocka_unit_test(a_pressed_start_leads_back), cmocka_unit_test(planes_have_no_part_in_its_own_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
