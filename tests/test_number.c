// Numbers as text: they read back to the same bits, in every locale.
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/number.h"

static double random_double(cdg_random *random) { // any finite bits
    for (;;) {
        uint64_t bits = random_bits(random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

static void assert_same_bits(double a, double b) { assert_memory_equal(&a, &b, sizeof a); }

static void test_round_trip(void **state) {
    (void)state;
    cdg_random random = {1};
    char text[CDG_NUMBER_SIZE];
    const double corners[] = {
        0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e22, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308};
    size_t corner_count = sizeof corners / sizeof corners[0];
    for (size_t i = 0; i < 20000; i++) {
        double value = i < corner_count ? corners[i] : i % 2 ? random_double(&random) : random_in(&random, -10, 10);
        size_t length = cdg_number_exact(value, text);
        assert_int_equal(length, strlen(text));
        assert_same_bits(strtod(text, NULL), value);
        size_t shortest = cdg_number_shortest(value, text);
        assert_int_equal(shortest, strlen(text));
        assert_same_bits(strtod(text, NULL), value);
    }
}

static void test_float_round_trip(void **state) {
    (void)state;
    cdg_random random = {2};
    char text[CDG_NUMBER_SIZE];
    const float corners[] = {0, -0.0F, 1, 0.1F, 16777216, 1e-45F, 1.17549435e-38F, 3.40282347e38F};
    for (size_t i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)random_bits(&random);
        float value, got;
        memcpy(&value, &bits, sizeof value);
        if (i % 2 == 0) value = (float)random_in(&random, -10, 10);
        if (i < sizeof corners / sizeof *corners) value = corners[i];
        if (!isfinite(value)) continue;
        size_t length = cdg_number_shortest_float(value, text);
        assert_int_equal(length, strlen(text));
        assert_true(length <= sizeof "-1.23456789e-38");
        got = strtof(text, NULL);
        assert_memory_equal(&got, &value, sizeof value);
    }
    cdg_number_shortest_float(0.1F, text);
    assert_string_equal(text, "0.1");
    cdg_number_shortest_float(16777216, text);
    assert_string_equal(text, "16777216");
    cdg_number_shortest_float((float)NAN, text);
    assert_string_equal(text, "nan");
}

static void test_texts(void **state) {
    (void)state;
    char text[CDG_NUMBER_SIZE];
    cdg_number_exact(0.1, text);
    assert_string_equal(text, "0.10000000000000001");
    cdg_number_shortest(0.1, text);
    assert_string_equal(text, "0.1");
    cdg_number_shortest(1.0 / 3, text);
    assert_string_equal(text, "0.3333333333333333");
    cdg_number_exact(-NAN, text);
    assert_string_equal(text, "nan");
    cdg_number_shortest(NAN, text);
    assert_string_equal(text, "nan");
    cdg_number_exact(-INFINITY, text);
    assert_string_equal(text, "-inf");
    cdg_number_shortest(INFINITY, text);
    assert_string_equal(text, "inf");
}

static void test_decimal_comma(void **state) {
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "ps_AF.UTF-8"};
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && chosen == NULL; i++)
        chosen = setlocale(LC_NUMERIC, names[i]);
    if (chosen == NULL) skip(); // no such locale is installed
    char text[CDG_NUMBER_SIZE];
    cdg_number_exact(-1.5e-7, text);
    assert_string_equal(text, "-1.4999999999999999e-07");
    cdg_number_shortest(2.25, text);
    assert_string_equal(text, "2.25");
    setlocale(LC_NUMERIC, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_float_round_trip),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_decimal_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
