// The workload of the paper's table 1: its rows, their samples, its check; never how long anything takes.
#include "bench/bench_table1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void note_progress(void *user, double fraction) {
    double *last = user;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
}

static void test_rows(void **state) {
    (void)state;
    bench_context context = bench_context_default();
    cdg_error error;
    double progress = 0;
    context.repeat = 2;
    context.on_progress = note_progress;
    context.user = &progress;
    assert_int_equal(bench_table1(&context, &error), CDG_OK);
    assert_string_equal(context.failed_check, "");
    assert_true(progress == 1);
    const char *const labels[] = {"pbd, 10 iterations (paper: 160)",  "pber, 10 iterations (paper: 1650)",
                                  "pbd, 18 iterations (paper: 260)",  "pber, 18 iterations (paper: 2160)",
                                  "pbd, 80 iterations (paper: 1320)", "pber, 80 iterations (paper: 9180)"};
    assert_int_equal(context.row_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(context.rows[i].label, labels[i]);
        assert_string_equal(context.rows[i].unit, "us/frame");
        assert_int_equal(context.rows[i].sample_count, 2);
    }
    bench_context_free(&context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
