// Moving points of a mesh without spoiling it: which elements and boundary faces a point has, and what angles these
// would have with the point elsewhere.
#ifndef CDG_MESHING_MOVES_H
#define CDG_MESHING_MOVES_H

#include "meshing/stuffing.h"

typedef struct cdg_moves {
    cdg_raw_mesh *mesh;
    uint32_t *start, *list; // elements of each point
    uint32_t (*faces)[3];   // of the boundary, outward
    size_t face_count;
    uint32_t *face_start, *face_list; // boundary faces of each point; none: inside
} cdg_moves;

typedef struct cdg_angle_bounds { // of cosines of dihedral angles
    double least, most;
} cdg_angle_bounds;

bool cdg_moves_build(cdg_raw_mesh *mesh, cdg_budget *budget, cdg_moves *out); // false: no memory
void cdg_moves_free(cdg_moves *moves, cdg_budget *budget);

// The range of cosines of the point's elements if it were at `place`; -1 to 1 when one would be inverted or flat.
cdg_angle_bounds cdg_moves_range(const cdg_moves *moves, uint32_t point, cdg_vec3 position);

// Moves the point as far towards `place` as bounds allow (all, a half, a quarter, an eighth of the way); where they are
// broken already, so that they get no worse. Returns the share.
double cdg_moves_try(cdg_moves *moves, uint32_t point, cdg_vec3 position, cdg_angle_bounds bounds);

static inline bool cdg_moves_is_boundary(const cdg_moves *moves, uint32_t point) {
    return moves->face_start[point + 1] > moves->face_start[point];
}
cdg_vec3 cdg_moves_normal(const cdg_moves *moves, uint32_t point); // unit, outward, weighted by areas

// What the default mesher promises: 10.7 to 164.8 degrees.
static const cdg_angle_bounds cdg_promised_angles = {-0.965, 0.9826};

#endif
