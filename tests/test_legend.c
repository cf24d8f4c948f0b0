// The legend: round ticks inside of the range, texts without surplus digits, and drawing that stays at the edges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/legend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_times(void **state) {
    (void)state;
    static const struct {
        double time, step;
        const char *text;
    } cases[] = {{0.5, 0.1, "t = 0.5 s"},
                 {2, 0.01, "t = 2.00 s"},
                 {-1e-18, 0.1, "t = 0.0 s"},
                 {12, 1, "t = 12 s"},
                 {3e-6, 1e-7, "t = 3e-06 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        cdg_time_text(cases[i].time, cases[i].step, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

// Pixels that differ from white, inside of a rectangle.
static int count_ink(const unsigned char *rgb, int width, int left, int top, int right, int bottom) {
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const unsigned char *p = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
            count += p[0] < 250 || p[1] < 250 || p[2] < 250;
        }
    return count;
}

static void test_draws(void **state) {
    (void)state;
    static const int sizes[][2] = {{1280, 720}, {320, 180}, {64, 48}};
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_RISING);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        size_t bytes = (size_t)3 * (size_t)width * (size_t)height;
        unsigned char *rgb = malloc(bytes);
        assert_non_null(rgb);
        memset(rgb, 255, bytes);
        cdg_legend legend = {.has_map = true,
                             .name = "tension",
                             .unit = "N",
                             .range = {-2, 2},
                             .reaches_beyond = {true, true},
                             .map = &map,
                             .note = "drawn 3x thicker"};
        cdg_canvas *canvas = NULL;
        assert_int_equal(cdg_canvas_create_from_rgb(width, height, rgb, &canvas, NULL), CDG_OK);
        cdg_legend_draw(&legend, 1.25, 0.1, width, height, canvas);
        assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
        cdg_canvas_destroy(canvas);
        int share = (int)ceil(cdg_legend_share(&legend, width, height) * width);
        assert_true(share > 0 && share < width);
        assert_true(count_ink(rgb, width, width - share, 0, width, height) > (i < 2 ? 100 : 30));
        if (i < 2) {
            assert_true(count_ink(rgb, width, 0, height - height / 8, width / 4, height) > 10); // the time
            assert_int_equal(count_ink(rgb, width, 0, 0, width - share, height / 2), 0);        // the middle is free
        }
        // The bar has the map's colours from top to bottom: somewhere yellow above, somewhere violet below.
        int first_yellow = height, last_violet = 0;
        for (int y = 0; y < height; y++)
            for (int x = width - share; x < width; x++) {
                const unsigned char *p = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
                if (p[0] > 200 && p[2] < 120 && y < first_yellow) first_yellow = y;
                if (p[1] < 60 && p[2] > p[1] + 30) last_violet = y;
            }
        if (i < 2) assert_true(first_yellow < height / 2 && last_violet > height / 2);
        free(rgb);
    }
    cdg_legend none = {.has_map = false};
    assert_float_equal(cdg_legend_share(&none, 1280, 720), 0, 0);
}

// Whatever a camera shows there, legend and note are read on plain paper or beside it.
static void test_stands_beside_the_picture(void **state) {
    (void)state;
    enum { WIDTH = 480, HEIGHT = 270 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_RISING);
    for (int is_on_dark = 0; is_on_dark < 2; is_on_dark++) {
        for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = i % 3 == 0 ? 200 : 0; // red all over
        cdg_legend legend = {.has_map = true,
                             .name = "level",
                             .unit = "",
                             .range = {0, 2},
                             .map = &map,
                             .is_on_dark = is_on_dark,
                             .note = "drawn 3x thicker"};
        cdg_canvas *canvas = NULL;
        assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, rgb, &canvas, NULL), CDG_OK);
        cdg_legend_draw(&legend, NAN, 1, WIDTH, HEIGHT, canvas);
        assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
        cdg_canvas_destroy(canvas);
        int left = WIDTH - (int)(cdg_legend_share(&legend, WIDTH, HEIGHT) * WIDTH), red = 0, lower = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = left; x < WIDTH; x++) {
                const unsigned char *p = rgb + 3 * (y * WIDTH + x);
                red += p[0] > 150 && p[1] < 50 && p[2] < 50;
                lower += y > HEIGHT - 40 && p[1] != (is_on_dark ? CDG_DARK_PAPER : 255);
            }
        assert_int_equal(red, 0);
        assert_int_equal(lower, 0); // the note is not there
    }
}

static void draw_on(unsigned char *rgb, int width, int height, int level, bool is_on_dark, const char *note) {
    memset(rgb, level, (size_t)3 * (size_t)width * (size_t)height);
    cdg_legend legend = {.is_on_dark = is_on_dark, .note = note};
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_rgb(width, height, rgb, &canvas, NULL), CDG_OK);
    cdg_legend_draw(&legend, 1.25, 0.01, width, height, canvas);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
}

