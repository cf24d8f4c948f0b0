// Equilibria of galpha rods: an unstable one is left for a stable one, whichever model finds it; failures tell the
// history of their corrections.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arch_case.h"
#include "near.h"
#include "rounds.h"

static void test_buckled_column_is_found(void **state) {
    (void)state;
    cdg_vec3 tips[2];
    for (int k = 0; k < 2; k++) {
        small_world small = column_make(k == 0 ? CDG_MODEL_GALPHA : CDG_MODEL_DER, 40, 4);
        cdg_path_def path = cdg_path_def_default();
        path.step = 0.2;
        cdg_path_report report;
        must(small.world, cdg_world_follow_path(small.world, &path, &report));
        assert_true(report.equilibrium.is_stable && report.equilibrium.lowest > 0);
        cdg_vec3 nodes[41];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        tips[k] = nodes[40];
        assert_near(fabs(tips[k].z) < 1e-6 ? tips[k].z : tips[k].y, 0, 1e-6); // it bends the soft way only
        cdg_world_destroy(small.world);
    }
    double aside[2] = {hypot(tips[0].y, tips[0].z), hypot(tips[1].y, tips[1].z)};
    assert_true(aside[0] > 0.5);
    assert_near(aside[0], aside[1], 2e-3); // either side is as good
    assert_near(tips[0].x, tips[1].x, 2e-3);
}

static void test_history_of_a_failure(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 5;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, false);
    cdg_equilibrium_report report;
    assert_int_equal(cdg_world_find_equilibrium(small.world, &report), CDG_ERROR_NO_CONVERGENCE);
    assert_true(report.history_count > 0);
    assert_non_null(strstr(cdg_world_message(small.world), "last corrections in element lengths: "));
    cdg_world_destroy(small.world);
}

// Nothing keeps a round rod from turning in its pins: no step without inertia, yet an equilibrium, with the modes of
// a heavy pendulum or chord, and one of no frequency.
static void test_free_spin(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) { // hanging from a pin, between two pins; hanging and inextensible
        double frequencies[2][3];
        cdg_vec3 middle[2];
        for (int k = 0; k < 2; k++) {
            cdg_rod_def def = cdg_rod_def_default();
            def.model = k == 0 ? CDG_MODEL_GALPHA : CDG_MODEL_DER;
            def.galpha.is_extensible = kind < 2;
            def.element_count = 20;
            def.section.radius = 4e-3;
            def.material.young_modulus = 1e7;
            def.material.poisson_ratio = 0.3;
            bool hangs = kind % 2 == 0;
            if (hangs) def.centerline.line.to = vec3(0, 0, -1);
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, false);
            for (size_t end = 0; end < (hangs ? 1 : 2); end++) {
                cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {small.rod, CDG_PLACE_NODE, 20 * end}};
                must(small.world, cdg_world_add_support(small.world, &pin, NULL));
            }
            cdg_equilibrium_report report;
            must(small.world, cdg_world_find_equilibrium(small.world, &report));
            assert_true(report.is_stable);
            must(small.world, cdg_rod_find_modes(small.world, small.rod, 3, frequencies[k], NULL));
            cdg_vec3 nodes[21];
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            middle[k] = nodes[10];
            cdg_world_destroy(small.world);
        }
        assert_vec3_near(middle[0], middle[1], kind < 2 ? 1e-4 : 0.04); // der stretches
        assert_near(frequencies[0][0], 0, 1e-3);
        if (kind >= 2) continue;
        for (int i = 1; i < 3; i++) assert_near(frequencies[0][i], frequencies[1][i], 0.01 * frequencies[1][i]);
    }
}

// Elements several times as long as the loads bend: the sentence tells how many serve, and they do.
static void test_unresolved_bend(void **state) {
    (void)state;
    skip_when_sanitized();
    size_t elements = 23;
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_GALPHA;
        def.element_count = elements;
        def.section.radius = 2.8e-3;
        def.material = (cdg_material){.young_modulus = 8.37e4, .poisson_ratio = 0.46, .density = 1080};
        def.centerline.line.to = vec3(0.6554, 0, 0);
        small_world small = small_world_make(&def, vec3(-92.37, -76.57, -33.17), 0, true);
        cdg_result result = cdg_world_find_equilibrium(small.world, NULL);
        if (k == 1) must(small.world, result);
        if (k == 0) assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
        const char *advice = k == 0 ? strstr(cdg_world_message(small.world), ": use ") : NULL;
        assert_true(k == 1 || advice != NULL);
        if (k == 0) elements = strtoul(advice + 6, NULL, 10);
        assert_in_range(elements, 50, 200);
        cdg_world_destroy(small.world);
    }
}

