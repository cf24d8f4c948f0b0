// Drawn charts: curves map back through the axes' own tick labels to the data; names do not overlap nor cover data.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "plot/draw_chart.h"

static cdg_chart make_chart(const char *unit, bool is_log) {
    cdg_chart chart;
    cdg_error error = {0};
    assert_int_equal(cdg_chart_create("Title", "time", "s", "height", unit, &chart, &error), CDG_OK);
    chart.y.is_log = is_log;
    return chart;
}

static void add(cdg_chart *chart, const char *name, const double *x, const double *y, size_t count) {
    cdg_error error = {0};
    assert_int_equal(cdg_chart_add(chart, name, x, y, count, &error), CDG_OK);
}

static char *draw_svg(const cdg_chart *chart, int width, int height, cdg_chart_frame *frame) {
    cdg_canvas *canvas;
    cdg_error error = {0};
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cdg_canvas_create_svg(width, height, &canvas, &error), CDG_OK);
    assert_int_equal(cdg_draw_chart(canvas, chart, 0, 0, width, height, frame, &error), CDG_OK);
    assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_OK);
    cdg_canvas_destroy(canvas);
    return (char *)bytes;
}

// ---- a reader of our own drawings

static double attribute(const char *element, const char *name) {
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *found = strstr(element, key);
    assert_non_null(found);
    return strtod(found + strlen(key), NULL);
}

// Two labelled ticks of an axis: where they are and what they say. Labels of y are right-aligned, those of x centred.
typedef struct axis_reading {
    double place[2], value[2];
} axis_reading;

static double read_number(const char *text) {
    bool is_negative = strncmp(text, "\xE2\x88\x92", 3) == 0;
    if (is_negative) text += 3;
    double value = strtod(text, NULL);
    return is_negative ? -value : value;
}

static axis_reading read_axis(const char *svg, const char *anchor, const char *coordinate, double shift) {
    axis_reading reading = {{NAN, NAN}, {NAN, NAN}};
    char mark[64];
    snprintf(mark, sizeof mark, "text-anchor=\"%s\"", anchor);
    for (const char *text = svg; (text = strstr(text, "<text")) != NULL; text++) {
        char element[512] = "";
        const char *end = strchr(text, '>');
        memcpy(element, text, (size_t)(end - text));
        if (strstr(element, mark) == NULL || strstr(element, "font-size=\"12\"") == NULL) continue;
        int slot = isnan(reading.place[0]) ? 0 : 1; // the first and the last
        reading.place[slot] = attribute(element, coordinate) - shift;
        reading.value[slot] = read_number(end + 1);
    }
    assert_true(isfinite(reading.place[1]));
    return reading;
}

static double map_back(const axis_reading *axis, double place) {
    return axis->value[0] +
           (axis->value[1] - axis->value[0]) * (place - axis->place[0]) / (axis->place[1] - axis->place[0]);
}

