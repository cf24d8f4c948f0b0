// Distance from triangles on a grid of voxels (Felzenszwalb and Huttenlocher 2004).
#ifndef CDG_MESHING_DISTANCE_H
#define CDG_MESHING_DISTANCE_H

#include "meshing/budget.h"

// Squared distances in voxels, x fastest: min over all voxels of value + squared distance, in place; 1e20 where that is
// more than `reach` squared. Each line of each axis on its own, by all threads. False: no memory.
bool cdg_distance_transform(float *values, const int count[3], double reach, int thread_count, cdg_budget *budget);

#endif
