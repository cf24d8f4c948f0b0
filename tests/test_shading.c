// Light: more of it on sides that face the lamp, nothing wrong at any angle, ground like the background unless in
// shade.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture_case.h"

#include "fields/color_map.h"
#include "math/random.h"

#include <string.h>

static cdg_studio make_studio(void) {
    cdg_camera camera = case_camera(vec3(1, -3, 1), 0.3, 1.6);
    cdg_background background = cdg_background_default();
    return cdg_studio_make(&camera, vec3(0, 0, 1), &background);
}

static void test_shade(void **state) {
    (void)state;
    cdg_studio studio = make_studio();
    cdg_random random = {.state = 5};
    assert_true(studio.to_lamp.z > 0.5F);
    for (int i = 0; i < 2000; i++) {
        float3 normal = float3_normalize(float3_from(random_vec3(&random, 1)));
        float3 viewer = float3_normalize(float3_from(random_vec3(&random, 1)));
        float3 color = float3_make((float)random_unit(&random), (float)random_unit(&random), 0);
        cdg_shade shade = cdg_studio_shade(&studio, SCENE_SURFACE_PLASTIC, color, normal, viewer);
        const float all[] = {shade.lamp.x, shade.lamp.y, shade.lamp.z, shade.sky.x, shade.sky.y, shade.sky.z};
        for (int k = 0; k < 6; k++) assert_true(all[k] >= 0 && all[k] < 100);
        assert_true(shade.sky.z > 0); // never black
    }
    float3 viewer = float3_make(0, -1, 0), color = float3_make(0.5F, 0.5F, 0.5F), away = float3_make(-0.1F, -1, -0.9F);
    cdg_shade lit = cdg_studio_shade(&studio, SCENE_SURFACE_PLASTIC, color, studio.to_lamp, viewer);
    cdg_shade dark = cdg_studio_shade(&studio, SCENE_SURFACE_PLASTIC, color, float3_normalize(away), viewer);
    assert_true(lit.lamp.x > 3 * dark.lamp.x && lit.sky.x > dark.sky.x);
}

// Wires of light steel, lying and standing: most of what one sees of them is darker than what is behind, some light.
static void test_metal_stands_out(void **state) {
    (void)state;
    cdg_studio studio = make_studio();
    cdg_background background = cdg_background_default();
    float behind = cdg_background_at(&background, 0.5F, 0.5F).y;
    float3 steel = float3_make(0.54F, 0.565F, 0.60F), viewer = float3_make(0, -1, 0);
    for (int is_standing = 0; is_standing < 2; is_standing++) {
        int dark = 0, light = 0, count = 0;
        for (double across = -0.95; across < 0.96; across += 0.1, count++) {
            float side = (float)across, front = -sqrtf(1 - side * side);
            float3 normal = is_standing ? float3_make(side, front, 0) : float3_make(0, front, side);
            cdg_shade shade = cdg_studio_shade(&studio, SCENE_SURFACE_METAL, steel, normal, viewer);
            float seen = cdg_tone(float3_add(shade.lamp, shade.sky)).y;
            dark += seen < 0.45F * behind;
            light += seen > 0.6F * behind;
        }
        if (20 * dark < 13 * count || (!is_standing && light < 1))
            fail_msg("%s: of %d parts %d are dark and %d light", is_standing ? "standing" : "lying", count, dark,
                     light);
    }
}

static void test_ground(void **state) {
    (void)state;
    cdg_studio studio = make_studio();
    float3 background = float3_make(0.8F, 0.7F, 0.6F), lit = cdg_studio_ground(&studio, background, 1, 1, 0);
    assert_float_equal(lit.x, 0.8, 1e-6);
    assert_float_equal(lit.z, 0.6, 1e-6);
    float last = 1;
    for (int i = 0; i <= 10; i++) { // monotone in the shade
        float seen = 1 - 0.1F * (float)i, value = cdg_studio_ground(&studio, background, seen, seen, 0.3F).x;
        assert_true(value < last && value > 0.05F);
        last = value;
    }
    float3 far = cdg_studio_ground(&studio, background, 0, 0, cdg_studio_ground_end());
    assert_float_equal(far.y, 0.7, 1e-6); // no edge where it ends
    assert_float_equal(cdg_studio_sky_hidden(&studio, 0), 1, 0);
    assert_float_equal(cdg_studio_sky_hidden(&studio, studio.reach), 0, 1e-6);
}

static void test_tone(void **state) {
    (void)state;
    float last = -1;
    for (int i = 0; i < 500; i++) {
        float x = 0.01F * (float)i, y = cdg_tone(float3_make(x, 0, 0)).x;
        assert_true(y >= last && y <= 1);
        if (x < 0.7F) assert_float_equal(y, x, 1e-6);
        last = y;
    }
}

static void test_backgrounds(void **state) {
    (void)state;
    cdg_background background;
    cdg_error error;
    assert_int_equal(cdg_background_parse("dark", &background, &error), CDG_OK);
    assert_true(cdg_background_is_dark(&background));
    assert_int_equal(cdg_background_parse("white", &background, &error), CDG_OK);
    assert_float_equal(cdg_background_at(&background, 0, 1).x, 1, 0);
    assert_int_equal(cdg_background_parse("#808080", &background, &error), CDG_OK);
    assert_float_equal(cdg_srgb_encode(cdg_background_at(&background, 0.3F, 0.9F).y), 128.0 / 255, 1e-4);
    assert_int_equal(cdg_background_parse("pink", &background, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'pink'"));
    background = cdg_background_default();
    assert_false(cdg_background_is_dark(&background));
}

// Looking straight down, the camera has no level direction of its own; the lamp must still be somewhere above.
static void test_lamp_from_above(void **state) {
    (void)state;
    cdg_background background = cdg_background_default();
    cdg_camera camera = {.right = {1, 0, 0}, .up = {0, 1, 0}, .forward = {0, 0, -1}};
    assert_true(cdg_studio_make(&camera, vec3(0, 0, 1), &background).to_lamp.z > 0.5F);
    camera = (cdg_camera){.right = {0, 0, 1}, .up = {1, 0, 0}, .forward = {0, 1, 0}};
    float3 lamp = cdg_studio_make(&camera, vec3(0, 0, 1), &background).to_lamp;
    assert_true(lamp.z > 0.5F && isfinite(lamp.x));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shade),       cmocka_unit_test(test_metal_stands_out),
                                       cmocka_unit_test(test_ground),      cmocka_unit_test(test_tone),
                                       cmocka_unit_test(test_backgrounds), cmocka_unit_test(test_lamp_from_above)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
