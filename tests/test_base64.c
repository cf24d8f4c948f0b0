// Letters to bytes: the examples of RFC 4648, and texts that are cut off or not of the code.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/base64.h"

#include <string.h>

static void texts_become_bytes(void **state) {
    (void)state;
    static const char *const texts[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t size = 0; size <= 6; size++) {
        char out[8] = "xxxxxxx";
        assert_int_equal(cdg_base64_length(size), strlen(texts[size]));
        assert_true(cdg_base64_decode(texts[size], strlen(texts[size]), out, size));
        assert_memory_equal(out, "foobar", size);
        assert_int_equal(out[size], 'x');
        char letters[12] = "xxxxxxxxxxx";
        cdg_base64_encode("foobar", size, letters);
        assert_memory_equal(letters, texts[size], strlen(texts[size]));
        assert_int_equal(letters[strlen(texts[size])], 'x');
    }
    unsigned char bytes[3];
    assert_true(cdg_base64_decode("+/+/", 4, bytes, 3));
    assert_memory_equal(bytes, "\xfb\xff\xbf", 3);
    assert_true(cdg_base64_decode("AAECAwQF", 8, bytes, 2)); // only the first
    assert_memory_equal(bytes, "\0\1", 2);
}

static void bad_texts_are_refused(void **state) {
    (void)state;
    char out[8];
    assert_false(cdg_base64_decode("Zm9", 3, out, 3));
    assert_false(cdg_base64_decode("Zm9v", 4, out, 4));
    assert_false(cdg_base64_decode("Zm=v", 4, out, 3));
    assert_false(cdg_base64_decode("Zm v", 4, out, 3));
    assert_false(cdg_base64_decode("", 0, out, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_become_bytes), cmocka_unit_test(bad_texts_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
