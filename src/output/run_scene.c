// One override a line, as the run file keeps them.
#define _POSIX_C_SOURCE 200809L
#include "output/run_scene.h"

#include <stdlib.h>
#include <string.h>

cdg_scene *cdg_run_reader_scene(const cdg_run_reader *reader) {
    const char *text = reader->scene_text ? reader->scene_text : "";
    char *copy = strdup(reader->overrides ? reader->overrides : "");
    size_t count = 0, room = 1;
    for (const char *at = copy; at && *at; at++) room += *at == '\n';
    const char **overrides = calloc(room + 1, sizeof *overrides);
    cdg_scene *scene = NULL;
    if (copy && overrides) {
        char *rest = NULL;
        for (char *item = strtok_r(copy, "\n", &rest); item; item = strtok_r(NULL, "\n", &rest))
            overrides[count++] = item;
        if (cdg_scene_parse(text, strlen(text), "scene", NULL, overrides, count, &scene, NULL) != CDG_OK) {
            cdg_scene_destroy(scene);
            scene = NULL;
        }
    }
    free(overrides);
    free(copy);
    return scene;
}
