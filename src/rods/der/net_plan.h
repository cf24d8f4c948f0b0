// Where the unknowns of joined der rods are in one sparse matrix of blocks (block_sparse.h), and in which order they
// are eliminated. Rods that adapt change their numbers: then all is made anew, in memory that is reserved once.
#ifndef CDG_RODS_DER_NET_PLAN_H
#define CDG_RODS_DER_NET_PLAN_H

#include "math/block_sparse.h"
#include "rods/net.h"

// A node has a block for its position and its angle; copies of a shared point have the position of the first and a
// block of their own for the angle (SIZE_MAX: there is none).
typedef struct der_net_plan {
    size_t *first;                    // rod_count + 1: the nodes of all rods are numbered one rod after the other
    size_t *block, *angle;            // of each node: block
    const block_pattern *pattern;     // of all blocks
    size_t most_blocks, most_entries; // that there may ever be
    // Only where rods adapt; else NULL.
    struct der_net_order *order;
    block_pattern *own_pattern; // where none does
} der_net_plan;

der_net_plan *der_net_plan_make(const cdg_net *net); // NULL: no memory
void der_net_plan_free(void *plan);
// After the resolution of rods has changed. Nothing is allocated.
void der_net_plan_settle(der_net_plan *plan, const cdg_net *net);

static inline size_t der_net_number(const der_net_plan *plan, size_t rod, size_t node) {
    return plan->first[rod] + node;
}

#endif
