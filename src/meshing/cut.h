// Cuts of the lattice's edges by the surface, and warping: vertices that are too near to a cut are drawn onto it.
#ifndef CDG_MESHING_CUT_H
#define CDG_MESHING_CUT_H

#include "meshing/track.h"

typedef struct cdg_cut_vertex {        // one that has an edge with a change of sign
    uint32_t vertex;                   // number in the track
    uint32_t neighbour[CDG_BCC_EDGES]; // row of the edge's other end; CDG_NO_NUMBER: the edge is not cut
    uint32_t point[CDG_BCC_EDGES];     // for the mesher: number of the point at the cut; CDG_NO_NUMBER: none yet
    double position[CDG_BCC_EDGES];    // of the cut, 0 here, 1 at the other end
    cdg_vec3 at;                       // of the vertex, warped or not
    bool is_warped;
} cdg_cut_vertex;

typedef struct cdg_cuts {
    cdg_cut_vertex *rows;
    uint32_t count;
    size_t capacity;
    uint32_t *row_of; // of each vertex of the track; CDG_NO_NUMBER: none
} cdg_cuts;

bool cdg_cuts_find(const cdg_track *track, cdg_cuts *out); // false: no memory, or no patience
bool cdg_cuts_warp(const cdg_track *track, cdg_cuts *cuts);
void cdg_cuts_free(cdg_cuts *cuts, cdg_budget *budget);

// Where the edge is cut; both ends give the same bits.
cdg_vec3 cdg_cut_at(const cdg_track *track, const cdg_cuts *cuts, uint32_t row, int edge);

#endif