// The drawing's own numbers: from the polyline through the labels at the ticks back to the data.
static void test_truth(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 20; round++) {
        enum { COUNT = 60 };
        double x[COUNT], y[COUNT], size = pow(10, random_in(&random, -1, 3)), offset = random_in(&random, -2, 2) * size;
        for (int i = 0; i < COUNT; i++) {
            x[i] = 0.5 + 0.1 * i;
            y[i] = offset + size * random_in(&random, -1, 1);
        }
        cdg_chart chart = make_chart("1/m", false); // takes no prefix, so labels are SI
        add(&chart, "curve", x, y, COUNT);
        cdg_chart_frame frame;
        char *svg = draw_svg(&chart, CDG_PANEL_WIDTH, CDG_PANEL_HEIGHT, &frame);
        // baselines of y's labels are 0.36 of their size below the tick
        axis_reading y_axis = read_axis(svg, "end", "y", 0.36 * 12), x_axis = read_axis(svg, "middle", "x", 0);
        const char *clip = strstr(strstr(svg, "<svg") + 4, "<svg"), *points = strstr(clip, "points=\"") + 8;
        double y_pixel = (frame.y_high - frame.y_low) / (frame.bottom - frame.top);
        double x_pixel = (frame.x_high - frame.x_low) / (frame.right - frame.left);
        for (int i = 0; i < COUNT; i++) {
            char *end;
            double px = strtod(points, &end), py = strtod(end + 1, &end);
            points = end + 1;
            assert_float_equal(map_back(&x_axis, px), x[i], 0.01 * x_pixel);
            assert_float_equal(map_back(&y_axis, py), y[i], 0.01 * y_pixel);
            assert_float_equal(px, cdg_chart_frame_x(&frame, x[i]), 1e-3);
            assert_float_equal(py, cdg_chart_frame_y(&frame, y[i]), 1e-3);
            assert_true(py >= frame.top && py <= frame.bottom && px >= frame.left - 1e-3 && px <= frame.right + 1e-3);
        }
        free(svg);
        cdg_chart_free(&chart);
    }
}

static void test_log_axis(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1e-6, 1e-4, 0, -1, 1};
    cdg_chart chart = make_chart("1", true);
    add(&chart, "curve", x, y, 5);
    cdg_chart_frame frame;
    char *svg = draw_svg(&chart, CDG_PANEL_WIDTH, CDG_PANEL_HEIGHT, &frame);
    double bottom = cdg_chart_frame_y(&frame, 1e-6), middle = cdg_chart_frame_y(&frame, 1e-4),
           top = cdg_chart_frame_y(&frame, 1);
    assert_float_equal((bottom - middle) / (bottom - top), 2.0 / 6, 1e-9);
    assert_true(isnan(cdg_chart_frame_y(&frame, 0)) && isnan(cdg_chart_frame_y(&frame, -1)));
    assert_true(top > frame.top && bottom < frame.bottom);
    assert_true(frame.y_low > 1e-7);                                             // no decade more than the data need
    assert_non_null(strstr(strstr(strstr(svg, "<svg") + 4, "<svg"), "<circle")); // the lone last point
    free(svg);
    cdg_chart_free(&chart);
}

// Curves that all end at one place: their names are apart, inside the chart, and outside of the axes.
static void test_names(void **state) {
    (void)state;
    const double x[] = {0, 1};
    for (size_t count = 2; count < 60; count += 7) {
        cdg_chart chart = make_chart("m", false);
        for (size_t i = 0; i < count; i++) {
            const double y[] = {(double)i, 0};
            char name[32];
            snprintf(name, sizeof name, "curve number %zu", i);
            add(&chart, name, x, y, 2);
        }
        cdg_chart_frame frame;
        char *svg = draw_svg(&chart, CDG_PANEL_WIDTH, CDG_PANEL_HEIGHT, &frame);
        double before = -1e9;
        size_t found = 0;
        for (const char *text = svg; (text = strstr(text, "<text")) != NULL; text++) {
            const char *end = strchr(text, '>');
            if (strncmp(end, ">curve", 6) != 0) continue;
            double at_x = attribute(text, "x"), at_y = attribute(text, "y");
            assert_true(at_x > frame.right);
            assert_true(at_y >= before + 15.9);
            assert_true(at_y <= CDG_PANEL_HEIGHT - 20);
            before = at_y;
            found++;
        }
        bool is_complete = found == count, says_more = strstr(svg, " more</text>") != NULL;
        assert_true(is_complete != says_more);
        assert_true(found >= (count < 15 ? count : 15));
        free(svg);
        cdg_chart_free(&chart);
    }
}

