// Smoothing of a boundary that keeps its volume.
#ifndef CDG_MESHING_SMOOTH_H
#define CDG_MESHING_SMOOTH_H

#include "meshing/moves.h"

// Passes of the scale-dependent umbrella operator (Desbrun et al. 1999); after each, the volume that a neighbourhood
// lost is given back there. No angle leaves `bounds`. False: no memory.
bool cdg_smooth_boundary(cdg_moves *moves, int passes, cdg_angle_bounds bounds, cdg_budget *budget);

#endif
