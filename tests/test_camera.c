// The camera: everything is inside of the picture and touches its window, flat things are seen flat, wishes are read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/camera.h"

#include <string.h>

enum { COUNT = 200, WIDTH = 640, HEIGHT = 360 };

static cdg_camera frame(const cdg_vec3 *points, size_t count, double radius, cdg_vec3 up, const char *text) {
    cdg_camera_wish wish = cdg_camera_wish_default();
    cdg_error error;
    if (cdg_camera_parse(text, &wish, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_point_spread spread = {.count = 0};
    cdg_point_spread_add(&spread, points, count / 2); // in two pieces
    cdg_point_spread_add(&spread, points + count / 2, count - count / 2);
    cdg_camera camera = {.slope_up = 0};
    cdg_camera_choose_view(&spread, up, &wish, &camera);
    cdg_camera_set_aspect(&camera, &wish, (double)WIDTH / HEIGHT);
    cdg_camera_window window = {-0.9, 0.9, -0.8, 0.85};
    cdg_camera_fit fit = cdg_camera_fit_begin(&camera, window, radius);
    cdg_camera_fit_add(&fit, points, count);
    return cdg_camera_fit_end(&fit, &wish);
}

static void assert_orthonormal(const cdg_camera *camera) {
    assert_float_equal(vec3_norm(camera->right), 1, 1e-9);
    assert_float_equal(vec3_norm(camera->up), 1, 1e-9);
    assert_float_equal(vec3_dot(vec3_cross(camera->right, camera->forward), camera->up), 1, 1e-9);
}

static void test_frames_everything(void **state) {
    (void)state;
    cdg_random random = {.state = 1};
    for (int trial = 0; trial < 300; trial++) {
        cdg_vec3 points[COUNT];
        // clouds of every shape and size: balls, disks, sticks, one point
        double size = pow(10, random_in(&random, -6, 4));
        double flat[3] = {1, trial % 3 == 0 ? 1 : random_unit(&random), trial % 4 < 2 ? 0 : random_unit(&random)};
        if (trial % 10 == 0) flat[1] = flat[2] = 0;
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 center = random_vec3(&random, 3 * size), up = vec3_normalize(random_vec3(&random, 1));
        double radius = trial % 2 ? 0.1 * size * random_unit(&random) : 0;
        for (int i = 0; i < COUNT; i++) {
            cdg_vec3 p = random_vec3(&random, size);
            p = quat_rotate(turn, vec3(flat[0] * p.x, flat[1] * p.y, flat[2] * p.z));
            points[i] = vec3_add(center, p);
        }
        cdg_camera camera = frame(points, COUNT, radius, up, "");
        assert_orthonormal(&camera);
        double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
        for (int i = 0; i < COUNT; i++)
            for (int side = 0; side < 4; side++) { // the ball's rim, to first order
                cdg_vec3 out = vec3_scale(side % 2 ? radius : -radius, side < 2 ? camera.right : camera.up);
                cdg_camera_point at = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3_add(points[i], out));
                assert_true(at.depth > 0);
                left = fmin(left, at.x), right = fmax(right, at.x);
                top = fmin(top, at.y), bottom = fmax(bottom, at.y);
            }
        assert_true(left >= 0.05 * WIDTH - 0.1 && right <= 0.95 * WIDTH + 0.1);
        assert_true(top >= 0.075 * HEIGHT - 0.1 && bottom <= 0.9 * HEIGHT + 0.1);
        // and as near as can be: one side pair is touched
        if (radius == 0 && trial % 10 != 0) assert_true(right - left > 0.899 * WIDTH || bottom - top > 0.824 * HEIGHT);
    }
}

static void test_flat_things_are_seen_flat(void **state) {
    (void)state;
    cdg_random random = {.state = 2};
    for (int trial = 0; trial < 100; trial++) {
        // an upright plane with some level normal
        double angle = random_in(&random, 0, 6.28);
        cdg_vec3 across = vec3(cos(angle), sin(angle), 0), normal = vec3(-sin(angle), cos(angle), 0), points[COUNT];
        for (int i = 0; i < COUNT; i++)
            points[i] = vec3_add(vec3_scale(random_in(&random, -2, 2), across), vec3(0, 0, random_in(&random, -1, 1)));
        cdg_camera camera = frame(points, COUNT, 0, vec3(0, 0, 1), "");
        assert_true(fabs(vec3_dot(camera.forward, normal)) > cos(0.4));  // within 23 degrees
        assert_true(camera.forward.z < -0.1 && camera.forward.z > -0.5); // a little from above
        assert_true(camera.up.z > 0.8);
    }
    cdg_vec3 lying[COUNT];
    for (int i = 0; i < COUNT; i++) lying[i] = vec3(random_in(&random, -2, 2), random_in(&random, -1, 1), 0);
    assert_true(frame(lying, COUNT, 0, vec3(0, 0, 1), "").forward.z < -0.6); // from well above
}

static void test_project_and_direction(void **state) {
    (void)state;
    cdg_random random = {.state = 3};
    cdg_vec3 points[2] = {{-1, -1, -1}, {1, 1, 1}};
    cdg_camera camera = frame(points, 2, 0.1, vec3(0, 0, 1), "fov=50");
    for (int trial = 0; trial < 100; trial++) {
        double x = random_in(&random, 0, WIDTH), y = random_in(&random, 0, HEIGHT), depth = random_in(&random, 0.1, 9);
        cdg_vec3 along = cdg_camera_direction(&camera, WIDTH, HEIGHT, x, y);
        assert_float_equal(vec3_dot(along, camera.forward), 1, 1e-12);
        cdg_camera_point at = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3_mad(camera.from, depth, along));
        assert_float_equal(at.x, x, 1e-6);
        assert_float_equal(at.y, y, 1e-6);
        assert_float_equal(at.depth, depth, 1e-9);
    }
}