// A long curve is thinned, but its extremes stay.
static void test_thinning(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    assert_true(x != NULL && y != NULL);
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i == 123456 ? 10 : i == 77777 ? -10 : sin(i * 0.37);
    }
    cdg_chart chart = make_chart("1", false);
    add(&chart, "curve", x, y, COUNT);
    cdg_chart_frame frame;
    char *svg = draw_svg(&chart, CDG_PANEL_WIDTH, CDG_PANEL_HEIGHT, &frame);
    assert_true(strlen(svg) < 100000);
    const char *points = strstr(strstr(strstr(svg, "<svg") + 4, "<svg"), "points=\"") + 8;
    double least = 1e9, largest = -1e9, before = -1;
    for (char *end; *points != '"' && points[-1] != '"' + 1; points = *end == ' ' ? end + 1 : end) {
        double px = strtod(points, &end), py = strtod(end + 1, &end);
        assert_true(px >= before);
        before = px;
        least = fmin(least, py);
        largest = fmax(largest, py);
    }
    assert_float_equal(least, cdg_chart_frame_y(&frame, 10), 1e-3);
    assert_float_equal(largest, cdg_chart_frame_y(&frame, -10), 1e-3);
    free(svg);
    free(x);
    free(y);
    cdg_chart_free(&chart);
}

static double luminance(cdg_rgba c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }

static void test_colors(void **state) {
    (void)state;
    const double x[] = {0, 1}, y[] = {0, 1};
    cdg_chart chart = make_chart("m", false);
    for (int i = 0; i < 7; i++) add(&chart, "curve", x, y, 2);
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < i; j++) {
            cdg_rgba a = cdg_chart_color(&chart, i), b = cdg_chart_color(&chart, j);
            assert_true(fabs(a.red - b.red) + fabs(a.green - b.green) + fabs(a.blue - b.blue) > 0.25);
        }
        assert_true(luminance(cdg_chart_color(&chart, i)) < 0.7); // visible on white
    }
    // a reference is pale, and takes no colour from the others
    cdg_rgba before = cdg_chart_color(&chart, 3);
    chart.series[2].is_reference = true;
    assert_true(luminance(cdg_chart_color(&chart, 2)) > 0.5);
    assert_true(cdg_chart_color(&chart, 4).red == before.red && cdg_chart_color(&chart, 4).blue == before.blue);
    chart.series[2].is_reference = false;
    chart.is_sequence = true;
    for (size_t i = 1; i < 7; i++)
        assert_true(luminance(cdg_chart_color(&chart, i)) > luminance(cdg_chart_color(&chart, i - 1)) + 0.02);
    cdg_chart_free(&chart);
}

static void test_empty_and_odd(void **state) {
    (void)state;
    cdg_chart chart = make_chart("m", false);
    cdg_chart_frame frame;
    char *svg = draw_svg(&chart, 300, 200, &frame);
    assert_non_null(strstr(svg, "no values"));
    free(svg);
    const double x[] = {0}, y[] = {NAN}, five[] = {5};
    add(&chart, "nan", x, y, 1);
    svg = draw_svg(&chart, 300, 200, &frame);
    assert_non_null(strstr(svg, "no values"));
    assert_null(strstr(svg, "nan\""));
    free(svg);
    add(&chart, "point", x, five, 1);
    chart.x.low = 3;
    chart.x.high = 2; // upside down
    svg = draw_svg(&chart, 3000, 130, &frame);
    assert_true(frame.x_low < frame.x_high && frame.y_low < frame.y_high);
    free(svg);
    cdg_chart_free(&chart);
}

