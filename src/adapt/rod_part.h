// The part of a rod that a change of resolution is about: its elements and nodes in the present numbering, and its
// state, kept to go back to and to go on from.
#ifndef CDG_ADAPT_ROD_PART_H
#define CDG_ADAPT_ROD_PART_H

#include "adapt/rod_patch.h"

enum { CDG_PART_NODES = CDG_PATCH_NODES, CDG_PART_ELEMENTS = CDG_PATCH_ELEMENTS };

// Elements one after the other, round the seam of a closed rod, and their nodes.
typedef struct cdg_rod_part {
    size_t count; // elements
    size_t element[CDG_PART_ELEMENTS], node[CDG_PART_NODES];
    size_t fresh;   // the node that a split makes and a merge removes; CDG_PART_NODES: it is not there
    size_t changed; // the first of the elements that are, or are to be, halves: where the whole one is otherwise
} cdg_rod_part;

// How many neighbours of what changes move along on each side. One whose far node is held does not.
typedef struct cdg_part_sides {
    size_t before, next;
} cdg_part_sides;

// A node whose motion is prescribed, or that is one with nodes of other rods.
bool cdg_part_is_held(const cdg_rod *rod, size_t node);
bool cdg_part_follows(const cdg_rod *rod); // frames lie along their edges

// About elements first to last, which are one, or the halves of one.
cdg_part_sides cdg_part_choose_sides(const cdg_rod *rod, size_t first, size_t last);
// The part about `element`, which, is_fine, and the next are halves.
cdg_rod_part cdg_part_beside(const cdg_rod *rod, size_t element, cdg_part_sides sides, bool is_fine);

// What an operation may change of a part.
typedef struct cdg_part_state {
    cdg_vec3 x[CDG_PART_NODES], v[CDG_PART_NODES], x_before[CDG_PART_NODES], v_before[CDG_PART_NODES];
    cdg_vec3 rest_curl[CDG_PART_NODES];
    cdg_quat rest_turn[CDG_PART_NODES];
    double twist[CDG_PART_NODES], mass[CDG_PART_NODES];
    cdg_quat q[CDG_PART_ELEMENTS], q_before[CDG_PART_ELEMENTS];
    cdg_vec3 w[CDG_PART_ELEMENTS], w_before[CDG_PART_ELEMENTS];
    double tension[CDG_PART_ELEMENTS];
    float calm[CDG_PART_ELEMENTS];
} cdg_part_state;

void cdg_part_keep(const cdg_rod *rod, const cdg_rod_part *part, cdg_part_state *out);
void cdg_part_put_back(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_state *from);
// The past of integrators that look back: nodes came as far in the last step as they did (`then`: in the present
// numbering, before anything moved), frames turned as far, and velocities changed as much.
void cdg_part_move_past(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_state *then);
// Twist as counted, nearest to what it was.
void cdg_part_count_turns(cdg_rod *rod, const cdg_rod_part *part);

#endif
