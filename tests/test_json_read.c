// Reading JSON: what is JSON is read, what is not is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/json_read.h"

#include <string.h>

static char room[4096];

static const cdg_json_value *read_text(const char *text, cdg_json_document *document) {
    return cdg_json_read(text, strlen(text), room, document);
}

static void values_are_read(void **state) {
    (void)state;
    cdg_json_document document;
    const cdg_json_value *value = read_text(
        " {\"a\": [1, -2.5e-1, true, null], \"b\": \"x\\n\\u00e4\\ud83d\\ude00\\\"\", \"c\": {}} ", &document);
    assert_non_null(value);
    const cdg_json_value *a = cdg_json_member(value, "a");
    assert_int_equal(a->kind, CDG_JSON_ARRAY);
    assert_true(a->first->number == 1 && a->first->next->number == -0.25);
    assert_int_equal(a->first->next->next->kind, CDG_JSON_BOOLEAN);
    assert_int_equal(a->first->next->next->next->kind, CDG_JSON_NULL);
    assert_null(a->first->next->next->next->next);
    assert_string_equal(cdg_json_member(value, "b")->string, "x\n\xc3\xa4\xf0\x9f\x98\x80\"");
    assert_null(cdg_json_member(value, "c")->first);
    assert_null(cdg_json_member(value, "d"));
    assert_null(cdg_json_member(a, "a"));
}

static void what_is_not_json_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "{",
                                        "}",
                                        "[1,]",
                                        "[1 2]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{a: 1}",
                                        "01",
                                        "1.",
                                        ".5",
                                        "+1",
                                        "1e",
                                        "0x10",
                                        "NaN",
                                        "Infinity",
                                        "1e999",
                                        "tru",
                                        "\"",
                                        "\"\\",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\\ud800\"",
                                        "\"\\ud800\\u0041\"",
                                        "\"\\udc00\"",
                                        "\"\\u0000\"",
                                        "\"\n\"",
                                        "\"\xff\"",
                                        "\"\xc0\x80\"",
                                        "{} {}",
                                        "{\"a\":1,\"a\":2}",
                                        "[[[[[[[[[1]]]]]]]]]",
                                        "'a'",
                                        "[1],"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cdg_json_document document;
        if (read_text(wrong[i], &document) != NULL) print_error("accepted: %s\n", wrong[i]);
        assert_null(read_text(wrong[i], &document));
        assert_non_null(document.fault);
    }
}

static void documents_are_bounded(void **state) {
    (void)state;
    cdg_json_document document;
    char text[2 * CDG_JSON_VALUES_MAX + 16] = "[";
    for (int i = 0; i < CDG_JSON_VALUES_MAX; i++) strcat(text, i == 0 ? "1" : ",1");
    strcat(text, "]");
    assert_null(read_text(text, &document));
    assert_string_equal(document.fault, "too many values");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(documents_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
