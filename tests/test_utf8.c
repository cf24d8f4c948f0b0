// Every code point comes back by its length, and nothing else is taken for a character.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

static size_t encode(uint32_t point, unsigned char out[4]) {
    if (point < 0x80) return out[0] = (unsigned char)point, 1;
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, point >>= 6) out[i] = (unsigned char)(0x80 | (point & 0x3F));
    out[0] = (unsigned char)((length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0) | point);
    return length;
}

static void test_every_code_point(void **state) {
    (void)state;
    for (uint32_t point = 0; point < 0x120000; point++) {
        unsigned char text[4] = {0};
        size_t length = encode(point, text);
        int is_character = point < 0x110000 && !(point >= 0xD800 && point < 0xE000);
        assert_int_equal(cdg_utf8_length(text, 4), is_character ? length : 0);
        assert_int_equal(cdg_utf8_length(text, length - 1), 0); // cut short
        for (size_t i = 1; i < length; i++) {
            unsigned char ended[4] = {text[0], i > 1 ? text[1] : 0, i > 2 ? text[2] : 0, 0};
            assert_int_equal(cdg_utf8_length(ended, SIZE_MAX), 0); // a zero byte within
        }
    }
}

// Of all pairs of bytes followed by two continuations, only those of well-formed text; overlong forms are none.
static void test_other_bytes(void **state) {
    (void)state;
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            unsigned char text[4] = {(unsigned char)first, (unsigned char)second, 0x80, 0x80}, again[4];
            size_t length = cdg_utf8_length(text, 4);
            if (length == 0) {
                assert_true(first >= 0x80);
                continue;
            }
            uint32_t point = length == 1 ? first : first & (0x7Fu >> length);
            for (size_t i = 1; i < length; i++) point = point << 6 | (text[i] & 0x3Fu);
            assert_int_equal(encode(point, again), length);
            assert_memory_equal(text, again, length);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
