// What is inside of a surface: a function of space that is positive there.
#ifndef CDG_MESHING_INSIDE_H
#define CDG_MESHING_INSIDE_H

#include "meshing/vote.h"
#include "meshing/winding.h"

typedef struct cdg_inside {
    cdg_inside_rule rule;       // winding or vote
    const cdg_winding *winding; // finds crossings for both rules
    const cdg_vote *vote;       // NULL with winding numbers
    double threshold; // winding number from which on a point is inside: 1/2, less for surfaces with many holes
    bool is_absolute; // closed, with lobes whose winding number is -1: these are inside as well
} cdg_inside;

// The threshold of a surface, and how much of its area looks outward (1: all, -1: all inward, 0: neither). Surfaces of
// which random triangles are missing have half of the usual winding number when half is missing: the threshold is then
// the number that holes have. False: no memory.
typedef struct cdg_inside_facts {
    double threshold, outward_share;
    bool has_inward; // some triangle has outside behind it and less than that before it
} cdg_inside_facts;
bool cdg_inside_survey(const cdg_soup *soup, const cdg_winding *winding, int thread_count, cdg_budget *budget,
                       cdg_inside_facts *out);

double cdg_inside_value(const cdg_inside *inside, cdg_vec3 point); // positive inside; 1/2 where it is certain

// Where between a and b, of which one is inside and the other not, the surface is: 0 at a, 1 at b.
double cdg_inside_cut(const cdg_inside *inside, cdg_vec3 a, double value_a, cdg_vec3 b, double value_b);

#endif
