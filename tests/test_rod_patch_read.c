// A few elements as they are read from a rod: their energy is that of the rod.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch.h"
#include "adapt_case.h"

static const size_t elements[3] = {3, 4, 5}, nodes[4] = {3, 4, 5, 6};

static void energy_is_that_of_the_rod(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {11};
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
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
        cdg_rod *rod = adapt_build_bent((adapt_variant)variant, &random);
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
