// The orientation element of a net (net.h) between two segments of der rods: energy, forces and stiffness by edges and
// material angles.
#ifndef CDG_RODS_DER_NET_PAIR_H
#define CDG_RODS_DER_NET_PAIR_H

#include "rods/discrete_spring.h"
#include "rods/net.h"

// Unknowns: the edge of a (3), its angle, the edge of b (3), its angle.
enum { DER_PAIR_SIZE = 8 };

typedef struct der_pair {
    const cdg_net_pair *pair;
    double factor; // of the stiffness: 1 + tau/h
    cdg_vec3 rest; // of the error's v: what damping remembers
} der_pair;

typedef struct der_pair_state {
    double energy;
    double gradient[DER_PAIR_SIZE];
    double hessian[DER_PAIR_SIZE][DER_PAIR_SIZE];
} der_pair_state;

// geometric as in discrete_spring_template.h; frames along their edges, whose inverse lengths are given.
void der_pair_evaluate(const der_pair *pair, cdg_quat a, double inverse_a, cdg_quat b, double inverse_b,
                       double geometric, der_pair_state *out);

#endif
