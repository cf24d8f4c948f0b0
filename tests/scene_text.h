// Scenes in tests: parsing text and comparing what is said about it, word for word.
#ifndef CDG_TESTS_SCENE_TEXT_H
#define CDG_TESTS_SCENE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/reader.h"
#include "scene/scene.h"

// Two lines that every scene needs, and a rod 'cable' of 100 elements that begins in line 3.
#define SCENE_HEAD "cordage: 1\nsimulation: {duration: 4 s}\n"
#define SCENE_CABLE                                                                                                    \
    "rods:\n"                                                                                                          \
    "  - name: cable\n"                                                                                                \
    "    material: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"                                                     \
    "    section: {circle: {radius: 2 mm}}\n"                                                                          \
    "    centerline: {line: {to: [1 m, 0, 0]}}\n"                                                                      \
    "    elements: 100\n"
#define SCENE_GOOD SCENE_HEAD SCENE_CABLE

static inline cdg_scene *scene_parse_with(const char *text, const char *const *overrides, size_t count) {
    cdg_scene *scene = NULL;
    cdg_error error;
    cdg_result result = cdg_scene_parse(text, strlen(text), "scene.yaml", NULL, overrides, count, &scene, &error);
    assert_non_null(scene);
    size_t faults = 0;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++) {
        faults += cdg_scene_diagnostic(scene, i).severity == CDG_FAULT;
    }
    assert_int_equal(result, faults == 0 ? CDG_OK : CDG_ERROR_SCENE);
    assert_int_equal(error.code, result);
    return scene;
}

// Texts with a mistake each, and words of what is said of it first.
static inline void scene_check_mistakes(const char *const (*wrong)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        cdg_scene *scene = scene_parse_with(wrong[i][0], NULL, 0);
        assert_false(scene->is_usable);
        const char *said = cdg_scene_diagnostic(scene, 0).text;
        if (strstr(said, wrong[i][1]) == NULL) fail_msg("'%s' is not in '%s'", wrong[i][1], said);
        cdg_scene_destroy(scene);
    }
}

// All diagnostics, one a line; to be freed.
static inline char *scene_said(const cdg_scene *scene) {
    size_t size = 1;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++) {
        size += cdg_scene_format_diagnostic(scene, i, NULL, 0) + 1;
    }
    char *all = malloc(size);
    assert_non_null(all);
    size_t used = 0;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++) {
        used += cdg_scene_format_diagnostic(scene, i, all + used, size - used);
        all[used++] = '\n';
    }
    all[used] = '\0';
    return all;
}

static inline void scene_check_said(const cdg_scene *scene, const char *expected, const char *file, int line) {
    char *said = scene_said(scene);
    bool is_equal = strcmp(said, expected) == 0;
    if (!is_equal) print_error("%s:%d: expected\n%sbut it was said\n%s", file, line, expected, said);
    free(said);
    if (!is_equal) _fail(file, line);
}

// Parses and compares all diagnostics ("scene.yaml:1:2: error: ...\n" each); "" is a scene without any.
#define assert_says(text, expected)                                                                                    \
    do {                                                                                                               \
        cdg_scene *said_scene = scene_parse_with(text, NULL, 0);                                                       \
        scene_check_said(said_scene, expected, __FILE__, __LINE__);                                                    \
        cdg_scene_destroy(said_scene);                                                                                 \
    } while (0)

// The same with one override.
#define assert_set_says(text, override, expected)                                                                      \
    do {                                                                                                               \
        const char *said_override = override;                                                                          \
        cdg_scene *said_scene = scene_parse_with(text, &said_override, 1);                                             \
        scene_check_said(said_scene, expected, __FILE__, __LINE__);                                                    \
        cdg_scene_destroy(said_scene);                                                                                 \
    } while (0)

// Whether one of the diagnostics holds the part.
static inline bool scene_says(const cdg_scene *scene, const char *part) {
    char *said = scene_said(scene);
    bool is_there = strstr(said, part) != NULL;
    free(said);
    return is_there;
}

// A scene that must be without faults (warnings are fine).
static inline cdg_scene *scene_parse_good(const char *text) {
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    if (!scene->is_usable) {
        char *said = scene_said(scene);
        print_error("%s", said);
        free(said);
    }
    assert_true(scene->is_usable);
    return scene;
}

#endif
