// Runs of a cantilever, static or with vibrations, and their readers. The including file includes cmocka first.
#ifndef CDG_TESTS_STATIC_RUN_CASE_H
#define CDG_TESTS_STATIC_RUN_CASE_H

#include "near.h"
#include "output/run_info.h"
#include "output/run_reader.h"
#include "run_scene.h"

// A cantilever along x: its tip load grows over a second.
#define SCENE(simulation, load, rest)                                                                                  \
    "cordage: 1\n"                                                                                                     \
    "simulation: {" simulation ", gravity: [0, 0, 0]}\n"                                                               \
    "output: {every: 0.1 s}\n"                                                                                         \
    "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"                                              \
    "rods:\n"                                                                                                          \
    "  - name: cable\n"                                                                                                \
    "    material: rubber\n"                                                                                           \
    "    section: {circle: {radius: 1 cm}}\n"                                                                          \
    "    centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}\n"                                                       \
    "    elements: 12\n"                                                                                               \
    "supports: [{clamp: cable.start" rest "}]\n"                                                                       \
    "loads: [{force: [0, 0, -" load "], at: cable.end, ramp: 1 s}]\n"                                                  \
    "probes: [{name: tip, position: cable.end}]\n"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    int calls, stop;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    run_directory_make(f->base);
    *state = f;
    return 0;
}
static inline int tear_down(void **state) {
    fixture *f = *state;
    run_directory_remove(f->base);
    free(f);
    return 0;
}

static inline bool progress(void *user, const cdg_run_progress *now) {
    fixture *f = user;
    assert_true(now->time <= now->duration && now->report != NULL);
    return ++f->calls != f->stop;
}

static inline cdg_result run(fixture *f, const char *text, bool resume, cdg_run_summary *summary, cdg_error *error) {
    cdg_scene *scene = run_scene_parse(text, NULL, 0);
    cdg_run_def def = {
        .scene = scene, .directory = f->base, .resume = resume, .thread_count = 1, .on_progress = progress, .user = f};
    f->calls = 0;
    cdg_result result = cdg_run(&def, summary, error);
    cdg_scene_destroy(scene);
    return result;
}

#endif
