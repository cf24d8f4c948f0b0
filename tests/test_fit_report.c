// The report of a fit: files that are there and hold the values, charts of every kind of data, and warnings of data
// beyond a force curve.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "output/disk.h"
#include "run_scene.h"
#include "sweep/fit_report.h"

static char *read_text(const char *directory, const char *name) {
    char path[RUN_PATH_SIZE + 32], *text;
    size_t size;
    cdg_error error;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (cdg_disk_read_file(path, 1 << 24, &text, &size, &error) != CDG_OK) fail_msg("%s", error.message);
    return text;
}

static void expect(char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("no '%s'", part);
}

static void test_files(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], tip[FIT_TEXT], shape[FIT_TEXT];
    run_directory_make(base);
    fit_case f;
    fit_case_begin(&f, fit_scene);
    const char *const sets[] = {"materials.m.young_modulus=3.25 MPa"};
    fit_case_measure(&f, sets, 1, tip, shape);
    fit_case_data(&f, tip);
    fit_case_data(&f, shape);
    fit_case_data(&f, "# over: tip_y\n# sigma: 1 mN\ntip_y [mm], hold_fy [N]\n10, -0.004\n900, -0.02\n");
    assert_int_equal(fit_case_vary(&f, "E: materials.m.young_modulus=1:9 MPa (start 3)"), CDG_OK);
    if (fit_case_run(&f) != CDG_OK) fail_msg("%s", f.error.message);
    if (cdg_fit_report_write(&f.def, f.model, &f.result, base, &f.error) != CDG_OK) fail_msg("%s", f.error.message);
    assert_true(fit_case_warns(&f, "data2.csv: 1 of 2 rows lie beyond the simulated curve"));
    char *json = read_text(base, "fit.json"), *table = read_text(base, "fit.csv"),
         *page = read_text(base, "report.html");
    expect(json, "\"name\": \"E\"");
    expect(json, "\"unit\": \"MPa\"");
    expect(json, "\"relative_error\"");
    expect(json, "\"estimated\": false");
    expect(json, "lie beyond the simulated curve");
    expect(table, "file,row,column,measured [SI],simulated [SI],left over [deviations]");
    expect(table, "\"data2.csv\",2,hold_fy,-0.02,");
    expect(page, "tip_z of data0.csv");
    expect(page, "rod of data1.csv, z over y");
    expect(page, "hold_fy of data2.csv");
    expect(page, "What is left over");
    free(json);
    free(table);
    free(page);
    free(read_text(base, "fit.svg"));
    free(read_text(base, "fit.png"));
    run_directory_remove(base);
    fit_case_end(&f);
}

static void test_value_text(void **state) {
    (void)state;
    cdg_vary vary;
    assert_int_equal(cdg_vary_parse("E: a.b=1:9 MPa", &vary, NULL), CDG_OK);
    assert_int_equal(cdg_fit_check_vary(&vary, NULL), CDG_OK);
    cdg_fit_parameter p = {.value = 3.14159, .error = 0.01, .low = 3.08, .high = 3.2043};
    cdg_fit_def def = {.setup = {.varies = &vary, .vary_count = 1}, .confidence = 0.95};
    cdg_fit_result r = {.parameter_count = 1, .parameters = &p};
    char text[128];
    cdg_fit_value_text(&def, &r, 0, text, sizeof text);
    assert_string_equal(text, "3.142 MPa (3.08 to 3.204 with 95 %)");
    p.low = 1e-9;
    cdg_fit_value_text(&def, &r, 0, text, sizeof text);
    assert_string_equal(text, "3.142 MPa (not determined by the data)");
    p.is_at_bound = true;
    p.value = 9;
    cdg_fit_value_text(&def, &r, 0, text, sizeof text);
    assert_string_equal(text, "9 MPa (at the end of its range)");
    cdg_vary_free(&vary);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_value_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
