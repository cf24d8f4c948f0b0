// Numbers for keys: in order of entering, found again, unknown ones not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/key_map.h"

static void test_numbers_follow_the_order_of_entering(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_key_map map = {0};
    cdg_random random = {5}, again = {5};
    assert_int_equal(cdg_key_map_find(&map, 7), CDG_NO_NUMBER);
    for (uint32_t i = 0; i < 20000; i++) assert_int_equal(cdg_key_map_add(&map, random_bits(&random) >> 1, &budget), i);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t key = random_bits(&again) >> 1;
        assert_int_equal(cdg_key_map_find(&map, key), i);
        assert_int_equal(cdg_key_map_add(&map, key, &budget), i);
    }
    assert_int_equal(map.count, 20000);
    assert_int_equal(cdg_key_map_find(&map, UINT64_MAX), CDG_NO_NUMBER);
    cdg_key_map_free(&map, &budget);
    assert_int_equal(budget.used, 0);
}

static void test_says_when_memory_is_short(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 5000};
    cdg_key_map map = {0};
    uint32_t last = 0;
    for (uint64_t key = 1; key < 10000 && last != CDG_NO_NUMBER; key++) last = cdg_key_map_add(&map, key, &budget);
    assert_int_equal(last, CDG_NO_NUMBER);
    cdg_key_map_free(&map, &budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_follow_the_order_of_entering),
        cmocka_unit_test(test_says_when_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
