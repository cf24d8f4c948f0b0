// Ten closed bodies of genus 0 to 5, the damage that people's surfaces have, and what meshes of them are held against.
#ifndef VALIDATION_MESH_BODIES_H
#define VALIDATION_MESH_BODIES_H

#include <cordage/meshing.h>

// The one list of bodies: X(name, genus).
#define MESH_BODY_LIST(X)                                                                                              \
    X("sphere", 0)                                                                                                     \
    X("torus", 1)                                                                                                      \
    X("knotted tube", 1)                                                                                               \
    X("ellipsoid", 0)                                                                                                  \
    X("plate of genus 0", 0)                                                                                           \
    X("plate of genus 1", 1)                                                                                           \
    X("plate of genus 2", 2)                                                                                           \
    X("plate of genus 3", 3)                                                                                           \
    X("plate of genus 4", 4)                                                                                           \
    X("plate of genus 5", 5)
enum { MESH_BODIES = 10, MESH_ROUND_BODIES = 4 }; // round ones first

extern const char *const mesh_body_names[MESH_BODIES];
extern const int mesh_body_genus[MESH_BODIES];

// Outward, of about 2,000 to 10,000 triangles; `fineness` times as many along each direction. False: no memory.
bool mesh_body(int which, int fineness, cdg_mesh *out);

bool mesh_box(cdg_mesh *out); // 2 x 1.4 x 1 m

// The one list of damages: X(enumerator, name).
#define MESH_DAMAGE_LIST(X)                                                                                            \
    X(MESH_HALF_GONE, "half of its triangles missing")                                                                 \
    X(MESH_HALF_FLIPPED, "half of its triangles flipped")                                                              \
    X(MESH_LEAVES, "unconnected leaves")                                                                               \
    X(MESH_CROSSED, "crossed by its turned copy")

typedef enum mesh_damage {
#define MESH_DAMAGE_ENUM(name, text) name,
    MESH_DAMAGE_LIST(MESH_DAMAGE_ENUM)
#undef MESH_DAMAGE_ENUM
        MESH_DAMAGES
} mesh_damage;

extern const char *const mesh_damage_names[MESH_DAMAGES];
bool mesh_damage_surface(cdg_mesh *surface, mesh_damage damage, uint64_t seed);

// Volume of where a surface winds at least once: lengths inside along a fine grid of vertical lines. Negative: no
// memory.
double mesh_union_volume(const cdg_mesh *surface);

// 2 - 2 genus of a closed surface in one part; each part more adds 2.
long mesh_euler_number(const cdg_mesh *surface);

#endif
