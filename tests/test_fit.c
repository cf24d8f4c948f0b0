// Fits find what made the data, from anywhere in the range, with exact rates or differences, the same for any number of
// threads; errors are as large as the noise; mistakes get sentences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fit_case.h"
#include "math/random.h"

static void begin_with(fit_case *f, bool has_shape) {
    char tip[FIT_TEXT], shape[FIT_TEXT];
    const char *const sets[] = {"materials.m.young_modulus=3.3 MPa", "loads.0.force=[0, 0.03 N, 0]"};
    fit_case_begin(f, fit_scene);
    fit_case_measure(f, sets, 1, tip, shape);
    fit_case_data(f, has_shape ? shape : tip);
}

static void test_recovery(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        fit_case f;
        begin_with(&f, kind % 2 == 1);
        f.def.setup.is_by_differences = kind >= 2;
        assert_int_equal(fit_case_vary(&f, kind == 0 ? "E: materials.m.young_modulus=0.5:50 MPa"
                                                     : "E: materials.m.young_modulus=0.5:50 MPa (start 20)"),
                         CDG_OK);
        if (fit_case_run(&f) != CDG_OK) fail_msg("%s", f.error.message);
        assert_near(f.result.parameters[0].value / 3.3, 1, 1e-5);
        assert_int_equal(f.result.has_exact, kind < 2);
        assert_int_equal(f.result.has_differences, kind >= 2);
        assert_int_equal(f.result.warning_count, 0);
        fit_case_end(&f);
    }
}

// The same bits on one thread and on three.
static void test_threads(void **state) {
    (void)state;
    double values[2][2];
    for (int k = 0; k < 2; k++) {
        fit_case f;
        begin_with(&f, true);
        f.def.setup.thread_count = k == 0 ? 1 : 3;
        assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=0.5:50 MPa"), CDG_OK);
        assert_int_equal(fit_case_run(&f), CDG_OK);
        values[k][0] = f.result.parameters[0].value;
        values[k][1] = f.result.parameters[0].error;
        fit_case_end(&f);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
}

// Twenty trials with noise: errors of the value, in their stated deviations, spread by about one.
static void test_errors(void **state) {
    (void)state;
    double sum = 0;
    cdg_random random = {99};
    enum { TRIALS = 20 };
    for (int trial = 0; trial < TRIALS; trial++) {
        fit_case f;
        begin_with(&f, false);
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < f.data[0].row_count; i++) {
                double noise = sqrt(-2 * log(1 - random_unit(&random))) * cos(6.283185307 * random_unit(&random));
                f.data[0].columns[c].values[i] += 2e-3 * noise;
                f.data[0].columns[c].sigma = 2e-3;
            }
        assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=0.5:50 MPa (start 3)"), CDG_OK);
        if (fit_case_run(&f) != CDG_OK) fail_msg("%s", f.error.message);
        const cdg_fit_parameter *p = &f.result.parameters[0];
        double off = log(p->value / 3.3);
        sum += off * off / (p->error * p->error);
        assert_true(p->low < p->value && p->value < p->high && p->error > 1e-3 && p->error < 0.1);
        assert_near(log(p->high / p->value), f.result.limit * p->error, 1e-12);
        fit_case_end(&f);
    }
    // Mean of squares of Student's t with 9 degrees: 9/7; its spread over twenty trials is about 0.5.
    assert_near(sum / TRIALS, 9.0 / 7, 1);
}

static void expect_refusal(const char *data, const char *first, const char *second, const char *part) {
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, data);
    cdg_result result = fit_case_vary(&f, first);
    if (result == CDG_OK && second != NULL) result = fit_case_vary(&f, second);
    if (result == CDG_OK) result = fit_case_run(&f);
    assert_int_not_equal(result, CDG_OK);
    if (strstr(f.error.message, part) == NULL) fail_msg("'%s' without '%s'", f.error.message, part);
    fit_case_end(&f);
}

static void test_refusals(void **state) {
    (void)state;
    const char *data = "time [s], tip_z [mm]\n0, -80\n0.5, -81\n1, -82\n",
               *young = "materials.m.young_modulus=1:10 MPa";
    expect_refusal(data, "materials.m.young_modulus=1, 2 MPa", NULL, "is a list; a fit looks for a value in a range");
    expect_refusal(data, "materials.m.young_modulus=1:10 MPa (start 20)", NULL,
                   "the start, 20, lies outside of the range 1:10");
    expect_refusal(data, "rods.rod.elements=5:10 (whole)", NULL, "whole numbers");
    expect_refusal("tip_z [mm]\n-80\n", young, NULL,
                   "1 value cannot be found, with limits, from 1 independent number;");
    expect_refusal(data, young, "materials.m.damping=1:100 ms", "has no influence on the data");
    expect_refusal("time [s], tip_z [mm]\n0, -80\n0.5, -81\n9, -82\n", young, NULL,
                   "the scene fails at the start of the fit: data0.csv: row 3 is at 9 s");
}

static bool stop_soon(void *user, const cdg_fit_progress *progress) {
    (void)progress;
    return ++*(int *)user < 2;
}

static void test_stop(void **state) {
    (void)state;
    fit_case f;
    int told = 0;
    begin_with(&f, true);
    f.def.progress = stop_soon;
    f.def.user = &told;
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=0.5:50 MPa (start 20)"), CDG_OK);
    assert_int_equal(fit_case_run(&f), CDG_ERROR_INTERRUPTED);
    assert_int_equal(told, 2);
    fit_case_end(&f);
}

static bool is_over(void *user) { return --*(int *)user > 0; }

// Cases that are stopped in their midst end the fit, and are not taken for a scene that fails.
static void test_stop_in_a_case(void **state) {
    (void)state;
    for (int steps = 1; steps < 40; steps += 9) {
        fit_case f;
        int left = steps;
        begin_with(&f, true);
        f.def.setup.thread_count = 1;
        f.def.setup.go_on = is_over;
        f.def.setup.user = &left;
        assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=0.5:50 MPa (start 20)"), CDG_OK);
        assert_int_equal(fit_case_run(&f), CDG_ERROR_INTERRUPTED);
        assert_non_null(strstr(f.error.message, "stopped on request"));
        fit_case_end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recovery), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_errors),   cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_stop),     cmocka_unit_test(test_stop_in_a_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
