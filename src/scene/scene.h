// What a scene file says, as definitions. Filled by the parser, read by the builder, the runner and `info`.
#ifndef CDG_SCENE_SCENE_H
#define CDG_SCENE_SCENE_H

#include <cordage/body.h>
#include <cordage/contact.h>
#include <cordage/grip.h>
#include <cordage/obstacle.h>
#include <cordage/scene.h>
#include <cordage/solid.h>
#include <cordage/strands.h>
#include <cordage/structure.h>

// In a scene, place.rod.index1 is the rod's index in `rods` + 1 (0: no rod) and generation is 0; cdg_scene_build turns
// it into a handle.

// Where something stands in the file.
typedef struct scene_mark {
    int line, column;     // 1-based; 0: not in the file
    const char *override; // the path of the --set it came from; NULL: from the file
} scene_mark;

typedef struct scene_mesh_source {
    const char *file;
    double scale;
    bool is_surface;
    bool is_repaired;
    double repair_size; // m; 0: chosen
} scene_mesh_source;

// A body as the schema reads it.
typedef struct scene_body_flags {
    cdg_body_def def; // first, so that the table's other rows fill it
    bool collides;
} scene_body_flags;

// Part of a solid, as the schema reads it: a box between two corners, a sphere about a point, what lies beyond a plane
// through it.
typedef struct scene_region {
    cdg_vec3 low, high, point, normal;
    double radius;
} scene_region;

// Where a solid's mesh comes from, as the schema reads it.
typedef struct scene_solid_source {
    cdg_shape shape;
    double resolution; // m; 0: chosen
    const char *file;
    double unit; // m
} scene_solid_source;

typedef struct scene_solid {
    cdg_solid_def def;
    cdg_solid_support_def *supports; // without the solid's handle
    size_t support_count;
    cdg_solid_load_def *loads;
    size_t load_count;
} scene_solid;

// A file that the scene names, as it was when it was read.
typedef struct scene_file {
    const char *name; // as in the scene
    uint64_t hash;    // of its contents
    size_t size;
} scene_file;

// A hand: of a rod or a body (def.rod.index1 and def.body.index1 are indices in `rods` and `bodies` + 1), or one that
// leads a support or an obstacle (indices + 1).
typedef struct scene_hand {
    cdg_grip_def def; // first, so that the table's rows fill it
    int element;
    uint32_t support1, obstacle1;
} scene_hand;

// A rod that is cut. The rod is its index in `rods` + 1.
typedef struct scene_cut {
    cdg_place place;
    double time; // s
} scene_cut;

// A value that becomes another while the scene runs.
typedef struct scene_change {
    double time; // s
    char *line;  // "path=value"
} scene_change;

typedef struct scene_control {
    char *path, *label, *unit; // label and unit may be NULL
    double least, most, value; // in that unit
    scene_mark mark;
} scene_control;

// What things are made of, for the eye.
#define CDG_SURFACE_LIST(X)                                                                                            \
    X(PLASTIC, "plastic")                                                                                              \
    X(ROPE, "rope")                                                                                                    \
    X(METAL, "metal")                                                                                                  \
    X(RUBBER, "rubber")
typedef enum scene_surface {
#define X(NAME, name) SCENE_SURFACE_##NAME,
    CDG_SURFACE_LIST(X)
#undef X
} scene_surface;

// How something is drawn.
typedef struct scene_look {
    char *of;    // name of a rod, structure, body, obstacle or solid
    char *color; // "#rrggbb"; NULL: chosen
    scene_surface surface;
} scene_look;
// Whether it is that of something of this name: rods of a structure have its name and a dot before theirs.
bool cdg_look_is_of(const scene_look *look, const char *name);

typedef struct scene_probe {
    char *name;
    cdg_probe probe;
} scene_probe;

typedef enum scene_precision { SCENE_DOUBLE, SCENE_SINGLE } scene_precision; // of the fields of rods in outputs
typedef enum scene_mode { SCENE_DYNAMIC, SCENE_STATIC } scene_mode;
typedef enum scene_guard { SCENE_GUARD_ON, SCENE_GUARD_OFF } scene_guard;

typedef struct scene_statics { // what `simulation.static` says
    cdg_path_kind path;
    int steps;  // at most
    int limits; // of the load, after which a path by arc length ends; 0: at the duration only
    double imperfection;
    int seed;
} scene_statics;

struct cdg_scene {
    char *name;       // as in messages
    char *directory;  // of the file; NULL for text from memory
    bool is_confined; // files outside of the directory are refused
    char *text;       // the whole file
    size_t text_size;
    char *overrides; // "a=b\nc=d\n", "" when none: part of what defines the run
    char *own_sets;  // likewise, of the key `set` of the text itself

    // false: the scene has errors and only the diagnostics below count.
    bool is_usable;

