// A part of a rod has everything that its elements had, and half of the node where it was cut.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/quat.h"
#include "math/random.h"
#include "near.h"
#include "rods/rod_cut.h"
#include "rods/rod_model.h"

enum { ELEMENTS = 12 };

// Of any model, bent, twisted by more than half a turn a cell where turns are counted, tapered, in motion.
static cdg_rod *make_rod(cdg_model model, bool is_closed, bool adapts) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.model = model;
    def.element_count = ELEMENTS;
    def.section.radius = 2e-3;
    def.centerline = cdg_centerline_default();
    if (is_closed) {
        def.centerline.kind = CDG_CENTERLINE_CIRCLE;
        def.centerline.circle.radius = 0.1;
        def.centerline.circle.axis = vec3(0, 0, 1);
    }
    def.is_tapered = !is_closed && !adapts && cdg_rod_model_get(model)->supports_varying_section;
    def.section_end = def.section;
    def.section_end.radius = 1e-3;
    def.adapt.is_on = adapts;
    def.rest.kind = CDG_REST_INITIAL;
    if (model == CDG_MODEL_DER && !is_closed) def.initial_twist = 40;
    cdg_rod *rod = NULL;
    cdg_error error = {0};
    if (cdg_rod_build(&def, &rod, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_random random = {17};
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, vec3_add(rod_vec3(rod->x, i), random_vec3(&random, 2e-3)));
        rod_set_vec3(rod->v, i, random_vec3(&random, 1));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(&random, 0.1)));
        rod_set_quat(rod->q, j, q);
        rod_set_vec3(rod->w, j, random_vec3(&random, 5));
    }
    if (rod->twist != NULL && !is_closed) cdg_rod_recount_turns(rod);
    return rod;
}

static cdg_rod *cut_out(const cdg_rod *whole, size_t first, size_t count, const char *name) {
    cdg_rod *part = NULL;
    cdg_error error = {0};
    cdg_rod_piece cut = {first, count};
    if (cdg_rod_cut_out(whole, &cut, name, &part, &error) != CDG_OK) fail_msg("%s", error.message);
    return part;
}

static double energy_of(const cdg_rod *rod) {
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, -9.81), &energy);
    return energy.total;
}

static void check_momentum(const cdg_rod *whole, const cdg_rod *a, const cdg_rod *b) {
    cdg_vec3 p0 = {0}, l0 = {0}, p1 = {0}, l1 = {0};
    cdg_rod_measure_momentum(whole, &p0, &l0);
    cdg_rod_measure_momentum(a, &p1, &l1);
    if (b != NULL) cdg_rod_measure_momentum(b, &p1, &l1);
    assert_true(vec3_distance(p0, p1) <= 1e-13 * vec3_norm(p0));
    assert_true(vec3_distance(l0, l1) <= 1e-13 * (vec3_norm(l0) + 0.1 * vec3_norm(p0)));
}

// What is lost is what stood in the cell of the node.
static double cell_energy(const cdg_rod *rod, size_t node) {
    cdg_vec3 strain = cdg_rod_darboux_strain(rod, node);
    double length = rod_cell_length(rod, node);
    size_t at = node * rod->section_stride;
    return 0.5 * length *
           (rod->bend_stiffness[0][at] * strain.x * strain.x + rod->bend_stiffness[1][at] * strain.y * strain.y +
            rod->bend_stiffness[2][at] * strain.z * strain.z);
}

static void keeps_momentum_and_energy(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE, CDG_MODEL_REFERENCE};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        cdg_rod *whole = make_rod(models[m], false, false);
        cdg_rod *a = cut_out(whole, 0, 5, "rope"), *b = cut_out(whole, 5, ELEMENTS - 5, "rope.2");
        assert_int_equal(a->node_count, 6);
        assert_int_equal(b->node_count, ELEMENTS - 4);
        check_momentum(whole, a, b);
        assert_near(a->mass + b->mass, whole->mass, 1e-15 * whole->mass);
        assert_near(a->length + b->length, whole->length, 1e-15);
        assert_near(a->node_mass[5] + b->node_mass[0], whole->node_mass[5], 1e-15 * whole->mass);
        assert_near(b->section[0].radius, a->section[1].radius, 1e-15);
        double lost = energy_of(whole) - energy_of(a) - energy_of(b), expected = cell_energy(whole, 5);
        assert_near(lost, expected, 1e-9 * energy_of(whole));
        assert_true(expected > 1e-9 * energy_of(whole));
        cdg_rod_destroy(whole);
        cdg_rod_destroy(a);
        cdg_rod_destroy(b);
    }
}

