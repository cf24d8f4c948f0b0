// Meshes of tetrahedra from any triangles: scans with holes, parts through each other, loose leaves, flipped faces.
#ifndef CORDAGE_MESHING_H
#define CORDAGE_MESHING_H

#include <cordage/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- filling a surface ----------------------------------------------------------------------------------------------

// The one list of meshers: X(enumerator, name, one-line description).
#define CDG_MESHER_LIST(X)                                                                                             \
    X(CDG_MESHER_STUFFING, "stuffing", "isosurface stuffing: dihedral angles within 10.7 and 164.8 degrees")           \
    X(CDG_MESHER_LATTICE, "lattice", "five tetrahedra a cube, kept where they are full enough, then smoothed")

typedef enum cdg_mesher {
#define CDG_MESHER_ENUM(name, key, text) name,
    CDG_MESHER_LIST(CDG_MESHER_ENUM)
#undef CDG_MESHER_ENUM
        CDG_MESHER_COUNT
} cdg_mesher;

// The one list of rules that tell inside from outside: X(enumerator, name, one-line description).
#define CDG_INSIDE_RULE_LIST(X)                                                                                        \
    X(CDG_INSIDE_AUTO, "auto", "winding numbers where triangles can be oriented, else the vote")                       \
    X(CDG_INSIDE_WINDING, "winding", "generalised winding number above one half")                                      \
    X(CDG_INSIDE_VOTE, "vote", "majority of 13 directions in which passages of the surface are counted")

typedef enum cdg_inside_rule {
#define CDG_INSIDE_ENUM(name, key, text) name,
    CDG_INSIDE_RULE_LIST(CDG_INSIDE_ENUM)
#undef CDG_INSIDE_ENUM
        CDG_INSIDE_RULE_COUNT
} cdg_inside_rule;

// How far the work is, 0 to 1; false stops it (CDG_ERROR_INTERRUPTED). Called from the calling thread only.
typedef bool (*cdg_mesher_progress)(void *user, double share);

typedef struct cdg_mesher_options {
    cdg_mesher mesher;
    double size; // m: edge of a cube of the lattice at the surface; 0: the longest side of the box over 24, or finer
                 // (down to its 200th part) where a closed surface is thin: its volume over its area
    // stuffing: how fast elements grow away from the surface. 0: uniform; 1: each layer of cubes may have twice the
    // size of the one before; 0.5: two layers of each size
    double grading;
    // m: largest hole that is closed; 0: all (winding numbers), or those as wide as the triangles' own gaps (vote).
    // Under winding numbers pieces with larger holes are left out, and when nothing else is there, that is an error
    double close;
    double keep_creases; // rad: edges that bend by more are kept where angles stay within bounds; 0: off
    bool improve;        // swaps and moves inside that never lower the smallest angle; the boundary stays
    cdg_inside_rule inside;
    double density;               // lattice: share of an element that must be inside, (0, 1]
    int smoothing_steps;          // lattice: passes over the boundary, each keeps the volume
    int thread_count;             // 0: as many as the machine has; results do not depend on it
    uint64_t memory_limit;        // bytes; 0: three quarters of what the machine has
    cdg_mesher_progress progress; // NULL: none
    void *user;
} cdg_mesher_options;

cdg_mesher_options cdg_mesher_options_default(void); // stuffing, graded, automatic size and rule

// The one list of phases that are timed: X(enumerator, name).
#define CDG_MESHER_PHASE_LIST(X)                                                                                       \
    X(CDG_MESHER_PREPARE, "prepare")                                                                                   \
    X(CDG_MESHER_INSIDE, "inside")                                                                                     \
    X(CDG_MESHER_CUT, "cut")                                                                                           \
    X(CDG_MESHER_FILL, "fill")                                                                                         \
    X(CDG_MESHER_IMPROVE, "improve")

typedef enum cdg_mesher_phase {
#define CDG_MESHER_PHASE_ENUM(name, key) name,
    CDG_MESHER_PHASE_LIST(CDG_MESHER_PHASE_ENUM)
#undef CDG_MESHER_PHASE_ENUM
        CDG_MESHER_PHASE_COUNT
} cdg_mesher_phase;

enum { CDG_DIHEDRAL_BINS = 18 }; // of 10 degrees

// The shape of a mesh's tetrahedra.
typedef struct cdg_mesh_quality {
    double volume;                                // m^3
    double smallest_dihedral, largest_dihedral;   // rad; 0 without elements
    size_t dihedral_histogram[CDG_DIHEDRAL_BINS]; // six angles an element
} cdg_mesh_quality;