    char *title;
    cdg_model model;
    void **options;  // of each model, for rods that have none of their own
    double step;     // s; 0: auto
    double duration; // s; static: at which loads and supports have come to their end
    scene_mode mode;
    scene_guard energy_guard;
    cdg_adapt_options adapt; // of rods that say nothing of their own
    scene_statics statics;
    size_t mode_count; // vibrations to find; 0: none
    cdg_vec3 gravity;
    double output_every; // s; 0: 50 outputs over the duration
    scene_precision precision;
    unsigned left_out; // fields of rods that outputs do not hold, a bit for each (cdg_field_set of fields/field.h)

    cdg_rod_def *rods;
    size_t rod_count;
    cdg_structure **structures; // hold names and points of the rods that they became, which come after those of `rods:`
    size_t structure_count;
    cdg_strands **strands; // hold names and fibres; their guides come after the rods of structures, and their clamps
    size_t strands_count;  // are the first of `supports`
    cdg_joint_def *joints; // those of structures, then those of `joints:`
    size_t joint_count;
    cdg_support_def *supports;
    size_t support_count;
    cdg_load_def *loads;
    size_t load_count;
    cdg_obstacle_def *obstacles; // each has a name
    size_t obstacle_count;
    cdg_contact_def contact;
    cdg_body_def *bodies; // each has a name
    size_t body_count;
    cdg_weld_def *welds; // body.index1 is the body's index in `bodies` + 1
    size_t weld_count;
    scene_mark *body_marks, *weld_marks; // of each
    cdg_tie_def *ties;                   // solid.index1 is the solid's index in `solids` + 1
    size_t tie_count;
    scene_mark *tie_marks;
    scene_solid *solids; // each has a name
    size_t solid_count;
    scene_mark *solid_marks;
    size_t solid_room;
    scene_hand *hands;
    size_t hand_count;
    scene_mark *hand_marks;
    scene_cut *cuts;
    size_t cut_count;
    scene_mark *cut_marks;
    scene_change *changes; // in the order of their times
    size_t change_count;
    scene_mark *change_marks;
    double step_duration; // s, that an automatic step is chosen for, where hands made the duration longer; 0: duration
    scene_control *controls;
    size_t control_count;
    scene_look *looks; // later ones are stronger
    size_t look_count;
    scene_probe *probes;
    size_t probe_count;
    scene_mark *rod_marks, *joint_marks, *support_marks, *load_marks, *obstacle_marks, *probe_marks; // of each

    scene_file *files; // that decide what the scene is, besides its text
    size_t file_count;

    struct scene_diagnostics *diagnostics; // private to src/scene
    void *storage;                         // private to src/scene: owns every array and string above
};

// A rod that falls for ever, since nothing holds it and nothing is there to fall upon; SIZE_MAX: none. A joined rod
// stands for those that it is joined to (check_held.c).
size_t cdg_scene_falling_rod(const cdg_scene *scene);

// Sizes that parsing refuses to exceed, each with a message that says so.
enum {
    CDG_SCENE_BYTES_MAX = 64 * 1024 * 1024,
    CDG_SCENE_NODES_MAX = 4 * 1000 * 1000, // values, after aliases are expanded
    CDG_SCENE_DEPTH_MAX = 64,
    CDG_SCENE_ANCHORS_MAX = 1000,
    CDG_SCENE_ELEMENTS_MAX = 10 * 1000 * 1000, // of one rod
    CDG_SCENE_ALL_ELEMENTS_MAX = 100 * 1000 * 1000
};

// cdg_scene_parse with a bound on the memory for definitions and diagnostics (0: none).
cdg_result cdg_scene_parse_bounded(const char *text, size_t size, const char *name, const char *directory,
                                   const char *const *overrides, size_t override_count, size_t memory_limit,
                                   cdg_scene **out, cdg_error *error);

// cdg_scene_parse of a text that is not to be trusted: it may only name files below `directory`.
cdg_result cdg_scene_parse_confined(const char *text, size_t size, const char *name, const char *directory,
                                    const char *const *overrides, size_t override_count, cdg_scene **out,
                                    cdg_error *error);

// scene_build.c: cdg_scene_build without the key `changes`.
cdg_result cdg_scene_build_unchanged(const cdg_scene *scene, int thread_count, cdg_world **out, cdg_error *error);
// scene_changes.c: whether the state of one scene's world can be taken over by the other's. And the changes of a scene
// for its world.
bool cdg_scene_is_alike(const cdg_scene *a, const cdg_scene *b);
// Fails unless every slider can be set to its value: its path exists and takes its unit.
cdg_result cdg_scene_check_controls(const cdg_scene *scene, cdg_error *error);
cdg_result cdg_scene_plan_changes(const cdg_scene *scene, int thread_count, cdg_world *world, cdg_error *error);

// scene_build.c: the supports and loads of a solid of a scene for one of the world; numbers of the last ones, or NULL.
cdg_result cdg_scene_hold_solid(cdg_world *world, const scene_solid *solid, cdg_solid_id id,
                                cdg_solid_support_id *support, cdg_solid_load_id *load);

#endif
