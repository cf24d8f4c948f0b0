// The scene's text and overrides are kept in the run file; they are parsed again.
#define _POSIX_C_SOURCE 200809L
#include "output/run_gravity.h"

#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

cdg_vec3 cdg_run_reader_gravity(const cdg_run_reader *reader) {
    cdg_vec3 gravity = {0, 0, -9.81};
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
        if (cdg_scene_parse(text, strlen(text), "scene", NULL, overrides, count, &scene, NULL) == CDG_OK && scene)
            gravity = scene->gravity;
    }
    cdg_scene_destroy(scene);
    free(overrides);
    free(copy);
    return gravity;
}
