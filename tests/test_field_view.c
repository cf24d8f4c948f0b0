// Names that users type for what plots and colours show, and the numbers behind them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/field_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cdg_view parse(const char *text) {
    cdg_view view = {0};
    cdg_error error = {0};
    if (cdg_view_parse(text, NULL, &view, &error) != CDG_OK) fail_msg("%s", error.message);
    return view;
}

static void test_names(void **state) {
    (void)state;
    for (int f = 0; f < CDG_FIELD_COUNT; f++) {
        cdg_field_info info = cdg_field_get((cdg_field)f);
        cdg_view whole = parse(info.name);
        assert_int_equal(whole.field, f);
        assert_string_equal(whole.name, info.name);
        assert_string_equal(whole.unit, info.units);
        for (size_t k = 0; info.component_count > 1 && k < info.component_count; k++) {
            char text[64];
            snprintf(text, sizeof text, "%s.%c", info.name, cdg_field_letters(&info)[k]);
            assert_int_equal(parse(text).component, k);
            assert_string_equal(parse(text).name, text);
            snprintf(text, sizeof text, "%s.%zu", info.name, k + 1);
            assert_int_equal(parse(text).component, k);
        }
    }
    assert_int_equal(parse("moment").component, CDG_VIEW_ALL);
    assert_int_equal(parse("curvature").component, CDG_VIEW_LENGTH);
    assert_int_equal(parse("tension").component, 0);
    assert_int_equal(parse("speed").field, CDG_FIELD_velocities);
    assert_int_equal(parse("strain").component, 2);
    assert_string_equal(parse("strain").label, "axial strain");
    assert_false(parse("speed").is_signed);
    assert_true(parse("moment.2").is_signed);
}

static void expect_refused(const char *text, const char *part) {
    cdg_view view;
    cdg_error error = {0};
    assert_int_equal(cdg_view_parse(text, "rod", &view, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' lacks '%s'", error.message, part);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refused("tenson", "no field 'tenson'; did you mean 'tension'? There are: positions");
    expect_refused("zzzzzz", "speed, strain, rod");
    expect_refused("moment.4", "components of moment are moment.1, moment.2, moment.3");
    expect_refused("curvature.3", "components of curvature are curvature.1, curvature.2");
    expect_refused("positions.xy", "components of positions are positions.x");
    expect_refused("tension.1", "one number");
    expect_refused("speed.x", "one number");
    expect_refused("", "no field ''");
}

static void test_values(void **state) {
    (void)state;
    const double numbers[] = {1, 2, 2, 3, -4, 0};
    cdg_view speed = parse("speed"), y = parse("velocities.y");
    assert_float_equal(cdg_view_value(&speed, numbers, 0), 3, 1e-15);
    assert_float_equal(cdg_view_value(&speed, numbers, 1), 5, 1e-15);
    assert_true(cdg_view_value(&y, numbers, 1) == -4);
}

static void test_ends(void **state) {
    (void)state;
    double open[] = {NAN, NAN, 1, 2, 3, 4, NAN, 5};
    cdg_view_fill_ends(open, 4, 2);
    const double filled[] = {1, 2, 1, 2, 3, 4, 3, 5};
    for (int i = 0; i < 8; i++) assert_true(open[i] == filled[i]);
    double two[] = {NAN, 7}, none[] = {NAN, NAN};
    cdg_view_fill_ends(two, 2, 1);
    assert_true(two[0] == 7 && two[1] == 7);
    cdg_view_fill_ends(none, 2, 1);
    assert_true(none[0] == 0 && none[1] == 0);
    double inside[] = {1, NAN, 2}; // not an end: a damaged file, which the caller notices
    cdg_view_fill_ends(inside, 3, 1);
    assert_true(isnan(inside[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_values), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
