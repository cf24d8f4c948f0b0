// Markup text: what it holds is always well-formed, whatever bytes come in.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "plot/markup.h"

static void expect_text(const char *in, const char *out) {
    cdg_markup markup = {0};
    cdg_markup_raw(&markup, "");
    cdg_markup_text(&markup, in);
    assert_false(markup.has_failed);
    assert_string_equal(markup.text, out);
    cdg_markup_free(&markup);
}

static void test_escapes(void **state) {
    (void)state;
    expect_text("", "");
    expect_text("a<b>&\"c\"'d'", "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
    expect_text("N\xC2\xB7m \xCE\xBA", "N\xC2\xB7m \xCE\xBA");
    expect_text("tab\tnew\nbell\a", "tab new bell ");
    expect_text("\xFF"
                "a\xC3",
                "\xEF\xBF\xBD"
                "a\xEF\xBF\xBD");
    expect_text("\xEF\xBF\xBF", "\xEF\xBF\xBD"); // U+FFFF is no character
    expect_text("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

// Random bytes: no markup character and no control character is left, and cleaning twice changes nothing.
static void test_random_bytes(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 2000; round++) {
        char bytes[32] = {0};
        for (int i = 0; i < 31; i++) {
            bytes[i] = (char)(1 + random_bits(&random) % 255);
        }
        cdg_markup markup = {0};
        cdg_markup_text(&markup, bytes);
        for (const char *c = markup.text; *c != '\0'; c++) {
            assert_true((unsigned char)*c >= 0x20 && *c != '<' && *c != '>' && *c != '"' && *c != 0x7F);
        }
        cdg_markup_free(&markup);
        char *clean = cdg_markup_clean(bytes), *again = cdg_markup_clean(clean);
        assert_string_equal(clean, again);
        free(clean);
        free(again);
    }
}

static void expect_number(double value, int decimals, const char *out) {
    cdg_markup markup = {0};
    cdg_markup_number(&markup, value, decimals);
    assert_string_equal(markup.text, out);
    cdg_markup_free(&markup);
}

static void test_numbers(void **state) {
    (void)state;
    expect_number(1.23456, 3, "1.235");
    expect_number(100, 3, "100");
    expect_number(-0.0001, 3, "0");
    expect_number(0.1 + 0.2, 3, "0.3");
    expect_number(NAN, 3, "0");
    expect_number(-INFINITY, 3, "0");
    expect_number(1e300, 3, "1e+300");
}

static void expect_base64(const char *bytes, const char *out) {
    cdg_markup markup = {0};
    cdg_markup_raw(&markup, "");
    cdg_markup_base64(&markup, (const unsigned char *)bytes, strlen(bytes));
    assert_string_equal(markup.text, out);
    cdg_markup_free(&markup);
}

static void test_base64(void **state) { // RFC 4648, section 10
    (void)state;
    expect_base64("", "");
    expect_base64("f", "Zg==");
    expect_base64("fo", "Zm8=");
    expect_base64("foo", "Zm9v");
    expect_base64("foobar", "Zm9vYmFy");
    expect_base64("\xFB\xFF\xBF", "+/+/");
}

static void test_growth(void **state) {
    (void)state;
    cdg_markup markup = {0};
    for (int i = 0; i < 10000; i++) cdg_markup_bytes(&markup, "abc", 3);
    assert_int_equal(markup.size, 30000);
    assert_int_equal(strlen(markup.text), 30000);
    assert_memory_equal(markup.text + 29997, "abc", 4);
    cdg_markup_free(&markup);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_escapes), cmocka_unit_test(test_random_bytes),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_base64),
                                       cmocka_unit_test(test_growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
