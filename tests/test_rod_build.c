// From definitions to arrays: masses, lengths, rest turns, tapers, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "rods/rod.h"

#define PI 3.14159265358979323846

static cdg_rod *build(const cdg_rod_def *def) {
    cdg_rod *rod = NULL;
    cdg_error error;
    cdg_result result = cdg_rod_build(def, &rod, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return rod;
}

static cdg_rod_def helix_def(size_t element_count) {
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = element_count;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = vec3(0, 0, 1);
    def.centerline.helix.start_direction = vec3(1, 0, 0);
    def.centerline.helix.radius = 0.1;
    def.centerline.helix.pitch = 0.05;
    def.centerline.helix.turns = 3;
    return def;
}

static void test_mass_and_length(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 7;
    cdg_rod *rod = build(&def);
    double mass = 1100 * PI * 2e-3 * 2e-3;
    assert_near(rod->length, 1, 1e-14);
    assert_near(rod->mass, mass, 1e-12 * mass);
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) sum += rod->node_mass[i];
    assert_near(sum, mass, 1e-12 * mass);
    assert_near(rod->node_mass[0], mass / 14, 1e-12 * mass);
    // equally spaced nodes have exactly equal lengths, so the rod counts as uniform
    for (size_t j = 1; j < rod->element_count; j++) assert_true(rod->rest_length[j] == rod->rest_length[0]);
    assert_int_equal(rod->section_stride, 0);
    cdg_rod_destroy(rod);
}

static void test_rest_initial_has_no_strain(void **state) {
    (void)state;
    cdg_rod_def def = helix_def(60);
    def.rest.kind = CDG_REST_INITIAL;
    cdg_rod *rod = build(&def);
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &energy);
    assert_near(energy.total, 0, 1e-20);
    cdg_rod_destroy(rod);
}

// A rod made straight but resting as a helix, and one made as a helix with the Darboux vector of that helix, agree.
static void test_rest_centerline_and_curvature_agree(void **state) {
    (void)state;
    size_t count = 600;
    cdg_rod_def def = helix_def(count);
    cdg_centerline helix = def.centerline;
    def.centerline = cdg_centerline_default();
    double length;
    assert_int_equal(cdg_centerline_length(&helix, &length, NULL), CDG_OK);
    def.centerline.line.to = vec3(length, 0, 0);
    def.rest.kind = CDG_REST_CENTERLINE;
    def.rest.centerline = helix;
    cdg_rod *rod = build(&def);
    // curvature of a helix: R/(R^2 + p^2), p = pitch/(2 pi); parallel transport: no twist
    double p = 0.05 / (2 * PI), curvature = 0.1 / (0.01 + p * p);
    for (size_t i = 1; i + 1 < rod->node_count; i++) {
        cdg_vec3 turn = quat_log(rod_quat(rod->rest_turn, i));
        double cell = rod_cell_length(rod, i);
        assert_near(hypot(turn.x, turn.y) / cell, curvature, 2e-4 * curvature);
        assert_near(turn.z, 0, 1e-9);
    }
    // the half cell at the clamp turns half as much as its neighbour
    cdg_vec3 end = quat_log(rod_quat(rod->rest_turn, 0)), beside = quat_log(rod_quat(rod->rest_turn, 1));
    assert_vec3_near(end, vec3_scale(0.5, beside), 1e-12);
    assert_near(rod->length, length, 1e-3 * length);
    cdg_rod_destroy(rod);
}

static void test_straight_rest_keeps_chord_lengths(void **state) {
    (void)state;
    cdg_rod_def def = helix_def(40);
    cdg_rod *rod = build(&def);
    for (size_t j = 0; j < rod->element_count; j++) assert_near(cdg_rod_strain(rod, j).z, 0, 1e-12);
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &energy);
    assert_true(energy.bend > 0);
    assert_near(energy.twist, 0, 1e-12 * energy.bend);
    cdg_rod_destroy(rod);
}

static void test_taper(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.is_tapered = true;
    def.section.radius = 4e-3;
    def.section_end.radius = 1e-3;
    def.element_count = 300;
    cdg_rod *rod = build(&def);
    assert_int_equal(rod->section_stride, 1);
    double b0 = 1e6 * PI * pow(4e-3, 4) / 4, b1 = 1e6 * PI * pow(1e-3, 4) / 4;
    assert_near(rod->bend_stiffness[0][0], b0, 1e-12 * b0);
    assert_near(rod->bend_stiffness[0][300], b1, 1e-9 * b1);
    // truncated cone: pi L/3 (R^2 + R r + r^2)
    double mass = 1100 * PI / 3 * (16 + 4 + 1) * 1e-6;
    assert_near(rod->mass, mass, 1e-5 * mass);
    assert_near(rod->radius[150], 2.5e-3, 1e-12);
    cdg_rod_destroy(rod);
}

