// The message `world`: one document with all that stays the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/color_map.h"
#include "view/cast.h"
#include "view_case.h"

#include <cordage/cordage.h>

#include <stdlib.h>

static void everything_is_told_once(void **state) {
    (void)state;
    cdg_cast cast = {0};
    cdg_world *world;
    cdg_error error;
    cdg_scene *scene = view_scene();
    const double times[] = {0, 0.25};
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_cast_add_world(&cast, world, &error), CDG_OK);
    cast.times = times, cast.time_count = 2;
    cdg_message *message = cdg_cast_message(&cast, 5);
    char *text = view_message_text(message);
    static const char *const wanted[] = {"\"epoch\": 5",
                                         "\"section\": \"rectangle\"",
                                         "\"section\": \"round\"",
                                         "\"first_node\": 11",
                                         "\"is_ground\": true",
                                         "\"up\": \"z\"",
                                         "0.25",
                                         "\"place\": 0"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (strstr(text, wanted[i]) == NULL) print_error("%s is missing\n", wanted[i]);
        assert_non_null(strstr(text, wanted[i]));
    }
    size_t meshes = 0;
    for (const char *at = text; (at = strstr(at, "\"points\": \"")) != NULL; at++) meshes++;
    assert_int_equal(meshes, 3);
    free(text);
    cdg_message_release(message);
    cdg_cast_free(&cast);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

// What a scene says of colours and surfaces; the rest looks as in pictures of a run.
static void looks_are_told(void **state) {
    (void)state;
    static const char more[] = "looks: [{of: thread, color: '#c8a060', surface: rope}, {of: box, color: '#0f0'},"
                               " {of: ball, surface: metal}]\n";
    char *whole = calloc(1, sizeof view_scene_text + sizeof more);
    strcpy(whole, view_scene_text);
    cdg_cast cast = {0};
    cdg_world *world;
    cdg_error error;
    for (int k = 0; k < 2; k++) {
        cdg_scene *scene = view_scene_of(k == 0 ? whole : strcat(whole, more));
        assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
        assert_int_equal(cdg_cast_add_world(&cast, world, &error), CDG_OK);
        cdg_cast_dress(&cast, scene);
        cdg_message *message = cdg_cast_message(&cast, 1);
        char *text = view_message_text(message);
        assert_int_equal(strstr(text, "\"color\": \"#c8a060\"") != NULL, k);
        assert_int_equal(strstr(text, "\"surface\": \"rope\"") != NULL, k);
        assert_int_equal(strstr(text, "\"surface\": \"metal\"") != NULL, k);
        assert_int_equal(strstr(text, "#00ff00") != NULL, k);
        cdg_look plain = {.color = cdg_rod_color(1, 2)}; // of the band, which nothing is said of
        assert_memory_equal(&cast.rods[1].look.color, &plain.color, sizeof plain.color);
        free(text);
        cdg_message_release(message);
        cdg_cast_free(&cast);
        cdg_world_destroy(world);
        cdg_scene_destroy(scene);
    }
    free(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_told_once), cmocka_unit_test(looks_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
