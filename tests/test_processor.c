// The instruction set that is chosen is one that the processor has, and the same at every call.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"

static void test_choice_is_possible_and_steady(void **state) {
    (void)state;
    cdg_lanes lanes = cdg_processor_lanes();
    assert_in_range(lanes, CDG_LANES_BASE, CDG_LANES_AVX512);
#if defined(__x86_64__)
    if (lanes == CDG_LANES_AVX512) assert_true(__builtin_cpu_supports("avx512f") != 0);
    if (lanes == CDG_LANES_AVX2)
        assert_true(__builtin_cpu_supports("avx512f") == 0 || __builtin_cpu_supports("avx512bw") == 0);
    if (lanes == CDG_LANES_BASE) assert_true(__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0);
#endif
    for (int i = 0; i < 100; i++) assert_int_equal(cdg_processor_lanes(), lanes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choice_is_possible_and_steady)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
