// Files become experiments, residuals and kinds of noise; columns that match nothing are refused with a cure.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fit_case.h"

static void test_counts(void **state) {
    (void)state;
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, "time [s], tip_z [mm], tip_y [mm]\n0, -1, 2\n1, , 3\n");
    fit_case_data(&f, "# shape: rod\nx [mm], z [mm]\n1,2\n3,4\n5,6\n");
    fit_case_data(&f, "# set: rods.rod.elements=8\n# sigma: 2 mm\ntip_z [mm]\n-7\n");
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:10 MPa"), CDG_OK);
    if (fit_case_make(&f) != CDG_OK) fail_msg("%s", f.error.message);
    assert_int_equal(cdg_fit_model_residual_count(f.model), 3 + 6 + 1);
    assert_int_equal(cdg_fit_model_freedom(f.model), 3 + 3 + 1);     // points of a shape may slide
    assert_int_equal(cdg_fit_model_noise_count(f.model), 1 + 1 + 1); // two columns of few rows share theirs
    const cdg_fit_residual *r = cdg_fit_model_residuals(f.model);
    assert_int_equal(r[1].column, 1);
    assert_int_equal(r[9].data, 2);
    assert_near(r[9].sigma, 2e-3, 1e-15);
    assert_near(r[8].measured, 6e-3, 1e-15);
    double point = 0.5, residuals[10];
    bool is_good;
    cdg_fit_model_evaluate(f.model, 1, &point, residuals, &is_good, &f.error);
    assert_true(is_good);
    assert_int_equal(cdg_fit_model_case_count(f.model), 2); // two files share their case
    fit_case_end(&f);
}

static void expect_refusal(const char *data, const char *vary, const char *part) {
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, data);
    assert_int_equal(fit_case_vary(&f, vary), CDG_OK);
    assert_int_not_equal(fit_case_make(&f), CDG_OK);
    if (strstr(f.error.message, part) == NULL) fail_msg("'%s' without '%s'", f.error.message, part);
    fit_case_end(&f);
}

static void test_refusals(void **state) {
    (void)state;
    const char *young = "materials.m.young_modulus=1:10 MPa";
    expect_refusal("time [s], tipp_z [mm]\n0,1\n", young,
                   "data0.csv: column 'tipp_z' matches no probe of the scene; there "
                   "are tip_x, tip_y, tip_z, hold_fx");
    expect_refusal("time [s], tip_z [N]\n0,1\n", young,
                   "column 'tip_z' is in 'N', but the scene's probe is 'tip_z [m]'");
    expect_refusal("# shape: rop\nx [m], z [m]\n0,1\n", young, "no rod 'rop'; did you mean 'rod'");
    expect_refusal("time [s], tip_z [m]\n0,1\n", "materials.m.yung_modulus=1:10 MPa", "yung_modulus");
    expect_refusal("time [s], tip_z [m]\n0,1\n", "materials.m.young_modulus=1:10 mm", "young_modulus");
    expect_refusal("# set: simulation.model=nobody\ntime [s], tip_z [m]\n0,1\n", young, "nobody");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