static void test_wishes(void **state) {
    (void)state;
    cdg_camera_wish wish;
    cdg_error error;
    assert_int_equal(
        cdg_camera_parse("from=1,2,-3e0; at=0,0,0.5 fov=40 zoom=2 orbit=30,-10 up=0,2,0 fit=moment", &wish, &error),
        CDG_OK);
    assert_true(wish.has_from && wish.has_at && wish.has_fov && wish.has_up && wish.fits_moment);
    assert_float_equal(wish.from.z, -3, 0);
    assert_float_equal(wish.at.z, 0.5, 0);
    assert_float_equal(wish.fov, 0.6981317, 1e-6);
    assert_float_equal(wish.up.y, 1, 0);
    assert_float_equal(wish.turn, 0.5235988, 1e-6);
    static const char *const bad[] = {
        "from",    "from=",  "from=1,2",   "from=1,2,3,4", "from=a,b,c", "from=1,2,nan", "fov=0",
        "fov=200", "zoom=0", "zoom=-1",    "up=0,0,0",     "form=1,2,3", "orbit=1,2,3",  "from=1,1,1 at=1,1,1",
        "fit=all", "=1",     "from=1,2,3,"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.message[0] = '\0';
        assert_int_equal(cdg_camera_parse(bad[i], &wish, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "--camera"));
    }
}

static void test_wishes_act(void **state) {
    (void)state;
    cdg_random random = {.state = 4};
    cdg_vec3 points[COUNT], up = {0, 0, 1};
    for (int i = 0; i < COUNT; i++) points[i] = random_vec3(&random, 1);
    cdg_camera camera = frame(points, COUNT, 0, up, "from=3,4,5 at=0,1,0"), plain = frame(points, COUNT, 0, up, "");
    assert_float_equal(vec3_distance(camera.from, vec3(3, 4, 5)), 0, 0);
    assert_float_equal(vec3_distance(camera.forward, vec3_normalize(vec3(-3, -3, -5))), 0, 1e-12);
    cdg_camera zoomed = frame(points, COUNT, 0, up, "zoom=2");
    assert_float_equal(zoomed.slope_up, plain.slope_up / 2, 1e-12);
    cdg_camera turned = frame(points, COUNT, 0, up, "orbit=90");
    assert_float_equal(turned.forward.z, plain.forward.z, 1e-9);
    assert_float_equal(turned.forward.x * plain.forward.x + turned.forward.y * plain.forward.y, 0, 1e-9);
    cdg_camera above = frame(points, COUNT, 0, up, "orbit=0,89");
    assert_true(above.forward.z < -0.99);
    cdg_camera centered = frame(points, COUNT, 0, up, "at=0.5,0.2,-0.3");
    cdg_camera_point at = cdg_camera_project(&centered, WIDTH, HEIGHT, vec3(0.5, 0.2, -0.3));
    assert_float_equal(at.x, 0.5 * WIDTH, 1e-6);
    assert_float_equal(at.y, 0.5 * HEIGHT, 1e-6);
}

