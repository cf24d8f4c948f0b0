// The one description of the scene language: every key with its type, dimension, bounds, default and meaning. The
// reader, the suggestions and the reference in docs/scene.md all come from it.
#ifndef CDG_SCENE_SCHEMA_H
#define CDG_SCENE_SCHEMA_H

#include "scene/units.h"

typedef enum scene_type {
    SCENE_TYPE_QUANTITY,  // double
    SCENE_TYPE_VECTOR,    // cdg_vec3: three quantities
    SCENE_TYPE_DIRECTION, // cdg_vec3: three plain numbers, not all zero
    SCENE_TYPE_PAIR,      // double[2]; one value stands for both
    SCENE_TYPE_TRIPLE,    // double[3]; one value stands for all
    SCENE_TYPE_COUNT,     // size_t
    SCENE_TYPE_INTEGER,   // int
    SCENE_TYPE_SWITCH,    // bool
    SCENE_TYPE_CHOICE,    // an enum as wide as int
    SCENE_TYPE_TEXT,      // const char *, owned by the scene
    SCENE_TYPE_SPECIAL,   // read by the code for its table
    SCENE_TYPE_LATER      // promised for a later version
} scene_type;

typedef enum scene_range {
    SCENE_ANY,
    SCENE_POSITIVE,
    SCENE_NOT_NEGATIVE,
    SCENE_FRACTION, // 0 to 1
    SCENE_POISSON   // above -1, at most 0.5
} scene_range;

typedef struct scene_key {
    const char *name;
    scene_type type;
    cdg_quantity quantity;
    scene_range range;
    int least, most;                 // COUNT, INTEGER
    size_t offset;                   // in the structure that the table fills
    const char *const *choices;      // CHOICE: ends with NULL, in the order of the enum
    const struct scene_table *table; // SPECIAL: what the map there holds, for the reference
    bool is_required;
    const char *form;    // SPECIAL: what may stand there
    const char *initial; // the default as one would write it, or in words; NULL: none
    const char *example; // a whole value
    const char *also;    // words that mean this key elsewhere, separated by spaces
    const char *text;    // what it is
} scene_key;

typedef struct scene_table {
    const char *name;  // "material": how messages call it
    const char *title; // heading in the reference: "materials.NAME"
    const char *text;
    const scene_key *keys;
    size_t count;
} scene_table;

// clang-format off
#define CDG_SCENE_TABLE_LIST(X)                                                                                        \
    X(scene) X(simulation) X(pobd) X(paper) X(corde) X(output) X(material) X(damping) X(rod) X(section) X(circle)      \
    X(ellipse) X(rectangle) X(tube) X(stiffness) X(centerline) X(line) X(arc) X(ring) X(helix) X(knot) X(rest)         \
    X(support) X(motion) X(rotate) X(load) X(hand) X(control) X(probe)                                                 \
    X(contact) X(obstacle) X(plane) X(sphere) X(box) X(capsule) X(cylinder) X(mesh) X(orientation)                     \
    X(reference) X(der) X(galpha) X(static)                                                                            \
    X(body) X(body_shape) X(body_cylinder)                                                                             \
    X(solid) X(solid_material) X(solid_shape) X(solid_box) X(solid_sphere) X(solid_cylinder) X(solid_tube)             \
    X(solid_torus) X(solid_wedge) X(solid_support) X(solid_load) X(region_box) X(region_sphere) X(region_plane)        \
    X(joint) X(structure) X(net) X(truss) X(ribbon) X(loop) X(chain) X(spheroid) X(branching)                          \
    X(tied) X(bend) X(prusik) X(strands) X(roots) X(disc) X(cap) X(scalp) X(curl)
// clang-format on
#define CDG_SCENE_TABLE_DECLARATION(name) extern const scene_table cdg_schema_##name;
CDG_SCENE_TABLE_LIST(CDG_SCENE_TABLE_DECLARATION)
#undef CDG_SCENE_TABLE_DECLARATION

// NULL when the table has no such key.
const scene_key *cdg_schema_find(const scene_table *table, const char *name, size_t length);

// "did you mean 'x'?" or "keys here: …", into out. Keys of later versions are not offered. Returns the key meant, or
// NULL.
const scene_key *cdg_schema_suggest(const scene_table *table, const char *name, size_t length, char *out, size_t size);

// "a length", "3 lengths", "`sine` or `tangent`": what may stand as this key's value.
void cdg_schema_value(const scene_key *key, char *out, size_t size);

#endif
