// What is left of one tetrahedron of the body-centred lattice inside the surface (Labelle and Shewchuk 2007).
#ifndef CDG_MESHING_STENCIL_H
#define CDG_MESHING_STENCIL_H

#include "math/vec3.h"

#include <stdint.h>

// Corners 0 and 1 are joined by one long edge, 2 and 3 by the other. Edges: 01, 02, 03, 12, 13, 23.
typedef struct cdg_stencil {
    int side[4];       // 1 inside, 0 on the surface, -1 outside
    uint32_t point[4]; // numbers, the same for all elements
    uint32_t cut[6];   // of the points where edges between 1 and -1 are cut
    cdg_vec3 position[4], cut_point[6];
} cdg_stencil;

enum { CDG_STENCIL_MOST = 3 };

// Positively oriented tetrahedra; returns how many.
int cdg_stencil_fill(const cdg_stencil *stencil, uint32_t out[CDG_STENCIL_MOST][4]);

// Number of the edge between two corners.
static inline int stencil_edge(int a, int b) {
    static const signed char edges[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    return edges[a][b];
}

// A cut nearer to a vertex than this share of the edge's length draws the vertex onto the surface. Chosen so that the
// smallest angle over all stencils is largest.
static const double stencil_near_long = 0.267, stencil_near_short = 0.387;

#endif
