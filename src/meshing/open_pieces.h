// Pieces of a mesh that are closed only by holes larger than allowed.
#ifndef CDG_MESHING_OPEN_PIECES_H
#define CDG_MESHING_OPEN_PIECES_H

#include "meshing/stuffing.h"

typedef struct cdg_open_pieces {
    size_t dropped, left;
    double widest; // m, of a hole in what was dropped: twice the distance of the boundary from all triangles
    cdg_vec3 at;   // its middle, relative to the soup's origin
} cdg_open_pieces;

// Drops pieces whose boundary is farther than half of `close` from all triangles somewhere; `slack` (m) is what a mesh
// may be off anyway. False: no memory.
bool cdg_open_pieces_drop(cdg_raw_mesh *mesh, const cdg_winding *winding, double close, double slack,
                          cdg_budget *budget, cdg_open_pieces *out);

#endif
