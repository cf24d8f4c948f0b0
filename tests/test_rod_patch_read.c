// A few elements as they are read from a rod: their energy is that of the rod.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch.h"
#include "adapt_case.h"

static const size_t elements[3] = {3, 4, 5}, nodes[4] = {3, 4, 5, 6};

// A random shape, not far from rest.
static cdg_rod *build(adapt_variant variant, cdg_random *random) {
    cdg_rod_def def = adapt_def(variant, 9);
    def.rest = (cdg_rest){.kind = CDG_REST_CURVATURE, .curvature = {3, -2}, .twist = 5};
    def.initial_twist = 4;
    cdg_rod *rod = adapt_build(&def);
    double l = rod->rest_length[0];
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->x, i, vec3_add(rod_vec3(rod->x, i), random_vec3(random, 0.02 * l)));
    bool follows = rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(random, 0.05)));
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, j + 1), rod_vec3(rod->x, j));
        if (follows) q = quat_multiply(quat_between(quat_d3(q), vec3_normalize(edge)), q);
        rod_set_quat(rod->q, j, quat_normalize(q));
    }
    if (rod->twist != NULL) cdg_rod_recount_turns(rod);
    return rod;
}

static void energy_is_that_of_the_rod(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {11};
        cdg_rod *rod = build((adapt_variant)variant, &random);
        cdg_rod_patch patch;
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        cdg_energy e;
        cdg_rod_measure_part(rod, 3, 3, vec3(0, 0, 0), &e);
        double energy = cdg_rod_patch_energy(&patch, NULL);
        assert_near(energy, e.stretch + e.shear + e.bend + e.twist, 1e-12 * energy);
        cdg_rod_destroy(rod);
    }
}

// At a section that is clamped, with more than half a turn on one side of it where the model counts them.
static void energy_beside_a_clamp_is_that_of_the_rod(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {13};
        cdg_rod *rod = build((adapt_variant)variant, &random);
        cdg_quat left = rod_quat(rod->q, 3), turn = quat_relative(left, rod_quat(rod->q, 4));
        cdg_quat between = quat_multiply(left, quat_power(turn, 0.4));
        cdg_hold hold = {.node = 4, .holds_position = true, .frame_hold = CDG_HOLD_FRAME, .frame = between};
        uint32_t *hold_at = rod->hold_at;
        rod->holds = &hold, rod->hold_count = 1, rod->hold_at = NULL;
        for (size_t i = 4; i + 1 < rod->node_count && rod->twist != NULL; i++)
            rod->twist[i] += (i == 4 ? 0.5 : 1) * 4 * 3.14159265358979;
        cdg_rod_patch patch;
        cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
        cdg_energy e;
        cdg_rod_measure_part(rod, 3, 3, vec3(0, 0, 0), &e);
        double energy = cdg_rod_patch_energy(&patch, NULL);
        assert_near(energy, e.stretch + e.shear + e.bend + e.twist, 1e-12 * energy);
        rod->holds = NULL, rod->hold_count = 0, rod->hold_at = hold_at;
        cdg_rod_destroy(rod);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_that_of_the_rod),
                                       cmocka_unit_test(energy_beside_a_clamp_is_that_of_the_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
