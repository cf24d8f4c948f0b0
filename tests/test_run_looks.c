// Looks of a run: good colours for all, and over them what the scene says, the later the stronger.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/color_map.h"
#include "output/run_looks.h"

#include <math.h>

#define ROD(name)                                                                                                      \
    "{name: " name                                                                                                     \
    ", material: m, section: {circle: {radius: 1 mm}}, centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, "         \
    "elements: 5}"
#define SCENE                                                                                                          \
    "cordage: 1\nsimulation: {duration: 1 s}\nmaterials: {m: {young_modulus: 1 MPa, density: 1000 kg/m^3}}\n"          \
    "rods: [" ROD("a") ", " ROD("b") "]\nobstacles: [{name: floor, plane: {normal: [0, 0, 1]}}]\n"

static bool are_same(float3 a, float3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void looks_are_laid_over(void **state) {
    (void)state;
    cdg_run_rod rods[] = {{.name = "a"}, {.name = "b"}};
    cdg_run_obstacle_entry floor = {.info = {.name = "floor"}};
    cdg_run_reader reader = {
        .scene_text = (char *)SCENE, .rods = rods, .rod_count = 2, .obstacles = &floor, .obstacle_count = 1};
    cdg_run_looks looks;
    assert_int_equal(cdg_run_looks_make(&reader, &looks, NULL), CDG_OK);
    assert_true(are_same(looks.rods[0].color, cdg_rod_color(0, 2)));
    assert_true(are_same(looks.rods[1].color, cdg_rod_color(1, 2)));
    assert_int_equal(looks.rods[0].surface, SCENE_SURFACE_PLASTIC);
    float3 plain = looks.rigids[0].color;
    cdg_run_looks_free(&looks);

    reader.overrides = (char *)"looks=[{of: b, color: '#ff0000', surface: rope}, {of: b, surface: metal}, "
                               "{of: floor, color: '#00f'}]";
    assert_int_equal(cdg_run_looks_make(&reader, &looks, NULL), CDG_OK);
    assert_true(are_same(looks.rods[0].color, cdg_rod_color(0, 2)));
    assert_true(are_same(looks.rods[1].color, float3_make(1, 0, 0)));
    assert_int_equal(looks.rods[1].surface, SCENE_SURFACE_METAL);
    assert_true(are_same(looks.rigids[0].color, float3_make(0, 0, 1)));
    cdg_run_looks_free(&looks);

    reader.overrides = NULL;
    reader.scene_text = (char *)"no scene";
    assert_int_equal(cdg_run_looks_make(&reader, &looks, NULL), CDG_OK);
    assert_true(are_same(looks.rods[1].color, cdg_rod_color(1, 2)));
    assert_true(are_same(looks.rigids[0].color, plain));
    cdg_run_looks_free(&looks);
}

// What nothing is said of is seen before the background, and beside metal: by lightness or by hue.
static void obstacles_stand_out(void **state) {
    (void)state;
    static const char *const behind[] = {"#eef0f3", "#d9dee5", "#c2c6cc", "#8a8f98"}; // both of light pictures; steel
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        float3 other;
        double a[3], b[3];
        assert_true(cdg_color_parse(behind[i], &other));
        cdg_color_to_lab(other, a);
        cdg_color_to_lab(cdg_rigid_color(false), b);
        double apart =
            sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
        double hue = hypot(a[1] - b[1], a[2] - b[2]);
        if (!(apart > 0.07 && hue > 0.04)) fail_msg("beside %s: %.3f apart, of which hue %.3f", behind[i], apart, hue);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks_are_laid_over), cmocka_unit_test(obstacles_stand_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
