// The response of implicit der steps against differences of them: open, closed, held, damped, both schemes and both
// measures of curvature.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "response_case.h"

enum { MOST = 40, LONG = 200 };

typedef struct setting {
    size_t element_count;
    bool is_closed, is_bdf2, is_angle, is_damped, is_tapered;
    int supports;
} setting;

static response_case make(cdg_random *random, setting s) {
    cdg_vec3 points[MOST + 1];
    cdg_rod_def def = response_def(random, s.element_count, s.is_closed, points);
    def.model = CDG_MODEL_DER;
    def.der.scheme = s.is_bdf2 ? CDG_DER_BDF2 : CDG_DER_EULER;
    def.der.curvature = s.is_angle ? CDG_DER_ANGLE : CDG_DER_TANGENT;
    def.der.tolerance = 1e-13;
    if (s.is_damped) def.material.damping_bend = def.material.damping_twist = def.material.damping_stretch = 0.01;
    if (s.is_tapered) response_taper(&def);
    response_case c = response_build(&def, 5e-3);
    response_hold(&c, s.supports);
    response_shake(&c, random, 1, 0.5);
    response_keep(&c);
    return c;
}

static const setting settings[] = {
    {.element_count = 1},
    {.element_count = 1, .supports = RESPONSE_CLAMPED},
    {.element_count = 2, .is_bdf2 = true, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 9, .is_tapered = true},
    {.element_count = 20, .is_bdf2 = true, .is_damped = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 17, .is_angle = true, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 33, .is_bdf2 = true, .is_tapered = true, .supports = RESPONSE_CLAMPED_BOTH},
    {.element_count = 3, .is_closed = true},
    {.element_count = 4, .is_closed = true, .is_bdf2 = true},
    {.element_count = 8, .is_closed = true, .is_bdf2 = true, .is_angle = true},
    {.element_count = 21, .is_closed = true, .is_damped = true, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 12, .is_closed = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 25, .supports = RESPONSE_ROLL},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

// The symmetric answer leaves out that torques follow the rod and that inertia of the angles feels the path of the
// edges (der/response.c): of moves a part in ten thousand or less here, in a thousand where edges turn by a right
// angle, of turns a part in a hundred. The triangle's candidate is no minimum: its answer is but a positive stand-in.
static void test_equals_differences_of_steps(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int s = 0; s < SETTINGS; s++) {
        if (settings[s].element_count == 3) continue;
        response_case c = make(&random, settings[s]);
        size_t nodes = c.rod->node_count;
        cdg_rod_range whole = response_whole(c.rod);
        for (int n = 0; n < 6; n++) {
            size_t first = (size_t)random_in(&random, 0, (double)nodes - 0.001);
            size_t end = first + 1 + (size_t)random_in(&random, 0, 4);
            if (!c.rod->is_closed && end > nodes) end = nodes;
            cdg_rod_range loaded = {first, end};
            if (n == 0 || end > first + nodes) loaded = whole;
            response_load(&c, &random, loaded);
            response_check_differences(&c, loaded, 1e-4, settings[s].element_count == 4 ? 1e-3 : 1e-4, 2e-2);
        }
        response_free(&c);
    }
}

static void test_compliance_is_symmetric_and_positive(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int s = 0; s < SETTINGS; s++) {
        response_case c = make(&random, settings[s]);
        response_check_matrix(&c, 1e-10);
        response_free(&c);
    }
}

