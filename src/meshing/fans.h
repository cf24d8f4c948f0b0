// Fans of a triangle surface: around each point, the groups of triangles that hang together by edges at that point.
#ifndef CDG_MESHING_FANS_H
#define CDG_MESHING_FANS_H

#include "base/patience.h"

// What a surface looks like around its points. Arrays are the caller's, one entry a point.
typedef struct cdg_fans {
    uint32_t *fan_count; // groups of triangles around the point; 0: in no triangle
    uint32_t *branching; // edges to points of larger number between more than two triangles
    size_t branching_total, pinched_total;
} cdg_fans;

// False: no memory, or no patience (may be NULL).
bool cdg_fans_count(const uint32_t (*triangles)[3], size_t triangle_count, size_t point_count, cdg_patience *patience,
                    cdg_fans *out);

#endif
