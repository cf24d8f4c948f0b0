// What varies, from text: ranges, lists, units, labels; and the sentences about what is wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/vary.h"

#include <math.h>
#include <string.h>

static cdg_vary parse(const char *text) {
    cdg_vary vary;
    cdg_error error = {0};
    if (cdg_vary_parse(text, &vary, &error) != CDG_OK) fail_msg("%s", error.message);
    return vary;
}

static void expect_text(const cdg_vary *vary, double value, const char *expected) {
    char text[CDG_VARY_TEXT_SIZE];
    assert_int_equal(cdg_vary_text(vary, value, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void test_range(void **state) {
    (void)state;
    cdg_vary vary = parse("rods.cable.material.young_modulus=1:100:3 MPa (log)");
    char text[CDG_VARY_TEXT_SIZE];
    assert_string_equal(vary.label, "rods.cable.material.young_modulus");
    assert_true(vary.kind == CDG_VARY_RANGE && vary.is_log && !vary.has_label && cdg_vary_count(&vary) == 3);
    assert_true(cdg_vary_grid(&vary, 0) == 1 && cdg_vary_grid(&vary, 2) == 100);
    assert_true(fabs(cdg_vary_grid(&vary, 1) - 10) < 1e-13);
    expect_text(&vary, 0.1, "0.1 MPa");
    assert_true(cdg_vary_override(&vary, 0, 2.5, text, sizeof text));
    assert_string_equal(text, "rods.cable.material.young_modulus=2.5 MPa");
    assert_false(cdg_vary_override(&vary, 0, 2.5, text, 40));
    cdg_vary_title(&vary, text, sizeof text);
    assert_string_equal(text, "rods.cable.material.young_modulus [MPa]");
    cdg_vary_free(&vary);
}

static void test_decimal_steps_stay_short(void **state) {
    (void)state;
    cdg_vary vary = parse("a=0:1:11");
    for (int i = 0; i <= 10; i++) assert_true(cdg_vary_grid(&vary, (size_t)i) == i / 10.0);
    expect_text(&vary, cdg_vary_grid(&vary, 3), "0.3");
    cdg_vary_free(&vary);
    vary = parse("a=-2:1:4 m/s^2");
    assert_true(cdg_vary_grid(&vary, 0) == -2 && cdg_vary_grid(&vary, 2) == 0 && cdg_vary_grid(&vary, 3) == 1);
    cdg_vary_free(&vary);
    vary = parse("n=10:21:3 (whole)");
    assert_true(cdg_vary_grid(&vary, 1) == 16);
    expect_text(&vary, 16, "16");
    cdg_vary_free(&vary);
}

static void test_ends_are_as_given(void **state) {
    (void)state;
    cdg_vary vary = parse("a=1:1e17:4 Pa"); // one is less than the rounding of the other
    assert_true(cdg_vary_grid(&vary, 0) == 1 && cdg_vary_grid(&vary, 3) == 1e17);
    cdg_vary_free(&vary);
    vary = parse("a=-1e20:0.3:3");
    assert_true(cdg_vary_grid(&vary, 0) == -1e20 && cdg_vary_grid(&vary, 2) == 0.3);
    cdg_vary_free(&vary);
}

static void test_ranges_to_choose_from(void **state) {
    (void)state;
    cdg_vary vary = parse("E: a.young, b.young = 1:10 MPa (log, start 3)");
    assert_string_equal(vary.label, "E");
    assert_true(vary.has_label && vary.path_count == 2 && vary.count == 0 && vary.start == 3);
    assert_string_equal(vary.paths[0], "a.young");
    assert_string_equal(vary.paths[1], "b.young");
    assert_true(cdg_vary_at(&vary, 0) == 1 && cdg_vary_at(&vary, 1) == 10);
    assert_true(fabs(cdg_vary_at(&vary, 0.5) - sqrt(10)) < 1e-14);
    cdg_vary_free(&vary);
}

static void test_lists(void **state) {
    (void)state;
    cdg_vary vary = parse("a=1, 2, 5 MPa");
    assert_true(vary.kind == CDG_VARY_LIST && vary.item_count == 3 && cdg_vary_is_number(&vary));
    assert_string_equal(vary.unit, "MPa");
    expect_text(&vary, 1, "2 MPa");
    assert_true(cdg_vary_number(&vary, 2) == 5 && cdg_vary_at(&vary, 0.99) == 2 && cdg_vary_at(&vary, 1) == 2);
    cdg_vary_free(&vary);
    vary = parse("simulation.model=pobd, der");
    assert_false(cdg_vary_is_number(&vary));
    assert_true(isnan(cdg_vary_number(&vary, 0)));
    expect_text(&vary, 1, "der");
    cdg_vary_free(&vary);
    vary = parse("loads.0.force=[0, 0, -1], [0, 0, -2] N"); // brackets keep their commas
    assert_int_equal(vary.item_count, 2);
    expect_text(&vary, 0, "[0, 0, -1]");
    cdg_vary_free(&vary);
    vary = parse("rods.a.radius=2 mm, 1 cm"); // each its own unit: not on one axis
    assert_false(cdg_vary_is_number(&vary));
    expect_text(&vary, 1, "1 cm");
    cdg_vary_free(&vary);
    vary = parse("a=3 mm");
    assert_true(vary.item_count == 1 && cdg_vary_number(&vary, 0) == 3);
    cdg_vary_free(&vary);
}

// Parentheses of a place are its own, also at the end.
static void test_places(void **state) {
    (void)state;
    cdg_vary vary = parse("loads.0.at=cable.start, cable.node(5)");
    assert_true(vary.kind == CDG_VARY_LIST && vary.item_count == 2);
    assert_string_equal(vary.items[0], "cable.start");
    assert_string_equal(vary.items[1], "cable.node(5)");
    cdg_vary_free(&vary);
    vary = parse("at=cable.along(30 %)");
    assert_true(vary.kind == CDG_VARY_LIST && vary.item_count == 1);
    cdg_vary_free(&vary);
    vary = parse("E=1:10:3 MPa(log)"); // a word needs no blank before it
    assert_true(vary.kind == CDG_VARY_RANGE && vary.is_log);
    cdg_vary_free(&vary);
}

static void expect_refusal(const char *text, const char *reason) {
    cdg_vary vary;
    cdg_error error = {0};
    assert_int_equal(cdg_vary_parse(text, &vary, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, reason) == NULL) fail_msg("'%s' is not about '%s'", error.message, reason);
    cdg_vary_free(&vary);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("rods.cable.elements", "write PATH=VALUES");
    expect_refusal("=1:2:3", "path is missing");
    expect_refusal("a=", "no values stand after");
    expect_refusal("a=1:10:20 MPaa", "MPaa");
    expect_refusal("a=0:10:20 (log)", "above zero");
    expect_refusal("a=1:10:1", "one value cannot have two ends");
    expect_refusal("a=1:10:2.5", "whole number");
    expect_refusal("a=1:10:0", "whole number");
    expect_refusal("a=1:2:3:4", "too many ':'");
    expect_refusal("a=1 MPa:10 MPa:3", "one unit at the end");
    expect_refusal("a=1:10:3 (lig)", "in parentheses stand log");
    expect_refusal("a=1:10 (start 30)", "outside of the range");
    expect_refusal("a=1,,2", "missing between two commas");
    expect_refusal("a=1, 2 (log)", "belong to a range");
    expect_refusal("m=der, galpha (whole)", "'der' of a list is no whole number: leave '(whole)' out");
    expect_refusal("a=2, 3.5 (whole)", "'3.5' of a list is no whole number");
    expect_refusal("a=1 ms, 2 s (whole)", "'1 ms' of a list");
    expect_refusal("a=1:1e999:3", "range");
    expect_refusal("a=1 MPa, 2, 5", "'1 MPa' has a unit and '5' has none");
    expect_refusal("a=1, 2 MPa, 5", "has none");
    expect_refusal("a=auto, 1, 2 ms", "has none");
    expect_refusal("E/G: a=1, 2", "cannot name a column");
    cdg_vary vary = parse("n=10, 20 (whole)"); // it says what they are
    assert_true(vary.is_whole && cdg_vary_number(&vary, 1) == 20);
    cdg_vary_free(&vary);
    vary = parse("a=0, 1 mm, 1 cm"); // zero is the same in all units
    assert_int_equal(vary.item_count, 3);
    cdg_vary_free(&vary);
}

static void expect_pair(const char *first, const char *second, const char *reason) {
    cdg_vary varies[2] = {parse(first), parse(second)};
    cdg_error error = {0};
    cdg_result result = cdg_varies_check(varies, 2, &error);
    assert_int_equal(result, reason != NULL ? CDG_ERROR_ARGUMENT : CDG_OK);
    if (reason != NULL && strstr(error.message, reason) == NULL)
        fail_msg("'%s' is not about '%s'", error.message, reason);
    cdg_vary_free(&varies[0]);
    cdg_vary_free(&varies[1]);
}

// One of them would be in the table and not in the scene.
static void test_variables_that_undo_each_other(void **state) {
    (void)state;
    expect_pair("a.b=1, 2", "a.b=3", "two variables are called 'a.b'");
    expect_pair("E: a.b=1, 2", "F: a.b=3", "'E' and 'F' both set 'a.b'");
    expect_pair("E: a.b=1, 2", "F: c, a.b=3", "'E' and 'F' both set 'a.b'");
    expect_pair("E: a.b=1, 2", "F: a={b: 1}, {b: 2}", "both set 'a.b'");
    expect_pair("F: a={b: 1}, {b: 2}", "E: a.c=1, 2", NULL); // a part of what was set before
    expect_pair("E: a.b=1, 2", "F: a.bc=3", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_decimal_steps_stay_short),
        cmocka_unit_test(test_ends_are_as_given),
        cmocka_unit_test(test_ranges_to_choose_from),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_variables_that_undo_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
