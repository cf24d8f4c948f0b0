// Counted memory: limit, peak, growth, sizes that overflow.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/budget.h"

static void test_counts_and_gives_back(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 20};
    double *a = cdg_budget_take(&budget, 1000, sizeof *a), *b = cdg_budget_take_zero(&budget, 1000, sizeof *b);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal((uintptr_t)a % 16, 0);
    for (int i = 0; i < 1000; i++) assert_true(b[i] == 0);
    assert_true(budget.used >= 16000 && budget.used < 16100);
    cdg_budget_give(&budget, a);
    cdg_budget_give(&budget, b);
    cdg_budget_give(&budget, NULL);
    assert_int_equal(budget.used, 0);
    assert_true(budget.peak >= 16000);
}

static void test_refuses_beyond_the_limit(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1000};
    cdg_error error;
    assert_null(cdg_budget_take(&budget, 1001, 1));
    assert_true(budget.is_exceeded);
    assert_int_equal(cdg_budget_fail(&budget, &error), CDG_ERROR_MEMORY);
    cdg_budget other = {.limit = UINT64_MAX};
    assert_null(cdg_budget_take(&other, SIZE_MAX / 4, 16));
    assert_int_equal(other.used, 0);
}

static void test_arrays_grow_and_keep_contents(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 20};
    int *array = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 5000; i++) {
        assert_true(cdg_budget_grow(&budget, (void **)&array, (size_t)i, &capacity, sizeof *array));
        array[i] = i;
    }
    for (int i = 0; i < 5000; i++) assert_int_equal(array[i], i);
    assert_null(cdg_budget_resize(&budget, array, 1 << 20, sizeof *array));
    assert_int_equal(array[4999], 4999); // the old block stays
    cdg_budget_give(&budget, array);
    assert_int_equal(budget.used, 0);
    assert_true(cdg_machine_memory() > (uint64_t)1 << 28);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_and_gives_back),
        cmocka_unit_test(test_refuses_beyond_the_limit),
        cmocka_unit_test(test_arrays_grow_and_keep_contents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
