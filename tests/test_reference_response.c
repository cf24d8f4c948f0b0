// The response of reference steps against differences of them: open, closed, held, damped, both measures of bending.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "response_case.h"

enum { MOST = 40 };

typedef struct setting {
    size_t element_count;
    bool is_closed, is_sine, is_damped, is_tapered;
    int supports;
} setting;

static response_case make(cdg_random *random, setting s) {
    cdg_vec3 points[MOST + 1];
    cdg_rod_def def = response_def(random, s.element_count, s.is_closed, points);
    def.model = CDG_MODEL_REFERENCE;
    def.reference.darboux = s.is_sine ? CDG_REFERENCE_SINE : CDG_REFERENCE_ANGLE;
    def.reference.tolerance = 1e-12;
    if (s.is_damped) def.material.damping_bend = def.material.damping_twist = def.material.damping_stretch = 0.01;
    if (s.is_tapered) response_taper(&def);
    response_case c = response_build(&def, 5e-3);
    response_hold(&c, s.supports);
    response_shake(&c, random, 0.2, 0.1); // steps that turn elements by much are divided
    response_keep(&c);
    return c;
}

static const setting settings[] = {
    {.element_count = 1},
    {.element_count = 1, .supports = RESPONSE_CLAMPED},
    {.element_count = 2, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 9, .is_tapered = true},
    {.element_count = 20, .is_damped = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 17, .is_sine = true, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 33, .is_tapered = true, .supports = RESPONSE_CLAMPED_BOTH},
    {.element_count = 5, .is_closed = true},
    {.element_count = 8, .is_closed = true, .is_sine = true},
    {.element_count = 21, .is_closed = true, .is_damped = true, .supports = RESPONSE_HELD_INSIDE},
    {.element_count = 12, .is_closed = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 25, .supports = RESPONSE_ROLL},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void test_equals_differences_of_steps(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int s = 0; s < SETTINGS; s++) {
        response_case c = make(&random, settings[s]);
        size_t nodes = c.rod->node_count;
        for (int n = 0; n < 3; n++) {
            size_t first = (size_t)random_in(&random, 0, (double)nodes - 0.001);
            size_t end = first + 1 + (size_t)random_in(&random, 0, 4);
            if (!c.rod->is_closed && end > nodes) end = nodes;
            cdg_rod_range loaded = {first, end};
            if (n == 0 || end > first + nodes) loaded = response_whole(c.rod);
            response_load(&c, &random, loaded);
            response_check_differences(&c, loaded, 1e-4, 1e-5, 1e-4);
        }
        response_free(&c);
    }
}

static void test_keeping_leaves_the_candidate_alone(void **state) {
    (void)state;
    cdg_random random = {7};
    response_case c = make(&random, settings[4]);
    response_predict(&c);
    double x = c.rod->x_next[1][7], v = c.rod->v_next[2][7], q = c.rod->q_next[1][7], w = c.rod->w_next[2][7];
    cdg_vec3 force = c.rod->holds[0].force;
    response_keep(&c);
    assert_true(x == c.rod->x_next[1][7] && v == c.rod->v_next[2][7]);
    assert_true(q == c.rod->q_next[1][7] && w == c.rod->w_next[2][7] && force.x == c.rod->holds[0].force.x);
    response_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_differences_of_steps),
        cmocka_unit_test(test_keeping_leaves_the_candidate_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
