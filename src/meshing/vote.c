// Voxels and votes.
#include "meshing/vote.h"

#include "math/vec3.h"

void cdg_vote_free(cdg_vote *vote, cdg_budget *budget) {
    cdg_budget_give(budget, vote->votes);
    *vote = (cdg_vote){0};
}

static double votes_of(const cdg_vote *vote, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= vote->count[0] || y >= vote->count[1] || z >= vote->count[2]) return 0;
    return vote->votes[((size_t)z * (size_t)vote->count[1] + (size_t)y) * (size_t)vote->count[0] + (size_t)x];
}

double cdg_vote_at(const cdg_vote *vote, cdg_vec3 point) {
    cdg_vec3 p = vec3_scale(1 / vote->voxel, vec3_sub(point, vote->origin));
    double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    for (int k = 0; k < 1; k++)
        if (!(fx >= -1 && fy >= -1 && fz >= -1 && fx < vote->count[0] && fy < vote->count[1] && fz < vote->count[2]))
            return 0;
    int x = (int)fx, y = (int)fy, z = (int)fz;
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        double weight =
            (i ? p.x - fx : 1 - (p.x - fx)) * (j ? p.y - fy : 1 - (p.y - fy)) * (k ? p.z - fz : 1 - (p.z - fz));
        sum += weight * votes_of(vote, x + i, y + j, z + k);
    }
    return sum / CDG_VOTE_DIRECTIONS;
}
