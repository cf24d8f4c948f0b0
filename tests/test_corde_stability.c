// The estimates of the longest stable step: exact for uniform rods, on the safe side, and not by much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"
#include "small_world.h"

static cdg_rod_def uniform_def(cdg_corde_coupling coupling) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.corde.coupling = coupling;
    def.corde.substeps = 1;
    def.section.radius = 1e-2;
    def.element_count = 40;
    return def;
}

static void test_closed_forms(void **state) {
    (void)state;
    cdg_rod_def def = uniform_def(CDG_CORDE_PENALTY);
    def.corde.inertia_factor = 0.25;
    corde_case c = case_build(&def);
    corde_limits limits = corde_find_limits(c.rod);
    double l = 1.0 / 40, wave = sqrt(1e6 / 1100);
    assert_near(limits.nodes, l / wave, 1e-12); // kappa = E A: as stretching
    double inertia = 0.25 * 1100 * 1e-4 / 4;    // per area
    double square = (4 * 1e6 * 1e-4 / 4 / (l * l) + 1e6) / inertia + 6 * 1e6 / (1100 * l * l); // an end node
                                                                                               // has half the mass
    assert_near(limits.frames, 2 / sqrt(square), 1e-3 * limits.frames);
    assert_near(c.rod->node_step_limit, limits.nodes, 0);
    assert_near(c.rod->frame_step_limit, limits.frames, 0);
    assert_true(corde_substeps_needed(c.rod, 1e-9, 0) == 1);
    assert_true(corde_substeps_needed(c.rod, 10 * limits.frames, 0) == 13);
    assert_true(corde_substeps_needed(c.rod, 10 * limits.frames, 0.1 / limits.frames) == 13); // slow tops cost nothing
    assert_true(corde_substeps_needed(c.rod, 10 * limits.frames, 2 / limits.frames) == 22);
    case_free(&c);

    def = uniform_def(CDG_CORDE_CONSTRAINT);
    c = case_build(&def);
    limits = corde_find_limits(c.rod);
    assert_near(limits.frames, l / sqrt(1e6 / 3 / 1100), 1e-12); // twist waves
    double bend = 16 * 1e6 * 1e-4 / 4 / (1100 * l * l * l * l), stretch = 4 * 1e6 / (1100 * l * l);
    assert_near(limits.nodes, 2 / sqrt(bend + stretch), 1e-9);
    case_free(&c);
}

// Whether a free or clamped rod, plucked, keeps a bounded energy at `fraction` of the estimate.
static bool is_stable(cdg_rod_def def, double fraction, bool is_clamped) {
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, is_clamped);
    corde_case c = case_build(&def);
    double limit = fmin(c.rod->node_step_limit, c.rod->frame_step_limit);
    case_free(&c);
    must(small.world, cdg_world_set_step_size(small.world, fraction * limit));
    double start = cdg_world_energy(small.world).total, worst = 0;
    for (int i = 0; i < 4000; i++) {
        if (cdg_world_step(small.world, NULL) != CDG_OK) {
            worst = INFINITY;
            break;
        }
        worst = fmax(worst, cdg_world_energy(small.world).total);
    }
    cdg_world_destroy(small.world);
    return worst < 3 * start;
}

static void test_estimates_hold_and_are_not_far_off(void **state) {
    (void)state;
    for (int round = 0; round < 12; round++) {
        cdg_rod_def def = uniform_def(round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY);
        def.rest.kind = CDG_REST_CURVATURE; // starts straight: strained
        def.rest.curvature[0] = 0.3;
        def.rest.twist = 0.3;
        def.element_count = 13;
        const double radii[] = {5e-3, 2e-2, 6e-2};
        def.section.radius = def.section_end.radius = radii[round / 4];
        def.is_tapered = round / 2 % 2 == 1;
        if (def.is_tapered) def.section_end.radius *= 0.5;
        assert_true(is_stable(def, 0.9, round % 4 < 2));
        assert_false(is_stable(def, 1.5, round % 4 < 2));
    }
}

static void test_unequal_elements_are_limited_by_the_shortest(void **state) {
    (void)state;
    const cdg_vec3 points[] = {{0, 0, 0}, {0.3, 0, 0}, {0.31, 0, 0}, {0.6, 0, 0}, {1, 0, 0}};
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = uniform_def(c ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY);
        def.centerline.kind = CDG_CENTERLINE_POLYLINE;
        def.centerline.points.points = points;
        def.centerline.points.count = 5;
        def.element_count = 4;
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 0.2;
        corde_case made = case_build(&def);
        double even = 0.25 / sqrt(1e6 / 1100);
        assert_true(made.rod->node_step_limit < 0.5 * even);
        case_free(&made);
        assert_true(is_stable(def, 0.9, false));
    }
}

// A rod that spins about its own axis and vibrates a little: with light frames, or with the constraint coupling and a
// section whose axial inertia is large for its mass (as the paper prints it).
static cdg_rod_def spinning_def(cdg_corde_coupling coupling) {
    cdg_rod_def def = uniform_def(coupling);
    def.element_count = 10;
    def.corde.inertia_factor = 0.01;
    def.corde.substeps = 0;
    def.angular_velocity = vec3(200, 0, 0);
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.05;
    if (coupling == CDG_CORDE_CONSTRAINT) {
        def.has_stiffness = true;
        def.stiffness = (cdg_stiffness){.shear = {1e3, 1e3},
                                        .stretch = 300,
                                        .bend = {0.008, 0.008},
                                        .twist = 0.008,
                                        .mass = 0.35,
                                        .inertia = {1e-3, 1e-3, 2e-3},
                                        .radius = 0.01};
    }
    return def;
}

// Frames that spin are tops: sub-steps that ignore this let the energy grow, those that are chosen do not.
static void test_spinning_frames(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        bool is_fixed = k % 2 == 1;
        cdg_rod_def def = spinning_def(k < 2 ? CDG_CORDE_PENALTY : CDG_CORDE_CONSTRAINT);
        corde_case c = case_build(&def);
        double step = c.rod->node_step_limit / 2, plain = corde_substeps_needed(c.rod, step, 0);
        double expected = k < 2 ? 2 * 200 / 0.01 : 200 * 2e-3 * (1 / 0.0175 + 1 / 0.035) / 0.1;
        assert_near(corde_nutation(c.rod), expected, 1e-6 * expected);
        case_free(&c);
        if (is_fixed) def.corde.substeps = (int)plain;
        small_world small = small_world_make(&def, vec3(0, 0, 0), step, false);
        double start = cdg_world_energy(small.world).total;
        bool has_grown = false;
        cdg_step_report report = {0};
        for (int i = 0; i < 3000 && !has_grown; i++)
            has_grown =
                cdg_world_step(small.world, &report) != CDG_OK || cdg_world_energy(small.world).total > 1.2 * start;
        assert_int_equal(has_grown, is_fixed);
        if (!is_fixed) assert_true(report.iterations > plain);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_estimates_hold_and_are_not_far_off),
        cmocka_unit_test(test_unequal_elements_are_limited_by_the_shortest),
        cmocka_unit_test(test_spinning_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
