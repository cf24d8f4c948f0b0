// Making the boundary of a mesh a closed manifold: where parts touch in a point they are parted, where they touch along
// an edge, elements go.
#ifndef CDG_MESHING_MANIFOLD_H
#define CDG_MESHING_MANIFOLD_H

#include "meshing/stuffing.h"

// Changes only elements at places where the boundary touches itself; shapes of elements stay. `pieces`: parts that hang
// together by faces. False: no memory.
bool cdg_manifold_repair(cdg_raw_mesh *mesh, cdg_budget *budget, size_t *pieces);

#endif
