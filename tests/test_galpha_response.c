// The response of galpha steps against differences of them: free, clamped, rolling, damped, extensible or not, first
// step and later ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "response_case.h"
#include "rods/galpha/parts.h"

enum { MOST = 40, LONG = 200 };

typedef struct setting {
    size_t element_count;
    bool is_fixed_length, is_damped, is_tapered;
    int supports;
} setting;

// Sections that turn evenly from node to node do not follow a random zigzag.
static void smooth(cdg_vec3 *points, size_t count) {
    cdg_vec3 before = points[0];
    for (size_t i = 1; i + 1 < count; i++) {
        cdg_vec3 mean = vec3_lerp(vec3_lerp(before, points[i + 1], 0.5), points[i], 0.5);
        before = points[i];
        points[i] = mean;
    }
}

static response_case make(cdg_random *random, setting s) {
    cdg_vec3 points[MOST + 1];
    cdg_rod_def def = response_def(random, s.element_count, false, points);
    smooth(points, s.element_count + 1);
    def.model = CDG_MODEL_GALPHA;
    def.galpha.is_extensible = !s.is_fixed_length;
    def.galpha.tolerance = 1e-12;
    def.galpha.iterations = 60;
    if (s.is_damped) response_damp(&def);
    if (s.is_tapered) response_taper(&def);
    response_case c = response_build(&def, 5e-3);
    response_hold(&c, s.supports);
    response_shake(&c, random, 0.5, 0.2);
    response_keep(&c);
    return c;
}

static const setting settings[] = {
    {.element_count = 1},
    {.element_count = 1, .supports = RESPONSE_CLAMPED},
    {.element_count = 2, .is_fixed_length = true},
    {.element_count = 9, .is_tapered = true},
    {.element_count = 20, .is_damped = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 15, .is_fixed_length = true, .supports = RESPONSE_CLAMPED},
    {.element_count = 33, .is_tapered = true, .supports = RESPONSE_CLAMPED_BOTH},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void test_equals_differences_of_steps(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int s = 0; s < SETTINGS; s++) {
        response_case c = make(&random, settings[s]);
        size_t nodes = c.rod->node_count;
        for (int n = 0; n < 6; n++) {
            size_t first = (size_t)random_in(&random, 0, (double)nodes - 0.001);
            size_t end = first + 1 + (size_t)random_in(&random, 0, 4);
            cdg_rod_range loaded = {first, end > nodes ? nodes : end};
            if (n == 0) loaded = response_whole(c.rod);
            response_load(&c, &random, loaded);
            response_check_differences(&c, loaded, 1e-4, 1e-5, 1e-5);
        }
        response_free(&c);
    }
}

// Stiff enough for the step: where inertia outweighs elasticity the box scheme answers a force on one node with a
// sawtooth that hardly decays, since only means of neighbours have inertia.
static void test_cutoff_keeps_what_counts(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_vec3 points[LONG + 1];
    cdg_rod_def def = response_def(&random, LONG, false, points);
    smooth(points, LONG + 1);
    def.model = CDG_MODEL_GALPHA;
    def.material.young_modulus = 1e7;
    response_case c = response_build(&def, 5e-3);
    response_shake(&c, &random, 0.1, 0.1);
    response_keep(&c);
    cdg_rod_range loaded = {LONG / 2, LONG / 2 + 2};
    response_load(&c, &random, loaded);
    cdg_rod_range few = response_check_cutoff(&c, loaded, 1e-2), more = response_check_cutoff(&c, loaded, 1e-6);
    assert_true(few.end - few.first > 2 && few.end - few.first < more.end - more.first);
    assert_true(more.end - more.first < LONG);
    response_free(&c);
}

static void test_keeping_leaves_the_candidate_alone(void **state) {
    (void)state;
    cdg_random random = {7};
    response_case c = make(&random, settings[4]);
    response_predict(&c);
    double x = c.rod->x_next[1][7], v = c.rod->v_next[2][7], q = c.rod->q_next[1][7], own = c.rod->own_next[70];
    response_keep(&c);
    assert_true(x == c.rod->x_next[1][7] && v == c.rod->v_next[2][7]);
    assert_true(q == c.rod->q_next[1][7] && own == c.rod->own_next[70]);
    response_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_differences_of_steps),
        cmocka_unit_test(test_cutoff_keeps_what_counts),
        cmocka_unit_test(test_keeping_leaves_the_candidate_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
