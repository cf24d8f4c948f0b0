// Inside and outside of triangles without orientation: lines in 13 directions count passages of the surface, the
// majority decides (thesis, appendix A, after Nooruddin and Turk 2003).
#ifndef CDG_MESHING_VOTE_H
#define CDG_MESHING_VOTE_H

#include "meshing/winding.h"

enum { CDG_VOTE_DIRECTIONS = 13, CDG_VOTE_SCALE = 250 };

typedef struct cdg_vote {
    cdg_vec3 origin; // of the first voxel's middle
    double voxel;    // m
    int count[3];
    unsigned char *share; // of votes for inside, 0 to CDG_VOTE_SCALE, x fastest
} cdg_vote;

// A passage is where a line is within half of `close` of the surface; it happens at the nearest voxel. `voxels` along
// the longest side of the box, margins not counted. False: no memory.
bool cdg_vote_build(const cdg_soup *soup, double close, int voxels, int thread_count, cdg_budget *budget,
                    cdg_vote *out);
void cdg_vote_free(cdg_vote *vote, cdg_budget *budget);
double cdg_vote_at(const cdg_vote *vote, cdg_vec3 point); // share of votes, 0 to 1, interpolated; 0 beyond the grid

#endif