static void test_cutoff_keeps_what_counts(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int closed = 0; closed < 2; closed++) {
        cdg_vec3 points[LONG + 1];
        cdg_rod_def def = response_def(&random, LONG, closed == 1, points);
        def.model = CDG_MODEL_DER;
        def.material.young_modulus = 1e4;
        response_case c = response_build(&def, 1e-3);
        response_shake(&c, &random, 0.1, 0.1);
        response_keep(&c);
        cdg_rod_range loaded = {LONG / 2, LONG / 2 + 2};
        response_load(&c, &random, loaded);
        cdg_rod_range few = response_check_cutoff(&c, loaded, 1e-2), more = response_check_cutoff(&c, loaded, 1e-6);
        assert_true(few.end - few.first > 2 && few.end - few.first < more.end - more.first);
        assert_true(more.end - more.first < LONG / 2);
        cdg_rod_range seam[] = {{LONG - 1, LONG + 1}, {LONG - 2, LONG}, {0, 2}, {1, 3}, {2, 4}, {LONG - 3, LONG + 4}};
        for (int i = 0; i < 6 && closed == 1; i++) {
            response_load(&c, &random, seam[i]);
            response_check_cutoff(&c, seam[i], 1e-6);
        }
        response_free(&c);
    }
}

static void test_light_answers(void **state) {
    (void)state;
    cdg_random random = {8};
    cdg_vec3 points[LONG + 1];
    for (int closed = 0; closed < 2; closed++) {
        cdg_rod_def def = response_def(&random, LONG, closed == 1, points);
        def.model = CDG_MODEL_DER;
        response_case c = response_build(&def, 1e-3);
        response_shake(&c, &random, 0.1, 0.1);
        response_keep(&c);
        if (closed == 0)
            response_check_light(&c, &random);
        else
            assert_false(c.rod->model->contact.lighten(c.rod, c.response, (cdg_rod_range){0, LONG}));
        response_free(&c);
    }
}

static void test_start_from_the_candidate(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int s = 0; s < SETTINGS; s++) {
        response_case c = make(&random, settings[s]);
        response_check_warm_start(&c, &random, 0.01, 1e-12);
        response_free(&c);
    }
}

// A rod that spins by more than a turn a step: the candidate's frames do not tell how far they have turned.
static void test_start_from_the_candidate_of_a_fast_spin(void **state) {
    (void)state;
    cdg_random random = {6};
    response_case c = make(&random, (setting){.element_count = 9});
    for (size_t j = 0; j < 9; j++) c.rod->w[2][j] = 3000;
    response_predict(&c);
    double spin = c.rod->w_next[2][4];
    assert_true(spin > 2000);
    c.loads.starts_from_candidate = true;
    assert_true(response_predict(&c) <= 2); // else it had to find the turns again
    assert_near(c.rod->w_next[2][4], spin, 1e-6 * spin);
    response_free(&c);
}

static void test_keeping_leaves_the_candidate_alone(void **state) {
    (void)state;
    cdg_random random = {7};
    response_case c = make(&random, settings[4]);
    response_predict(&c);
    double x = c.rod->x_next[1][7], v = c.rod->v_next[2][7], q = c.rod->q_next[1][7], w = c.rod->w_next[2][7];
    double twist[21];
    memcpy(twist, c.rod->twist_next, sizeof twist);
    response_keep(&c);
    assert_true(x == c.rod->x_next[1][7] && v == c.rod->v_next[2][7]);
    assert_true(q == c.rod->q_next[1][7] && w == c.rod->w_next[2][7]);
    for (int i = 0; i < 21; i++) assert_near(c.rod->twist_next[i], twist[i], 1e-6); // only counts turns
    response_free(&c);
}

static void test_explicit_answers_for_itself(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.der.integrator = CDG_DER_EXPLICIT;
    cdg_rod *rod;
    assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
    assert_int_equal(rod->model->contact.response_size(rod), 0);
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_differences_of_steps),
        cmocka_unit_test(test_compliance_is_symmetric_and_positive),
        cmocka_unit_test(test_cutoff_keeps_what_counts),
        cmocka_unit_test(test_light_answers),
        cmocka_unit_test(test_start_from_the_candidate),
        cmocka_unit_test(test_start_from_the_candidate_of_a_fast_spin),
        cmocka_unit_test(test_keeping_leaves_the_candidate_alone),
        cmocka_unit_test(test_explicit_answers_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
