// The pairs of segments at a joint and how stiff each is (net.h), from what the joints that were asked for say.
//
// Between a segment's frame, at its middle, and the joint lies half of the segment, an arm of stiffness k = 2 B/l about
// the axes of its rod's section there. The sections of rods that are joined rigidly turn as one; others are linked by
// what their joint says. Sections without inertia are in equilibrium: eliminating them (A: arms and links, summed)
// leaves for every two segments i and j that end in sections s(i) and s(j)
//   K_ij = k_i (A^-1)_s(i)s(j) k_j,
// whose symmetric part is the stiffness of their pair. It is all of it where the principal axes of what meets are
// parallel or at right angles, or bending and twisting are equally stiff; else a skew part is left out, of the order of
// the square of the difference of the two. Two equal rods end to end get B/c, the cell between neighbours; n equal
// segments 2 B/(n l). Two neighbours in a rod have a cell already, of stiffness B/c: where others join them, their pair
// has what is missing to K_ij, which is negative.
#ifndef CDG_RODS_NET_PAIRS_H
#define CDG_RODS_NET_PAIRS_H

#include "rods/net.h"

// A member as one of the joints that were asked for names it.
typedef struct cdg_net_asked {
    cdg_net_member member;
    size_t joint, asked; // number of the point it belongs to; of the joint that it was given in
    size_t order, index; // index: in the net's members
    const cdg_net_joint_def *def;
} cdg_net_asked;

// What was asked for, sorted as the net's members are: that of member m is at first[m] .. first[m + 1] - 1, several
// where several joints name the node.
typedef struct cdg_net_request {
    cdg_net_asked *items;
    size_t *first;
    double *reach; // of each member: how stiff it is against one of them
} cdg_net_request;

// No more pairs than this.
size_t cdg_net_pairs_bound(const cdg_net *net, size_t joint);
// Fills in the pairs of a joint and says how many; fails for want of memory only.
cdg_result cdg_net_pairs_find(const cdg_net *net, size_t joint, const cdg_net_request *request, cdg_net_pair *out,
                              size_t *count, cdg_error *error);

#endif
