// Broad phase of surfaces: which of their vertices, edges and triangles may come near what in a step, in the order of
// lists of contacts. Pairs are kept, from round to round and from step to step, as long as every point stays within a
// box around where it was when they were found; who looks at them closer leaves out those that are too far, so that
// results do not depend on when that was.
#ifndef CDG_CONTACT_SURFACE_PAIRS_H
#define CDG_CONTACT_SURFACE_PAIRS_H

#include "contact/box_pairs.h"
#include "contact/pieces.h"

// The first is a vertex, an edge or a triangle; the second also a segment, an obstacle or a body. Kinds are those of a
// contact's sides (contacts.h); numbers are those of all surfaces together, of the pieces' elements, and of the kind's
// shapes. `detail`: of a segment that meets a triangle, which of its ends; of a shape that is a mesh and meets a
// triangle, one more than the number of its corner.
typedef struct cdg_surface_pair {
    uint32_t kind[2], number[2], detail;
} cdg_surface_pair;

// A corner of a mesh that does not give way: where it is at the start and at the end of the step.
typedef struct cdg_contact_mesh_corner {
    uint32_t kind, shape, corner;
    cdg_vec3 from, to;
} cdg_contact_mesh_corner;

// A shape's box over the step.
typedef struct cdg_shape_reach {
    uint32_t kind, number;
    bool is_flat; // only vertices are to be looked at
    cdg_box box;
} cdg_shape_reach;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_surface_pairs {
    cdg_box_finder finder;
    cdg_box *boxes;
    size_t box_capacity;
    cdg_contact_mesh_corner *corners; // the caller's to fill, before
    size_t corner_count, corner_capacity;
    cdg_shape_reach *shapes; // likewise
    size_t shape_count, shape_capacity;
    cdg_surface_pair *pairs;
    size_t count, capacity;
    // private to the search
    bool is_good;    // pairs are those of points in the boxes `around` them, and of `kept_shapes`
    cdg_box *around; // of points
    cdg_box *edges;  // of edges: around their points, and larger as those of triangles
    size_t around_capacity, edge_capacity;
    cdg_shape_reach *kept_shapes;
    size_t kept_shape_count, kept_shape_capacity;
    double slack;  // how far points may go, of their surface's thickness
    unsigned uses; // of the pairs as they are
} cdg_surface_pairs;

void cdg_surface_pairs_free(cdg_surface_pairs *pairs);

// The box of all surfaces over the step, `margin` of their thickness larger.
cdg_box cdg_surface_pairs_reach(const cdg_pieces *pieces, double margin);
// Triangles' and segments' boxes are larger than what they sweep by (1 + margin) of their thickness. `is_new` becomes
// whether pairs are other ones than after the last call.
cdg_result cdg_surface_pairs_find(cdg_surface_pairs *pairs, const cdg_pieces *pieces, double margin, bool *is_new,
                                  cdg_error *error);
// After objects were added or numbered anew.
static inline void surface_pairs_forget(cdg_surface_pairs *pairs) { pairs->is_good = false; }

#endif