// Whatever a picture shows where the time stands: there is light next to dark, so that it can be read.
static void test_time_is_read_on_anything(void **state) {
    (void)state;
    enum { WIDTH = 480, HEIGHT = 270 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    for (int level = 0; level < 256; level += 15)
        for (int is_on_dark = 0; is_on_dark < 2; is_on_dark++) {
            draw_on(rgb, WIDTH, HEIGHT, level, is_on_dark, NULL);
            int least = 255, most = 0;
            for (size_t i = 0; i < sizeof rgb; i++) {
                if (rgb[i] < least) least = rgb[i];
                if (rgb[i] > most) most = rgb[i];
            }
            assert_true(most - least > 90);
        }
}

// In a narrow picture the note is shortened, or stands above: it never runs into the time.
static void test_note_keeps_off_the_time(void **state) {
    (void)state;
    enum { HEIGHT = 130, MOST = 480 };
    static unsigned char rgb[3 * MOST * HEIGHT];
    for (int width = 100; width <= MOST; width += 4) {
        draw_on(rgb, width, HEIGHT, 235, false, "");
        int time_end = 0, note_begin = width;
        for (int x = 0; x < width; x++)
            if (count_ink(rgb, width, x, HEIGHT - 24, x + 1, HEIGHT) > 0 &&
                rgb[3 * ((size_t)(HEIGHT - 14) * (size_t)width + (size_t)x)] < 200)
                time_end = x;
        draw_on(rgb, width, HEIGHT, 235, false, "drawn up to 2.6x thicker");
        for (int x = width - 1; x > time_end; x--)
            for (int y = HEIGHT - 24; y < HEIGHT; y++)
                if (rgb[3 * ((size_t)y * (size_t)width + (size_t)x)] < 180) note_begin = x;
        assert_true(note_begin - time_end > 8);
        if (width == 160) assert_true(note_begin < width); // shortened, it has room beside the time
    }
}

// Ink of the legend in rows of ticks: counted between bar and edge, a run of rows is one label.
static int count_labels(bool is_count, const double range[2]) {
    enum { WIDTH = 480, HEIGHT = 270 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    memset(rgb, 255, sizeof rgb);
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_RISING);
    cdg_legend legend = {.has_map = true, .name = "", .unit = "1", .map = &map, .is_count = is_count};
    memcpy(legend.range, range, sizeof legend.range);
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, rgb, &canvas, NULL), CDG_OK);
    cdg_legend_draw(&legend, NAN, 1, WIDTH, HEIGHT, canvas);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
    int labels = 0;
    bool was_ink = false;
    for (int y = 0; y < HEIGHT; y++) {
        bool is_ink = count_ink(rgb, WIDTH, WIDTH - 35, y, WIDTH, y + 1) > 0;
        labels += is_ink && !was_ink;
        was_ink = is_ink;
    }
    return labels;
}

static void test_counts_have_whole_ticks(void **state) {
    (void)state;
    for (int last = 1; last <= 4; last++) assert_int_equal(count_labels(true, (double[2]){0, last}), last + 1);
    assert_true(count_labels(true, (double[2]){0, 11}) >= 3);
    assert_true(count_labels(false, (double[2]){0, 1}) > 2);
}

static bool is_inked(bool is_static, int left, int right) {
    enum { WIDTH = 480, HEIGHT = 270 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    memset(rgb, 255, sizeof rgb);
    cdg_legend legend = {.is_static = is_static};
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, rgb, &canvas, NULL), CDG_OK);
    cdg_legend_draw(&legend, 0.5, 0.1, WIDTH, HEIGHT, canvas);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
    int top = HEIGHT - (int)(cdg_legend_base(WIDTH, HEIGHT) * HEIGHT);
    assert_int_equal(count_ink(rgb, WIDTH, 0, 0, WIDTH, top), 0); // the text keeps to its base
    return count_ink(rgb, WIDTH, left, top, right, HEIGHT) > 0;
}

static void test_equilibria_tell_of_loads(void **state) {
    (void)state;
    assert_true(is_inked(false, 0, 60));
    assert_false(is_inked(false, 70, 480));
    assert_true(is_inked(true, 70, 480)); // "loads of t = 0.5 s" is longer
    assert_true(cdg_legend_base(160, 134) > cdg_legend_base(480, 270));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_draws),
                                       cmocka_unit_test(test_counts_have_whole_ticks),
                                       cmocka_unit_test(test_equilibria_tell_of_loads),
                                       cmocka_unit_test(test_stands_beside_the_picture),
                                       cmocka_unit_test(test_time_is_read_on_anything),
                                       cmocka_unit_test(test_note_keeps_off_the_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
