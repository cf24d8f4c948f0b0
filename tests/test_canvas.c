// The canvas: pixels where they were asked for, PNG and SVG files with what was drawn, and no trouble from bad numbers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "plot/canvas.h"

static const cdg_rgba RED = {1, 0, 0, 1}, BLUE = {0, 0, 1, 1}, BLACK = {0, 0, 0, 1};

static cdg_canvas *image(int width, int height) {
    cdg_canvas *canvas;
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_create_image(width, height, &canvas, &error), CDG_OK);
    return canvas;
}

static void expect_pixel(cdg_canvas *canvas, int width, int height, int x, int y, int red, int green, int blue) {
    unsigned char *rgb = malloc((size_t)width * (size_t)height * 3);
    cdg_error error = {0};
    assert_non_null(rgb);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, &error), CDG_OK);
    const unsigned char *pixel = rgb + 3 * (y * width + x);
    assert_in_range(pixel[0] + 2, red, red + 4);
    assert_in_range(pixel[1] + 2, green, green + 4);
    assert_in_range(pixel[2] + 2, blue, blue + 4);
    free(rgb);
}

static void test_shapes(void **state) {
    (void)state;
    cdg_canvas *canvas = image(40, 30);
    expect_pixel(canvas, 40, 30, 5, 5, 255, 255, 255); // transparent is white
    cdg_canvas_rectangle(canvas, 10, 5, 4, 3, RED);
    expect_pixel(canvas, 40, 30, 10, 5, 255, 0, 0);
    expect_pixel(canvas, 40, 30, 13, 7, 255, 0, 0);
    expect_pixel(canvas, 40, 30, 14, 7, 255, 255, 255);
    expect_pixel(canvas, 40, 30, 13, 8, 255, 255, 255);
    cdg_canvas_rectangle(canvas, 10, 5, 1, 1, (cdg_rgba){0, 0, 0, 0.5});
    expect_pixel(canvas, 40, 30, 10, 5, 127, 0, 0);
    cdg_canvas_circle(canvas, 30, 20, 4, BLUE);
    expect_pixel(canvas, 40, 30, 30, 20, 0, 0, 255);
    expect_pixel(canvas, 40, 30, 33, 16, 255, 255, 255);
    const double triangle[] = {0, 30, 8, 30, 0, 22};
    cdg_canvas_polygon(canvas, triangle, 3, BLUE);
    expect_pixel(canvas, 40, 30, 1, 28, 0, 0, 255);
    expect_pixel(canvas, 40, 30, 7, 23, 255, 255, 255);
    cdg_canvas_clip(canvas, 20, 0, 5, 30);
    cdg_canvas_fill_all(canvas, BLACK);
    cdg_canvas_unclip(canvas);
    cdg_canvas_unclip(canvas); // one too many
    expect_pixel(canvas, 40, 30, 22, 15, 0, 0, 0);
    expect_pixel(canvas, 40, 30, 26, 15, 255, 255, 255);
    cdg_canvas_destroy(canvas);
}

// A point that is not finite leaves a gap; the rest of the line is there.
static void test_gaps(void **state) {
    (void)state;
    cdg_canvas *canvas = image(60, 10);
    const double line[] = {0, 5, 20, 5, NAN, 5, 40, 5, 60, 5};
    cdg_canvas_polyline(canvas, line, 5, 4, RED, NULL, 0);
    expect_pixel(canvas, 60, 10, 10, 5, 255, 0, 0);
    expect_pixel(canvas, 60, 10, 30, 5, 255, 255, 255);
    expect_pixel(canvas, 60, 10, 50, 5, 255, 0, 0);
    cdg_canvas_destroy(canvas);
}