static void test_figures(void **state) {
    (void)state;
    const double x[] = {0, 1}, y[] = {0, 1};
    cdg_chart charts[5];
    cdg_chart_frame frames[5];
    for (int i = 0; i < 5; i++) {
        charts[i] = make_chart("m", false);
        add(&charts[i], "curve", x, y, 2);
    }
    assert_int_equal(cdg_figure_layout(1).columns, 1);
    assert_int_equal(cdg_figure_layout(3).rows, 3);
    assert_int_equal(cdg_figure_layout(5).columns, 2);
    assert_int_equal(cdg_figure_layout(20).columns, 3);
    cdg_canvas *canvas;
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_create_image(1000, 900, &canvas, &error), CDG_OK);
    assert_int_equal(cdg_draw_figure(canvas, 1000, 900, "Figure", charts, 5, frames, &error), CDG_OK);
    for (int i = 0; i < 5; i++) { // panels do not overlap
        assert_true(frames[i].left >= (i % 2) * 500 && frames[i].right <= (i % 2) * 500 + 500);
        assert_true(frames[i].right - frames[i].left > 250 && frames[i].bottom - frames[i].top > 100);
        if (i > 1) assert_true(frames[i].top > frames[i - 2].bottom + 20);
    }
    assert_int_equal(cdg_draw_figure(canvas, 200, 900, "", charts, 5, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "320 x 360"));
    assert_int_equal(cdg_draw_figure(canvas, 320, 360, "", charts, 5, NULL, &error), CDG_OK);
    cdg_canvas_destroy(canvas);
    for (int i = 0; i < 5; i++) cdg_chart_free(&charts[i]);
}

// Charts above each other: a time is at the same place in all, whatever their numbers' and names' widths.
static void test_axes_are_aligned(void **state) {
    (void)state;
    const double x[] = {0, 1}, longer[] = {0, 2}, small[] = {0, 1}, large[] = {-123456, 100001};
    cdg_chart charts[3];
    cdg_chart_frame frames[3];
    for (int i = 0; i < 3; i++) charts[i] = make_chart("m", false);
    add(&charts[0], "curve", x, small, 2);
    add(&charts[1], "a curve with a long name", x, large, 2);
    add(&charts[1], "another", x, small, 2);
    add(&charts[2], "curve", longer, small, 2);
    cdg_canvas *canvas;
    assert_int_equal(cdg_canvas_create_image(600, 900, &canvas, NULL), CDG_OK);
    assert_int_equal(cdg_draw_figure(canvas, 600, 900, "", charts, 3, frames, NULL), CDG_OK);
    for (int i = 1; i < 3; i++)
        for (double at = 0; at <= 2; at += 0.5)
            assert_float_equal(cdg_chart_frame_x(&frames[i], at), cdg_chart_frame_x(&frames[0], at), 1e-9);
    free(charts[2].x.label); // another quantity has a range of its own
    charts[2].x.label = strdup("length");
    assert_int_equal(cdg_draw_figure(canvas, 600, 900, "", charts, 3, frames, NULL), CDG_OK);
    assert_float_equal(frames[0].x_high, 1, 1e-9);
    assert_float_equal(frames[2].x_high, 2, 1e-9);
    cdg_canvas_destroy(canvas);
    for (int i = 0; i < 3; i++) cdg_chart_free(&charts[i]);
}

// Roundings of a zero among metres are drawn as zero; small numbers alone, and small ones that are no roundings, are
// drawn as they are.
static void test_roundings_are_not_magnified(void **state) {
    (void)state;
    const double x[] = {0, 1, 2}, y[] = {0, 3e-15, -4e-15}, real[] = {0, 3e-8, -4e-8};
    cdg_chart_frame frame;
    for (int kind = 0; kind < 3; kind++) {
        cdg_chart chart = make_chart("m", false);
        add(&chart, "curve", x, kind == 2 ? real : y, 3);
        chart.y.scale = kind == 1 ? 0 : 3;
        free(draw_svg(&chart, 400, 300, &frame));
        double reach = frame.y_high - frame.y_low;
        assert_true(kind == 0 ? reach > 3 : reach < 2e-7);
        cdg_chart_free(&chart);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_truth),
                                       cmocka_unit_test(test_log_axis),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_colors),
                                       cmocka_unit_test(test_thinning),
                                       cmocka_unit_test(test_empty_and_odd),
                                       cmocka_unit_test(test_figures),
                                       cmocka_unit_test(test_axes_are_aligned),
                                       cmocka_unit_test(test_roundings_are_not_magnified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
