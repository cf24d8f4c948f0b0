// A short run in a directory of its own, for tests of what shows runs again.
#ifndef CDG_TESTS_VIEW_RUN_H
#define CDG_TESTS_VIEW_RUN_H

#include "view_case.h"

#include <cordage/run.h>

#include <stdio.h>
#include <stdlib.h>

static inline void view_run(const char *directory) {
    cdg_scene *scene;
    cdg_error error = {0};
    cdg_run_summary summary;
    const char *shorter[] = {"simulation.duration=0.1s", "output.every=10ms"};
    assert_int_equal(
        cdg_scene_parse(view_scene_text, sizeof view_scene_text - 1, "shown.yaml", NULL, shorter, 2, &scene, &error),
        CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1, .force = true};
    if (cdg_run(&def, &summary, &error) != CDG_OK) print_error("%s\n", error.message);
    assert_true(summary.finished);
    cdg_scene_destroy(scene);
}

#endif
