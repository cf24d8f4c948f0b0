// Broad phase of surfaces: which vertices, edges and triangles of one object may come near what of another, or of the
// same, in the order of lists of contacts. Pairs are found for one couple of objects at a time, with room for these to
// move towards each other, and kept until they have (surface_near.h); who looks at them closer leaves out those that
// are too far, so that results do not depend on when pairs were found.
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
    uint32_t object; // its number after those of the pieces' objects
    bool is_flat;    // only vertices are to be looked at
    bool has_corners;
    cdg_box box;
    cdg_box wide;   // with room to move
    bool has_moved; // its box was another one when couples were listed before
} cdg_shape_reach;

// Two objects, of the pieces' and then of shapes. The first is a surface, of two surfaces the one with the lower
// number; both may be the same.
typedef struct cdg_object_couple {
    uint32_t object[2];
} cdg_object_couple;

// Of a triangle; edge k is opposite corner k.
typedef struct cdg_primitive_boxes {
    cdg_box corner[3], edge[3];
    cdg_vec3 at[3], normal; // of unit length; 0: it has no area
} cdg_primitive_boxes;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_surface_pairs {
    cdg_contact_mesh_corner *corners; // the caller's to fill, before
    size_t corner_count, corner_capacity;
    cdg_shape_reach *shapes; // likewise
    size_t shape_count, shape_capacity;
    cdg_surface_pair *pairs;    // of the couple that was looked at last
    uint32_t *numbers_of_pairs; // room for a number of each
    size_t count, capacity;
    cdg_object_couple *couples; // of objects that may come near each other, in order
    size_t couple_count, couple_capacity;
    cdg_box_finder finder;
    // private to the search
    cdg_box *boxes;
    cdg_primitive_boxes *primitives; // of the triangles in them
    uint32_t *numbers;               // of triangles, elements and corners in the boxes
    size_t box_count, box_capacity;
    cdg_shape_reach *kept_shapes; // those that couples were listed for
    size_t kept_shape_count, kept_shape_capacity;
} cdg_surface_pairs;

void cdg_surface_pairs_free(cdg_surface_pairs *pairs);

// The box of all surfaces over the step, `margin` of their thickness larger.
cdg_box cdg_surface_pairs_reach(const cdg_pieces *pieces, double margin);
// Lists the couples of objects that may come nearer to each other than (1 + margin) of their thicknesses while no point
// of an object goes farther than its `room` (m, from the start of the step) and shapes stay in their boxes, which grow
// by the largest of these.
cdg_result cdg_surface_pairs_list_couples(cdg_surface_pairs *pairs, const cdg_pieces *pieces, const double *room,
                                          double margin, cdg_error *error);
// Whether shapes are in the boxes that couples were listed for.
bool cdg_surface_pairs_hold_shapes(const cdg_surface_pairs *pairs);
// The shape of that number after those of the pieces' objects; NULL: it is none.
const cdg_shape_reach *cdg_surface_pairs_shape(const cdg_surface_pairs *pairs, uint32_t object);
// The pairs of a couple that are nearer than `range` at the start of the step, beyond (1 + margin) of thicknesses, and
// perhaps others; in any order, until they are sorted as lists of contacts are.
cdg_result cdg_surface_pairs_find(cdg_surface_pairs *pairs, const cdg_pieces *pieces, const cdg_object_couple *couple,
                                  double range, double margin, cdg_error *error);
void cdg_surface_pairs_sort(cdg_surface_pairs *pairs);
// Pairs of boxes that meet at the start of the step, of triangles and then of elements, into those of the finder.
// Nothing else changes.
cdg_result cdg_surface_pairs_find_meeting(cdg_surface_pairs *pairs, const cdg_pieces *pieces, cdg_error *error);

#endif
