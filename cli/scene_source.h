// Finding the scene that an argument names: a file, a built-in example, or standard input; and showing its diagnostics.
#ifndef CLI_SCENE_SOURCE_H
#define CLI_SCENE_SOURCE_H

#include "examples_data.h"
#include "json_print.h"
#include "options.h"

#include <cordage/scene.h>

#include <stdio.h>

typedef struct loaded_scene {
    cdg_scene *scene; // NULL when nothing could be read
    cdg_result result;
    cdg_error error;
    char base_name[128]; // "cable" for "dir/cable.yaml": names the default output directory
    bool is_example;
} loaded_scene;

// Loads what `argument` names with the --set and --model options of the command line, and prints errors (and warnings,
// unless quiet) to standard error. result is CDG_OK when the scene can be built. Call loaded_scene_free in any case.
loaded_scene load_scene(const char *argument, const command_line *line);
// ... and with further overrides, which count last.
loaded_scene load_scene_with(const char *argument, const command_line *line, const char *const *more,
                             size_t more_count);
// The same with given overrides ("path=value") and without printing anything.
loaded_scene read_scene(const char *argument, const char *const *overrides, size_t count);
void loaded_scene_free(loaded_scene *loaded);

// NULL: there is none of that name.
const example_file *find_example(const char *name);
// Complains that there is no such example, with the nearest one.
void refuse_example(const char *name);

// "scene.yaml:17:14: error: ..." with the source line and a caret under the column.
void print_diagnostics(FILE *stream, const cdg_scene *scene, bool with_warnings);
// What went wrong with a scene after it was read: at the line that the message begins with, or where the rod, body or
// obstacle stands that it names.
void complain_of_scene(const cdg_scene *scene, const char *message);
void print_diagnostics_json(cdg_json *json, const char *key, const loaded_scene *loaded);

#endif
