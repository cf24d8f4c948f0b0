// A fit says what it does not know: values at bounds, combinations without influence, data that the scene does not
// explain; and is silent otherwise (test_fit.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fit_case.h"
#include "math/random.h"
#include "rounds.h"

static void run(fit_case *f) {
    if (fit_case_run(f) != CDG_OK) fail_msg("%s", f->error.message);
}

static void begin(fit_case *f) {
    char tip[FIT_TEXT], shape[FIT_TEXT];
    static const char *const set[] = {"output.every=0.1 s"};
    fit_case_begin(f, fit_scene);
    f->source.overrides = set;
    f->source.override_count = 1;
    fit_case_measure(f, NULL, 0, tip, shape);
    fit_case_data(f, tip);
}

static void add_noise(fit_case *f, double size) {
    cdg_random random = {4};
    for (size_t c = 0; c < f->data[0].column_count; c++)
        for (size_t i = 0; i < f->data[0].row_count; i++)
            f->data[0].columns[c].values[i] += random_in(&random, -size, size);
}

static void test_bound(void **state) {
    (void)state;
    fit_case f;
    begin(&f);
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=3:9 MPa"), CDG_OK);
    run(&f);
    assert_true(f.result.parameters[0].is_at_bound);
    assert_near(f.result.parameters[0].value, 3, 0);
    assert_true(fit_case_warns(&f, "ended at the lower end of its range, 3 MPa"));
    fit_case_end(&f);
}

// Stiffness, weight and load by the same factor leave the shape as it is.
static void test_combination(void **state) {
    (void)state;
    fit_case f;
    begin(&f);
    add_noise(&f, 1e-4);
    assert_int_equal(fit_case_vary(&f, "E: materials.m.young_modulus,materials.m.shear_modulus=1:4 MPa (start 2)"),
                     CDG_OK);
    assert_int_equal(fit_case_vary(&f, "weight: materials.m.density=500:2200 kg/m^3 (start 1100)"), CDG_OK);
    assert_int_equal(fit_case_vary(&f, "load: loads.0.force.1=0.01:0.04 N (start 0.02)"), CDG_OK);
    run(&f);
    assert_true(fit_case_warns(&f, "do not determine a combination"));
    assert_true(fit_case_warns(&f, "'E' up by 10 % with 'weight' up by 10 % with 'load' up by 10 %"));
    fit_case_end(&f);
}

// The same where one of them ends at its bound: the others must not look sure because it is held there.
static void test_combination_at_a_bound(void **state) {
    (void)state;
    skip_when_sanitized();
    fit_case f;
    begin(&f);
    add_noise(&f, 1e-4);
    assert_int_equal(fit_case_vary(&f, "E: materials.m.young_modulus,materials.m.shear_modulus=4:8 MPa (start 5)"),
                     CDG_OK);
    assert_int_equal(fit_case_vary(&f, "weight: materials.m.density=500:9000 kg/m^3 (start 1100)"), CDG_OK);
    assert_int_equal(fit_case_vary(&f, "load: loads.0.force.1=0.01:0.09 N (start 0.02)"), CDG_OK);
    run(&f);
    // true are 2 MPa, 1100 kg/m^3 and 0.02 N
    assert_true(fit_case_warns(&f, "do not determine a combination"));
    for (int v = 1; v < 3; v++) {
        const cdg_fit_parameter *p = &f.result.parameters[v];
        double truth = v == 1 ? 1100 : 0.02;
        assert_true(p->is_at_bound || (p->low < truth && truth < p->high));
    }
    fit_case_end(&f);
}

// A value beyond the range moves the others; their limits know that.
static void test_limits_beside_a_bound(void **state) {
    (void)state;
    skip_when_sanitized();
    fit_case f;
    begin(&f);
    add_noise(&f, 1e-4);
    assert_int_equal(fit_case_vary(&f, "E: materials.m.young_modulus,materials.m.shear_modulus=2.1:8 MPa (start 5)"),
                     CDG_OK);
    assert_int_equal(fit_case_vary(&f, "load: loads.0.force.1=0.01:0.09 N (start 0.02)"), CDG_OK);
    run(&f);
    const cdg_fit_parameter *load = &f.result.parameters[1];
    assert_true(f.result.parameters[0].is_at_bound && !load->is_at_bound);
    assert_true(load->low < 0.02 && 0.02 < load->high && load->high < 0.1);
    fit_case_end(&f);
}

// Data of the wrong sign have a best value, too.
static void test_nonsense(void **state) {
    (void)state;
    fit_case f;
    begin(&f);
    for (size_t c = 0; c < f.data[0].column_count; c++)
        for (size_t i = 0; i < f.data[0].row_count; i++) f.data[0].columns[c].values[i] *= -1;
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:9 MPa (start 2)"), CDG_OK);
    run(&f);
    assert_true(fit_case_warns(&f, "comes nowhere near the data"));
    fit_case_end(&f);
}

static void test_outlier(void **state) {
    (void)state;
    fit_case f;
    begin(&f);
    add_noise(&f, 1e-4);
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:9 MPa (start 2)"), CDG_OK);
    run(&f);
    assert_false(fit_case_warns(&f, "is off by") || fit_case_warns(&f, "nowhere near"));
    cdg_fit_result_free(&f.result);
    cdg_fit_model_destroy(f.model);
    f.data[0].columns[1].values[4] += 0.05;
    run(&f);
    assert_true(fit_case_warns(&f, "'tip_z' of row 5"));
    fit_case_end(&f);
}

static void test_noise_that_was_said(void **state) {
    (void)state;
    static const double sigmas[] = {1e-5, 1e-1};
    static const char *const parts[] = {"times as large as the stated noise", "sigma is too large"};
    for (int k = 0; k < 2; k++) {
        fit_case f;
        begin(&f);
        add_noise(&f, 1e-3);
        for (size_t c = 0; c < 2; c++) f.data[0].columns[c].sigma = sigmas[k];
        assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:9 MPa (start 2)"), CDG_OK);
        run(&f);
        assert_true(fit_case_warns(&f, parts[k]));
        assert_false(fit_case_warns(&f, parts[1 - k]));
        fit_case_end(&f);
    }
}

// A sag that the scene does not have, in neighbours.
static void test_related(void **state) {
    (void)state;
    fit_case f;
    char tip[FIT_TEXT], shape[FIT_TEXT];
    const char *const set[] = {"output.every=0.04 s"};
    fit_case_begin(&f, fit_scene);
    f.source.overrides = set;
    f.source.override_count = 1;
    fit_case_measure(&f, NULL, 0, tip, shape);
    fit_case_data(&f, tip);
    add_noise(&f, 1e-4);
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:9 MPa (start 2)"), CDG_OK);
    run(&f);
    assert_false(fit_case_warns(&f, "neighbours go together"));
    cdg_fit_result_free(&f.result);
    for (size_t i = 0; i < f.data[0].row_count; i++)
        f.data[0].columns[1].values[i] += 2e-3 * sin(6 * f.data[0].times[i]);
    cdg_fit_model_destroy(f.model);
    run(&f);
    assert_true(fit_case_warns(&f, "'tip_z' is no noise"));
    fit_case_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bound),
                                       cmocka_unit_test(test_combination),
                                       cmocka_unit_test(test_combination_at_a_bound),
                                       cmocka_unit_test(test_limits_beside_a_bound),
                                       cmocka_unit_test(test_outlier),
                                       cmocka_unit_test(test_nonsense),
                                       cmocka_unit_test(test_noise_that_was_said),
                                       cmocka_unit_test(test_related)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
