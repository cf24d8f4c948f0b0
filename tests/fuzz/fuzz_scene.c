// libFuzzer target of the scene parser: whatever the bytes are, parsing ends, with a scene or with diagnostics that can
// be shown. The first line may hold an override ("#set path=value"), so that --set is reached too.
#include <cordage/scene.h>

#include "scene/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static void check_scene(const cdg_scene *scene, cdg_result result) {
    size_t faults = 0;
    int last_line = 0;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++) {
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(scene, i);
        faults += diagnostic.severity == CDG_FAULT;
        check(diagnostic.text[0] != '\0' && diagnostic.line >= last_line);
        last_line = diagnostic.line;
        char line[256];
        size_t length = cdg_scene_format_diagnostic(scene, i, line, sizeof line);
        check(strlen(line) == (length < sizeof line ? length : sizeof line - 1));
        check(strchr(line, '\n') == NULL);
    }
    check((result == CDG_OK) == (faults == 0));
    if (result != CDG_OK) return;
    check(scene->rod_count + scene->solid_count > 0 && (scene->duration > 0 || scene->mode == SCENE_STATIC));
    for (size_t i = 0; i < scene->support_count; i++) check(scene->supports[i].place.rod.index1 <= scene->rod_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    char override[200];
    const char *overrides[1] = {override};
    size_t override_count = 0;
    static const char mark[] = "#set ";
    if (size > sizeof mark && memcmp(text, mark, sizeof mark - 1) == 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end != NULL ? (size_t)(end - text) - (sizeof mark - 1) : 0;
        if (length > 0 && length < sizeof override) {
            memcpy(override, text + sizeof mark - 1, length);
            override[length] = '\0';
            override_count = 1;
        }
    }
    cdg_scene *scene = NULL;
    cdg_error error;
    // A large mesh is no fault, but takes seconds where every branch is counted: so much memory as small ones need.
    enum { MEMORY = 32 * 1024 * 1024 };
    cdg_result result =
        cdg_scene_parse_bounded(text, size, "fuzz.yaml", NULL, overrides, override_count, MEMORY, &scene, &error);
    if (scene != NULL) check_scene(scene, result);
    cdg_scene_destroy(scene);
    return 0;
}
