// Columns and their summaries over time.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/readout.h"
#include "sweep_beam.h"

#include <math.h>

static void test_columns_and_summaries(void **state) {
    (void)state;
    cdg_sweep sweep;
    sweep_of(cord_text, "materials.m.young_modulus=1, 2 MPa", "tip_z:max, tip,tip_z:mean hold_peak", false, &sweep);
    const cdg_readout *r = &sweep.readout;
    assert_int_equal(r->column_count, 6);
    const char *const titles[] = {"tip_z:max [m]", "tip_x [m]",      "tip_y [m]",
                                  "tip_z [m]",     "tip_z:mean [m]", "hold_peak [N]"};
    for (size_t i = 0; i < 6; i++) assert_string_equal(r->titles[i], titles[i]);
    cdg_sweep_free(&sweep);
}

static void test_numbers(void **state) {
    (void)state;
    cdg_readout r = {0};
    cdg_error error = {0};
    assert_int_equal(cdg_readout_add(&r, "a,a:start,a:max,a:min,a:mean,a:rms,a:range", &error), CDG_OK);
    double times[] = {0, 1, 3}, series[3 * 7], values[7], out[7];
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 7; i++) series[7 * row + i] = (double[]){2, -4, 1}[row];
    for (int i = 0; i < 7; i++) values[i] = 1;
    size_t wish_of[] = {0, 1, 2, 3, 4, 5, 6};
    cdg_case_result result = {.column_count = 7, .row_count = 3, .times = times, .series = series, .values = values};
    cdg_readout known = {.wishes = r.wishes, .wish_count = 7, .column_count = 7, .wish_of = wish_of};
    cdg_readout_take(&known, &result, out);
    // means by trapezoids: (2 - 4)/2 over 1 s, (-4 + 1)/2 over 2 s; squares (4 + 16)/2 and (16 + 1)/2
    const double expected[] = {1, 2, 2, -4, -4.0 / 3, sqrt((10 + 17.0) / 3), 6};
    for (int i = 0; i < 7; i++) assert_true(fabs(out[i] - expected[i]) < 1e-14);
    result.row_count = 1; // no time passes
    cdg_readout_take(&known, &result, out);
    assert_true(out[4] == 2 && out[5] == 2 && out[6] == 0);
    cdg_readout_free(&r);
}

static void test_refusals(void **state) {
    (void)state;
    cdg_readout r = {0};
    cdg_error error = {0};
    assert_int_equal(cdg_readout_add(&r, "tip:most", &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "max, min, mean"));
    cdg_readout_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns_and_summaries), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
