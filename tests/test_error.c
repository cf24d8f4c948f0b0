// Result texts, messages, version.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void test_every_code_has_its_own_text(void **state) {
    (void)state;
    for (int a = 0; a < CDG_RESULT_COUNT; a++) {
        const char *text = cdg_result_text((cdg_result)a);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        assert_string_not_equal(text, cdg_result_text(CDG_RESULT_COUNT));
        for (int b = 0; b < a; b++) assert_string_not_equal(text, cdg_result_text((cdg_result)b));
    }
    assert_string_equal(cdg_result_text(CDG_OK), "done");
}

static void test_unknown_codes_have_a_text(void **state) {
    (void)state;
    assert_string_equal(cdg_result_text(CDG_RESULT_COUNT), "unknown result code");
    assert_string_equal(cdg_result_text((cdg_result)15), "unknown result code");
}

static void test_fail_fills_and_returns(void **state) {
    (void)state;
    cdg_error error;
    memset(&error, 0xff, sizeof error);
    cdg_result result = cdg_fail(&error, CDG_ERROR_ARGUMENT, "rod '%s': %d elements; give at least %d", "cable", 0, 1);
    assert_int_equal(result, CDG_ERROR_ARGUMENT);
    assert_int_equal(error.code, CDG_ERROR_ARGUMENT);
    assert_string_equal(error.message, "rod 'cable': 0 elements; give at least 1");
    assert_int_equal(cdg_fail(NULL, CDG_ERROR_IO, "%d", 3), CDG_ERROR_IO);
}

static void test_long_messages_are_cut_and_terminated(void **state) {
    (void)state;
    char text[3 * CDG_MESSAGE_SIZE];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct {
        cdg_error error;
        char guard[16];
    } place;
    memset(place.guard, 'g', sizeof place.guard);
    cdg_fail(&place.error, CDG_ERROR_IO, "%s", text);
    assert_int_equal(strlen(place.error.message), CDG_MESSAGE_SIZE - 1);
    for (size_t i = 0; i < sizeof place.guard; i++) assert_int_equal(place.guard[i], 'g');
}

static void test_clear(void **state) {
    (void)state;
    cdg_error error;
    cdg_fail(&error, CDG_ERROR_IO, "text");
    cdg_error_clear(&error);
    assert_int_equal(error.code, CDG_OK);
    assert_string_equal(error.message, "");
    cdg_error_clear(NULL);
}

static void test_version_agrees_with_the_numbers(void **state) {
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", CDG_VERSION_MAJOR, CDG_VERSION_MINOR, CDG_VERSION_PATCH);
    assert_string_equal(cdg_version(), text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_has_its_own_text),
        cmocka_unit_test(test_unknown_codes_have_a_text),
        cmocka_unit_test(test_fail_fills_and_returns),
        cmocka_unit_test(test_long_messages_are_cut_and_terminated),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_version_agrees_with_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