static void test_closed_ring(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.axis = vec3(0, 0, 1);
    def.centerline.circle.start_direction = vec3(1, 0, 0);
    def.centerline.circle.radius = 1;
    def.element_count = 48;
    cdg_rod *rod = build(&def);
    assert_true(rod->is_closed);
    assert_int_equal(rod->node_count, 48);
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &energy);
    double exact = 0.5 * rod->bend_stiffness[0][0] * 2 * PI; // B/2 * kappa^2 * length
    assert_near(energy.bend, exact, 2e-3 * exact);
    assert_near(energy.twist, 0, 1e-12 * exact);
    cdg_rod_destroy(rod);
}

// Whatever the signs with which a ring's frames close up, its curvature has one sign all around.
static void test_ring_curvature_has_one_sign(void **state) {
    (void)state;
    for (size_t elements = 5; elements < 40; elements++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.name = "ring";
        def.centerline.kind = CDG_CENTERLINE_CIRCLE;
        def.centerline.circle.radius = 0.1;
        def.centerline.circle.axis = (cdg_vec3){0.3, -0.5, 0.8};
        def.element_count = elements;
        def.rest.kind = CDG_REST_INITIAL;
        cdg_rod *rod = NULL;
        assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
        cdg_vec3 first = cdg_rod_darboux(rod, 1);
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 darboux = cdg_rod_darboux(rod, i);
            assert_true(vec3_distance(darboux, first) < 1e-6 * vec3_norm(first));
        }
        cdg_rod_destroy(rod);
    }
}

static void test_spinning_start(void **state) {
    (void)state;
    cdg_rod_def def = helix_def(50);
    def.velocity = vec3(1, 2, 3);
    def.angular_velocity = vec3(0.3, -0.2, 2);
    cdg_rod *rod = build(&def);
    cdg_vec3 linear = {0}, angular = {0};
    cdg_rod_measure_momentum(rod, &linear, &angular);
    assert_vec3_near(linear, vec3_scale(rod->mass, def.velocity), 1e-12);
    for (size_t j = 0; j < rod->element_count; j++)
        assert_vec3_near(quat_rotate(rod_quat(rod->q, j), rod_vec3(rod->w, j)), def.angular_velocity, 1e-12);
    cdg_rod_destroy(rod);
}

static void expect_refusal(const cdg_rod_def *def, const char *words) {
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_not_equal(cdg_rod_build(def, &rod, &error), CDG_OK);
    assert_null(rod);
    if (strstr(error.message, words) == NULL) fail_msg("'%s' is not in '%s'", words, error.message);
}

static void test_refusals(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "two words";
    expect_refusal(&def, "two words");
    def = cdg_rod_def_default();
    def.element_count = 0;
    expect_refusal(&def, "at least 1");
    def = cdg_rod_def_default();
    def.material.density = 0;
    expect_refusal(&def, "density");
    def = cdg_rod_def_default();
    def.material.damping_bend = -1;
    expect_refusal(&def, "damping");
    def = cdg_rod_def_default();
    def.velocity.y = NAN;
    expect_refusal(&def, "finite");
    def = cdg_rod_def_default();
    def.pobd.iterations = 0;
    expect_refusal(&def, "iteration");
    def = cdg_rod_def_default();
    def.pobd.paper_stiffness = true;
    expect_refusal(&def, "gauss_seidel");
    def = cdg_rod_def_default();
    def.is_tapered = true;
    def.section_end.kind = CDG_SECTION_TUBE;
    expect_refusal(&def, "taper");
    def = cdg_rod_def_default();
    def.rest.kind = CDG_REST_CENTERLINE;
    def.rest.centerline.kind = CDG_CENTERLINE_CIRCLE;
    expect_refusal(&def, "closed");
    def = cdg_rod_def_default();
    def.has_stiffness = true;
    expect_refusal(&def, "stretch stiffness");
    def = cdg_rod_def_default();
    def.centerline.line.to = def.centerline.line.from;
    expect_refusal(&def, "");
    def = cdg_rod_def_default();
    def.model = (cdg_model)99;
    expect_refusal(&def, "99");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_and_length),
        cmocka_unit_test(test_rest_initial_has_no_strain),
        cmocka_unit_test(test_rest_centerline_and_curvature_agree),
        cmocka_unit_test(test_straight_rest_keeps_chord_lengths),
        cmocka_unit_test(test_taper),
        cmocka_unit_test(test_closed_ring),
        cmocka_unit_test(test_ring_curvature_has_one_sign),
        cmocka_unit_test(test_spinning_start),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