// The two halves of the cell's turn are the whole, counted turns and all.
static void halves_turns(void **state) {
    (void)state;
    cdg_rod *whole = make_rod(CDG_MODEL_DER, false, false);
    cdg_rod *a = cut_out(whole, 0, 5, "rope"), *b = cut_out(whole, 5, ELEMENTS - 5, "rope.2");
    cdg_quat both = quat_multiply(rod_quat(a->rest_turn, 5), rod_quat(b->rest_turn, 0));
    assert_true(fabs(fabs(quat_dot(both, rod_quat(whole->rest_turn, 5))) - 1) < 1e-14);
    assert_near(a->twist[5] + b->twist[0], whole->twist[5], 1e-14);
    assert_near(a->rest_curl[2][5] + b->rest_curl[2][0], whole->rest_curl[2][5], 1e-12);
    assert_true(fabs(whole->twist[5]) > 3.2); // more than half a turn
    for (size_t i = 1; i < 5; i++) assert_true(a->twist[i] == whole->twist[i]);
    for (size_t i = 1; i < b->node_count - 1; i++) assert_true(b->twist[i] == whole->twist[5 + i]);
    cdg_rod_destroy(whole);
    cdg_rod_destroy(a);
    cdg_rod_destroy(b);
}

static void opens_rings(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_CORDE};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        cdg_rod *whole = make_rod(models[m], true, false), *open = cut_out(whole, 7, ELEMENTS, "rope");
        assert_false(open->is_closed);
        assert_int_equal(open->element_count, ELEMENTS);
        assert_int_equal(open->node_count, ELEMENTS + 1);
        check_momentum(whole, open, NULL);
        assert_true(vec3_distance(rod_vec3(open->x, 0), rod_vec3(open->x, ELEMENTS)) == 0);
        assert_true(open->x[0][0] == whole->x[0][7]);
        assert_true(open->q[1][6] == whole->q[1][1]);
        assert_near(energy_of(whole) - energy_of(open), cell_energy(whole, 7), 1e-9 * energy_of(whole));
        cdg_rod_destroy(whole);
        cdg_rod_destroy(open);
    }
}

// Elements that were halved stay so, on either side.
static void keeps_resolution(void **state) {
    (void)state;
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_rod *whole = make_rod(CDG_MODEL_POBD, is_closed, true);
        size_t first = is_closed ? 4 : 0, at = rod_user_node(whole, 4);
        cdg_rod *a = cut_out(whole, first, is_closed ? ELEMENTS : 4, "rope");
        cdg_rod *b = is_closed ? NULL : cut_out(whole, 4, ELEMENTS - 4, "rope.2");
        check_momentum(whole, a, b);
        cdg_rod *last = b != NULL ? b : a;
        assert_int_equal(rod_user_node(last, last->adapt->user_node_count - 1), last->node_count - 1);
        assert_int_equal(rod_user_node(last, 3), rod_user_node(whole, 7) - at);
        assert_int_equal(last->adapt->level[0], whole->adapt->level[at]);
        assert_int_equal(last->element_capacity, (is_closed ? ELEMENTS : ELEMENTS - 4) << whole->adapt->options.levels);
        assert_near(last->adapt->arc[last->node_count - 1], last->length, 1e-14);
        if (is_closed) assert_true(whole->adapt->level[0] > 0); // a circle starts at its finest
        cdg_rod_destroy(whole);
        cdg_rod_destroy(a);
        cdg_rod_destroy(b);
    }
}

static void refuses_what_has_a_state_of_its_own(void **state) {
    (void)state;
    cdg_rod *rod = make_rod(CDG_MODEL_GALPHA, false, false);
    cdg_error error = {0};
    assert_int_equal(cdg_rod_cut_check(rod, &error), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "galpha"));
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_momentum_and_energy),
        cmocka_unit_test(halves_turns),
        cmocka_unit_test(opens_rings),
        cmocka_unit_test(keeps_resolution),
        cmocka_unit_test(refuses_what_has_a_state_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
