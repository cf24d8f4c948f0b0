// Reading values of a scene by the schema, with every mistake reported at its line.
#ifndef CDG_SCENE_READER_H
#define CDG_SCENE_READER_H

#include "scene/schema.h"
#include "scene/tree.h"

typedef struct scene_reader {
    cdg_scene *scene; // being filled
    scene_storage *storage;
    scene_diagnostics *diagnostics;
    const scene_node *root;
    const scene_node *materials_map;
    cdg_material *materials; // one for each entry of the map, as are the next two
    bool *material_is_used, *material_is_good;
    bool *rod_is_good;            // one for each rod: nothing that depends on it is doubtful
    bool *rod_has_middle;         // its 'middle' is a place of something
    const scene_node **rod_nodes; // one for each rod: the item it came from
    struct named_rod *rod_names;  // sorted by name
    size_t *structure_items;      // one for each of scene->structures: its index in the list
    size_t *strands_items;        // the same for scene->strands
    size_t element_total;         // of all rods so far
    bool simulation_is_good;      // what rods inherit from it is what the user meant
} scene_reader;

typedef struct named_rod {
    const char *name; // "" when it has none
    size_t index;
} named_rod;

// The name of the thing being read, for messages: "rod 'cable'", "the section of rod 'cable'".
enum { CDG_WHERE_SIZE = 160 };

