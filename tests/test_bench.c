// The benchmark framework: medians, spreads, repeated timing, checks.
#include "bench/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_statistics(void **state) {
    (void)state;
    bench_context context = bench_context_default();
    bench_add_sample(&context, 1); // before any row: ignored
    bench_add_row(&context, "odd", "ns", 5);
    const double odd[] = {5, 1, 9, 2, 4};
    for (size_t i = 0; i < 5; i++) bench_add_sample(&context, odd[i]);
    bench_add_row(&context, "even", "ns", 0);
    const double even[] = {4, 1, 3, 2};
    for (size_t i = 0; i < 4; i++) bench_add_sample(&context, even[i]);
    bench_add_row(&context, "none", "ns", 0);
    for (int i = 0; i < 40; i++) {
        bench_add_row(&context, "many", "ns", 0);
        for (int k = 0; k <= i; k++) bench_add_sample(&context, 7);
    }
    bench_finish_rows(&context);
    assert_true(context.rows[0].median == 4 && context.rows[0].least == 1 && context.rows[0].spread == 2);
    assert_true(context.rows[1].median == 2.5 && context.rows[1].least == 1);
    assert_int_equal(context.rows[2].sample_count, 0);
    assert_int_equal(context.row_count, 43);
    assert_int_equal(context.rows[42].sample_count, 40);
    assert_true(context.rows[42].median == 7 && context.rows[42].spread == 0);
    bench_context_free(&context);
}

static void test_first_failed_check_is_told(void **state) {
    (void)state;
    bench_context context = bench_context_default();
    bench_check(&context, true, "one");
    assert_string_equal(context.failed_check, "");
    bench_check(&context, false, "two");
    bench_check(&context, false, "three");
    assert_string_equal(context.failed_check, "two");
    bench_context_free(&context);
}

static cdg_result count_calls(void *user) {
    int *calls = user;
    ++*calls;
    return *calls == 1000 ? CDG_ERROR_NOT_FINITE : CDG_OK;
}

static void test_timing_stops_at_a_failure(void **state) {
    (void)state;
    int calls = 0;
    cdg_result result = CDG_OK;
    bench_time(count_calls, &calls, 1e9, &result);
    assert_int_equal(result, CDG_ERROR_NOT_FINITE);
    assert_int_equal(calls, 1000);
    calls = 0;
    assert_true(bench_time(count_calls, &calls, 0, &result) >= 0); // any time is long enough: one call
    assert_int_equal(result, CDG_OK);
    assert_int_equal(calls, 1);
}

static void test_table_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < bench_case_count; i++) {
        assert_true(strlen(bench_cases[i].name) > 0 && strlen(bench_cases[i].what) > 0);
        assert_non_null(bench_cases[i].run);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(bench_cases[i].name, bench_cases[k].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_first_failed_check_is_told),
        cmocka_unit_test(test_timing_stops_at_a_failure),
        cmocka_unit_test(test_table_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
