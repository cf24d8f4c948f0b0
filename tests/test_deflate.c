// Compressed blocks: a round trip, and blocks that are cut off, altered or of another size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "math/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 20000 };

static void blocks_come_back(void **state) {
    (void)state;
    unsigned char *data = malloc(SIZE), *back = malloc(SIZE);
    cdg_random random = {3};
    for (int i = 0; i < SIZE; i++) data[i] = (unsigned char)(i % 50 == 0 ? random_bits(&random) : (uint64_t)i);
    size_t bound = cdg_deflate_bound(SIZE), size = bound;
    unsigned char *packed = malloc(bound);
    assert_true(data != NULL && back != NULL && packed != NULL);
    assert_true(cdg_deflate(data, SIZE, 4, packed, &size));
    assert_true(size > 0 && size < SIZE / 4);
    assert_true(cdg_inflate(packed, size, back, SIZE));
    assert_memory_equal(data, back, SIZE);
    assert_false(cdg_inflate(packed, size - 1, back, SIZE)); // cut off
    assert_false(cdg_inflate(packed, size, back, SIZE - 1)); // more than announced
    packed[size / 2] ^= 1;
    assert_false(cdg_inflate(packed, size, back, SIZE)); // its check sum is wrong, if nothing else
    size_t small = 10;
    assert_false(cdg_deflate(data, SIZE, 4, packed, &small));
    assert_int_equal(small, 0);
    free(data), free(back), free(packed);
}

// Fewer bytes than announced are a fault, too: the rest would be what was there before.
static void short_blocks_are_noticed(void **state) {
    (void)state;
    char packed[100], back[20];
    size_t size = sizeof packed;
    assert_true(cdg_deflate("abcdefgh", 8, 9, packed, &size));
    assert_false(cdg_inflate(packed, size, back, 9));
    assert_true(cdg_inflate(packed, size, back, 8));
    assert_memory_equal(back, "abcdefgh", 8);
}

// What gzip makes of "cordage".
static void gzip_is_read(void **state) {
    (void)state;
    static const unsigned char packed[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                           0x03, 0x4b, 0xce, 0x2f, 0x4a, 0x49, 0x4c, 0x4f, 0x05,
                                           0x00, 0xd2, 0x2e, 0xb7, 0xb7, 0x07, 0x00, 0x00, 0x00};
    char back[8] = "";
    assert_true(cdg_inflate(packed, sizeof packed, back, 7));
    assert_string_equal(back, "cordage");
    assert_false(cdg_inflate(packed, sizeof packed - 1, back, 7));
    assert_false(cdg_inflate(packed, sizeof packed, back, 6));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_come_back), cmocka_unit_test(short_blocks_are_noticed),
                                       cmocka_unit_test(gzip_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
