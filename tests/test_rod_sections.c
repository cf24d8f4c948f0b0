// Rods that vary along themselves and adapt: sections by place, mass and momentum as they were.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt/rod_sections.h"
#include "adapt_case.h"

#include <string.h>

enum { COARSE = 6 };

static cdg_rod_def tapered(adapt_variant variant, size_t elements) {
    cdg_rod_def def = adapt_def(variant, elements);
    def.is_tapered = true;
    def.section_end = def.section;
    def.section_end.radius = 0.5 * def.section.radius;
    return def;
}

static double mass_of(const cdg_rod *rod) {
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) sum += rod->node_mass[i];
    return sum;
}

// Halved throughout it is what it would be if it had been built so, but for the mass, which is that of before.
static void halves_have_the_sections_of_their_places(void **state) {
    (void)state;
    for (int v = 0; v < ADAPT_VARIANTS; v++) {
        cdg_rod_def def = tapered((adapt_variant)v, COARSE);
        cdg_rod *rod = adapt_build(&def), *same = adapt_build(&def);
        def = tapered((adapt_variant)v, 2 * COARSE);
        def.adapt.is_on = false;
        cdg_rod *fine = adapt_build(&def);
        for (size_t j = 0; j < COARSE; j++) cdg_resolution_halve(rod, 2 * j);
        for (size_t i = 0; i < fine->node_count; i++) {
            assert_near(rod->radius[i], fine->radius[i], 1e-12 * fine->radius[i]);
            for (int k = 0; k < 3; k++)
                assert_near(rod->bend_stiffness[k][i], fine->bend_stiffness[k][i], 1e-12 * fine->bend_stiffness[k][i]);
        }
        for (size_t j = 0; j < fine->element_count; j++) {
            double share = rod->line_mass[j] / fine->line_mass[j];
            assert_near(share, 1, 2e-3);
            for (int k = 0; k < 3; k++) {
                double stiffness = fine->stretch_stiffness[k][j], inertia = share * fine->frame_inertia[k][j];
                assert_near(rod->stretch_stiffness[k][j], stiffness, 1e-12 * stiffness);
                assert_near(rod->frame_inertia[k][j], inertia, 1e-12 * inertia);
            }
        }
        assert_near(mass_of(rod), mass_of(same), 1e-14 * mass_of(same));
        for (size_t j = 0; j < COARSE; j++) cdg_resolution_join(rod, j);
        for (size_t j = 0; j < COARSE; j++) {
            assert_near(rod->line_mass[j], same->line_mass[j], 1e-14 * same->line_mass[j]);
            assert_near(rod->node_mass[j], same->node_mass[j], 1e-14 * same->node_mass[j]);
            for (int k = 0; k < 3; k++) {
                assert_near(rod->stretch_stiffness[k][j], same->stretch_stiffness[k][j],
                            1e-12 * same->stretch_stiffness[k][j]);
                assert_near(rod->bend_stiffness[k][j], same->bend_stiffness[k][j], 1e-12 * same->bend_stiffness[k][j]);
            }
        }
        cdg_rod_destroy(rod);
        cdg_rod_destroy(same);
        cdg_rod_destroy(fine);
    }
}

static cdg_vec3 momentum_of(const cdg_rod *rod) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < rod->node_count; i++) sum = vec3_mad(sum, rod->node_mass[i], rod_vec3(rod->v, i));
    return sum;
}

static void momentum_is_kept(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int v = 0; v < ADAPT_VARIANTS; v++) {
        cdg_rod_def def = tapered((adapt_variant)v, COARSE);
        cdg_rod *rod = adapt_build(&def);
        adapt_shake(rod, &random, 0.01);
        cdg_vec3 before = momentum_of(rod);
        cdg_adapt_context context = {.gravity = vec3(0, 0, -9.81), .step = 1e-3};
        cdg_adapt_outcome outcome;
        assert_true(cdg_adapt_split(rod, 2, &context, &outcome));
        assert_int_equal(rod->element_count, COARSE + 1);
        assert_vec3_near(momentum_of(rod), before, 1e-12 * mass_of(rod) * 0.01);
        assert_true(cdg_adapt_merge(rod, 2, &context, &outcome));
        assert_vec3_near(momentum_of(rod), before, 1e-12 * mass_of(rod) * 0.01);
        cdg_rod_destroy(rod);
    }
}

// The thick end's elements may not become as short as the thin end's.
static void bounds_follow_the_section(void **state) {
    (void)state;
    cdg_rod_def def = tapered(ADAPT_POBD, COARSE);
    cdg_rod *rod = adapt_build(&def);
    assert_near(rod_adapt_shortest(rod, 0), 0.7 * rod->radius[0], 1e-15);
    assert_near(rod_adapt_shortest(rod, COARSE - 1), 0.7 * rod->radius[COARSE - 1], 1e-15);
    assert_true(rod_adapt_shortest(rod, COARSE - 1) < 0.6 * rod_adapt_shortest(rod, 0));
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves_have_the_sections_of_their_places),
                                       cmocka_unit_test(momentum_is_kept), cmocka_unit_test(bounds_follow_the_section)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
