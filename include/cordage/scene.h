// Scene files: text to definitions, with every mistake named at its place.
#ifndef CORDAGE_SCENE_H
#define CORDAGE_SCENE_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_scene cdg_scene;

typedef enum cdg_severity { CDG_WARNING, CDG_FAULT } cdg_severity;
typedef struct cdg_diagnostic {
    cdg_severity severity;
    int line, column; // 1-based; 0 when the place is not in the file (an override)
    const char *text; // without the place: "unknown key 'x' in material 'rubber'; did you mean 'y'?"
} cdg_diagnostic;

// Loads a scene. `overrides` are "path=value" strings as in --set. On CDG_ERROR_SCENE *out still holds the diagnostics
// (all of them) and must be destroyed; it cannot be built. CDG_ERROR_IO when the file cannot be read (*out is NULL).
cdg_result cdg_scene_load(const char *path, const char *const *overrides, size_t override_count, cdg_scene **out,
                          cdg_error *error);
// The same from memory; `name` stands in messages; relative file names in the scene are resolved against `directory`
// (NULL: file references are refused).
cdg_result cdg_scene_parse(const char *text, size_t size, const char *name, const char *directory,
                           const char *const *overrides, size_t override_count, cdg_scene **out, cdg_error *error);
void cdg_scene_destroy(cdg_scene *scene);

size_t cdg_scene_diagnostic_count(const cdg_scene *scene);
cdg_diagnostic cdg_scene_diagnostic(const cdg_scene *scene, size_t index);
// "scene.yaml:17:14: error: ..." into out (always terminated); returns the length needed.
size_t cdg_scene_format_diagnostic(const cdg_scene *scene, size_t index, char *out, size_t size);

// Every key a scene may have, with value, default and meaning, as Markdown tables, into out (always terminated when
// size > 0); returns the length needed. docs/scene.md holds the same text.
size_t cdg_scene_reference(char *out, size_t size);

// Builds a world from a scene without errors. thread_count as in cdg_world_def.
cdg_result cdg_scene_build(const cdg_scene *scene, int thread_count, cdg_world **out, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
