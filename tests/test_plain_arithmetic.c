// The plain loop of multiply-adds that figures are compared with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/plain_arithmetic.h"

// Only what no machine can break: it takes time, more operations take more of it, and none take none.
static void test_more_operations_take_longer(void **state) {
    (void)state;
    double little = plain_arithmetic_seconds(1), more = plain_arithmetic_seconds(1e4);
    assert_true(little > 0 && more > little);
    assert_true(more > 1e4 / 1e13); // no core does ten million million a second
    assert_true(plain_arithmetic_seconds(0) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_more_operations_take_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
