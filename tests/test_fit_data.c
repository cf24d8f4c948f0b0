// Measurements from text: all kinds, units, separators, gaps and sigmas; every mistake gets its place and a cure.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "sweep/fit_data.h"

static void read(const char *text, cdg_fit_data *out) {
    cdg_error error = {0};
    if (cdg_fit_data_parse(text, strlen(text), "data.csv", out, &error) == CDG_OK) return;
    print_error("%s\n", error.message);
    assert_true(false);
}

static void test_series(void **state) {
    (void)state;
    cdg_fit_data d;
    read("\xef\xbb\xbf## a film\n# made by hand, 3 May\n# sigma: 0.5 mm\n\"time [ms]\", tip_z [cm] , tip_x "
         "[mm]\r\n0,1, \r\n10,2,3\r\n\n",
         &d);
    assert_int_equal(d.kind, CDG_FIT_SERIES);
    assert_int_equal(d.row_count, 2);
    assert_int_equal(d.column_count, 2);
    assert_near(d.times[1], 0.01, 1e-15);
    const cdg_fit_column *z = cdg_fit_data_column(&d, "tip_z"), *x = cdg_fit_data_column(&d, "tip_x");
    assert_near(z->values[1], 0.02, 1e-15);
    assert_near(z->sigma, 0.0005, 1e-15);
    assert_true(isnan(x->values[0]));
    assert_near(x->values[1], 0.003, 1e-15);
    assert_null(cdg_fit_data_column(&d, "tip_y"));
    cdg_fit_data_free(&d);
}

static void test_sigma_columns(void **state) {
    (void)state;
    cdg_fit_data d;
    read("# set: simulation.mode=static\n# set: rods.a.elements=20\n# over: tip_z\ntip_z [mm];root_fz "
         "[N];root_fz_sigma [mN]\n1;2;30\n",
         &d);
    assert_int_equal(d.column_count, 2);
    assert_int_equal(d.set_count, 2);
    assert_string_equal(d.sets[1], "rods.a.elements=20");
    assert_string_equal(d.over, "tip_z");
    assert_near(cdg_fit_data_column(&d, "root_fz")->sigmas[0], 0.03, 1e-15);
    assert_null(cdg_fit_data_column(&d, "tip_z")->sigmas);
    cdg_fit_data_free(&d);
}

static void test_shape(void **state) {
    (void)state;
    cdg_fit_data d;
    read("# shape: cable\n# time: 20 ms\nx [cm]\tz [mm]\tsigma [mm]\n1\t2\t0.1\n3\t4\t0.2\n", &d);
    assert_int_equal(d.kind, CDG_FIT_SHAPE);
    assert_string_equal(d.rod, "cable");
    assert_int_equal(d.column_count, 2);
    assert_near(d.times[1], 0.02, 1e-15);
    assert_near(d.columns[0].values[1], 0.03, 1e-15);
    assert_near(d.columns[1].sigmas[1], 0.0002, 1e-15);
    cdg_fit_data_free(&d);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"time [s], tip_z\n0,1\n", "data.csv:1: column 'tip_z' has no unit"},
        {"time [s], tip_z [mmm]\n0,1\n", "has a unit that is not known"},
        {"0,1\n1,2\n", "data.csv:1: numbers stand where headings should"},
        {"time [s], tip_z [m]\n0,1\n1,x\n", "data.csv:3: 'x' under 'tip_z' is no number; leave the place empty"},
        {"time [s]; tip_z [m]\n0,5; 1\n", "'0,5' under 'time' is no number; write decimals behind a point"},
        {"time [s], tip_z [m]\n0,1,2\n", "data.csv:2: 3 numbers under 2 headings"},
        {"time [s], tip_z [m]\n", "no rows"},
        {"", "no rows"},
        {"time [s], tip\033[31m_z\n0,1\n", "byte 13 is the control character 27"},
        {"tip_x [m], tip_z [m]\n0,1\n1,2\n", "no column 'time [s]'"},
        {"time [m], tip_z [m]\n0,1\n1,2\n", "is no time"},
        {"time [s], tip_z [m]\n,1\n1,2\n", "row 1 has no time"},
        {"time [s]\n1\n", "nothing to compare with"},
        {"time [s], a [m], a [m]\n1,2,3\n", "two columns 'a'"},
        {"# shap: cable\nx [m], z [m]\n0,1\n", "did you mean 'shape'?"},
        {"# shape:\nx [m], z [m]\n0,1\n", "nothing stands after 'shape:'"},
        {"# shape: a\n# shape: b\nx [m], z [m]\n0,1\n", "said twice"},
        {"# shape: cable\nx [m], tip [m]\n0,1\n", "and not 'tip'"},
        {"# shape: cable\nx [m], z [s]\n0,1\n", "which is no length"},
        {"# shape: cable\nx [m]\n0\n", "needs two of the columns"},
        {"# shape: cable\nx [m], z [m]\n0,\n", "point 1 has no 'z'"},
        {"# set: a\ntime [s], b [m]\n0,1\n", "write 'set: PATH=VALUE'"},
        {"# sigma: 1 N\ntime [s], b [m]\n0,1\n", "'sigma: 1 N' does not go with column 'b [m]'"},
        {"# sigma: 1\ntime [s], b [m]\n0,1\n", "does not go with"},
        {"time [s], b [m], b_sigma [m]\n0,1,0\n", "'b_sigma' is not above zero in row 1"},
        {"time [s], b [m], b_sigma [N]\n0,1,1\n", "does not go with 'b [m]'"},
        {"time [s], b [m], c_sigma [N]\n0,1,1\n", "no column for 'c_sigma'"},
        {"# over: c\nb [m], d [m]\n0,1\n", "no column 'c'"},
        {"# over: b\ntime [s], b [m], c [N]\n0,1,1\n", "over 'b' or over time"},
        {"# over: b\nb [m], c [N]\n,1\n", "row 1 has no 'b'"},
        {"# time: soon\n# shape: a\nx [m], y [m]\n0,1\n", "is no time"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cdg_fit_data d;
        cdg_error error = {0};
        cdg_result result = cdg_fit_data_parse(rows[i][0], strlen(rows[i][0]), "data.csv", &d, &error);
        if (result != CDG_ERROR_FORMAT || strstr(error.message, rows[i][1]) == NULL)
            fail_msg("row %zu: '%s' without '%s'", i, error.message, rows[i][1]);
        cdg_fit_data_free(&d);
    }
}

static void test_no_file(void **state) {
    (void)state;
    cdg_fit_data d;
    cdg_error error = {0};
    assert_int_equal(cdg_fit_data_read("no/such/data.csv", &d, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "no/such/data.csv"));
    cdg_fit_data_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_series), cmocka_unit_test(test_sigma_columns),
                                       cmocka_unit_test(test_shape), cmocka_unit_test(test_mistakes),
                                       cmocka_unit_test(test_no_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
