// How much of a surface's creases a mesh does not have.
#ifndef CDG_MESHING_CREASE_LENGTH_H
#define CDG_MESHING_CREASE_LENGTH_H

#include "meshing/creases.h"
#include "meshing/stuffing.h"

typedef struct cdg_crease_length {
    double all, missed; // m: of creases, and of those that the mesh's boundary passes by
} cdg_crease_length;

// A crease is missed where the boundary is farther than a fiftieth of `size` from it. False: no memory, or no patience.
bool cdg_crease_length_measure(const cdg_creases *creases, const cdg_raw_mesh *mesh, double size, cdg_budget *budget,
                               cdg_crease_length *out);

#endif
