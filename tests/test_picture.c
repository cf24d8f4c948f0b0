// Pictures: a thing is where it should be, has a shadow on the ground, smooth edges, and the same pixels for any number
// of threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture_case.h"

#include <string.h>

enum { WIDTH = 160, HEIGHT = 90 };

static int gray(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
    return (p[0] + p[1] + p[2]) / 3;
}

static cdg_picture_scene *bar_over_ground(bool has_ground, float height) {
    cdg_picture_scene *scene = case_boxes(1);
    case_box(&scene->meshes[0], float3_make(-0.6F, -0.06F, height), float3_make(0.6F, 0.06F, height + 0.1F),
             float3_make(0.7F, 0.1F, 0.05F));
    scene->has_ground = has_ground;
    scene->ground_height = -0.3;
    return scene;
}

static void test_thing_and_shadow(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0, -4, 2.5), 0.22, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = bar_over_ground(true, 0);
    unsigned char *with = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    scene->has_ground = false;
    unsigned char *without = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    cdg_camera_point middle = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(0, 0, 0.1));
    const unsigned char *thing = with + 3 * ((size_t)middle.y * WIDTH + (size_t)middle.x);
    assert_true(thing[0] > 100 && thing[0] > 2 * thing[2]); // red
    // The lamp's direction gives the place of the shadow on the ground.
    cdg_background white;
    ASSERT_OK(cdg_background_parse("white", &white, error));
    cdg_studio studio = cdg_studio_make(&camera, vec3(0, 0, 1), &white);
    double fall = 0.35 / studio.to_lamp.z;
    cdg_vec3 place = vec3(-fall * studio.to_lamp.x, -fall * studio.to_lamp.y, -0.3);
    cdg_camera_point shadow = cdg_camera_project(&camera, WIDTH, HEIGHT, place);
    int x = (int)shadow.x, y = (int)shadow.y;
    assert_true(x > 2 && x < WIDTH - 2 && y > 2 && y < HEIGHT - 2);
    assert_true(gray(with, x, y) < 225);
    assert_int_equal(gray(without, x, y), 255);
    // Far from it nothing is darker, and without ground nothing is but the thing.
    for (int i = 0; i < WIDTH; i++) {
        assert_true(gray(with, i, 0) >= 254);
        assert_int_equal(gray(without, i, 0), 255);
        assert_int_equal(gray(without, i, HEIGHT - 1), 255);
    }
    free(with);
    free(without);
    cdg_picture_scene_destroy(scene);
}

// A slanted edge takes many values between dark and light.
static void test_edges_are_smooth(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0.4, -4, 0.5), 0.22, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = bar_over_ground(false, 0);
    unsigned char *rgb = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    bool is_used[256] = {false};
    int values = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) is_used[rgb[3 * i + 2]] = true;
    for (int i = 0; i < 256; i++) values += is_used[i];
    assert_true(values > 8);
    free(rgb);
    cdg_picture_scene_destroy(scene);
}

// Thinner than a pixel: still seen all along, by its vertices and the samples near them.
static void test_thin_things_are_seen(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0, -4, 0), 0.22, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = case_boxes(8);
    for (int i = 0; i < 8; i++) { // pieces of a tilted wire
        float x = -0.4F + 0.1F * (float)i, z = 0.02F * (float)i;
        case_box(&scene->meshes[i], float3_make(x, -0.004F, z), float3_make(x + 0.1F, 0.004F, z + 0.008F),
                 float3_make(0.02F, 0.02F, 0.02F));
    }
    unsigned char *rgb = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    for (int i = 1; i < 8; i++) { // the first one's first pixel is only partly covered
        cdg_camera_point at =
            cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(-0.4 + 0.1 * i + 0.005, 0, 0.02 * i + 0.004));
        int least = 255;
        for (int y = (int)at.y - 1; y <= (int)at.y + 1; y++)
            if (gray(rgb, (int)at.x, y) < least) least = gray(rgb, (int)at.x, y);
        assert_true(least < 235);
    }
    free(rgb);
    cdg_picture_scene_destroy(scene);
}

static void test_same_for_any_threads(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0.5, -4, 2), 0.25, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = bar_over_ground(true, -0.29F);
    unsigned char *one = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    for (int threads = 2; threads <= 5; threads += 3) {
        unsigned char *more = case_picture(scene, &camera, WIDTH, HEIGHT, threads);
        assert_memory_equal(one, more, (size_t)3 * WIDTH * HEIGHT);
        free(more);
    }
    free(one);
    cdg_picture_scene_destroy(scene);
}

