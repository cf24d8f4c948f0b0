// Ticks: round, inside the range, evenly spaced, with labels that read back as their values.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "plot/ticks.h"

// A label as a number; the true minus sign is three bytes.
static double read_label(const char *label) {
    double value;
    bool is_negative = strncmp(label, "\xE2\x88\x92", 3) == 0;
    assert_int_equal(sscanf(is_negative ? label + 3 : label, "%lf", &value), 1);
    return is_negative ? -value : value;
}

static void expect_good(const cdg_ticks *ticks, double low, double high) {
    assert_true(ticks->low <= low && ticks->high >= high && ticks->low < ticks->high);
    assert_in_range(ticks->count, 2, 40);
    double scale = pow(10, ticks->exponent), range = ticks->high - ticks->low;
    double step = ticks->items[1].value - ticks->items[0].value;
    for (size_t i = 0; i < ticks->count; i++) {
        double value = ticks->items[i].value;
        assert_true(value >= ticks->low - 1e-9 * range && value <= ticks->high + 1e-9 * range);
        assert_true(fabs(read_label(ticks->items[i].label) * scale - value) <= 1e-6 * step);
        if (i > 0) assert_true(fabs(value - ticks->items[i - 1].value - step) <= 1e-6 * step);
        if (i > 0) assert_string_not_equal(ticks->items[i].label, ticks->items[i - 1].label);
    }
    double mantissa = step / pow(10, floor(log10(step) + 1e-9));
    bool is_round = fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 2.5) < 1e-6 ||
                    fabs(mantissa - 5) < 1e-6;
    assert_true(is_round);
}

static void test_random_ranges(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int round = 0; round < 5000; round++) {
        double size = pow(10, random_in(&random, -12, 12)), middle = random_in(&random, -1, 1) * size;
        double half = size * pow(10, random_in(&random, -6, 1));
        cdg_ticks ticks = cdg_ticks_linear(middle - half, middle + half, 5, "m");
        expect_good(&ticks, middle - half, middle + half);
        assert_int_equal(ticks.exponent % 3, 0);
    }
}

static void test_known_range(void **state) {
    (void)state;
    cdg_ticks ticks = cdg_ticks_linear(-0.02, 0.081, 5, "m");
    assert_int_equal(ticks.exponent, -3);
    static const double labels[] = {-20, 0, 20, 40, 60, 80};
    assert_int_equal(ticks.count, 5 + 1);
    for (size_t i = 0; i < ticks.count; i++) assert_true(read_label(ticks.items[i].label) == labels[i]);
    assert_string_equal(ticks.items[1].label, "0");
    assert_true(ticks.items[1].value == 0);
}

static void test_degenerate_ranges(void **state) {
    (void)state;
    static const double bad[][2] = {{0, 0},           {5, 5},         {3, -3},        {NAN, 1},
                                    {-INFINITY, 2},   {1e300, 1e300}, {1, 1 + 1e-15}, {-1.7e308, 1.7e308},
                                    {1e-300, 2e-300}, {-7, -7}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cdg_ticks ticks = cdg_ticks_linear(bad[i][0], bad[i][1], 5, "m");
        assert_true(isfinite(ticks.low) && isfinite(ticks.high) && ticks.low < ticks.high);
        assert_in_range(ticks.count, 1, CDG_TICKS_MAX);
        ticks = cdg_ticks_log(bad[i][0], bad[i][1], 5);
        assert_true(ticks.low > 0 && isfinite(ticks.high) && ticks.low < ticks.high);
    }
}

static void test_log_ticks(void **state) {
    (void)state;
    cdg_ticks ticks = cdg_ticks_log(0.5, 2e3, 5);
    size_t labelled = 0;
    for (size_t i = 0; i < ticks.count; i++) {
        assert_true(ticks.items[i].value >= 0.5 * (1 - 1e-6) && ticks.items[i].value <= 2e3 * (1 + 1e-6));
        if (ticks.items[i].label[0] == '\0') continue;
        double exponent = log10(ticks.items[i].value);
        assert_float_equal(exponent, round(exponent), 1e-9);
        labelled++;
    }
    assert_int_equal(labelled, 4); // 1, 10, 100, 1000
    assert_true(ticks.count > 20);
    ticks = cdg_ticks_log(1e-30, 1e30, 5); // many decades: few labels, no minor ticks
    assert_in_range(ticks.count, 3, 8);
    ticks = cdg_ticks_log(2e-7, 5e-7, 5); // less than a decade: 2 and 5 are labelled
    labelled = 0;
    for (size_t i = 0; i < ticks.count; i++) labelled += ticks.items[i].label[0] != '\0';
    assert_true(labelled >= 2);
}

static void expect_unit(const char *unit, int exponent, const char *text) {
    char out[CDG_UNIT_SIZE];
    cdg_unit_text(unit, exponent, out);
    assert_string_equal(out, text);
}

static void test_units(void **state) {
    (void)state;
    expect_unit("m", -3, "mm");
    expect_unit("m", 0, "m");
    expect_unit("N*m", -6, "\xC2\xB5N\xC2\xB7m");
    expect_unit("m/s", 3, "km/s");
    expect_unit("1/m", 3, "10\xC2\xB3 1/m");
    expect_unit("rad/m", -3, "10\xE2\x81\xBB\xC2\xB3 rad/m");
    expect_unit("1", -3, "10\xE2\x81\xBB\xC2\xB3");
    expect_unit("1", 0, "");
    expect_unit("m", -21, "10\xE2\x81\xBB\xC2\xB2\xC2\xB9 m");
    expect_unit("kg", 3, "10\xC2\xB3 kg");
    char many[200];
    memset(many, 'x', sizeof many - 1);
    many[199] = '\0';
    char out[CDG_UNIT_SIZE];
    cdg_unit_text(many, 0, out); // cut, not overrun
    assert_true(strlen(out) < CDG_UNIT_SIZE);
    assert_int_equal(cdg_ticks_exponent(0.02, "m"), -3);
    assert_int_equal(cdg_ticks_exponent(0.5, "m"), 0);
    assert_int_equal(cdg_ticks_exponent(123456, "N"), 3);
    assert_int_equal(cdg_ticks_exponent(123456, "s"), 0);
    assert_int_equal(cdg_ticks_exponent(0.02, "1/m"), 0);
    assert_int_equal(cdg_ticks_exponent(0, "m"), 0);
    assert_int_equal(cdg_ticks_exponent(NAN, "m"), 0);
}

static void expect_number(double value, int digits, const char *text) {
    char out[64];
    cdg_number_text(value, digits, out, sizeof out);
    assert_string_equal(out, text);
}

static void test_numbers(void **state) {
    (void)state;
    expect_number(0, 4, "0");
    expect_number(1.23456, 4, "1.235");
    expect_number(-0.001, 2,
                  "\xE2\x88\x92"
                  "0.0010");
    expect_number(123456, 3, "123456");
    expect_number(1.5e-7, 3,
                  "1.50\xC2\xB7"
                  "10\xE2\x81\xBB\xE2\x81\xB7");
    expect_number(9.9999, 2, "10");
    expect_number(NAN, 3, "not a number");
    expect_number(-INFINITY, 3, "minus infinite");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_ranges),
                                       cmocka_unit_test(test_known_range),
                                       cmocka_unit_test(test_degenerate_ranges),
                                       cmocka_unit_test(test_log_ticks),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