// Elements half as long again as the load bends the rod within have no equilibrium; half as long they have.
static void test_coarse_rods_are_told_so(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_GALPHA;
        def.element_count = k == 0 ? 8 : 16;
        def.material.young_modulus = 2.36e6;
        def.material.density = 6340;
        def.section.kind = CDG_SECTION_RECTANGLE;
        def.section.side[0] = 8.201e-3;
        def.section.side[1] = 7.356e-3;
        def.centerline.line.to = vec3(0.7394, 0, 0);
        small_world small = small_world_make(&def, vec3(-6.444, -2.921, 4.58), 1e-2, true);
        cdg_result result = cdg_world_find_equilibrium(small.world, NULL);
        assert_int_equal(result, k == 0 ? CDG_ERROR_NO_CONVERGENCE : CDG_OK);
        if (k == 0) assert_non_null(strstr(cdg_world_message(small.world), "use 26 elements or more"));
        cdg_world_destroy(small.world);
    }
}

// A clamp holds the section as the shape at the start has it, however that is at rest: no load is left, so the other
// end lies where the rest shape ends, seen from the clamp.
static cdg_vec3 free_end_at_rest(cdg_model model, bool is_extensible, cdg_centerline centerline, cdg_vec3 darboux,
                                 bool is_clamped_last) {
    enum { ELEMENTS = 21 }; // odd: no section lies in the middle
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.galpha.is_extensible = is_extensible;
    def.element_count = ELEMENTS;
    def.section.radius = 0.02;
    def.centerline = centerline;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = darboux.x, def.rest.curvature[1] = darboux.y, def.rest.twist = darboux.z;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
    cdg_support_def clamp = {.place = {small.rod, CDG_PLACE_NODE, is_clamped_last ? ELEMENTS : 0}};
    must(small.world, cdg_world_add_support(small.world, &clamp, NULL));
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_vec3 nodes[ELEMENTS + 1];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    return nodes[is_clamped_last ? 0 : ELEMENTS];
}

static void test_clamps_hold_sections_of_the_shape_at_the_start(void **state) {
    (void)state;
    cdg_centerline straight = cdg_rod_def_default().centerline, curved = {.kind = CDG_CENTERLINE_ARC};
    curved.arc.tangent = vec3(1, 0, 0), curved.arc.normal = vec3(0, 1, 0);
    curved.arc.radius = 0.8, curved.arc.angle = 1.25;
    const cdg_vec3 darboux[] = {{1, 0, 0}, {0.7, -0.9, 0}, {0, 0, 2}, {0.6, 0.4, -1.5}, {0, 0, 0}};
    for (int k = 0; k < 20; k++) {
        cdg_vec3 u = darboux[k / 4];
        cdg_centerline centerline = k % 2 == 0 ? straight : curved;
        bool is_last = k % 4 >= 2;
        cdg_vec3 expected = free_end_at_rest(CDG_MODEL_DER, true, centerline, u, is_last);
        assert_vec3_near(free_end_at_rest(CDG_MODEL_GALPHA, true, centerline, u, is_last), expected, 1e-7);
        assert_vec3_near(free_end_at_rest(CDG_MODEL_GALPHA, false, centerline, u, is_last), expected, 1e-7);
    }
    cdg_vec3 end = free_end_at_rest(CDG_MODEL_GALPHA, true, straight, vec3(1, 0, 0), false);
    assert_near(end.x, sin(1), 1e-4); // chords of 21 elements
    assert_near(hypot(end.y, end.z), 1 - cos(1), 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clamps_hold_sections_of_the_shape_at_the_start),
        cmocka_unit_test(test_buckled_column_is_found),
        cmocka_unit_test(test_history_of_a_failure),
        cmocka_unit_test(test_free_spin),
        cmocka_unit_test(test_unresolved_bend),
        cmocka_unit_test(test_coarse_rods_are_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
