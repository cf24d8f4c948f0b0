// Colours of a picture: few colours are kept exactly, many come within a step of the eye, thin things keep theirs.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/palette.h"

#include <stdlib.h>

enum { PIXELS = 320 * 180 };

static int distance(const uint8_t *a, const uint8_t *b) {
    int most = 0;
    for (int k = 0; k < 3; k++) most = abs(a[k] - b[k]) > most ? abs(a[k] - b[k]) : most;
    return most;
}

static const uint8_t *shown(const cdg_palette *palette, const uint8_t *pixel) {
    return palette->colors[cdg_palette_index(palette, pixel)];
}

static void few_colors_are_exact(void **state) {
    (void)state;
    static cdg_palette palette;
    static uint8_t rgb[3 * PIXELS];
    static const uint8_t colors[4][3] = {{240, 242, 246}, {200, 60, 20}, {18, 20, 30}, {10, 90, 220}};
    for (size_t i = 0; i < PIXELS; i++)
        for (size_t k = 0; k < 3; k++) rgb[3 * i + k] = colors[i % 1000 < 997 ? 0 : i % 1000 - 996][k];
    cdg_palette_choose(rgb, PIXELS, &palette);
    for (size_t i = 0; i < PIXELS; i++) assert_int_equal(distance(shown(&palette, rgb + 3 * i), rgb + 3 * i), 0);
}

// A background that slowly changes, and a thin line of all hues, as a coloured rod is.
static void many_colors_are_near(void **state) {
    (void)state;
    static cdg_palette palette;
    static uint8_t rgb[3 * PIXELS];
    cdg_random random = {.state = 5};
    for (size_t i = 0; i < PIXELS; i++) {
        uint8_t grey = (uint8_t)(200 + 45 * i / PIXELS);
        for (size_t k = 0; k < 3; k++) rgb[3 * i + k] = grey;
        if (i % 60 == 0)
            for (size_t k = 0; k < 3; k++) rgb[3 * i + k] = (uint8_t)(255 * random_unit(&random));
    }
    cdg_palette_choose(rgb, PIXELS, &palette);
    for (size_t i = 0; i < PIXELS; i++) {
        int off = distance(shown(&palette, rgb + 3 * i), rgb + 3 * i);
        assert_true(off <= (i % 60 == 0 ? 60 : 8));
    }
}

static void nothing_and_one(void **state) {
    (void)state;
    static cdg_palette palette;
    const uint8_t pixel[3] = {1, 2, 3};
    cdg_palette_choose(pixel, 1, &palette);
    assert_int_equal(distance(shown(&palette, pixel), pixel), 0);
    cdg_palette_choose(pixel, 0, &palette);
    assert_int_equal(cdg_palette_index(&palette, pixel), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_colors_are_exact), cmocka_unit_test(many_colors_are_near),
                                       cmocka_unit_test(nothing_and_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
