// Scene files: text to definitions, with every mistake named at its line.
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
    int line, column; // 1-based; 0 when it is not in the file (an override)
    const char *text; // without line and column: "unknown key 'x' in material 'rubber'; did you mean 'y'?"
} cdg_diagnostic;

// Loads a scene. `overrides` are "path=value" strings as in --set. On CDG_ERROR_SCENE *out still holds the diagnostics
// (all of them) and must be destroyed; it cannot be built. CDG_ERROR_IO when the file cannot be read (*out is NULL).
cdg_result cdg_scene_load(const char *path, const char *const *overrides, size_t override_count, cdg_scene **out,
                          cdg_error *error);
// The same from memory; `name` stands in messages; relative file names in the scene are resolved against `directory`
// (NULL: file references are refused).
cdg_result cdg_scene_parse(const char *text, size_t size, const char *name, const char *directory,
                           const char *const *overrides, size_t override_count, cdg_scene **out, cdg_error *error);
void cdg_scene_destroy(cdg_scene *scene); // NULL is fine

// Errors and warnings, in order of their lines.
size_t cdg_scene_diagnostic_count(const cdg_scene *scene);
cdg_diagnostic cdg_scene_diagnostic(const cdg_scene *scene, size_t index);
// "scene.yaml:17:14: error: ..." into out (always terminated); returns the length needed.
size_t cdg_scene_format_diagnostic(const cdg_scene *scene, size_t index, char *out, size_t size);

// Every key a scene may have, with value, default and meaning, as Markdown tables, into out (always terminated when
// size > 0); returns the length needed. docs/scene.md holds the same text.
size_t cdg_scene_reference(char *out, size_t size);

// Number and unit, as scenes have them ("2 mm", "-9.81 m/s^2", "3 turns"), in SI. `unit` is the SI unit of what is
// expected ("m", "Pa", "N m", "rad", "1", ...); a bare number is taken to be in it.
cdg_result cdg_quantity_read(const char *text, const char *unit, double *out, cdg_error *error);

// Builds a world from a scene without errors. thread_count as in cdg_world_def.
cdg_result cdg_scene_build(const cdg_scene *scene, int thread_count, cdg_world **out, cdg_error *error);

// What was added: the last of each kind; null: there was none.
typedef struct cdg_scene_added {
    cdg_rod_id rod;
    cdg_joint_id joint;
    cdg_support_id support;
    cdg_load_id load;
    cdg_obstacle_id obstacle;
    cdg_body_id body;
    cdg_weld_id weld;
    cdg_solid_id solid;
    cdg_solid_support_id solid_support;
    cdg_solid_load_id solid_load;
    cdg_tie_id tie;
    size_t rod_count, support_count;     // how many
    cdg_place support_place, load_place; // where the last of them act
} cdg_scene_added;
// Adds what a scene holds to a world that is there: rods, joints, supports, bodies, welds, loads, obstacles, contact
// if the scene speaks of it. The scene's first `known_count` rods are not added: they stand for rods of the world, so
// that supports and loads can name them; and its first `known_bodies` bodies for those of the same name.
// Times, step, gravity and probes do not count. On failure what was added before stays.
cdg_result cdg_scene_extend(const cdg_scene *scene, const cdg_rod_id *known, size_t known_count, size_t known_bodies,
                            cdg_world *world, cdg_scene_added *added, cdg_error *error);
// Adds the supports and loads of the scene's first solid to one of the world; nothing else in the scene counts.
cdg_result cdg_scene_extend_solid(const cdg_scene *scene, cdg_world *world, cdg_solid_id solid, cdg_scene_added *added,
                                  cdg_error *error);

// The scene's settings for a run.
typedef struct cdg_scene_times {
    double duration, step, output_every; // s; step 0: automatic; output_every 0: 50 outputs
    bool is_static;
} cdg_scene_times;
// How long, in which steps and with which outputs the scene wants to be run.
cdg_result cdg_scene_get_times(const cdg_scene *scene, cdg_scene_times *out);
size_t cdg_scene_probe_count(const cdg_scene *scene); // that the scene defines
// A probe of the scene for a world that has its rods and bodies, which are found by their names, but for the first
// `known_count` rods, which are those of `known`.
cdg_result cdg_scene_probe(const cdg_scene *scene, const cdg_world *world, const cdg_rod_id *known, size_t known_count,
                           size_t index, const char **name, cdg_probe *out);

#ifdef __cplusplus
}
#endif
#endif
