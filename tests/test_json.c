// The JSON writer: what it writes is JSON and holds what was put in.
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
#include "output/json.h"

static void test_document(void **state) {
    (void)state;
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "title", "a \"quoted\" \\ text\n\ttab\x01");
    cdg_json_number(&json, "half", 0.5);
    cdg_json_number(&json, "nan", NAN);
    cdg_json_number(&json, "infinity", -INFINITY);
    cdg_json_integer(&json, "large", UINT64_MAX);
    cdg_json_boolean(&json, "yes", true);
    cdg_json_text(&json, "nothing", NULL);
    cdg_json_begin_array(&json, "empty");
    cdg_json_end(&json);
    cdg_json_begin_array(&json, "list");
    cdg_json_number(&json, NULL, 1);
    cdg_json_begin_object(&json, NULL);
    cdg_json_boolean(&json, "no", false);
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_json_end(&json);
    assert_string_equal(cdg_json_finish(&json), "{\n"
                                                "  \"title\": \"a \\\"quoted\\\" \\\\ text\\n\\ttab\\u0001\",\n"
                                                "  \"half\": 0.5,\n"
                                                "  \"nan\": null,\n"
                                                "  \"infinity\": null,\n"
                                                "  \"large\": 18446744073709551615,\n"
                                                "  \"yes\": true,\n"
                                                "  \"nothing\": null,\n"
                                                "  \"empty\": [],\n"
                                                "  \"list\": [\n"
                                                "    1,\n"
                                                "    {\n"
                                                "      \"no\": false\n"
                                                "    }\n"
                                                "  ]\n"
                                                "}\n");
    cdg_json_free(&json);
}

static void write_string(const char *bytes, char *out, size_t size) {
    cdg_json json = {0};
    cdg_json_text(&json, NULL, bytes);
    const char *text = cdg_json_finish(&json);
    assert_non_null(text);
    assert_true(strlen(text) < size);
    strcpy(out, text);
    cdg_json_free(&json);
}

static void test_utf8(void **state) {
    (void)state;
    char out[100];
    write_string("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", out, sizeof out);
    assert_string_equal(out, "\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"\n");
    const char *const wrong[] = {"\xC3", "\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xFF"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_string(wrong[i], out, sizeof out);
        assert_memory_equal(out, "\"\xEF\xBF\xBD", 4); // U+FFFD
        assert_null(strstr(out, wrong[i]));
    }
}

// Any bytes become a JSON string without control characters, and quotes inside are escaped.
static void test_random_bytes(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int trial = 0; trial < 5000; trial++) {
        char bytes[21] = {0}, out[200];
        for (size_t i = 0; i < random_bits(&random) % 20; i++) bytes[i] = (char)(1 + random_bits(&random) % 255);
        write_string(bytes, out, sizeof out);
        size_t length = strlen(out);
        assert_int_equal(out[0], '"');
        assert_string_equal(out + length - 2, "\"\n");
        for (size_t i = 1; i + 2 < length; i++) {
            assert_true((unsigned char)out[i] >= 0x20 && out[i] != '"');
            if (out[i] == '\\') i++; // whatever is escaped belongs to the escape
        }
    }
}

// Uses that would give something else than JSON fail instead.
static void test_misuse(void **state) {
    (void)state;
    cdg_json json = {0};
    assert_null(cdg_json_finish(&json)); // empty
    cdg_json_free(&json);
    cdg_json_begin_object(&json, NULL);
    assert_null(cdg_json_finish(&json)); // left open
    cdg_json_free(&json);
    cdg_json_begin_object(&json, NULL);
    cdg_json_number(&json, NULL, 1); // no key
    cdg_json_end(&json);
    assert_null(cdg_json_finish(&json));
    cdg_json_free(&json);
    cdg_json_begin_array(&json, NULL);
    cdg_json_number(&json, "key", 1);
    cdg_json_end(&json);
    assert_null(cdg_json_finish(&json));
    cdg_json_free(&json);
    cdg_json_null(&json, NULL);
    cdg_json_null(&json, NULL); // two documents
    assert_null(cdg_json_finish(&json));
    cdg_json_free(&json);
    cdg_json_end(&json);
    assert_null(cdg_json_finish(&json));
    cdg_json_free(&json);
    for (int i = 0; i < CDG_JSON_DEPTH_MAX + 5; i++) cdg_json_begin_array(&json, NULL);
    for (int i = 0; i < CDG_JSON_DEPTH_MAX + 5; i++) cdg_json_end(&json);
    assert_null(cdg_json_finish(&json)); // too deep
    cdg_json_free(&json);
    for (int i = 0; i < CDG_JSON_DEPTH_MAX; i++) cdg_json_begin_array(&json, NULL);
    for (int i = 0; i < CDG_JSON_DEPTH_MAX; i++) cdg_json_end(&json);
    assert_non_null(cdg_json_finish(&json)); // just as deep as allowed
    cdg_json_free(&json);
}

static void test_large(void **state) {
    (void)state;
    cdg_json json = {0};
    cdg_json_begin_array(&json, NULL);
    for (int i = 0; i < 100000; i++) cdg_json_integer(&json, NULL, (uint64_t)i);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    assert_non_null(text);
    assert_int_equal(strlen(text), json.size);
    assert_non_null(strstr(text, "99999\n]\n"));
    cdg_json_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document), cmocka_unit_test(test_utf8),  cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_misuse),   cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