static void test_from_rgb_round_trip(void **state) {
    (void)state;
    enum { WIDTH = 17, HEIGHT = 5 }; // odd: rows are padded inside
    unsigned char in[WIDTH * HEIGHT * 3], out[sizeof in];
    cdg_random random = {3};
    for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)random_bits(&random);
    cdg_canvas *canvas;
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, in, &canvas, &error), CDG_OK);
    assert_int_equal(cdg_canvas_read_rgb(canvas, out, &error), CDG_OK);
    assert_memory_equal(in, out, sizeof in);
    cdg_canvas *target = image(WIDTH, HEIGHT); // placed at its own size: the same pixels
    cdg_canvas_place_image(target, canvas, 0, 0, WIDTH, HEIGHT);
    assert_int_equal(cdg_canvas_read_rgb(target, out, &error), CDG_OK);
    assert_memory_equal(in, out, sizeof in);
    cdg_canvas_destroy(target);
    cdg_canvas_destroy(canvas);
}

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void test_png(void **state) {
    (void)state;
    cdg_canvas *canvas = image(123, 45);
    cdg_canvas_fill_all(canvas, RED);
    unsigned char *bytes;
    size_t size;
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_OK);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1A\n", 8);
    assert_int_equal(big_endian(bytes + 16), 123);
    assert_int_equal(big_endian(bytes + 20), 45);
    assert_memory_equal(bytes + size - 8, "IEND", 4);
    cdg_canvas *back;
    assert_int_equal(cdg_canvas_create_from_png(bytes, size, &back, &error), CDG_OK);
    expect_pixel(back, 123, 45, 122, 44, 255, 0, 0);
    cdg_canvas_destroy(back);
    for (size_t cut = 0; cut < size; cut += 7) { // a file cut short is refused
        assert_int_equal(cdg_canvas_create_from_png(bytes, cut, &back, &error), CDG_ERROR_FORMAT);
        assert_null(back);
    }
    free(bytes);
    assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_ERROR_ARGUMENT);
    assert_null(bytes);
    cdg_canvas_destroy(canvas);
}

static void test_svg(void **state) {
    (void)state;
    cdg_canvas *canvas, *picture = image(2, 2);
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_create_svg(200, 100, &canvas, &error), CDG_OK);
    cdg_canvas_clip(canvas, 10, 20, 30, 40);
    const double line[] = {1.5, 2.25, 3, 4.0004}, dashes[] = {4, 2};
    cdg_canvas_polyline(canvas, line, 2, 1.5, (cdg_rgba){0, 0.5, 1, 0.25}, dashes, 2);
    cdg_canvas_text(canvas, 7, 8, 12, CDG_TEXT_RIGHT, acos(0), true, BLACK, "a < b & c");
    cdg_canvas_place_image(canvas, picture, 0, 0, 20, 20);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_OK);
    const char *text = (const char *)bytes;
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "width=\"200\" height=\"100\" viewBox=\"0 0 200 100\""));
    assert_non_null(strstr(text, "<svg x=\"10\" y=\"20\" width=\"30\" height=\"40\" viewBox=\"10 20 30 40\">"));
    assert_non_null(strstr(text, "stroke=\"#0080ff\" stroke-opacity=\"0.25\" stroke-width=\"1.5\""));
    assert_non_null(strstr(text, "stroke-dasharray=\"4 2\" points=\"1.5,2.25 3,4\""));
    assert_non_null(strstr(text, "text-anchor=\"end\" transform=\"rotate(-90 7 8)\" fill=\"#000000\""));
    assert_non_null(strstr(text, ">a &lt; b &amp; c</text>"));
    assert_non_null(strstr(text, "data:image/png;base64,iVBORw0KGgo"));
    size_t open = 0, closed = 0;
    for (const char *c = text; (c = strstr(c, "<svg")) != NULL; c++) open++;
    for (const char *c = text; (c = strstr(c, "</svg>")) != NULL; c++) closed++;
    assert_int_equal(open, 2);
    assert_int_equal(closed, 2); // the clip that was left open is closed
    free(bytes);
    unsigned char pixel[3];
    assert_int_equal(cdg_canvas_read_rgb(canvas, pixel, &error), CDG_ERROR_ARGUMENT);
    cdg_canvas_destroy(canvas);
    cdg_canvas_destroy(picture);
}

