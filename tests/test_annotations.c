// What explains a picture: round lengths of the scale bar, and marks where the camera sees things.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "render/annotations.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 360 };

static void test_scale_bar(void **state) {
    (void)state;
    static const struct {
        double most, length;
        const char *text;
    } bars[] = {{0.23, 0.2, "20 cm"},          {0.0099, 0.005, "5 mm"}, {1, 1, "1 m"}, {1999, 1000, "1 km"},
                {5e-4, 5e-4, "500 \xc2\xb5m"}, {77, 50, "50 m"},        {0, 1, "1 m"}};
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        char text[32];
        assert_float_equal(cdg_scale_bar(bars[i].most, text, sizeof text), bars[i].length, 1e-9 * bars[i].length);
        assert_string_equal(text, bars[i].text);
    }
}

// Pixels near a place that are not white.
static size_t marked(const unsigned char *rgb, double x, double y, int reach) {
    size_t count = 0;
    for (int v = (int)y - reach; v <= (int)y + reach; v++)
        for (int u = (int)x - reach; u <= (int)x + reach; u++)
            if (u >= 0 && v >= 0 && u < WIDTH && v < HEIGHT) {
                const unsigned char *p = rgb + 3 * ((size_t)v * WIDTH + (size_t)u);
                count += p[0] < 250 || p[1] < 250 || p[2] < 250;
            }
    return count;
}

static void draw(const cdg_scene *scene, const cdg_camera *camera, const cdg_run_player *player, unsigned char *rgb) {
    memset(rgb, 255, (size_t)3 * WIDTH * HEIGHT);
    cdg_canvas *canvas = NULL;
    cdg_annotations what = {.scene = scene, .camera = *camera, .center = {0.5, 0, 0}};
    assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, rgb, &canvas, NULL), CDG_OK);
    cdg_annotations_draw(&what, player, WIDTH, HEIGHT, canvas);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
    cdg_canvas_destroy(canvas);
}

static void test_marks(void **state) {
    (void)state;
    cdg_vec3 positions[5];
    for (int i = 0; i < 5; i++) positions[i] = vec3(0.25 * i, 0, 0);
    cdg_run_rod rod = {.name = "cord", .node_count = 5, .element_count = 4};
    cdg_run_reader reader = {.rods = &rod, .rod_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_run_player player = {.reader = &reader, .rods = &moment};
    cdg_camera camera = {.from = {0.5, -3, 0},
                         .right = {1, 0, 0},
                         .up = {0, 0, 1},
                         .forward = {0, 1, 0},
                         .slope_up = 0.2,
                         .slope_right = 0.2 * WIDTH / HEIGHT};
    cdg_load_def load = {.kind = CDG_LOAD_FORCE, .place = {.rod = {.index1 = 1}, .index = 4}, .value = {0, 0, -2}};
    cdg_motion move = {.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.3}};
    cdg_support_def support = {.place = {.rod = {.index1 = 1}, .index = 0}, .motions = &move, .motion_count = 1};
    cdg_scene scene = {.loads = &load, .load_count = 1, .supports = &support, .support_count = 1};
    unsigned char *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
    assert_non_null(rgb);
    draw(&scene, &camera, &player, rgb);
    for (int i = 0; i < 5; i++) { // nodes
        cdg_camera_point at = cdg_camera_project(&camera, WIDTH, HEIGHT, positions[i]);
        assert_true(marked(rgb, at.x, at.y, 1) > 0);
    }
    cdg_camera_point top = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(0, 0, 0.3));
    assert_true(marked(rgb, top.x, top.y, 2) > 0); // the motion's end
    cdg_camera_point end = cdg_camera_project(&camera, WIDTH, HEIGHT, positions[4]);
    assert_true(marked(rgb, end.x, end.y - 20, 2) > 0);     // the force comes from above
    assert_int_equal(marked(rgb, end.x, end.y + 20, 4), 0); // and not from below
    draw(NULL, &camera, &player, rgb);                      // a scene that is gone: axes and scale alone
    assert_int_equal(marked(rgb, top.x, top.y, 2), 0);
    assert_true(marked(rgb, WIDTH / 2, HEIGHT - 12, 3) > 0);
    free(rgb);
}

