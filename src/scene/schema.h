// The one description of the scene language: tables of keys (keys/key.h). The reader, the suggestions and the reference
// in docs/scene.md all come from it. Options of rod models are described by the models (rods/model_options.h).
#ifndef CDG_SCENE_SCHEMA_H
#define CDG_SCENE_SCHEMA_H

#include "keys/key.h"
#include "scene/units.h"

// clang-format off
#define CDG_SCENE_TABLE_LIST(X)                                                                                        \
    X(scene) X(simulation) X(output) X(adapt) X(material) X(damping) X(rod) X(section) X(circle)                       \
    X(ellipse) X(rectangle) X(tube) X(stiffness) X(centerline) X(line) X(arc) X(ring) X(helix) X(knot) X(rest)         \
    X(support) X(motion) X(rotate) X(load) X(vortex) X(hand) X(cut) X(change) X(control) X(look) X(probe)              \
    X(probe_place) X(contact) X(obstacle) X(plane) X(sphere) X(box) X(capsule) X(cylinder) X(mesh) X(orientation)      \
    X(static)                                                                                                          \
    X(body) X(body_shape) X(body_cylinder)                                                                             \
    X(solid) X(solid_material) X(shape_matching) X(solid_shape) X(solid_box) X(solid_sphere) X(solid_cylinder)         \
    X(solid_tube) X(solid_torus) X(solid_wedge) X(solid_support) X(solid_load) X(region_box) X(region_sphere)          \
    X(region_plane) X(mass_spring) X(solid_structure) X(solid_arch) X(solid_stack) X(solid_chain) X(solid_heap)        \
    X(joint) X(joint_stiffness) X(structure) X(net) X(truss) X(ribbon) X(loop) X(chain) X(spheroid) X(branching)       \
    X(tied) X(bend) X(prusik) X(strands) X(roots) X(disc) X(cap) X(scalp) X(curl)
// clang-format on
#define CDG_SCENE_TABLE_DECLARATION(name) extern const scene_table cdg_schema_##name;
CDG_SCENE_TABLE_LIST(CDG_SCENE_TABLE_DECLARATION)
#undef CDG_SCENE_TABLE_DECLARATION

// The keys of a table, those of models last.
size_t cdg_schema_count(const scene_table *table);
const scene_key *cdg_schema_key(const scene_table *table, size_t index);

// NULL when the table has no such key.
const scene_key *cdg_schema_find(const scene_table *table, const char *name, size_t length);

// "did you mean 'x'?" or "keys here: …", into out. Keys of later versions are not offered. Returns the key meant, or
// NULL.
const scene_key *cdg_schema_suggest(const scene_table *table, const char *name, size_t length, char *out, size_t size);

// "a length", "3 lengths", "`sine` or `tangent`": what may stand as this key's value.
void cdg_schema_value(const scene_key *key, char *out, size_t size);

#endif