// Text has the width that was measured, digits are all equally wide, and bad bytes do not stop later text.
static void test_text(void **state) {
    (void)state;
    cdg_canvas *canvas = image(200, 40);
    double wide = cdg_canvas_text_width(canvas, 20, false, "mass"),
           narrow = cdg_canvas_text_width(canvas, 10, false, "mass");
    assert_true(wide > 30 && wide < 80);
    assert_float_equal(wide, 2 * narrow, 1e-6);
    assert_true(cdg_canvas_text_width(canvas, 20, true, "mass") > wide);
    for (char digit[2] = "0"; digit[0] <= '9'; digit[0]++) {
        assert_float_equal(cdg_canvas_text_width(canvas, 20, false, digit),
                           cdg_canvas_text_width(canvas, 20, false, "8"), 1e-9);
    }
    assert_true(cdg_canvas_text_width(canvas, 20, false, "") == 0);
    assert_true(cdg_canvas_text_width(canvas, NAN, false, "mass") == 0);
    cdg_canvas_text(canvas, 5, 30, 20, CDG_TEXT_LEFT, 0, false, BLACK, "\xFF\xC3");
    cdg_canvas_fill_all(canvas, (cdg_rgba){1, 1, 1, 1});
    cdg_canvas_text(canvas, 190, 30, 20, CDG_TEXT_RIGHT, 0, false, BLACK, "MMMM");
    unsigned char rgb[200 * 40 * 3];
    cdg_error error = {0};
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, &error), CDG_OK);
    int left = 200, right = -1;
    for (int i = 0; i < 200 * 40; i++) {
        if (rgb[3 * i] > 128) continue;
        if (i % 200 < left) left = i % 200;
        if (i % 200 > right) right = i % 200;
    }
    double width = cdg_canvas_text_width(canvas, 20, false, "MMMM");
    assert_true(right < 190 && right > 184);
    assert_true(fabs(190 - width - left) < 5);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_OK);
    free(bytes);
    cdg_canvas_destroy(canvas);
}

static void test_bad_sizes(void **state) {
    (void)state;
    static const int bad[][2] = {{0, 10}, {10, 0}, {-1, 10}, {16385, 10}, {10, 2000000000}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cdg_canvas *canvas;
        cdg_error error = {0};
        assert_int_equal(cdg_canvas_create_image(bad[i][0], bad[i][1], &canvas, &error), CDG_ERROR_ARGUMENT);
        assert_null(canvas);
        assert_non_null(strstr(error.message, "16384"));
        assert_int_equal(cdg_canvas_create_svg(bad[i][0], bad[i][1], &canvas, &error), CDG_ERROR_ARGUMENT);
    }
    cdg_canvas_destroy(NULL);
}

static void test_bad_numbers(void **state) {
    (void)state;
    for (int is_svg = 0; is_svg < 2; is_svg++) {
        cdg_canvas *canvas;
        cdg_error error = {0};
        if (is_svg) {
            assert_int_equal(cdg_canvas_create_svg(20, 20, &canvas, &error), CDG_OK);
        } else {
            canvas = image(20, 20);
        }
        const double bad[] = {NAN, 1, INFINITY, 2, 3, -INFINITY}, dashes[] = {-1, 2};
        const double good[] = {0, 10, 20, 10};
        cdg_canvas_rectangle(canvas, NAN, 0, 5, 5, RED);
        cdg_canvas_polygon(canvas, bad, 3, RED);
        cdg_canvas_circle(canvas, 1, 1, -3, RED);
        cdg_canvas_polyline(canvas, bad, 3, 1, RED, NULL, 0);
        cdg_canvas_polyline(canvas, good, 2, NAN, RED, NULL, 0);
        cdg_canvas_polyline(canvas, good, 2, 4, BLUE, dashes, 2); // drawn without dashes
        cdg_canvas_text(canvas, NAN, 0, 10, CDG_TEXT_LEFT, 0, false, RED, "x");
        cdg_canvas_text(canvas, 0, 0, -1, CDG_TEXT_LEFT, 0, false, RED, "x");
        cdg_canvas_clip(canvas, NAN, 0, 1, 1);
        cdg_canvas_unclip(canvas);
        if (!is_svg) expect_pixel(canvas, 20, 20, 10, 10, 0, 0, 255);
        unsigned char *bytes;
        size_t size;
        assert_int_equal(cdg_canvas_encode(canvas, &bytes, &size, &error), CDG_OK);
        assert_null(memchr(bytes, 'N', is_svg ? size : 0)); // no NaN
        free(bytes);
        cdg_canvas_destroy(canvas);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_gaps),       cmocka_unit_test(test_from_rgb_round_trip),
        cmocka_unit_test(test_png),       cmocka_unit_test(test_svg),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_bad_sizes), cmocka_unit_test(test_bad_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