typedef struct cdg_mesher_report {
    size_t tetrahedron_count, point_count;
    cdg_mesh_quality quality;
    double size;            // m, that was used
    double close;           // m, that was used; 0: all holes
    cdg_inside_rule inside; // winding or vote
    // Share of the result's surface, by area, where inside is hard to tell: the winding number is within 0.2 of one
    // half on both sides, or 13 votes are divided or no triangle is near
    double doubtful_share;
    // Share of the surface that has nothing of the result within half of `size`: walls and parts too thin for it. Of
    // closed surfaces whose parts do not overlap, the share of their volume that is missing, when that is more
    double lost_share;
    double lost_thickness;    // m: median thickness where surface was lost; 0: none
    size_t triangles_dropped; // not finite, without area, or double
    size_t triangles_flipped; // to agree with their neighbours and point outward
    size_t components;        // of triangles that share edges
    size_t one_sided;         // of these, those that cannot be oriented, as a Moebius strip
    size_t doubled; // closed ones that lie in another, the other way around, and leave less than a thousandth of its
                    // volume: taken for the same surface once more, not for a cavity
    size_t pieces;  // separate parts of the result
    size_t open_pieces;    // parts that were left out because of a hole larger than `close`
    size_t creases_missed; // edges of the result that pass over a crease that was to be kept; SIZE_MAX: none was kept
    // m: of creases that were to be kept, and of those that the result passes by: farther than a fiftieth of `size`
    double crease_length, crease_length_missed;
    bool creases_cut_short; // there were more than the work was worth, as on a rough surface
    uint64_t peak_bytes;    // of memory that the mesher had at once, the result with it
    double seconds[CDG_MESHER_PHASE_COUNT];
} cdg_mesher_report;

// Fills the space that a surface encloses. `options` NULL: default; `report` NULL: none. Free `out` afterwards; it is
// empty on failure. Sizes that ask for more than the memory limit, surfaces that enclose nothing, and numbers that are
// not finite are refused with a sentence.
cdg_result cdg_mesh_fill(const cdg_mesh *surface, const cdg_mesher_options *options, cdg_mesh *out,
                         cdg_mesher_report *report, cdg_error *error);

// ---- working with meshes --------------------------------------------------------------------------------------------

// The faces that belong to one tetrahedron alone, seen counter-clockwise from outside, with their own points; of a mesh
// without faults a closed surface. source_points (may be NULL): which point of the mesh each of them is; free it.
cdg_result cdg_mesh_boundary(const cdg_mesh *mesh, cdg_mesh *out, uint32_t **source_points, cdg_error *error);

// How good a mesh is: its elements' shapes and sizes.
cdg_result cdg_mesh_measure(const cdg_mesh *mesh, cdg_mesh_quality *out, cdg_error *error);

// Points of a fine surface in a coarse mesh: position = sum of weight[k] * point k of the tetrahedron. Points outside
// take the nearest tetrahedron; some of their weights are negative.
typedef struct cdg_embedding {
    size_t point_count;
    uint32_t *tetrahedron;
    double (*weight)[4];
    size_t outside_count; // points in no tetrahedron
    double farthest;      // m, of these from the mesh
} cdg_embedding;

// Finds where points are in a mesh. Free `out` afterwards.
cdg_result cdg_mesh_embed(const cdg_mesh *mesh, const cdg_vec3 *points, size_t point_count, int thread_count,
                          cdg_embedding *out, cdg_error *error);
// Positions of the embedded points when the mesh's points are at `mesh_points`.
void cdg_embedding_positions(const cdg_embedding *embedding, const cdg_mesh *mesh, const cdg_vec3 *mesh_points,
                             cdg_vec3 *out);
void cdg_embedding_free(cdg_embedding *embedding); // NULL is fine

// The one list of faults of a mesh: X(member, what is counted).
#define CDG_MESH_FAULT_LIST(X)                                                                                         \
    X(out_of_range, "tetrahedra with a point that the mesh does not have, or has twice")                               \
    X(not_finite, "points that are not finite")                                                                        \
    X(inverted, "tetrahedra with negative volume")                                                                     \
    X(flat, "tetrahedra without volume")                                                                               \
    X(duplicate, "tetrahedra of the same four points as one before")                                                   \
    X(overfull_face, "faces of more than two tetrahedra")                                                              \
    X(folded_face, "faces whose two tetrahedra are on the same side")                                                  \
    X(branching_edge, "edges of the boundary between more than two of its faces")                                      \
    X(pinched_point, "points of the boundary where it touches itself")                                                 \
    X(unused_point, "points of no tetrahedron")

// `first`: the first index of such a tetrahedron (out of range, inverted, flat, duplicate, faces) or point (not finite,
// pinched, unused); of an edge its smaller point.
typedef struct cdg_mesh_fault {
    size_t count;
    uint32_t first;
} cdg_mesh_fault;

typedef struct cdg_mesh_faults {
#define CDG_MESH_FAULT_MEMBER(name, text) cdg_mesh_fault name;
    CDG_MESH_FAULT_LIST(CDG_MESH_FAULT_MEMBER)
#undef CDG_MESH_FAULT_MEMBER
    size_t total; // sum of all counts: 0 when the mesh is sound
} cdg_mesh_faults;

// Looks for everything in the list; fails only without memory. Tetrahedra out of range take no part in the rest.
cdg_result cdg_mesh_check(const cdg_mesh *mesh, cdg_mesh_faults *out, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
