// The page: needs nothing from outside, holds the numbers of its charts, and no text can break out of its place.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plot/html_page.h"

static char *make_page(const cdg_page *page) {
    cdg_markup markup = {0};
    cdg_error error = {0};
    assert_int_equal(cdg_html_page_write(page, &markup, &error), CDG_OK);
    return markup.text;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

static void test_page(void **state) {
    (void)state;
    cdg_chart charts[2];
    cdg_error error = {0};
    const double x[] = {0, 0.125, 2}, y[] = {5, NAN, -0.25};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cdg_chart_create("a <title> & more", "time", "s", "height", "N*m", &charts[i], &error),
                         CDG_OK);
        assert_int_equal(cdg_chart_add(&charts[i], "</script><b>", x, y, 3, &error), CDG_OK);
        assert_int_equal(cdg_chart_add(&charts[i], "other", x, y, 3, &error), CDG_OK);
    }
    const cdg_page_fact facts[] = {{"Scene", "<cable>.yaml"}};
    const cdg_page_picture picture = {"a \"<picture>\"", (const unsigned char *)"foobar", 6};
    const cdg_page page = {.title = "A <run>",
                           .facts = facts,
                           .fact_count = 1,
                           .pictures = &picture,
                           .picture_count = 1,
                           .charts = charts,
                           .chart_count = 2};
    char *html = make_page(&page);
    assert_int_equal(count_of(html, "<figure>"), 2);
    assert_int_equal(count_of(html, "<script type=\"application/json\">"), 2);
    assert_int_equal(count_of(html, "</script>"), 3);
    assert_int_equal(count_of(html, "<b>"), 0);
    assert_int_equal(count_of(html, "<run>"), 0);
    assert_int_equal(count_of(html, "://"), 0);
    assert_int_equal(count_of(html, "xmlns"), 0);
    assert_int_equal(count_of(html, " src="), 1); // the picture, which is in the page
    assert_int_equal(
        count_of(html, "<img alt=\"a &quot;&lt;picture&gt;&quot;\" src=\"data:image/png;base64,Zm9vYmFy\">"), 1);
    assert_int_equal(count_of(html, " href="), 0);
    assert_non_null(strstr(html, "<h1>A &lt;run&gt;</h1>"));
    assert_non_null(strstr(html, "&lt;cable&gt;.yaml"));
    assert_int_equal(count_of(html, "\"x\":[0,0.125,2],\"y\":[5,null,-0.25]"), 4);
    assert_int_equal(count_of(html, "\"name\":\"\\u003c/script\\u003e\\u003cb\\u003e\""), 2);
    assert_int_equal(count_of(html, "\"yunit\":\"N\xC2\xB7m\""), 2);
    assert_int_equal(count_of(html, "<tr><td>a &lt;title&gt; &amp; more: other</td><td>N\xC2\xB7m</td><td>5.0000</td>"),
                     2);
    assert_int_equal(count_of(html, "NaN"), 0);
    free(html);
    for (int i = 0; i < 2; i++) cdg_chart_free(&charts[i]);
}

// Long curves are thinned, so that a page stays small.
static void test_size(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    double *x = malloc(COUNT * sizeof *x);
    cdg_chart chart;
    cdg_error error = {0};
    assert_non_null(x);
    for (int i = 0; i < COUNT; i++) x[i] = i * 1e-3 + 1e-9;
    assert_int_equal(cdg_chart_create("t", "time", "s", "height", "m", &chart, &error), CDG_OK);
    assert_int_equal(cdg_chart_add(&chart, "a", x, x, COUNT, &error), CDG_OK);
    const cdg_page page = {.title = "t", .charts = &chart, .chart_count = 1};
    char *html = make_page(&page);
    assert_true(strlen(html) < 200000);
    free(html);
    free(x);
    cdg_chart_free(&chart);
}

static void test_bad_size(void **state) {
    (void)state;
    cdg_chart chart;
    cdg_error error = {0};
    cdg_markup markup = {0};
    assert_int_equal(cdg_chart_create("t", "time", "s", "height", "m", &chart, &error), CDG_OK);
    const cdg_page page = {.title = "t", .charts = &chart, .chart_count = 1, .chart_width = 99999, .chart_height = 5};
    assert_int_equal(cdg_html_page_write(&page, &markup, &error), CDG_ERROR_ARGUMENT);
    cdg_markup_free(&markup);
    cdg_chart_free(&chart);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page), cmocka_unit_test(test_size),
                                       cmocka_unit_test(test_bad_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
