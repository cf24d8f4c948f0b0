// Step-size control of galpha: the scheme's error against its own recursion, shifted rates, errors that follow the
// tolerance, parts only where they are needed, outputs at their times, and the same result from a snapshot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "galpha_case.h"
#include "near.h"
#include "small_world.h"

// x' = u(t) with u = t^2 stepped by the scheme's own equations: after the rates have settled, what a step is wrong by
// is exactly the two terms.
static void test_terms(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 50; round++) {
        galpha_scheme s = galpha_scheme_from_lambda(-random_in(&random, 0, 0.95));
        if (round % 2 == 1) s = (galpha_scheme){random_in(&random, -0.5, 0.4), 0, random_in(&random, 1, 1.5)};
        galpha_error_terms terms = galpha_scheme_error(s);
        double h = 0.1, y = 0, error = 0, start = 0;
        for (int i = 0; i < 2000; i++) { // roots of the recursion for y are below 0.95
            start = (i - 2000) * h;
            double u0 = start * start, u1 = (start + h) * (start + h);
            double next = ((1 - s.beta) * u1 + s.beta * u0 - s.alpha * y) / (1 - s.alpha);
            double exact = (pow(start + h, 3) - pow(start, 3)) / 3;
            error = h * (s.gamma * next + (1 - s.gamma) * y) - exact;
            y = next;
        }
        assert_near(error, terms.first * h * h * 2 * start + terms.second * h * h * h * 2, 1e-10);
        if (round % 2 == 0) assert_near(terms.first, 0, 1e-15); // second order
    }
    assert_near(galpha_scheme_error(galpha_scheme_euler()).first, 0.5, 0);
    assert_near(galpha_scheme_error(galpha_scheme_from_lambda(-1)).second, 1.0 / 12, 1e-15); // trapezoidal rule
}

static void test_shift(void **state) {
    (void)state;
    cdg_random random = {2};
    galpha_case c;
    galpha_case_make(&c, &random, true, true);
    galpha_node before[GALPHA_CASE_NODES], out[GALPHA_CASE_NODES];
    memcpy(before, c.old, sizeof before);
    for (int i = 0; i < GALPHA_CASE_NODES; i++) {
        before[i].acceleration = vec3_add(c.old[i].acceleration, vec3(-1, 2, 0)); // changes by (1, -2, 0) a step
        before[i].frame_rate = vec3_add(c.old[i].frame_rate, vec3(0, 0, 4));
    }
    galpha_shift_rates(c.old, before, GALPHA_CASE_NODES, 0.25, out);
    for (int i = 0; i < GALPHA_CASE_NODES; i++) {
        assert_vec3_near(out[i].acceleration, vec3_add(c.old[i].acceleration, vec3(0.25, -0.5, 0)), 1e-12);
        assert_vec3_near(out[i].frame_rate, vec3_add(c.old[i].frame_rate, vec3(0, 0, -1)), 1e-12);
        assert_vec3_near(out[i].position_rate, c.old[i].position_rate, 0);
        assert_vec3_near(out[i].position, c.old[i].position, 0);
    }
    galpha_case_free(&c);
}

static cdg_rod_def swing(double step_error) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 12;
    def.material = (cdg_material){.young_modulus = 1e7, .poisson_ratio = 0.3, .density = 1000};
    def.section.radius = 3e-3;
    def.galpha.is_extensible = false;
    def.galpha.step_error = step_error;
    return def;
}

// Where the tip of a rod that falls from the horizontal is after 0.4 s.
static cdg_vec3 fall(double step_error, double step, double lambda, int *parts, int *rejected) {
    cdg_rod_def def = swing(step_error);
    def.galpha.lambda_infinity = lambda;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, true);
    int steps = (int)lround(0.4 / step);
    *parts = *rejected = 0;
    for (int i = 0; i < steps; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        *parts += report.parts;
        *rejected += report.halvings;
        assert_near(report.time, (i + 1) * step, 1e-12); // outputs stay where they are
    }
    cdg_vec3 x[13];
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    cdg_world_destroy(small.world);
    return x[12];
}

static void test_tolerance(void **state) {
    (void)state;
    int parts, halvings;
    cdg_vec3 exact = fall(0, 0.4 / 2500, -0.5, &parts, &halvings);
    assert_int_equal(parts, 2500);
    for (int k = 0; k < 2; k++) {
        double lambda = k == 0 ? -0.5 : 0, last_error = 1;
        int last_parts = 0;
        for (int i = 0; i < 3; i++) {
            double tolerance = pow(10, -3 - i);
            cdg_vec3 tip = fall(tolerance, 0.1, lambda, &parts, &halvings);
            double error = vec3_distance(tip, exact);
            // second order: a thousandth of the error in a step is a tenth of the step and a hundredth in the end
            assert_true(error < 5 * pow(tolerance, 2.0 / 3));
            assert_true(error < 0.7 * last_error && parts > 1.3 * last_parts);
            // no more parts than twice what even steps of this accuracy would need
            int even;
            if (i == 2) {
                cdg_vec3 plain = fall(0, 0.4 / (parts / 2), lambda, &even, &halvings);
                assert_true(vec3_distance(plain, exact) > error);
            }
            last_error = error;
            last_parts = parts;
        }
    }
}

// A rod at rest takes whole steps; let go, it needs many; calm again, few.
static void test_parts(void **state) {
    (void)state;
    cdg_rod_def def = swing(1e-5);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.05, true);
    cdg_support_def end = {.kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 12}, .release = 0.5};
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    must(small.world, cdg_world_add_support(small.world, &end, NULL));
    small_world_drag(&small, 20);
    cdg_load_def push = cdg_load_def_default();
    push.place = (cdg_place){small.rod, CDG_PLACE_NODE, 12};
    push.value = vec3(0, 0, 0.2);
    push.from = 0.5;
    must(small.world, cdg_world_add_load(small.world, &push, NULL));
    int parts[3] = {0}; // at rest, let go, later
    for (int i = 0; i < 100; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        int when = i < 10 ? 0 : i < 20 ? 1 : 2;
        if (when < 2 || i >= 90) parts[when] += report.parts;
    }
    assert_int_equal(parts[0], 10);
    assert_true(parts[1] > 100);
    assert_int_equal(parts[2], 10);
    cdg_world_destroy(small.world);
}

// What a step needs of the past is all in the snapshot.
static void test_snapshot(void **state) {
    (void)state;
    cdg_rod_def def = swing(1e-5);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0.02, true);
    small_world_run(&small, 3);
    double *snapshot = malloc(cdg_world_snapshot_size(small.world) * sizeof *snapshot);
    assert_non_null(snapshot);
    must(small.world, cdg_world_snapshot_save(small.world, snapshot));
    cdg_vec3 first[13], second[13];
    small_world_run(&small, 5);
    must(small.world, cdg_rod_positions(small.world, small.rod, first));
    must(small.world, cdg_world_snapshot_load(small.world, snapshot));
    small_world_run(&small, 5);
    must(small.world, cdg_rod_positions(small.world, small.rod, second));
    assert_memory_equal(first, second, sizeof first);
    free(snapshot);
    cdg_world_destroy(small.world);
}

static void test_refused(void **state) {
    (void)state;
    cdg_rod_def def = swing(-1);
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "step_error of galpha is -1"));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms),     cmocka_unit_test(test_shift),
                                       cmocka_unit_test(test_tolerance), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_snapshot),  cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
