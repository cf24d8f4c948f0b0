// Heat maps: cells have the colours of their numbers where they should be.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/heat_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 460 };

static cdg_heat_map map_of(const double *values) {
    static const double xs[] = {1, 10, 100}, ys[] = {2, 1};
    return (cdg_heat_map){.title = "title",
                          .x = {.label = "a", .unit = "1", .is_log = true},
                          .y = {.label = "b", .unit = "m"},
                          .label = "c",
                          .unit = "N",
                          .xs = xs,
                          .ys = ys,
                          .x_count = 3,
                          .y_count = 2,
                          .values = values};
}

// The pixel at shares of the cells' rectangle, from left and bottom.
static cdg_rgba pixel(const unsigned char *rgb, double right, double up) {
    int x = (int)(84 + right * (WIDTH - 112 - 84)), y = (int)(HEIGHT - 50 - up * (HEIGHT - 50 - 58));
    const unsigned char *p = rgb + 3 * (y * WIDTH + x);
    return (cdg_rgba){p[0] / 255.0, p[1] / 255.0, p[2] / 255.0, 1};
}

static void expect_color(cdg_rgba a, cdg_rgba b) {
    assert_true(fabs(a.red - b.red) + fabs(a.green - b.green) + fabs(a.blue - b.blue) < 0.03);
}

static void test_colors(void **state) {
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, NAN};
    cdg_heat_map map = map_of(values);
    cdg_canvas *canvas;
    unsigned char *rgb = malloc(3 * WIDTH * HEIGHT);
    assert_int_equal(cdg_canvas_create_image(WIDTH, HEIGHT, &canvas, NULL), CDG_OK);
    assert_int_equal(cdg_draw_heat_map(canvas, &map, 0, 0, WIDTH, HEIGHT, NULL), CDG_OK);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    for (int row = 0; row < 2; row++) // the first row has the larger y: it is on top
        for (int column = 0; column < 3; column++) {
            double value = values[3 * row + column];
            if (isnan(value)) continue;
            expect_color(pixel(rgb, (column + 0.5) / 3, row == 0 ? 0.75 : 0.25), cdg_heat_color(value / 4));
        }
    cdg_rgba missing = pixel(rgb, 2.3 / 3, 0.25); // beside its cross
    assert_true(missing.red == missing.green && missing.green == missing.blue);
    free(rgb);
    cdg_canvas_destroy(canvas);
}

static void test_files(void **state) {
    (void)state;
    const double same[] = {1, 1, 1, 1, 1, 1}, nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    for (int i = 0; i < 4; i++) {
        cdg_heat_map map = map_of(i < 2 ? same : nothing);
        unsigned char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(cdg_heat_map_encode(&map, WIDTH, HEIGHT, i % 2 == 0, &bytes, &size, NULL), CDG_OK);
        assert_true(size > 500 && memcmp(bytes, i % 2 == 0 ? "<svg" : "\x89PNG", 4) == 0);
        free(bytes);
    }
    cdg_heat_map none = {.title = "", .x = {.label = "", .unit = "1"}, .y = {.label = "", .unit = "1"}};
    unsigned char *bytes = NULL;
    size_t size;
    assert_int_equal(cdg_heat_map_encode(&none, WIDTH, HEIGHT, true, &bytes, &size, NULL), CDG_ERROR_ARGUMENT);
}

static void test_lightness_grows(void **state) {
    (void)state;
    double before = -1;
    for (int i = 0; i <= 50; i++) {
        cdg_rgba c = cdg_heat_color(i / 50.0);
        double light = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
        assert_true(light > before);
        before = light;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colors), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_lightness_grows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
