// The data of a chart: owned copies, and bounds that skip what cannot be drawn.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plot/chart.h"

static cdg_chart make_chart(void) {
    cdg_chart chart;
    cdg_error error = {0};
    assert_int_equal(cdg_chart_create("title", "time", "s", "height", "m", &chart, &error), CDG_OK);
    return chart;
}

static void test_copies(void **state) {
    (void)state;
    cdg_chart chart = make_chart();
    cdg_error error = {0};
    double x[] = {0, 1, 2}, y[] = {3, 4, 5};
    char name[] = "a";
    assert_int_equal(cdg_chart_add(&chart, name, x, y, 3, &error), CDG_OK);
    assert_int_equal(cdg_chart_add(&chart, "empty", NULL, NULL, 0, &error), CDG_OK);
    x[1] = y[1] = -100;
    name[0] = 'z';
    assert_string_equal(chart.series[0].name, "a");
    assert_true(chart.series[0].x[1] == 1 && chart.series[0].y[1] == 4);
    assert_int_equal(chart.series_count, 2);
    assert_int_equal(cdg_chart_get_facts(&chart, 1).count, 0);
    cdg_chart_free(&chart);
    cdg_chart_free(&chart); // twice is fine
}

static void test_bounds(void **state) {
    (void)state;
    cdg_chart chart = make_chart();
    cdg_error error = {0};
    const double x[] = {0, 1, 2, 3, 4, NAN}, y[] = {5, NAN, -2, INFINITY, 7, 100};
    cdg_chart_bounds bounds;
    assert_false(cdg_chart_get_bounds(&chart, &bounds)); // no curves
    assert_int_equal(cdg_chart_add(&chart, "a", x, y, 6, &error), CDG_OK);
    assert_true(cdg_chart_get_bounds(&chart, &bounds));
    assert_true(bounds.x_low == 0 && bounds.x_high == 4 && bounds.y_low == -2 && bounds.y_high == 7);
    chart.y.is_log = true; // what is not positive does not count
    assert_true(cdg_chart_get_bounds(&chart, &bounds));
    assert_true(bounds.y_low == 5 && bounds.y_high == 7);
    chart.y.is_log = false;
    chart.x.low = 1;
    chart.x.high = 2;
    assert_true(cdg_chart_get_bounds(&chart, &bounds));
    assert_true(bounds.x_low == 2 && bounds.y_low == -2 && bounds.y_high == -2);
    chart.x.low = 10;
    chart.x.high = 20;
    assert_false(cdg_chart_get_bounds(&chart, &bounds));
    cdg_chart_free(&chart);
}

static void test_facts(void **state) {
    (void)state;
    cdg_chart chart = make_chart();
    cdg_error error = {0};
    const double x[] = {0, 1, 2, 3}, y[] = {2, 8, -1, NAN};
    assert_int_equal(cdg_chart_add(&chart, "a", x, y, 4, &error), CDG_OK);
    cdg_series_facts facts = cdg_chart_get_facts(&chart, 0);
    assert_int_equal(facts.count, 3);
    assert_true(facts.first == 2 && facts.last == -1);
    assert_true(facts.least == -1 && facts.least_at == 2 && facts.largest == 8 && facts.largest_at == 1);
    cdg_chart_free(&chart);
}

static void test_list(void **state) {
    (void)state;
    cdg_chart_list list = {0};
    cdg_error error = {0};
    cdg_chart *chart;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(cdg_chart_list_add(&list, "t", "x", "m", "y", "N", &chart, &error), CDG_OK);
        assert_string_equal(chart->y.unit, "N");
    }
    assert_int_equal(list.count, 20);
    cdg_chart_list_free(&list);
    assert_int_equal(list.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies), cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_facts), cmocka_unit_test(test_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
