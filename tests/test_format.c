// Numbers for people: the right prefix at every power of ten, no "1000 m" or "60 s".
#include "format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_unit(void **state) {
    (void)state;
    assert_string_equal(format_unit(0.002, "m").text, "2 mm");
    assert_string_equal(format_unit(-0.002, "m").text, "-2 mm");
    assert_string_equal(format_unit(1, "m").text, "1 m");
    assert_string_equal(format_unit(0.999999, "m").text, "1 m");
    assert_string_equal(format_unit(12566, "N").text, "12.57 kN");
    assert_string_equal(format_unit(0, "J").text, "0 J");
    assert_string_equal(format_unit(3, "").text, "3");
    assert_string_equal(format_unit((double)INFINITY, "J").text, "inf J");
    // The mantissa is always from 1 up to 1000.
    for (double value = 1.1e-9; value < 1e12; value *= 1.37) {
        double mantissa = strtod(format_unit(value, "x").text, NULL);
        assert_true(mantissa >= 1 && mantissa < 1000);
    }
}

static void test_seconds(void **state) {
    (void)state;
    assert_string_equal(format_seconds(0.34).text, "340 ms");
    assert_string_equal(format_seconds(1.68).text, "1.68 s");
    assert_string_equal(format_seconds(59.99).text, "1 min 00 s");
    assert_string_equal(format_seconds(123).text, "2 min 03 s");
    assert_string_equal(format_seconds(3599.9).text, "1 h 00 min");
    assert_string_equal(format_seconds(11100).text, "3 h 05 min");
    assert_string_equal(format_seconds((double)INFINITY).text, "a very long time");
    assert_string_equal(format_seconds((double)NAN).text, "a very long time");
}

static void test_counts_and_bytes(void **state) {
    (void)state;
    assert_string_equal(format_count(0).text, "0");
    assert_string_equal(format_count(999).text, "999");
    assert_string_equal(format_count(1000).text, "1,000");
    assert_string_equal(format_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
    assert_string_equal(format_bytes(0).text, "0 B");
    assert_string_equal(format_bytes(999).text, "999 B");
    assert_string_equal(format_bytes(999.9).text, "1 kB");
    assert_string_equal(format_bytes(12.34e6).text, "12.3 MB");
    assert_string_equal(format_bytes(5e15).text, "5e+03 TB");
}

static void test_plurals_and_roundings(void **state) {
    (void)state;
    assert_string_equal(format_plural(1, "rod").text, "1 rod");
    assert_string_equal(format_plural(0, "rod").text, "0 rods");
    assert_string_equal(format_plural(2000, "rod").text, "2,000 rods");
    assert_string_equal(format_beside(1e-29, 1, "J").text, "0 J");
    assert_string_equal(format_beside(1e-3, -1, "J").text, "1 mJ");
    assert_string_equal(format_beside(0, 0, "J").text, "0 J");
}

static void test_columns(void **state) {
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("█▌ü"), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_counts_and_bytes),
        cmocka_unit_test(test_plurals_and_roundings),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
