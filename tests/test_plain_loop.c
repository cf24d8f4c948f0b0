// The plain loop that figures are compared with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/plain_loop.h"

// Only what no machine can break: a thousand times the data takes longer, and nothing is for nothing.
static void test_more_data_takes_longer(void **state) {
    (void)state;
    double little = plain_loop_seconds(0), more = plain_loop_seconds((size_t)8 << 20);
    assert_true(little > 0 && more > little);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_more_data_takes_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
