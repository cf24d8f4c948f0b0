// Inside and outside of triangles without orientation: rays in 13 directions count passages of the surface, the
// majority decides (thesis, appendix A, after Nooruddin and Turk 2003).
#ifndef CDG_MESHING_VOTE_H
#define CDG_MESHING_VOTE_H

#include "meshing/winding.h"

typedef struct cdg_vote {
    cdg_vec3 origin; // of the first voxel's middle
    double voxel;    // m
    int count[3];
    unsigned char *votes; // 0 to 13 for each voxel, x fastest
} cdg_vote;

enum { CDG_VOTE_DIRECTIONS = 13 };

void cdg_vote_free(cdg_vote *vote, cdg_budget *budget);
double cdg_vote_at(const cdg_vote *vote, cdg_vec3 point); // share of votes, 0 to 1, interpolated; 0 beyond the grid

#endif
