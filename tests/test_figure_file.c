// Charts as files: the format follows the name, sizes suit the charts, and nothing is written before all is made.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/figure_file.h"
#include "run_scene.h"

static void test_formats(void **state) {
    (void)state;
    cdg_figure_format format;
    cdg_error error = {0};
    static const struct {
        const char *path;
        int format;
    } good[] = {{"a.svg", CDG_FIGURE_SVG}, {"dir.x/b.PNG", CDG_FIGURE_PNG}, {"c.d.Html", CDG_FIGURE_HTML}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cdg_figure_format_of(good[i].path, &format, &error), CDG_OK);
        assert_int_equal(format, good[i].format);
    }
    static const char *const bad[] = {"a", "a.pdf", "dir.svg/a", ".svg", "a.svg/", "", "a.svgz"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(cdg_figure_format_of(bad[i], &format, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, ".svg, .png or .html"));
    }
}

static unsigned png_side(const unsigned char *bytes, size_t at) {
    return (unsigned)bytes[at] << 24 | (unsigned)bytes[at + 1] << 16 | (unsigned)bytes[at + 2] << 8 | bytes[at + 3];
}

static void test_sizes(void **state) {
    (void)state;
    enum { MANY = 400 };
    static cdg_chart charts[MANY];
    cdg_error error = {0};
    const double x[] = {0, 1};
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(cdg_chart_create("t", "x", "m", "y", "m", &charts[i], &error), CDG_OK);
        assert_int_equal(cdg_chart_add(&charts[i], "a", x, x, 2, &error), CDG_OK);
    }
    unsigned char *bytes;
    size_t size;
    cdg_figure figure = {.title = "", .charts = charts, .chart_count = 1};
    assert_int_equal(cdg_figure_encode(&figure, CDG_FIGURE_PNG, &bytes, &size, &error), CDG_OK);
    assert_int_equal(png_side(bytes, 16), 1440);
    assert_int_equal(png_side(bytes, 20), 840);
    free(bytes);
    assert_int_equal(cdg_figure_encode(&figure, CDG_FIGURE_SVG, &bytes, &size, &error), CDG_OK);
    assert_non_null(strstr((char *)bytes, "width=\"720\" height=\"420\""));
    free(bytes);
    figure.width = 300;
    figure.height = 200;
    assert_int_equal(cdg_figure_encode(&figure, CDG_FIGURE_PNG, &bytes, &size, &error), CDG_OK);
    assert_int_equal(png_side(bytes, 16), 300);
    free(bytes);
    figure.width = figure.height = 30;
    assert_int_equal(cdg_figure_encode(&figure, CDG_FIGURE_PNG, &bytes, &size, &error), CDG_ERROR_ARGUMENT);
    assert_null(bytes);
    figure = (cdg_figure){.title = "", .charts = charts, .chart_count = MANY};
    assert_int_equal(cdg_figure_encode(&figure, CDG_FIGURE_SVG, &bytes, &size, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "400 charts are too many"));
    for (size_t i = 0; i < MANY; i++) cdg_chart_free(&charts[i]);
}

static void test_files(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    cdg_chart chart;
    cdg_error error = {0};
    cdg_figure_files files = {0};
    const double x[] = {0, 1};
    run_directory_make(base);
    assert_int_equal(cdg_chart_create("t", "x", "m", "y", "m", &chart, &error), CDG_OK);
    assert_int_equal(cdg_chart_add(&chart, "a", x, x, 2, &error), CDG_OK);
    const cdg_figure figure = {.title = "t", .charts = &chart, .chart_count = 1};
    assert_int_equal(cdg_figure_files_add(&files, run_path(base, "a.svg"), &figure, &error), CDG_OK);
    assert_int_equal(cdg_figure_files_add(&files, run_path(base, "b.html"), &figure, &error), CDG_OK);
    assert_int_equal(cdg_figure_files_add(&files, run_path(base, "c.doc"), &figure, &error), CDG_ERROR_ARGUMENT);
    assert_false(run_path_exists(base, "a.svg"));
    assert_int_equal(cdg_figure_files_write(&files, &error), CDG_OK);
    size_t size;
    char *text = run_read_text(base, "a.svg", &size);
    assert_int_equal(size, files.items[0].size);
    assert_memory_equal(text, files.items[0].bytes, size);
    free(text);
    assert_true(run_path_exists(base, "b.html"));
    cdg_figure_files_free(&files);
    assert_int_equal(cdg_figure_files_add(&files, run_path(base, "none/a.svg"), &figure, &error), CDG_OK);
    assert_int_equal(cdg_figure_files_write(&files, &error), CDG_ERROR_IO);
    assert_false(run_path_exists(base, "none"));
    cdg_figure_files_free(&files);
    cdg_chart_free(&chart);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formats), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