// A rod that adapts, of two elements, is shown with one of them in four parts: its name is there, and its load where
// the definition's node is.
static void test_a_rod_that_adapts(void **state) {
    (void)state;
    const double arc[6] = {0, 0.5, 0.625, 0.75, 0.875, 1};
    double lengths[5];
    cdg_vec3 positions[6];
    for (int i = 0; i < 6; i++) positions[i] = vec3(arc[i], 0, 0);
    for (int i = 0; i < 5; i++) lengths[i] = arc[i + 1] - arc[i];
    cdg_run_rod rod = {
        .name = "cord", .node_count = 6, .element_count = 5, .rest_length = lengths, .length = 1, .adapts = true};
    cdg_run_reader reader = {.rods = &rod, .rod_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_run_player player = {.reader = &reader, .rods = &moment};
    cdg_camera camera = {.from = {0.5, -3, 0},
                         .right = {1, 0, 0},
                         .up = {0, 0, 1},
                         .forward = {0, 1, 0},
                         .slope_up = 0.2,
                         .slope_right = 0.2 * WIDTH / HEIGHT};
    unsigned char *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
    assert_non_null(rgb);
    for (size_t node = 0; node < 3; node++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.element_count = 2;
        cdg_load_def load = {
            .kind = CDG_LOAD_FORCE, .place = {.rod = {.index1 = 1}, .index = node}, .value = {0, 0, -2}};
        cdg_scene scene = {.rods = &def, .rod_count = 1, .loads = &load, .load_count = 1};
        draw(&scene, &camera, &player, rgb);
        for (size_t other = 0; other < 3; other++) {
            cdg_camera_point at = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(0.5 * (double)other, 0, 0));
            assert_int_equal(marked(rgb, at.x, at.y - 20, 2) > 0, other == node);
        }
        cdg_camera_point middle = cdg_camera_project(&camera, WIDTH, HEIGHT, positions[3]);
        assert_true(marked(rgb, middle.x, middle.y + 16, 8) > 0); // its name
    }
    free(rgb);
}

// A straight rod along x, seen from the front, with one load and one motion.
static unsigned char *draw_loaded(cdg_vec3 force, cdg_vec3 move, size_t node_count, double length, bool is_folded) {
    static cdg_vec3 positions[60];
    for (size_t i = 0; i < node_count; i++)
        positions[i] = vec3(length * (is_folded ? (double)(i % 2) : (double)i / (double)(node_count - 1)), 0, 0);
    cdg_run_rod rod = {.name = "cord", .node_count = node_count, .element_count = node_count - 1};
    cdg_run_body_entry body = {.info = {.name = "bob", .shape = {.kind = CDG_SHAPE_SPHERE, .radius = 0.01}}};
    cdg_run_reader reader = {.rods = &rod, .rod_count = 1, .bodies = &body, .body_count = 1};
    cdg_rod_moment moment = {.positions = positions};
    cdg_rigid_moment rigid = {.position = {0.3, 0, 0.4}, .orientation = {1, 0, 0, 0}};
    cdg_run_player player = {.reader = &reader, .rods = &moment, .rigids = &rigid};
    cdg_camera camera = {.from = {0.5, -3, 0},
                         .right = {1, 0, 0},
                         .up = {0, 0, 1},
                         .forward = {0, 1, 0},
                         .slope_up = 0.2,
                         .slope_right = 0.2 * WIDTH / HEIGHT};
    cdg_load_def load = {
        .kind = CDG_LOAD_FORCE, .place = {.rod = {.index1 = 1}, .index = (uint32_t)node_count - 1}, .value = force};
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = move};
    cdg_support_def support = {.place = {.rod = {.index1 = 1}, .index = 0}, .motions = &motion, .motion_count = 1};
    cdg_scene scene = {.loads = &load, .load_count = 1, .supports = &support, .support_count = 1};
    unsigned char *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
    assert_non_null(rgb);
    draw(&scene, &camera, &player, rgb);
    return rgb;
}

