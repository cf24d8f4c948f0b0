// Keeping creases: points of the boundary that are near to a sharp edge or corner of the surface move onto it, where
// angles allow.
#ifndef CDG_MESHING_CREASES_H
#define CDG_MESHING_CREASES_H

#include "meshing/moves.h"

// `is_held` (one a point): set for those that moved onto a crease. False: no memory.
bool cdg_creases_keep(cdg_moves *moves, const cdg_soup *soup, double angle, double size, cdg_angle_bounds bounds,
                      bool *is_held, cdg_budget *budget);

#endif
