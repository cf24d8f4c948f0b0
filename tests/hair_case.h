// A small run with strands, for the tests of reading and drawing fibres. The including file defines _DEFAULT_SOURCE and
// includes cmocka first.
#ifndef CDG_TESTS_HAIR_CASE_H
#define CDG_TESTS_HAIR_CASE_H

#include "run_scene.h"

#define HAIR_TEXT                                                                                                      \
    "cordage: 1\ncontact: off\n"                                                                                       \
    "simulation: {model: galpha, step: 10 ms, duration: 100 ms}\n"                                                     \
    "output: {every: 10 ms}\n"                                                                                         \
    "materials: {m: {young_modulus: 1 GPa, density: 1300 kg/m^3}}\n"                                                   \
    "rods:\n"                                                                                                          \
    "  - {name: stick, material: m, section: {circle: {radius: 1 mm}}, centerline: {line: {to: [10 cm, 0, 0]}}, "      \
    "elements: 4}\n"                                                                                                   \
    "strands:\n"                                                                                                       \
    "  - {name: one, roots: {disc: {radius: 1 cm, normal: [1, 0, 0]}}, fibers: 6, elements: 10, length: 10 cm, "       \
    "material: m, section: {circle: {radius: 0.1 mm}}, frizz: 1 mm, length_variation: 0.3}\n"                          \
    "  - {name: two, roots: {cap: {radius: 2 cm}}, guides: 4, fibers: 9, elements: 8, length: 8 cm, material: m, "     \
    "section: {circle: {radius: 0.1 mm}}, fiber_radius: 0.2 mm, length_variation: 0,\n"                                \
    "     motion: [{rotate: {axis: [0, 1, 0], angle: 60 deg}, to: 0.1 s}]}\n"                                          \
    "  - {name: bald, roots: {disc: {radius: 1 cm}}, fibers: 0, elements: 3, length: 3 cm, material: m, "              \
    "section: {circle: {radius: 0.2 mm}}}\n"                                                                           \
    "supports: [{clamp: stick.start}]\n"

enum { HAIR_RODS = 1 + 1 + 4 + 1, HAIR_FIBERS = 6 + 9, HAIR_OUTPUTS = 11 };

// Runs it in a new directory.
static inline void hair_run(char directory[RUN_PATH_SIZE]) {
    run_directory_make(directory);
    cdg_scene *scene = run_scene_parse(HAIR_TEXT, NULL, 0);
    cdg_run_def def = {.scene = scene, .directory = directory};
    cdg_run_summary summary;
    cdg_error error = {0};
    cdg_result result = cdg_run(&def, &summary, &error);
    if (result != CDG_OK) fail_msg("the test's run failed: %s", error.message);
    cdg_scene_destroy(scene);
}

#endif
