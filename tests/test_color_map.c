// Colours: maps rise evenly for the eye, rods differ, and sRGB goes there and back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/color_map.h"
#include "math/random.h"

static double lightness(float3 color) {
    double lab[3];
    cdg_color_to_lab(color, lab);
    return lab[0];
}

static double difference(float3 a, float3 b) {
    double x[3], y[3];
    cdg_color_to_lab(a, x);
    cdg_color_to_lab(b, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

static void test_rising_map(void **state) {
    (void)state;
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_RISING);
    double least = 1, most = 0;
    for (int i = 0; i < 20; i++) {
        float3 a = cdg_color_map_at(&map, i / 20.0), b = cdg_color_map_at(&map, (i + 1) / 20.0);
        assert_float_equal(lightness(b) - lightness(a), 0.61 / 20, 0.004); // even steps
        least = fmin(least, difference(a, b)), most = fmax(most, difference(a, b));
    }
    assert_true(most < 2.2 * least);
    assert_float_equal(difference(cdg_color_map_at(&map, -3), cdg_color_map_at(&map, 0)), 0, 0);
    assert_float_equal(difference(cdg_color_map_at(&map, 3), cdg_color_map_at(&map, 1)), 0, 0);
    assert_true(isfinite(cdg_color_map_at(&map, NAN).x));
}

static void test_diverging_map(void **state) {
    (void)state;
    cdg_color_map map = cdg_color_map_make(CDG_COLOR_MAP_DIVERGING);
    for (int i = 0; i < 10; i++) {
        double t = 0.05 * i;
        assert_float_equal(lightness(cdg_color_map_at(&map, t)), lightness(cdg_color_map_at(&map, 1 - t)), 0.01);
        assert_true(lightness(cdg_color_map_at(&map, t + 0.05)) > lightness(cdg_color_map_at(&map, t)));
    }
    assert_true(difference(cdg_color_map_at(&map, 0), cdg_color_map_at(&map, 1)) > 0.2);
    // zero is seen before light backgrounds (0.9 and more) and dark ones (0.3 and less)
    assert_in_range((int)(100 * lightness(cdg_color_map_at(&map, 0.5))), 55, 75);
}

static void test_rod_colors_differ(void **state) {
    (void)state;
    for (size_t count = 2; count <= 8; count++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                assert_true(difference(cdg_rod_color(i, count), cdg_rod_color(k, count)) > 0.08);
    for (size_t i = 0; i < 1000; i++) {
        float3 color = cdg_rod_color(i, 1000);
        assert_true(color.x >= 0 && color.x <= 1 && color.y >= 0 && color.y <= 1 && color.z >= 0 && color.z <= 1);
        if (i > 0) assert_true(difference(color, cdg_rod_color(i - 1, 1000)) < 0.02);
    }
}

// Solids are told from rods and from each other.
static void test_solid_colors_differ(void **state) {
    (void)state;
    static const size_t rods[] = {0, 1, 2, 5, 22, 400};
    for (size_t r = 0; r < sizeof rods / sizeof *rods; r++)
        for (size_t i = 0; i < 3; i++) {
            float3 color = cdg_solid_color(i, 3, rods[r]);
            for (size_t k = 0; k < i; k++) assert_true(difference(color, cdg_solid_color(k, 3, rods[r])) > 0.08);
            for (size_t k = 0; i < 2 && k < rods[r]; k++)
                assert_true(difference(color, cdg_rod_color(k, rods[r])) > 0.05);
        }
}

static void test_gamut(void **state) {
    (void)state;
    cdg_random random = {.state = 9};
    for (int i = 0; i < 2000; i++) {
        double l = random_unit(&random), c = 0.5 * random_unit(&random), h = random_in(&random, 0, 6.2831853);
        float3 color = cdg_color_from_lch(l, c, h);
        assert_true(color.x >= 0 && color.x <= 1 && color.y >= 0 && color.y <= 1 && color.z >= 0 && color.z <= 1);
        assert_float_equal(lightness(color), l, 2e-3);
    }
}

// Hair is hair: warm and neither white nor black, no two neighbours alike.
static void test_hair_colors(void **state) {
    (void)state;
    for (size_t strands = 0; strands < 8; strands++)
        for (size_t rod = 0; rod < 500; rod++) {
            float3 color = cdg_hair_color(strands, rod);
            assert_true(color.x > color.y && color.y > color.z && color.z >= 0 && color.x < 0.9F);
            assert_true(difference(color, cdg_hair_color(strands, rod + 1)) > 1e-3);
        }
}

static void test_srgb(void **state) {
    (void)state;
    for (int i = 0; i <= 255; i++)
        assert_float_equal(cdg_srgb_encode(cdg_srgb_decode((float)i / 255)), (float)i / 255, 1e-4);
    assert_float_equal(cdg_srgb_encode(-1), 0, 0);
    assert_float_equal(cdg_srgb_encode(7), 1, 0);
    assert_float_equal(cdg_srgb_encode(NAN), 0, 0);
    assert_float_equal(cdg_srgb_encode(0.21404F), 0.5, 1e-4); // IEC 61966-2-1
    float3 color;
    assert_true(cdg_color_parse("#ff8000", &color));
    assert_float_equal(color.x, 1, 0);
    assert_float_equal(color.y, 0.2158605, 1e-5);
    assert_float_equal(color.z, 0, 0);
    float3 shorter;
    assert_true(cdg_color_parse("#1aF", &shorter) && cdg_color_parse("#11aaff", &color));
    assert_float_equal(difference(shorter, color), 0, 0);
    static const char *const bad[] = {"", "#", "red", "#12345", "#12345g", "#1234567", "123456"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(cdg_color_parse(bad[i], &color));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rising_map),
                                       cmocka_unit_test(test_diverging_map),
                                       cmocka_unit_test(test_rod_colors_differ),
                                       cmocka_unit_test(test_solid_colors_differ),
                                       cmocka_unit_test(test_gamut),
                                       cmocka_unit_test(test_hair_colors),
                                       cmocka_unit_test(test_srgb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
