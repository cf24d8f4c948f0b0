// Lines where rods are: points as the camera sees them, closed rods come back to their start, nothing from behind.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/rest_line.h"

static void points_are_seen(void **state) {
    (void)state;
    cdg_vec3 ring[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}}, cord[] = {{0, 0, 0}, {0, -9, 0}, {0.5, 0, 0}};
    cdg_run_rod rods[] = {{.name = "ring", .node_count = 3, .is_closed = true}, {.name = "cord", .node_count = 3}};
    cdg_run_reader reader = {.rods = rods, .rod_count = 2};
    cdg_rod_moment moments[] = {{.positions = ring}, {.positions = cord}};
    cdg_run_player player = {.reader = &reader, .rods = moments};
    cdg_camera camera = {.from = {0, -4, 0},
                         .right = {1, 0, 0},
                         .up = {0, 0, 1},
                         .forward = {0, 1, 0},
                         .slope_up = 0.5,
                         .slope_right = 0.5};
    cdg_rest_lines lines;
    assert_int_equal(cdg_rest_lines_make(&player, &camera, 100, 100, &lines, NULL), CDG_OK);
    assert_int_equal(lines.counts[0], 4);
    assert_int_equal(lines.counts[1], 2); // one point is behind the camera
    const double expected[] = {50, 50, 75, 50, 75, 25, 50, 50, 50, 50, 62.5, 50};
    for (int i = 0; i < 12; i++) assert_float_equal(lines.xy[i], expected[i], 1e-9);

    enum { BYTES = 3 * 100 * 100 };
    static unsigned char rgb[BYTES];
    for (int i = 0; i < BYTES; i++) rgb[i] = 255;
    cdg_canvas *canvas = NULL;
    assert_int_equal(cdg_canvas_create_from_rgb(100, 100, rgb, &canvas, NULL), CDG_OK);
    cdg_rest_lines_draw(&lines, false, 1, canvas);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
    size_t on = 0, off = 0; // the line from 50 to 75 has dashes; below it nothing is drawn
    for (int x = 50; x < 75; x++) on += rgb[3 * (50 * 100 + x)] < 240, off += rgb[3 * (60 * 100 + x)] < 240;
    assert_true(on > 8 && on < 25 && off == 0);
    cdg_rest_lines_free(&lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
