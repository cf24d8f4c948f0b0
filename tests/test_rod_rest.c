// The rest shape of a rod that is there already: the same arrays as those of a rod that was built with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "rods/rod.h"
#include "rods/rod_model.h"

#include <string.h>

enum { ELEMENTS = 8 };

static cdg_rod *build(cdg_model model, cdg_vec3 rest, double length) {
    cdg_rod_def def = cdg_rod_def_default();
    cdg_error error = {0};
    def.model = model;
    def.element_count = ELEMENTS;
    def.centerline.line.to = vec3(length, 0, 0);
    def.rest = (cdg_rest){.kind = CDG_REST_CURVATURE, .curvature = {rest.x, rest.y}, .twist = rest.z};
    if (rest.x == 0 && rest.y == 0 && rest.z == 0) def.rest.kind = CDG_REST_STRAIGHT;
    cdg_rod *rod;
    if (cdg_rod_build(&def, &rod, &error) != CDG_OK) fail_msg("%s", error.message);
    return rod;
}

static void assert_same_rest(const cdg_rod *a, const cdg_rod *b) {
    for (size_t i = 0; i < a->node_count; i++) {
        cdg_quat p = rod_rest_turn(a, i), q = rod_rest_turn(b, i);
        assert_near(quat_dot(p, q), 1, 1e-13);
        if (a->rest_curl[0] != NULL) assert_vec3_near(rod_vec3(a->rest_curl, i), rod_vec3(b->rest_curl, i), 1e-13);
    }
    for (size_t j = 0; j < a->element_count; j++) assert_near(a->rest_length[j], b->rest_length[j], 1e-14);
    assert_int_equal(a->has_equal_turns, b->has_equal_turns);
    if (a->own_constant_count == 0) return;
    for (size_t k = 0; k < a->own_constant_count; k++) assert_near(a->own_constant[k], b->own_constant[k], 1e-12);
}

// Straight rods of models that have one entry for all turns get room; der counts whole turns of twist.
static void curvature_set_later_is_curvature_from_the_start(void **state) {
    (void)state;
    const cdg_vec3 rest = {2, -1, 3};
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod *later = build((cdg_model)model, vec3(0, 0, 0), 1), *built = build((cdg_model)model, rest, 1);
        cdg_vec3 darboux[ELEMENTS + 1], back[ELEMENTS + 1];
        for (size_t i = 0; i <= ELEMENTS; i++) darboux[i] = rest;
        assert_int_equal(cdg_rod_set_rest_darboux(later, darboux, NULL), CDG_OK);
        assert_same_rest(later, built);
        cdg_rod_rest_darboux(later, back);
        for (size_t i = 0; i <= ELEMENTS; i++) assert_vec3_near(back[i], rest, 1e-12);
        assert_int_equal(cdg_rod_set_rest_darboux(later, NULL, NULL), CDG_OK); // straight again
        cdg_rod_rest_darboux(later, back);
        assert_vec3_near(back[3], vec3(0, 0, 0), 0);
        cdg_rod_destroy(later);
        cdg_rod_destroy(built);
    }
}

static void whole_turns_are_counted_where_a_model_counts(void **state) {
    (void)state;
    cdg_vec3 twisted[ELEMENTS + 1], back[ELEMENTS + 1];
    for (size_t i = 0; i <= ELEMENTS; i++) twisted[i] = vec3(0, 0, 60); // 7.5 rad a cell
    cdg_rod *der = build(CDG_MODEL_DER, vec3(0, 0, 0), 1), *pobd = build(CDG_MODEL_POBD, vec3(0, 0, 0), 1);
    cdg_error error = {0};
    assert_int_equal(cdg_rod_set_rest_darboux(der, twisted, &error), CDG_OK);
    cdg_rod_rest_darboux(der, back);
    assert_near(back[4].z, 60, 1e-10);
    assert_int_equal(cdg_rod_set_rest_darboux(pobd, twisted, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "more elements"));
    assert_true(pobd->has_one_turn); // nothing happened
    cdg_rod_destroy(der);
    cdg_rod_destroy(pobd);
}

// Lengths change, curvature stays, and so do mass and the inertia of elements.
static void a_longer_rod_has_the_same_mass_and_curvature(void **state) {
    (void)state;
    const double factor = 1.25;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod *rod = build((cdg_model)model, vec3(1, 2, 3), 1),
                *long_one = build((cdg_model)model, vec3(1, 2, 3), factor);
        double limit = rod->node_step_limit;
        double mass = rod->mass, inertia = rod->frame_inertia[2][0] * rod->rest_length[0];
        cdg_rod_scale_rest_length(rod, factor);
        assert_near(rod->length, long_one->length, 1e-13);
        for (size_t j = 0; j < ELEMENTS; j++) assert_near(rod->rest_length[j], long_one->rest_length[j], 1e-14);
        for (size_t i = 0; i <= ELEMENTS; i++)
            assert_near(quat_dot(rod_rest_turn(rod, i), rod_rest_turn(long_one, i)), 1, 1e-13);
        assert_near(rod->mass, mass, 0);
        assert_near(rod->line_mass[0] * rod->rest_length[0], mass / ELEMENTS, 1e-15);
        assert_near(rod->frame_inertia[2][0] * rod->rest_length[0], inertia, 1e-18);
        if (limit > 0) assert_near(rod->node_step_limit / limit, sqrt(factor), 1e-6); // corde: softer, and as heavy
        cdg_rod_destroy(rod);
        cdg_rod_destroy(long_one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curvature_set_later_is_curvature_from_the_start),
        cmocka_unit_test(whole_turns_are_counted_where_a_model_counts),
        cmocka_unit_test(a_longer_rod_has_the_same_mass_and_curvature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
