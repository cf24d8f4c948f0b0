// Pictures in the report of validation: the scene that a case kept is run, in which nothing happens, and rendered. All
// files are in a directory of their own, which is gone again afterwards.
#include "validate_picture.h"

#include "base/error.h"
#include "output/disk.h"
#include "render/render_run.h"
#include "temporary_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 320 };
static const size_t size_limit = (size_t)64 << 20; // of a picture

static cdg_result run_scene(const char *text, const char *directory, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_result result = cdg_scene_parse(text, strlen(text), "picture.yaml", NULL, NULL, 0, &scene, error);
    if (result == CDG_ERROR_SCENE && cdg_scene_diagnostic_count(scene) > 0)
        cdg_scene_format_diagnostic(scene, 0, error->message, sizeof error->message);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    if (result == CDG_OK) result = cdg_run(&def, NULL, error);
    cdg_scene_destroy(scene);
    return result;
}

cdg_result validate_picture_render(const validation_picture *picture, char **bytes, size_t *size, cdg_error *error) {
    char directory[TEMPORARY_PATH_SIZE], path[TEMPORARY_PATH_SIZE + 20];
    cdg_result result = temporary_run_begin(directory, error);
    if (result != CDG_OK) return result;
    snprintf(path, sizeof path, "%s/picture.png", directory);
    cdg_render_def def = cdg_render_def_default();
    def.run = directory;
    def.output = path;
    def.width = WIDTH;
    def.height = HEIGHT;
    def.is_plain = true;
    cdg_render_report report;
    result = run_scene(picture->scene, directory, error);
    if (result == CDG_OK) result = cdg_render_run(&def, &report, error);
    if (result == CDG_OK) result = cdg_disk_read_file(path, size_limit, bytes, size, error);
    temporary_run_end(directory);
    return result;
}
