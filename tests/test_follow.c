// What a camera follows: the middle of a rod, where a body is; other names are refused.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/follow.h"

#include <string.h>

static void middles(void **state) {
    (void)state;
    cdg_vec3 positions[] = {{0, 0, 0}, {1, 0, 3}, {2, 3, 3}};
    cdg_run_rod rod = {.name = "cord", .node_count = 3};
    cdg_run_body_entry body = {.info = {.name = "ball"}};
    cdg_run_reader reader = {
        .directory = (char *)"my-run", .rods = &rod, .rod_count = 1, .bodies = &body, .body_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_rigid_moment rigid = {.position = {7, 8, 9}};
    cdg_run_player player = {.reader = &reader, .rods = &moment, .rigids = &rigid};
    cdg_vec3 middle;
    cdg_error error;
    assert_int_equal(cdg_follow_middle(&player, "cord", &middle, &error), CDG_OK);
    assert_float_equal(vec3_distance(middle, vec3(1, 1, 2)), 0, 1e-12);
    assert_int_equal(cdg_follow_middle(&player, "ball", &middle, &error), CDG_OK);
    assert_float_equal(vec3_distance(middle, vec3(7, 8, 9)), 0, 0);
    assert_int_equal(cdg_follow_middle(&player, "cor", &middle, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "follow=cor: "));
}

// A camera that must show what it follows is as far away as the thing's own size asks for, wherever that is.
static void fits(void **state) {
    (void)state;
    cdg_vec3 positions[] = {{100, 0, -1}, {100, 0, 1}, {102, 0, 0}};
    cdg_run_rod rod = {.name = "cord", .node_count = 3};
    cdg_run_body_entry body = {.info = {.name = "ball", .shape = {.kind = CDG_SHAPE_SPHERE, .radius = 2}}};
    cdg_run_reader reader = {
        .directory = (char *)"my-run", .rods = &rod, .rod_count = 1, .bodies = &body, .body_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_rigid_moment rigid = {.position = {7, 8, 9}, .orientation = {1, 0, 0, 0}};
    cdg_run_player player = {.reader = &reader, .rods = &moment, .rigids = &rigid};
    cdg_camera camera = {
        .forward = {0, 1, 0}, .right = {1, 0, 0}, .up = {0, 0, 1}, .slope_right = 0.1, .slope_up = 0.1};
    cdg_camera_window window = {-1, 1, -1, 1};
    cdg_camera_wish wish = cdg_camera_wish_default();
    cdg_error error;
    cdg_camera_fit fit = cdg_camera_fit_begin(&camera, window, 0);
    assert_int_equal(cdg_follow_fit(&player, "cord", vec3(-100, 0, 5), &fit, &error), CDG_OK);
    cdg_vec3 from = cdg_camera_fit_end(&fit, &wish).from;
    assert_float_equal(vec3_distance(from, vec3(1, -10, 5)), 0, 1e-9); // 2 m of a view 0.2 of the distance wide
    fit = cdg_camera_fit_begin(&camera, window, 0);
    assert_int_equal(cdg_follow_fit(&player, "ball", vec3(0, 0, 0), &fit, &error), CDG_OK);
    from = cdg_camera_fit_end(&fit, &wish).from;
    assert_float_equal(vec3_distance(from, vec3(7, 8 - 2 - 20, 9)), 0, 1e-9);
    assert_int_equal(cdg_follow_fit(&player, "none", vec3(0, 0, 0), &fit, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(middles), cmocka_unit_test(fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
