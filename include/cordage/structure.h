// Structures: nets, trusses, trees and the like, which expand into ordinary rods and joints.
#ifndef CORDAGE_STRUCTURE_H
#define CORDAGE_STRUCTURE_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of structures: X(enumerator, scene key, one-line description).
#define CDG_STRUCTURE_LIST(X)                                                                                          \
    X(CDG_STRUCTURE_NET, "net", "threads in two directions, joined where they cross")                                  \
    X(CDG_STRUCTURE_TRUSS, "truss", "two chords with posts and diagonals between them")                                \
    X(CDG_STRUCTURE_RIBBON, "ribbon", "two rails joined by struts")                                                    \
    X(CDG_STRUCTURE_RING, "ring", "one closed rod")                                                                    \
    X(CDG_STRUCTURE_CHAIN, "chain", "rings in a row, each at right angles to the one before")                          \
    X(CDG_STRUCTURE_SPHEROID, "spheroid", "meridians between two poles")                                               \
    X(CDG_STRUCTURE_TREE, "tree", "a trunk that branches again and again")                                             \
    X(CDG_STRUCTURE_BEND, "bend", "two ropes tied together")                                                           \
    X(CDG_STRUCTURE_PRUSIK, "prusik", "a ring of rope wound around a post, which grips it under load")

typedef enum cdg_structure_kind {
#define CDG_STRUCTURE_ENUM(name, key, text) name,
    CDG_STRUCTURE_LIST(CDG_STRUCTURE_ENUM)
#undef CDG_STRUCTURE_ENUM
        CDG_STRUCTURE_KIND_COUNT
} cdg_structure_kind;

// A structure in its own axes: x along `direction`, z along `normal`, y across both. Only the members of the chosen
// kind are read; lengths in m, angles in rad. Its rods are named NAME.h3, NAME.p0, ... as noted here, so that supports
// and probes can name them; nodes are counted along each rod.
typedef struct cdg_structure_def {
    const char *name; // as a rod's
    cdg_structure_kind kind;
    cdg_rod_def rod;        // what the rods are like; name, centreline, elements, rest and normal are not read
    double joint_stiffness; // of all joints (cdg_joint_def)
    cdg_vec3 origin;        // where the structure's own origin is
    cdg_vec3 direction, normal;
    size_t element_count;  // of each piece: a mesh's side, a bay, a strut, a ring, a meridian, a branch, a rope
    struct {               // from the origin: h0, h1, ... along x, one above the other in y; v0, v1, ... along y
        double size[2];    // m, along x and y
        size_t threads[2]; // how many h and how many v, 2 or more each
    } net;
    struct { // `lower` along x from the origin, `upper` beside it; posts p0 ... at the bays' ends; diagonals d0 ...
        double size[2];
        size_t bays;
        bool has_diagonals;
    } truss;
    struct { // `left` along x from the origin, `right` beside it; struts s0 ... at the bays' ends
        double size[2];
        size_t bays;
    } ribbon;
    struct { // about the origin, around z, from x on; the rod has the structure's own name
        double radius;
    } ring;
    // r0, r1, ...: along x from the origin, each joined to the next where they touch, so that it turns freely there; or
    // loose, one through the other at the distance `pitch` (0: one and a half radii), which contact must hold together.
    struct {
        double radius, pitch;
        size_t links;
        bool is_loose;
    } chain;
    struct { // m0, m1, ...: along z from the origin to `height` above it, `radius` away from the axis half-way
        double radius, height;
        size_t meridians;
    } spheroid;
    struct { // `trunk` along z from the origin, then b0, b1, ..., each before its own; the same seed, the same tree
        double length;           // of the trunk
        double angle;            // between a branch and what it grows from, somewhat varied, as length is
        double shrink;           // length of a branch over that of what it grows from
        double taper;            // the same for sizes of the section
        size_t levels, branches; // how often, and into how many, it branches
        uint64_t seed;
    } tree;
    // Ropes are straight at rest. Their radius is that of the section; element_count 0: as many as the knot needs.
    struct { // ropes a and b, tied about the origin; a stands along -x, b along x; see cdg_centerline's `tied`
        cdg_tied_knot knot;
        double clearance;      // between strands, m
        double standing, tail; // straight rope at each start and each end, m
        double ratio;          // size of b's section over a's
    } bend;
    struct {                             // `loop` around a post along x through the origin; it hangs along -z
        double post_radius, post_length; // m; length 0: no rod, else a straight one, `post`
        double clearance;                // between strands and from the post, m
        double loop;                     // how far it hangs down, m
        size_t wraps;                    // turns on each side
    } prusik;
} cdg_structure_def;

cdg_structure_def cdg_structure_def_default(void); // a square net of 1 m with 5 x 5 threads, 4 elements a mesh side

// The expansion of a structure. In `joints`, place.rod.index1 is a rod's number in `rods` + 1 and generation is 0.
typedef struct cdg_structure {
    cdg_rod_def *rods;
    size_t rod_count;
    cdg_joint_def *joints;
    size_t joint_count;
} cdg_structure;

// The rods and joints that a definition means. Destroy *out afterwards.
cdg_result cdg_structure_expand(const cdg_structure_def *def, cdg_structure **out, cdg_error *error);
void cdg_structure_destroy(cdg_structure *structure); // NULL is fine

// Adds all rods and joints, or nothing. Rods are found by their names.
cdg_result cdg_world_add_structure(cdg_world *world, const cdg_structure_def *def);

#ifdef __cplusplus
}
#endif
#endif