static size_t red(const unsigned char *rgb, int left, int right) {
    size_t count = 0;
    for (int y = HEIGHT / 2 - 3; y < HEIGHT / 2 + 3; y++)
        for (int x = left; x < right; x++) {
            const unsigned char *p = rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
            count += p[0] > p[1] + 50;
        }
    return count;
}

// A force that pulls at an end points away from the rod, unless its head would be outside; a motion out of the picture
// ends at the edge; bodies have names.
static void test_arrows_keep_off(void **state) {
    (void)state;
    enum { PER_METRE = 300, END = WIDTH / 2 + PER_METRE / 4 }; // of a rod that ends at x = 0.75
    unsigned char *rgb = draw_loaded(vec3(2, 0, 0), vec3(0, 0, 9), 4, 0.75, false);
    assert_true(red(rgb, END + 4, END + 44) > 30);
    assert_true(red(rgb, END - 44, END - 4) < 10);
    int start = WIDTH / 2 - PER_METRE / 2;
    assert_true(marked(rgb, start, 4, 4) > 22); // more than the line's two or three columns: the head
    assert_true(marked(rgb, WIDTH / 2 - 0.2 * PER_METRE, HEIGHT / 2 - 0.4 * PER_METRE, 5) > 8); // the body's name
    free(rgb);
    rgb = draw_loaded(vec3(2, 0, 0), vec3(0, 0, 0), 4, 1.55, false);
    assert_true(red(rgb, WIDTH - 44, WIDTH) > 30);
    free(rgb);
}

// Where a rod goes to and fro, numbers of many nodes are at two places: one of each is written, not one over the other.
static void test_numbers_have_room(void **state) {
    (void)state;
    size_t ink[2];
    for (int many = 0; many < 2; many++) {
        unsigned char *rgb = draw_loaded(vec3(0, 0, 1), vec3(0, 0, 0), many ? 60 : 2, 0.25, true);
        ink[many] = marked(rgb, WIDTH / 2 - 150 + 7, HEIGHT / 2 - 7, 6);
        free(rgb);
    }
    assert_true(ink[0] > 4 && ink[1] <= ink[0] + 4);
}

// Beside a legend the axes stand left of it.
static void test_axes_keep_off_the_legend(void **state) {
    (void)state;
    cdg_run_reader reader = {.rod_count = 0};
    cdg_run_player player = {.reader = &reader};
    cdg_camera camera = {.from = {0, -3, 0},
                         .right = {1, 0, 0},
                         .up = {0, 0, 1},
                         .forward = {0, 1, 0},
                         .slope_up = 0.2,
                         .slope_right = 0.2 * WIDTH / HEIGHT};
    for (int margin = 0; margin <= 100; margin += 100) {
        unsigned char *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
        assert_non_null(rgb);
        memset(rgb, 255, (size_t)3 * WIDTH * HEIGHT);
        cdg_canvas *canvas = NULL;
        cdg_annotations what = {.camera = camera, .margin = margin};
        assert_int_equal(cdg_canvas_create_from_rgb(WIDTH, HEIGHT, rgb, &canvas, NULL), CDG_OK);
        cdg_annotations_draw(&what, &player, WIDTH, HEIGHT, canvas);
        assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, NULL), CDG_OK);
        cdg_canvas_destroy(canvas);
        assert_true(marked(rgb, WIDTH - margin - 50, HEIGHT - 50, 45) > 40);
        if (margin > 0) assert_int_equal(marked(rgb, WIDTH - 40, HEIGHT - 40, 39), 0);
        free(rgb);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_bar),         cmocka_unit_test(test_marks),
        cmocka_unit_test(test_a_rod_that_adapts), cmocka_unit_test(test_arrows_keep_off),
        cmocka_unit_test(test_numbers_have_room), cmocka_unit_test(test_axes_keep_off_the_legend)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
