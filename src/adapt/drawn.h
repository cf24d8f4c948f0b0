// Where a rod is drawn while its resolution changes: the skin goes on from where it was, and comes to the nodes and
// frames with time.
#ifndef CDG_ADAPT_DRAWN_H
#define CDG_ADAPT_DRAWN_H

#include "adapt/rod_part.h"

// The rod as it is drawn around a change, on the nodes of the coarser resolution.
typedef struct cdg_drawn {
    cdg_vec3 fresh;                    // where the skin's axis is in the middle of what is, or was, whole
    cdg_vec3 between;                  // of a merge: how far the axis through what stays is away from there
    cdg_vec3 place[CDG_PART_NODES];    // of nodes, before the change
    cdg_vec3 tangent[2];               // in the middles of halves, or in that of the whole, that are there after it
    cdg_quat frame[CDG_PART_ELEMENTS]; // before it, of elements that are there after it: as the skin has them, of
                                       // halves or the whole; of others the rod's
    double node_roll[3];               // rad, after it: of the node before what changes, the fresh one, the next
    double unrolled;                   // rad, of a merge: how far frames are away from where they were
} cdg_drawn;

// Before the change of `element` into halves, or of halves into one; `from` is the part before it, `sides` its.
void cdg_drawn_keep(const cdg_rod *rod, const cdg_rod_part *from, bool is_split, cdg_drawn *out);
// Whether halves can be made one so that hardly anything is seen of it.
bool cdg_drawn_may_merge(const cdg_rod *rod, const cdg_rod_part *from, const cdg_drawn *drawn);
// After it: the skin is where it was. `to`: the part then.
void cdg_drawn_go_on(cdg_rod *rod, const cdg_rod_part *to, bool is_split, const cdg_drawn *drawn);
// After a step: it comes nearer.
void cdg_drawn_settle(cdg_rod *rod, double step);

#endif