// A box turned inside out is as bright as a box when it is a sheet, and not otherwise.
static void test_sheets_are_lit_where_they_are_seen(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0, -4, 1), 0.25, (double)WIDTH / HEIGHT);
    int brightness[3];
    for (int kind = 0; kind < 3; kind++) {
        cdg_picture_scene *scene = case_boxes(1);
        cdg_picture_mesh *mesh = &scene->meshes[0];
        case_box(mesh, float3_make(-0.5F, -0.1F, -0.5F), float3_make(0.5F, 0.1F, 0.5F), float3_make(0.4F, 0.4F, 0.4F));
        for (size_t i = 0; kind > 0 && i < 3 * mesh->vertex_count; i++) mesh->normals[i] *= -1;
        mesh->is_sheet = kind == 1;
        unsigned char *rgb = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
        brightness[kind] = gray(rgb, WIDTH / 2, HEIGHT / 2);
        free(rgb);
        cdg_picture_scene_destroy(scene);
    }
    assert_int_equal(brightness[1], brightness[0]);
    assert_true(abs(brightness[2] - brightness[0]) > 5);
}

// Steps that reach into each other: along the corner between them no pixel is darker or lighter than what is around.
static void test_corners_have_no_dots(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(3, -3, 1.2), 0.25, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = case_boxes(2);
    case_box(&scene->meshes[0], float3_make(-1, -0.5F, -0.6F), float3_make(0, 0.5F, 0.4F),
             float3_make(0.4F, 0.3F, 0.2F));
    case_box(&scene->meshes[1], float3_make(-0.8F, -0.5F, -0.8F), float3_make(0.6F, 0.5F, 0),
             float3_make(0.4F, 0.3F, 0.2F));
    unsigned char *rgb = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    int worst = 0;
    for (int k = 5; k < 95; k++) {
        cdg_camera_point at = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(0, -0.5 + 0.01 * k, 0));
        for (int y = (int)at.y - 1; y <= (int)at.y + 1; y++)
            for (int x = (int)at.x - 1; x <= (int)at.x + 1; x++) {
                int least = 255, most = 0, here = gray(rgb, x, y);
                for (int v = y - 2; v <= y + 2; v++)
                    for (int u = x - 2; u <= x + 2; u++) {
                        if (u == x && v == y) continue;
                        if (gray(rgb, u, v) < least) least = gray(rgb, u, v);
                        if (gray(rgb, u, v) > most) most = gray(rgb, u, v);
                    }
                if (least - here > worst) worst = least - here;
                if (here - most > worst) worst = here - most;
            }
    }
    if (worst > 4) fail_msg("a dot differs by %d of 255 from all around it", worst);
    free(rgb);
    cdg_picture_scene_destroy(scene);
}

static void test_empty_scene(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0, -4, 1), 0.25, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = NULL;
    ASSERT_OK(cdg_picture_scene_create(0, NULL, NULL, &scene, error));
    scene->has_ground = true;
    unsigned char *rgb = case_picture(scene, &camera, WIDTH, HEIGHT, 2);
    for (size_t i = 0; i < (size_t)3 * WIDTH * HEIGHT; i++) assert_int_equal(rgb[i], 255);
    free(rgb);
    cdg_picture_scene_destroy(scene);
}

// A red bar in a grey box: hidden by it, or seen through it with light on it.
static void test_things_are_seen_through(void **state) {
    (void)state;
    cdg_camera camera = case_camera(vec3(0, -4, 0), 0.22, (double)WIDTH / HEIGHT);
    cdg_picture_scene *scene = case_boxes(2);
    case_box(&scene->meshes[0], float3_make(-0.6F, -0.06F, -0.06F), float3_make(0.6F, 0.06F, 0.06F),
             float3_make(0.7F, 0.05F, 0.05F));
    case_box(&scene->meshes[1], float3_make(-0.9F, -0.2F, -0.2F), float3_make(0.9F, 0.2F, 0.2F),
             float3_make(0.45F, 0.45F, 0.45F));
    unsigned char *opaque = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    scene->meshes[1].is_see_through = true;
    unsigned char *glass = case_picture(scene, &camera, WIDTH, HEIGHT, 1);
    const size_t middle = 3 * ((size_t)(HEIGHT / 2) * WIDTH + WIDTH / 2);
    assert_true(abs(opaque[middle] - opaque[middle + 1]) < 12); // grey
    assert_true(glass[middle] > 100 && glass[middle] > glass[middle + 1] + 60);
    cdg_camera_point beside = cdg_camera_project(&camera, WIDTH, HEIGHT, vec3(0, -0.2, 0.13));
    int x = (int)beside.x, y = (int)beside.y;
    assert_true(gray(glass, x, y) > gray(opaque, x, y) + 20 && gray(glass, x, y) < 253); // the box is seen, a little
    free(opaque);
    free(glass);
    cdg_picture_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thing_and_shadow),
                                       cmocka_unit_test(test_edges_are_smooth),
                                       cmocka_unit_test(test_thin_things_are_seen),
                                       cmocka_unit_test(test_same_for_any_threads),
                                       cmocka_unit_test(test_sheets_are_lit_where_they_are_seen),
                                       cmocka_unit_test(test_things_are_seen_through),
                                       cmocka_unit_test(test_corners_have_no_dots),
                                       cmocka_unit_test(test_empty_scene)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
