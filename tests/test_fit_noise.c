// Noise that must be estimated: columns of few measurements share theirs, so that none goes to nothing and makes limits
// that mean nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "sweep/fit_noise.h"

static const char young[] = "materials.m.young_modulus=0.5:10 MPa";

static void make(fit_case *f, const char *data, const char *more) {
    fit_case_begin(f, fit_scene);
    fit_case_data(f, data);
    if (more != NULL) fit_case_data(f, more);
    assert_int_equal(fit_case_vary(f, young), CDG_OK);
    if (fit_case_make(f) != CDG_OK) fail_msg("%s", f->error.message);
}

static void expect_noises(const char *data, const char *more, size_t count) {
    fit_case f;
    make(&f, data, more);
    assert_int_equal(cdg_fit_model_noise_count(f.model), count);
    for (size_t i = 0; i < cdg_fit_model_residual_count(f.model); i++)
        assert_true(cdg_fit_model_residuals(f.model)[i].noise < count);
    fit_case_end(&f);
}

#define SIX_ROWS "0,1,2\n0.2,1,2\n0.4,1,2\n0.6,1,2\n0.8,1,2\n1,1,2\n"

static void test_who_shares(void **state) {
    (void)state;
    expect_noises("tip_x [mm], tip_z [mm]\n380, -30\n", NULL, 1);
    expect_noises("tip_x [mm], tip_z [mm]\n380, -30\n", "tip_y [mm]\n2\n", 1); // of another file, too
    expect_noises("tip_z [mm], hold_fy [N]\n-30, -0.02\n", NULL, 2);           // lengths and forces do not
    expect_noises("tip_x [mm], tip_z [mm], tip_z_sigma [mm]\n380, -30, 1\n", NULL, 2);
    expect_noises("time [s], tip_x [mm], tip_z [mm]\n" SIX_ROWS, NULL, 2); // as many as six have their own
    expect_noises("time [s], tip_x [mm], tip_z [mm]\n" SIX_ROWS, "tip_y [mm]\n2\n", 2);
    expect_noises("# shape: rod\nx [mm], z [mm]\n1,2\n3,4\n", "tip_z [mm]\n-30\n", 2);
}

// Two numbers that contradict each other: a column of its own noise would be met exactly, with no limits to speak of.
static void test_limits_of_two_numbers(void **state) {
    (void)state;
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, "tip_x [mm], tip_z [mm]\n380, -100\n");
    assert_int_equal(fit_case_vary(&f, young), CDG_OK);
    if (fit_case_run(&f) != CDG_OK) fail_msg("%s", f.error.message);
    assert_true(f.result.noises[0] > 1e-3);
    const cdg_fit_parameter *e = &f.result.parameters[0];
    if (!(e->high > 1.02 * e->low)) fail_msg("%.12g to %.12g", e->low, e->high);
    fit_case_end(&f);
}

static void test_too_few_are_refused(void **state) {
    (void)state;
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, "tip_z [mm], hold_fy [N]\n-30, -0.02\n");
    assert_int_equal(fit_case_vary(&f, young), CDG_OK);
    assert_int_equal(fit_case_run(&f), CDG_ERROR_ARGUMENT);
    if (strstr(f.error.message, "'tip_z_sigma [mm]'") == NULL) fail_msg("%s", f.error.message);
    fit_case_end(&f);
}

static void test_series(void **state) {
    (void)state;
    fit_case f;
    make(&f, "tip_x [mm], tip_z [mm]\n380, -30\n", "# shape: rod\nx [mm], z [mm]\n1,2\n3,4\n");
    const cdg_fit_residual *r = cdg_fit_model_residuals(f.model);
    assert_false(cdg_fit_is_same_series(&f.def.setup, &r[0], &r[1])); // one noise, two columns
    assert_false(cdg_fit_is_same_series(&f.def.setup, &r[1], &r[2]));
    assert_true(cdg_fit_is_same_series(&f.def.setup, &r[2], &r[3]));
    fit_case_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_shares), cmocka_unit_test(test_limits_of_two_numbers),
                                       cmocka_unit_test(test_too_few_are_refused), cmocka_unit_test(test_series)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
