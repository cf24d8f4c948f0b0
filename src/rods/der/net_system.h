// The system that joined der rods pose together: those of the rods (der/chain.h) with points in common, and the pairs
// of segments that meet (der/net_pair.h). Each rod is assembled into its own strip; the strips are added up in a sparse
// matrix of blocks, one for each point and angle (block_sparse.h).
#ifndef CDG_RODS_DER_NET_SYSTEM_H
#define CDG_RODS_DER_NET_SYSTEM_H

#include "rods/der/net_pair.h"
#include "rods/der/net_plan.h"
#include "rods/der/newton.h"

typedef struct der_net_system {
    const cdg_net *net;
    const der_net_plan *plan;
    const der_chain *chains; // of each rod
    der_workspace *works;
    der_pair *pairs; // of each pair
    block_matrix matrix;
    double *right, *spare; // 4 * blocks; right: minus the gradient, then the solution
    double *gradient;      // 4 * blocks: right before it is solved
} der_net_system;

size_t der_net_system_bytes(const cdg_net *net, const der_net_plan *plan); // beyond chains and works
void der_net_system_place(der_net_system *system, char *memory);           // net and plan are set

// Adds the strips of all rods, which are assembled, and the pairs, whose energy is returned.
double der_net_assemble(der_net_system *system, double geometric);
void der_net_factor(der_net_system *system);
// The solution into the rods' workspaces.
void der_net_substitute(der_net_system *system);
// Minus the gradient, assembled, times the solution in the rods' workspaces.
double der_net_slope(const der_net_system *system);

#endif
