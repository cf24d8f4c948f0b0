// Rods that adapt, before they do: options, memory, places of the definition.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"

#include <string.h>

static void options_are_checked(void **state) {
    (void)state;
    cdg_rod *rod;
    cdg_error error;
    for (int fault = 0; fault < 11; fault++) {
        cdg_rod_def def = adapt_def(ADAPT_POBD, 10);
        if (fault == 0) def.adapt.angle = 0;
        if (fault == 1) def.adapt.coarsen = 0.16;
        if (fault == 2) def.adapt.levels = 8;
        if (fault == 3) def.adapt.shortest = -1;
        if (fault == 4) def.adapt.hold = NAN;
        if (fault == 5) def.model = CDG_MODEL_GALPHA;
        if (fault == 6) def.adapt.method = (cdg_adapt_method)2;
        if (fault == 7) def.adapt.contact = (cdg_adapt_contact)2;
        if (fault == 8) def.model = CDG_MODEL_CORDE, def.corde.substeps = 2;
        if (fault == 9) {
            def.model = CDG_MODEL_DER, def.der.integrator = CDG_DER_EXPLICIT;
            def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
        }
        if (fault == 10) {
            def.pobd.paper_stiffness = true;
            def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
            def.pobd.integrator = CDG_POBD_EULER;
        }
        assert_true(cdg_rod_build(&def, &rod, &error) != CDG_OK);
        assert_non_null(strstr(error.message, "rope"));
        if (fault == 5) assert_non_null(strstr(error.message, "models that can: pobd, corde, der"));
        def.adapt.is_on = false; // then nobody asks
        assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
        cdg_rod_destroy(rod);
    }
}

static void places_of_the_definition_are_found(void **state) {
    (void)state;
    cdg_rod_def def = adapt_def(ADAPT_CORDE, 4);
    cdg_rod *rod = adapt_build(&def);
    assert_int_equal(rod->element_capacity, 32);
    assert_int_equal(rod->node_capacity, 33);
    assert_near(rod_adapt_shortest(rod, 0), 0.7e-3, 1e-15);
    cdg_place element = {.kind = CDG_PLACE_ELEMENT, .index = 2}, node = {.kind = CDG_PLACE_NODE, .index = 3};
    assert_int_equal(rod_present_place(rod, element).index, 2);
    cdg_resolution_halve(rod, 0);
    cdg_resolution_halve(rod, 3);
    cdg_resolution_halve(rod, 3); // its first half
    cdg_place now = rod_present_place(rod, element);
    assert_int_equal(now.kind, CDG_PLACE_NODE);
    assert_near(rod->adapt->arc[now.index], 0.625, 1e-15);
    now = rod_present_place(rod, node);
    assert_near(rod->adapt->arc[now.index], 0.75, 1e-15);
    const double numbers[] = {0, 0.5, 1, 2, 2.25, 2.5, 3, 4};
    for (size_t i = 0; i < 8; i++) assert_true(rod_user_number(rod, i) == numbers[i]);
    cdg_rod large = rod_largest(rod);
    assert_int_equal(large.node_count, 33);
    cdg_rod_adapt_settle(rod);
    assert_false(rod->has_equal_elements);
    assert_true(rod->has_equal_turns);
    cdg_rod_destroy(rod);
}

// A curve is made at the finest resolution; nodes of the definition are where they would be.
static void curves_start_fine(void **state) {
    (void)state;
    cdg_rod_def def = adapt_def(ADAPT_DER, 5);
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_ARC};
    def.centerline.arc.tangent = vec3(1, 0, 0);
    def.centerline.arc.normal = vec3(0, 1, 0);
    def.centerline.arc.radius = 0.1;
    def.centerline.arc.angle = 2;
    cdg_rod *fine = adapt_build(&def);
    def.adapt.is_on = false;
    cdg_rod *coarse = adapt_build(&def);
    assert_int_equal(fine->element_count, 40);
    assert_int_equal(fine->adapt->user_node_count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_vec3_near(rod_vec3(fine->x, rod_user_node(fine, i)), rod_vec3(coarse->x, i), 1e-15);
    for (size_t j = 0; j < 40; j++) assert_true(fine->adapt->level[j] == 3 && fine->adapt->part[j] == j % 8);
    cdg_rod_destroy(fine);
    cdg_rod_destroy(coarse);
}

// Shorter elements of an explicit model want shorter steps.
static void limits_follow(void **state) {
    (void)state;
    cdg_rod_def def = adapt_def(ADAPT_CORDE, 4);
    cdg_rod *rod = adapt_build(&def);
    double before = rod->node_step_limit;
    cdg_resolution_halve(rod, 1);
    cdg_rod_adapt_settle(rod);
    assert_true(rod->node_step_limit < 0.75 * before);
    cdg_resolution_join(rod, 1);
    cdg_rod_adapt_settle(rod);
    assert_true(rod->node_step_limit == before);
    cdg_rod_destroy(rod);
    // explicit rods without sub-steps: at once as the finest that they may become
    char reason[256];
    double step[2];
    for (int is_fine = 0; is_fine < 2; is_fine++) {
        def = adapt_def(ADAPT_DER, is_fine ? 32 : 4);
        def.der.integrator = CDG_DER_EXPLICIT;
        def.adapt.is_on = !is_fine;
        rod = adapt_build(&def);
        step[is_fine] = rod->model->advise_step(rod, reason);
        cdg_rod_destroy(rod);
    }
    assert_near(step[0], step[1], 1e-9 * step[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_are_checked),
                                       cmocka_unit_test(places_of_the_definition_are_found),
                                       cmocka_unit_test(curves_start_fine), cmocka_unit_test(limits_follow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