// Seen from the front x goes to the right and z upward; from above x to the right and y upward; and so on.
static void test_named_views(void **state) {
    (void)state;
    static const struct {
        const char *text;
        cdg_vec3 right, up;
    } views[] = {{"view=front", {1, 0, 0}, {0, 0, 1}}, {"view=back", {-1, 0, 0}, {0, 0, 1}},
                 {"view=right", {0, 1, 0}, {0, 0, 1}}, {"view=left", {0, -1, 0}, {0, 0, 1}},
                 {"view=top", {1, 0, 0}, {0, 1, 0}},   {"view=bottom", {1, 0, 0}, {0, -1, 0}}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        cdg_camera_wish wish;
        assert_int_equal(cdg_camera_parse(views[i].text, &wish, NULL), CDG_OK);
        cdg_point_spread spread = {.count = 0};
        const cdg_vec3 points[] = {{0, 0, 0}, {1, 0.2, 0.1}, {0.3, 1, 0.5}};
        cdg_point_spread_add(&spread, points, 3);
        cdg_camera camera = {.slope_up = 0};
        cdg_camera_choose_view(&spread, vec3(0, 0, 1), &wish, &camera);
        assert_float_equal(vec3_distance(camera.right, views[i].right), 0, 1e-12);
        assert_float_equal(vec3_distance(camera.up, views[i].up), 0, 1e-12);
    }
    cdg_camera_wish wish;
    cdg_error error;
    assert_int_equal(cdg_camera_parse("view=above", &wish, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "top or bottom, not 'above'"));
}

// Two balls of one size, one behind the other by the height of the picture, look alike within 1/250.
static void test_parallel_lens(void **state) {
    (void)state;
    cdg_camera_wish wish;
    cdg_error error;
    assert_int_equal(cdg_camera_parse("view=front lens=parallel", &wish, NULL), CDG_OK);
    const cdg_vec3 points[] = {{-0.5, 0, -0.5}, {0.5, 0, 0.5}, {-0.5, 1, -0.5}, {0.5, 1, 0.5}};
    cdg_point_spread spread = {.count = 0};
    cdg_point_spread_add(&spread, points, 4);
    cdg_camera camera = {.slope_up = 0};
    cdg_camera_choose_view(&spread, vec3(0, 0, 1), &wish, &camera);
    cdg_camera_set_aspect(&camera, &wish, (double)WIDTH / HEIGHT);
    cdg_camera_fit fit = cdg_camera_fit_begin(&camera, (cdg_camera_window){-1, 1, -1, 1}, 0);
    cdg_camera_fit_add(&fit, points, 4);
    camera = cdg_camera_fit_end(&fit, &wish);
    double height[2];
    for (int i = 0; i < 2; i++)
        height[i] = cdg_camera_project(&camera, WIDTH, HEIGHT, points[2 * i]).y -
                    cdg_camera_project(&camera, WIDTH, HEIGHT, points[2 * i + 1]).y;
    assert_float_equal(height[0], HEIGHT, 1e-6 * HEIGHT);
    assert_float_equal(height[1] / height[0], 1, 1 / 250.0);
    assert_int_equal(cdg_camera_parse("lens=wide", &wish, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "fov=40"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames_everything),
                                       cmocka_unit_test(test_flat_things_are_seen_flat),
                                       cmocka_unit_test(test_project_and_direction),
                                       cmocka_unit_test(test_wishes),
                                       cmocka_unit_test(test_wishes_act),
                                       cmocka_unit_test(test_named_views),
                                       cmocka_unit_test(test_parallel_lens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