// Both return false, so that callers write `return cdg_reader_fault(…)`.
bool cdg_reader_fault(scene_reader *reader, const scene_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool cdg_reader_warn(scene_reader *reader, const scene_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A message from another part of the library; `where` is put before it unless it is in it already.
bool cdg_reader_pass_on(scene_reader *reader, const scene_node *node, const char *where, const char *message);

// What went wrong with a file that the scene names.
bool cdg_reader_file_fault(scene_reader *reader, const scene_node *node, const cdg_error *error);

// Reads the keys of a map that the table describes into `target`, but for SPECIAL ones, which are only known to be
// there. Reports unknown keys, keys of later versions, missing ones, wrong types, dimensions and ranges. true: no
// fault.
bool cdg_read_table(scene_reader *reader, const scene_table *table, const scene_node *map, const char *where,
                    void *target);
// One value as its key describes it.
bool cdg_read_value(scene_reader *reader, const scene_key *key, const scene_node *node, void *target);

// Single values; `label` begins the message ("radius").
bool cdg_read_quantity(scene_reader *reader, const scene_node *node, const char *label, cdg_quantity quantity,
                       scene_range range, double *out);
bool cdg_read_vector(scene_reader *reader, const scene_node *node, const char *label, cdg_quantity quantity,
                     cdg_vec3 *out);
bool cdg_read_direction(scene_reader *reader, const scene_node *node, const char *label, cdg_vec3 *out);
bool cdg_read_integer(scene_reader *reader, const scene_node *node, const char *label, int least, int most, int *out);
bool cdg_read_switch(scene_reader *reader, const scene_node *node, const char *label, bool *out);

// Whether the map has the key, or a mistyped one that was surely meant to be it (and is reported as unknown).
bool cdg_read_means(const scene_node *map, const scene_table *table, const char *name);

// The one key of `names` (ends with NULL) that the map has: its index in names, or -1 after a fault for none or
// several.
int cdg_read_one_of(scene_reader *reader, const scene_node *map, const scene_table *table, const char *where,
                    const char *const *names);

// Letters, digits, '_' and '-'; `what` names the thing ("rod"). NULL after a fault.
const char *cdg_read_name(scene_reader *reader, const scene_node *map, const char *what);

// A name for a list item in messages: "rod 'cable'", or "rod 3" when it has no name.
void cdg_reader_where(char out[CDG_WHERE_SIZE], const char *what, const scene_node *map, size_t index);

// The list at the top-level key, or NULL when absent or (after a fault) not a list.
const scene_node *cdg_read_list(scene_reader *reader, const char *key, const char *example);

// ---- parts, one file each; all report their own faults

bool cdg_parse_simulation(scene_reader *reader);
bool cdg_parse_output(scene_reader *reader);
void cdg_finish_simulation(scene_reader *reader); // what follows from loads and supports
void cdg_parse_materials(scene_reader *reader);
// What stands for a shear modulus of 0, over Young's: twist resists a millionth of what bending does.
#define CDG_NO_TWIST 1e-6
bool cdg_parse_material(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out);
// A material by its name, or written in place.
bool cdg_find_material(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out);
// Warns of those that nothing is made of.
void cdg_check_materials(scene_reader *reader);
bool cdg_parse_damping(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out);
bool cdg_parse_model(scene_reader *reader, const scene_node *node, cdg_model *out);
// parse_options.c: options of models, in `simulation` and in a rod or what becomes rods; defaults.
void **cdg_default_options(scene_storage *storage);
// `adapt` in `parent`, if it is there; `out` comes with what holds else.
bool cdg_parse_adapt(scene_reader *reader, const scene_node *parent, const char *where, cdg_adapt_options *out);
bool cdg_parse_options_for_all(scene_reader *reader, const scene_node *simulation);
void cdg_check_idle_options(scene_reader *reader); // after all rods
bool cdg_parse_options(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *def);

bool cdg_parse_section(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *out);
bool cdg_parse_stiffness(scene_reader *reader, const scene_node *node, const char *where, cdg_stiffness *out);
// `closed` is the rod's key of that name, or NULL. rope_radius is for knots that do not say theirs, m; 0: not known.
bool cdg_parse_centerline(scene_reader *reader, const scene_node *node, const scene_node *closed, const char *where,
                          double rope_radius, cdg_centerline *out);
// The section's bounding radius at the thicker end, m; 0 when the section is wrong.
double cdg_section_radius(const cdg_rod_def *def);
// What a rod or all rods of a structure are like: model and its options, material, section or stiffness, damping. The
// table is that of the map.
bool cdg_parse_nature(scene_reader *reader, const scene_node *node, const scene_table *table, const char *where,
                      cdg_rod_def *def);
void cdg_parse_rods(scene_reader *reader); // and structures and strands
// Expands every item of the list (NULL: none) into scene->structures.
void cdg_parse_structures(scene_reader *reader, const scene_node *list);
// The same into scene->strands.
void cdg_parse_strands(scene_reader *reader, const scene_node *list);
void cdg_parse_joints(scene_reader *reader);
// Warnings and errors that need a whole rod: slenderness, resolution, what the model can do.
void cdg_check_rod(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def);
// Warns where it is bent more sharply than its thickness allows, at the start or at rest (check_bend.c).
void cdg_check_bend(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def);

typedef enum place_need { PLACE_NODE, PLACE_ELEMENT, PLACE_EITHER, PLACE_ROD } place_need;
// A place such as cable.start, or a rod's name; what it must be is said by `need` and, in messages, `label`.
bool cdg_parse_place(scene_reader *reader, const scene_node *node, const char *label, place_need need, cdg_place *out);
// A place anywhere on the rod at `index`, by the share or length between the brackets of cable.along(30 %): one of its
// nodes is put there.
bool cdg_choose_along(scene_reader *reader, const scene_node *node, const char *label, size_t index, const char *text,
                      size_t length, cdg_place *out);
// 'middle' stands for a place of the rod: not where along() has put that node elsewhere.
bool cdg_note_middle(scene_reader *reader, const scene_node *node, size_t index);
// The same for a list of places (or one alone); the array is the scene's. false after a fault.
bool cdg_parse_places(scene_reader *reader, const scene_node *node, const char *label, place_need need, cdg_place **out,
                      size_t *count);
// Index in `rods` of the rod with this name; SIZE_MAX: none.
size_t cdg_find_rod(const scene_reader *reader, const char *name, size_t length);
// A list of motions (or one alone) into the scene's storage; `kind` is what is moved, for warnings of what is idle.
bool cdg_parse_motions(scene_reader *reader, const scene_node *node, cdg_support_kind kind, cdg_motion **out,
                       size_t *count);
void cdg_parse_supports(scene_reader *reader); // after the clamps of strands
void cdg_parse_loads(scene_reader *reader);
void cdg_parse_cuts(scene_reader *reader); // after rods
void cdg_parse_changes(scene_reader *reader);
void cdg_parse_hands(scene_reader *reader); // after rods and bodies, cuts and changes
void cdg_parse_controls(scene_reader *reader);
void cdg_parse_looks(scene_reader *reader); // after all that has a name
void cdg_parse_obstacles(scene_reader *reader);
void cdg_parse_probes(scene_reader *reader);
// plausible.c: warnings of numbers that fit their keys and are unlike anything there is.
void cdg_check_stiffness_and_density(scene_reader *reader, const scene_node *young_node, double young,
                                     const scene_node *density_node, double density);
void cdg_check_density(scene_reader *reader, const scene_node *node, double density);
void cdg_check_friction(scene_reader *reader, const scene_node *node, double friction);
void cdg_check_gravity(scene_reader *reader, const scene_node *node, cdg_vec3 gravity);
void cdg_check_slenderness(scene_reader *reader, const scene_node *node, const char *where, double length,
                           double radius);
// check_held.c, after all of them: equilibria of rods that nothing holds, and welds far from their bodies.
void cdg_check_held(scene_reader *reader);
// After rods, bodies and obstacles: damping of corde rods under friction that have none (friction_damping.c).
void cdg_damp_for_friction(scene_reader *reader);
// friction_coefficients.c: gamma_t and gamma_r of a `damping`, checked where they stand, converted once all rods are
// read.
bool cdg_has_friction_coefficients(const scene_node *damping); // NULL is fine
bool cdg_check_friction_coefficients(scene_reader *reader, const scene_node *damping, const char *where);
void cdg_convert_friction_coefficients(scene_reader *reader);
// [w, x, y, z], or {axis, angle}.
bool cdg_parse_orientation(scene_reader *reader, const scene_node *node, cdg_quat *out);
// The members of out->kind by `table`.
bool cdg_parse_shape(scene_reader *reader, const scene_node *node, const scene_table *table, cdg_shape *out);
void cdg_parse_solids(scene_reader *reader); // after obstacles, rods and bodies
void cdg_parse_bodies(scene_reader *reader); // after the rods
// Index in `bodies` of the body with this name; SIZE_MAX: none.
size_t cdg_find_body(const scene_reader *reader, const char *name, size_t length);
// A `weld` of the key `joints`; `where` names the joint.
void cdg_parse_weld(scene_reader *reader, const scene_node *node, const scene_node *places);
// parse_tie.c: whether a `weld` names a solid; and all of those, and `pin`s, after joints and solids.
bool cdg_is_tie(const scene_reader *reader, const scene_node *places);
void cdg_parse_ties(scene_reader *reader);
// After the supports: no node has two welds, or a weld and a support.
void cdg_check_welds(scene_reader *reader);

// Applies "path=value" to the tree; returns the new root (the old one with a fault reported).
const scene_node *cdg_override_apply(const scene_node *root, const char *text, scene_storage *storage,
                                     scene_diagnostics *diagnostics);

// Whether the scene may read a file of this name: where it is confined, one below its directory. False: a fault is
// reported.
bool cdg_reader_may_read(scene_reader *reader, const scene_node *node, const char *name);
// Remembers the contents of a file that the scene names, and that was read from `path`. False: a fault is reported.
bool cdg_reader_note_file(scene_reader *reader, const scene_node *node, const char *name, const char *path);

#endif
