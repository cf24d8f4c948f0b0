// The instruction set that is chosen is one that the processor has, and the same at every call.
#define _POSIX_C_SOURCE 200809L // setenv
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"

#include <cordage/world.h>

#include <stdlib.h>
#include <string.h>

static void test_choice_is_possible_and_steady(void **state) {
    (void)state;
    cdg_lanes lanes = cdg_processor_widest();
    assert_in_range(lanes, CDG_LANES_BASE, CDG_LANES_AVX512);
#if defined(__x86_64__)
    if (lanes == CDG_LANES_AVX512) assert_true(__builtin_cpu_supports("avx512f") != 0);
    if (lanes == CDG_LANES_AVX2)
        assert_true(__builtin_cpu_supports("avx512f") == 0 || __builtin_cpu_supports("avx512bw") == 0);
    if (lanes == CDG_LANES_BASE) assert_true(__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0);
#endif
    cdg_lanes used = cdg_processor_lanes();
    assert_true(used <= lanes);
    for (int i = 0; i < 100; i++) assert_int_equal(cdg_processor_lanes(), used);
}

static void test_override(void **state) {
    (void)state;
    cdg_lanes lanes;
    cdg_error error;
    assert_int_equal(cdg_processor_choose(NULL, CDG_LANES_AVX2, &lanes, &error), CDG_OK);
    assert_int_equal(lanes, CDG_LANES_AVX2);
    assert_int_equal(cdg_processor_choose("", CDG_LANES_AVX512, &lanes, &error), CDG_OK);
    assert_int_equal(lanes, CDG_LANES_AVX512);
    assert_int_equal(cdg_processor_choose("base", CDG_LANES_AVX512, &lanes, &error), CDG_OK);
    assert_int_equal(lanes, CDG_LANES_BASE);
    assert_int_equal(cdg_processor_choose("avx512", CDG_LANES_AVX2, &lanes, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "its widest is 'avx2'"));
    assert_int_equal(cdg_processor_choose("AVX2", CDG_LANES_AVX2, &lanes, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "base, avx2 or avx512"));
    for (int i = 0; i < CDG_LANES_COUNT; i++) {
        assert_int_equal(cdg_processor_choose(cdg_processor_lanes_name((cdg_lanes)i), CDG_LANES_AVX512, &lanes, &error),
                         CDG_OK);
        assert_int_equal(lanes, i);
    }
    assert_string_equal(cdg_processor_lanes_name((cdg_lanes)99), "unknown");
}

// A set that cannot be had, or comes too late, is a sentence when a world is made, and not silently another one.
static void test_environment(void **state) {
    (void)state;
    cdg_lanes used = cdg_processor_lanes();
    cdg_error error;
    setenv(CDG_LANES_VARIABLE, "none", 1);
    assert_int_equal(cdg_processor_check(&error), CDG_ERROR_ARGUMENT);
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, CDG_LANES_VARIABLE));
    assert_null(world);
    setenv(CDG_LANES_VARIABLE, "base", 1);
    assert_int_equal(cdg_processor_check(&error), used == CDG_LANES_BASE ? CDG_OK : CDG_ERROR_ARGUMENT);
    setenv(CDG_LANES_VARIABLE, cdg_processor_lanes_name(used), 1);
    assert_int_equal(cdg_processor_check(&error), CDG_OK);
    unsetenv(CDG_LANES_VARIABLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choice_is_possible_and_steady),
                                       cmocka_unit_test(test_override), cmocka_unit_test(test_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
