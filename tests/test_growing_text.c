// Pieces of any size end up one after the other, with a zero behind them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/growing_text.h"
#include "math/random.h"

static void test_pieces(void **state) {
    (void)state;
    enum { TOTAL = 60000 };
    static char expected[TOTAL];
    cdg_random random = {5};
    for (size_t i = 0; i < TOTAL; i++) expected[i] = (char)('a' + i % 23);
    for (int round = 0; round < 20; round++) {
        char *text = NULL;
        size_t size = 0, capacity = 0;
        while (size < TOTAL) {
            size_t count = (size_t)random_in(&random, 0, round % 2 == 0 ? 10 : 5000), before = size;
            if (count > TOTAL - size) count = TOTAL - size;
            assert_true(cdg_text_append(&text, &size, &capacity, expected + before, count));
            assert_int_equal(size, before + count);
            assert_true(capacity > size);
            assert_int_equal(text[size], 0);
        }
        assert_memory_equal(text, expected, TOTAL);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
