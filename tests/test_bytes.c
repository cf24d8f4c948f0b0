// Bytes that grow in memory: everything put in comes out, in order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "export/bytes.h"
#include "math/random.h"

static void assert_text(const cdg_bytes *bytes, const char *text) {
    assert_false(bytes->has_failed);
    assert_int_equal(bytes->size, strlen(text));
    assert_memory_equal(bytes->data, text, bytes->size);
}

static void test_append(void **state) {
    (void)state;
    static unsigned char data[100000];
    cdg_random random = {1};
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)random_bits(&random);
    for (int trial = 0; trial < 50; trial++) {
        cdg_bytes bytes = {0};
        size_t used = 0;
        while (used < sizeof data) {
            size_t size = random_bits(&random) % (trial % 2 ? 7 : 5000);
            if (size > sizeof data - used) size = sizeof data - used;
            cdg_bytes_append(&bytes, data + used, size);
            used += size;
        }
        assert_int_equal(bytes.size, sizeof data);
        assert_memory_equal(bytes.data, data, sizeof data);
        cdg_bytes_clear(&bytes);
        assert_int_equal(bytes.size, 0);
        cdg_bytes_free(&bytes);
        assert_null(bytes.data);
    }
}

static void test_print(void **state) {
    (void)state;
    cdg_bytes bytes = {0};
    char expected[20000] = "";
    for (int i = 0; i < 1000; i++) {
        cdg_bytes_print(&bytes, "%d %s;", i, "word");
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%d %s;", i, "word");
    }
    assert_text(&bytes, expected);
    cdg_bytes_clear(&bytes);
    cdg_bytes_print(&bytes, "%s", "");
    cdg_bytes_number(&bytes, 0.1);
    cdg_bytes_print(&bytes, " ");
    cdg_bytes_float(&bytes, 0.1F);
    assert_text(&bytes, "0.1 0.1");
    cdg_bytes_free(&bytes);
}

static void test_escaped(void **state) {
    (void)state;
    static const char *const replacements[] = {"&amp;", "&lt;"};
    cdg_bytes bytes = {0};
    cdg_bytes_escaped(&bytes, "<a & b>", "&<", replacements);
    assert_text(&bytes, "&lt;a &amp; b>");
    cdg_bytes_clear(&bytes);
    cdg_bytes_escaped(&bytes, "", "&<", replacements);
    assert_text(&bytes, "");
    cdg_bytes_free(&bytes);
}

static void test_too_large(void **state) {
    (void)state;
    cdg_bytes bytes = {0};
    cdg_bytes_append(&bytes, "abc", 3);
    cdg_bytes_append(&bytes, "abc", SIZE_MAX - 2); // cannot be had, and must not be read
    assert_true(bytes.has_failed);
    assert_int_equal(bytes.size, 3);
    cdg_bytes_append(&bytes, "d", 1);
    cdg_bytes_print(&bytes, "d");
    assert_int_equal(bytes.size, 3);
    cdg_bytes_clear(&bytes);
    cdg_bytes_print(&bytes, "again");
    assert_text(&bytes, "again");
    cdg_bytes_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_escaped),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
