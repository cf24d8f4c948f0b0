// What of a surface's inside a mesh does not have: walls and parts that were too thin for its elements.
#ifndef CDG_MESHING_LOST_H
#define CDG_MESHING_LOST_H

#include "meshing/inside.h"

typedef struct cdg_lost {
    double share;     // of the surface's area, or of the volume when that is known and the share larger
    double thickness; // m: median of the walls where surface was lost; 0: none
} cdg_lost;

// `boundary`: of the mesh, of the given volume; elements of `size`. False: no memory.
bool cdg_lost_measure(const cdg_soup *soup, const cdg_inside *inside, const cdg_mesh *boundary, double volume,
                      double size, int thread_count, cdg_budget *budget, cdg_lost *out);

double cdg_soup_volume(const cdg_soup *soup); // of a closed one; parts that overlap count twice

#endif
