// Fitting the boundary in the mean: flat faces between points on a curved surface lose volume where it is convex; the
// points move out (or in) until as much of the surface is above the faces as below.
#ifndef CDG_MESHING_SURFACE_FIT_H
#define CDG_MESHING_SURFACE_FIT_H

#include "meshing/moves.h"

// Angles stay within `bounds`; points with `is_held` (may be NULL) stay where they are. False: no memory.
bool cdg_fit_boundary(cdg_moves *moves, const cdg_inside *inside, double size, cdg_angle_bounds bounds,
                      const bool *is_held, int thread_count, cdg_budget *budget);

#endif
