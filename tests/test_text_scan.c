// Words, numbers and counts of a text, and the places that faults name.
#define _DEFAULT_SOURCE // strdup
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/text_scan.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdg_error error;

static cdg_text_scan begin(const char *text) { return cdg_scan_begin("a.mesh", text, strlen(text), &error); }

static void words_are_found(void **state) {
    (void)state;
    cdg_text_scan scan = begin("  one\ttwo # three\n\n# four\r\n five");
    cdg_word word;
    assert_true(cdg_scan_word(&scan, &word) && cdg_word_is(word, "one"));
    assert_true(cdg_scan_line_goes_on(&scan));
    assert_true(cdg_scan_word(&scan, &word) && cdg_word_is(word, "two"));
    assert_false(cdg_scan_line_goes_on(&scan));
    assert_int_equal(scan.line, 1);
    assert_true(cdg_scan_word(&scan, &word) && cdg_word_is(word, "five"));
    assert_int_equal(scan.line, 4);
    assert_false(cdg_word_is(word, "fiv"));
    assert_false(cdg_scan_word(&scan, &word));
    cdg_scan_end(&scan);
}

static void numbers_are_read(void **state) {
    (void)state;
    char *before = strdup(setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where there is one, it must not matter
    cdg_text_scan scan = begin("1.5e-3 -7 +12 9223372036854775807");
    double number;
    int64_t integer;
    assert_int_equal(cdg_scan_number(&scan, "a number", &number), CDG_OK);
    assert_true(number == 1.5e-3);
    assert_int_equal(cdg_scan_integer(&scan, "a number", &integer), CDG_OK);
    assert_int_equal(integer, -7);
    assert_int_equal(cdg_scan_integer(&scan, "a number", &integer), CDG_OK);
    assert_int_equal(integer, 12);
    assert_int_equal(cdg_scan_integer(&scan, "a number", &integer), CDG_ERROR_FORMAT); // beyond what is safe
    cdg_scan_end(&scan);
    setlocale(LC_NUMERIC, before);
    free(before);
}

static void faults_name_their_place(void **state) {
    (void)state;
    static const char *const numbers[] = {"\n1.5x", "\nnan", "\n1e999", "\n,", ""};
    static const char *const integers[] = {"\n1.5", "\n-", "\nx1", ""};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cdg_text_scan scan = begin(numbers[i]);
        double number;
        assert_int_equal(cdg_scan_number(&scan, "a coordinate", &number), CDG_ERROR_FORMAT);
        assert_non_null(strstr(error.message, numbers[i][0] != '\0' ? "a.mesh:2: expected a coordinate, found"
                                                                    : "a.mesh:1: expected a coordinate, but"));
        cdg_scan_end(&scan);
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        cdg_text_scan scan = begin(integers[i]);
        int64_t integer;
        assert_int_equal(cdg_scan_integer(&scan, "a point", &integer), CDG_ERROR_FORMAT);
        cdg_scan_end(&scan);
    }
}

static void counts_fit_the_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        cdg_result result;
    } cases[] = {{"2\nabc\nabc", CDG_OK},
                 {"3\nabc\nabc", CDG_ERROR_FORMAT},
                 {"-1\nabc", CDG_ERROR_FORMAT},
                 {"1000000000000\n", CDG_ERROR_FORMAT},
                 {"0", CDG_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_text_scan scan = begin(cases[i].text);
        size_t count;
        assert_int_equal(cdg_scan_count(&scan, "the number of points", 4, &count), cases[i].result);
        cdg_scan_end(&scan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found), cmocka_unit_test(numbers_are_read),
                                       cmocka_unit_test(faults_name_their_place),
                                       cmocka_unit_test(counts_fit_the_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
