// Orientations of a soup's triangles: neighbours agree, closed parts point outward, cavities inward.
#ifndef CDG_MESHING_ORIENT_H
#define CDG_MESHING_ORIENT_H

#include "meshing/soup.h"

// Fills mate, components, flipped, open_share, undecided_share, is_closed. False: no memory.
bool cdg_orient(cdg_soup *soup, cdg_budget *budget);

// Turns one triangle around. Mates stay right: corners 1 and 2 change places, and so do half-edges 0 and 2.
static inline void cdg_orient_flip(cdg_soup *soup, size_t t) {
    uint32_t *c = soup->triangles[t], *m = soup->mate + 3 * t, corner = c[1], mate = m[0];
    c[1] = c[2];
    c[2] = corner;
    for (int k = 0; k < 3; k += 2)
        if (m[k] < CDG_MANY_MATES) soup->mate[m[k]] = (uint32_t)(3 * t + (size_t)(2 - k));
    m[0] = m[2];
    m[2] = mate;
}

#endif
