// Overlapping clusters of a solid's nodes, for shape matching: cells about seeds that are far from each other along the
// mesh's edges, each grown into its neighbours.
#ifndef CDG_SOLIDS_SHAPE_CLUSTERS_H
#define CDG_SOLIDS_SHAPE_CLUSTERS_H

#include "solids/solid.h"

typedef struct shape_clusters {
    size_t count;
    uint32_t *first; // count + 1: where each begins among `node`
    uint32_t *node;  // in ascending order within a cluster
} shape_clusters;

// `wanted` clusters (more where the mesh has more pieces), which reach `overlap` of their size into their neighbours,
// at least one edge. False: no memory. Free `out` afterwards.
bool cdg_shape_clusters_choose(const cdg_solid *solid, size_t wanted, double overlap, shape_clusters *out);
void cdg_shape_clusters_free(shape_clusters *clusters);

#endif
