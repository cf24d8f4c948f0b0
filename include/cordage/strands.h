// Hair: guides that are simulated as rods, rooted on a surface, and fibres in between that follow them.
#ifndef CORDAGE_STRANDS_H
#define CORDAGE_STRANDS_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- where strands grow ---------------------------------------------------------------------------------------------

// The one list of surfaces: X(enumerator, scene key, one-line description).
#define CDG_PATCH_LIST(X)                                                                                              \
    X(CDG_PATCH_DISC, "disc", "a flat round patch")                                                                    \
    X(CDG_PATCH_CAP, "cap", "part of a sphere around an axis")                                                         \
    X(CDG_PATCH_MESH, "mesh", "triangles")

typedef enum cdg_patch_kind {
#define CDG_PATCH_ENUM(name, key, text) name,
    CDG_PATCH_LIST(CDG_PATCH_ENUM)
#undef CDG_PATCH_ENUM
        CDG_PATCH_KIND_COUNT
} cdg_patch_kind;

typedef struct cdg_patch {
    cdg_patch_kind kind;
    cdg_vec3 center;          // m: of the disc, of the sphere
    cdg_vec3 axis;            // the disc's normal; from the sphere's centre to the middle of the cap
    double radius;            // m: of the disc, of the sphere
    double angle;             // rad, cap: between its axis and its rim, up to a half turn
    const cdg_vec3 *vertices; // m, mesh
    size_t vertex_count;
    const uint32_t (*triangles)[3]; // corners, counter-clockwise seen from outside
    size_t triangle_count;
} cdg_patch;

// ---- fibres ---------------------------------------------------------------------------------------------------------

enum { CDG_FIBER_GUIDES = 3 };

// Fibres that follow guides of the same number of nodes. Node i of a fibre is at
//     sum over its guides g of  weight_g (x_g,i + R_g,i (spread_i a_g + offset_i)),
// where x and R are position and frame (columns d1, d2, d3) of the guide's node i, and a_g is the way from the guide's
// first node to the fibre's root, seen from the guide's first frame, at the start. So roots stay where they are on
// whatever carries the guides' roots. A guide's frame at a node is halfway between those of the elements beside it; at
// its ends half a turn between elements further.
typedef struct cdg_fibers {
    size_t fiber_count, guide_count, node_count;
    const uint32_t (*guides)[CDG_FIBER_GUIDES]; // fiber_count; numbers of guides
    const double (*weights)[CDG_FIBER_GUIDES];  // fiber_count; sum 1
    const cdg_vec3 *roots;                      // m, fiber_count: where fibres begin at the start, world axes
    const double *lengths;                      // fiber_count: share of the guides' length at which a fibre is cut
    const double *spread;                       // node_count: 1 at the root; how much a wisp widens
    const cdg_vec3 *offsets;                    // m, fiber_count * node_count: curl and frizz, in the guides' frames
    double radius;                              // m, to draw them with
} cdg_fibers;

// Nodes of a fibre: as many as its guides have, fewer when it is cut.
size_t cdg_fiber_node_count(const cdg_fibers *fibers, size_t fiber);

typedef struct cdg_fiber_placer cdg_fiber_placer;
// Finds the fibres for poses of the guides. Each array has one entry a guide: its nodes' positions, and its elements'
// frames. create is given those at the start; it keeps a pointer to `fibers`, which must live longer.
cdg_result cdg_fiber_placer_create(const cdg_fibers *fibers, const cdg_vec3 *const *positions,
                                   const cdg_quat *const *frames, cdg_fiber_placer **out, cdg_error *error);
void cdg_fiber_placer_destroy(cdg_fiber_placer *placer); // NULL is fine
// The guides are here now.
void cdg_fiber_placer_move(cdg_fiber_placer *placer, const cdg_vec3 *const *positions, const cdg_quat *const *frames);
// Positions of one fibre: cdg_fiber_node_count of them, and room for node_count.
void cdg_fiber_placer_read(const cdg_fiber_placer *placer, size_t fiber, cdg_vec3 *out);

// ---- strands --------------------------------------------------------------------------------------------------------

// The same seed gives the same strands. Lengths in m.
typedef struct cdg_strands_def {
    const char *name; // as a rod's; guides are named NAME.g0, NAME.g1, ...
    cdg_rod_def rod;  // what guides are like; name, centreline, elements, rest and normal are not read
    cdg_patch roots;
    size_t guide_count, fiber_count;
    size_t element_count; // of a guide
    double length;
    bool has_direction;
    cdg_vec3 direction;                         // of growth; without, away from the surface
    double curl_radius, curl_pitch;             // of the guides' rest shape, a helix; radius 0: straight
    double fiber_curl_radius, fiber_curl_pitch; // of each fibre about its way between the guides; radius 0: none
    double frizz;                               // size of the waves that no two fibres have alike, at their tips
    double clump;            // 0: fibres lie between the three guides around them; 1: each follows the nearest
    double taper;            // width of a wisp at its tip over that at its root
    double variation;        // 0 to 1: how much curls differ in size
    double length_variation; // 0 to 1: fibres are shorter than guides by up to this share
    double fiber_radius;     // 0: as the guides'
    uint64_t seed;
    const cdg_motion *motions; // of all roots; rotations without a centre are about the patch's
    size_t motion_count;
} cdg_strands_def;

cdg_strands_def cdg_strands_def_default(void); // one guide of 25 cm, 100 elements and 180 fibres on a disc of 1 cm

// The expansion of strands. In `clamps`, one for each guide, place.rod.index1 is its number in `rods` + 1.
typedef struct cdg_strands {
    cdg_rod_def *rods;
    cdg_support_def *clamps;
    size_t rod_count;
    cdg_fibers fibers; // their guides are numbers in `rods`
    const char *name;
} cdg_strands;

enum { CDG_STRANDS_GUIDES_MAX = 100000, CDG_STRANDS_FIBER_NODES_MAX = 10 * 1000 * 1000 };

// The guides and fibres that a definition means. Destroy *out afterwards.
cdg_result cdg_strands_expand(const cdg_strands_def *def, cdg_strands **out, cdg_error *error);
void cdg_strands_destroy(cdg_strands *strands); // NULL is fine

// Adds all guides and their clamps, or nothing; `ids` has room for rod_count handles.
cdg_result cdg_world_add_strands(cdg_world *world, const cdg_strands *strands, cdg_rod_id *ids);

#ifdef __cplusplus
}
#endif
#endif
