// Ranges of many numbers: all of few, without the outermost of many, and even choices of very many.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/value_range.h"

#include <math.h>

static void few_are_all_in(void **state) {
    (void)state;
    cdg_value_range range;
    double out[2];
    assert_true(cdg_value_range_make(&range));
    cdg_value_range_find(&range, out);
    assert_true(out[0] == 0 && out[1] == 1);
    const double values[] = {3, NAN, -2, INFINITY, 7, -INFINITY};
    cdg_value_range_add(&range, values, 6);
    cdg_value_range_find(&range, out);
    assert_true(out[0] == -2 && out[1] == 7);
    cdg_value_range_free(&range);
}

static void outermost_are_left_out(void **state) {
    (void)state;
    cdg_value_range range;
    double out[2];
    assert_true(cdg_value_range_make(&range));
    for (int i = 0; i < 1000; i++) cdg_value_range_add(&range, &(double){i == 500 ? 1e9 : i}, 1);
    cdg_value_range_find(&range, out);
    assert_true(out[0] == 5 && out[1] == 995);
    cdg_value_range_free(&range);
}

static void very_many_are_thinned_evenly(void **state) {
    (void)state;
    cdg_value_range range;
    double out[2];
    assert_true(cdg_value_range_make(&range));
    for (int i = 0; i < 200000; i++) cdg_value_range_add(&range, &(double){i}, 1);
    assert_true(range.count > CDG_VALUE_RANGE_ROOM / 2 && range.count <= CDG_VALUE_RANGE_ROOM);
    cdg_value_range_find(&range, out);
    assert_true(fabs(out[0] - 1000) < 100 && fabs(out[1] - 199000) < 100);
    cdg_value_range_free(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_are_all_in), cmocka_unit_test(outermost_are_left_out),
                                       cmocka_unit_test(very_many_are_thinned_evenly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
