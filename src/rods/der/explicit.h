// Parts of der's explicit step: forces, the quasistatic material frame, and constraints on the length.
#ifndef CDG_RODS_DER_EXPLICIT_H
#define CDG_RODS_DER_EXPLICIT_H

#include "rods/der/der.h"
#include "rods/der/loops.h"

typedef struct der_explicit_work {
    double *force[3];               // N, node_count
    double *diagonal, *off, *right; // node_count, tridiagonal systems
    double *spare;                  // node_count
    double *scale;                  // element_count, N m: of twisting, set by der_relax_frames
    double *multiplier;             // element_count, N/m: tension over length
    double *edge[3];                // m, element_count
    double *inverse_mass;           // 1/kg, node_count; 0: held, or at a place that yields, whose is a matrix
    double pull;                    // 1/s^2: from a multiplier times an edge to a force
} der_explicit_work;

size_t der_explicit_work_bytes(const cdg_rod *rod);
char *der_explicit_work_place(const cdg_rod *rod, char *memory, der_explicit_work *work);

// der/forces.c: force of springs, stretching, torques and damping at the chain's unknowns, loads added; node_count.
// `pull` gets what the springs and stretching pull at the edges (N, element_count).
void der_internal_forces(const cdg_rod *rod, const der_chain *chain, double *const pull[3], double *const force[3]);

// der/frames.c: angles that minimise the energy of the nodes where they are (paper, section 5.1): Newton with a
// tridiagonal Hessian and a line search. False: not converged.
bool der_relax_frames(const cdg_rod *rod, const der_chain *chain, const der_explicit_work *work, int *iterations);

// der/lengths.c: moves x along the edges from_x (NULL: those of x itself, iterate by iterate: fast projection, paper,
// section 7; else those at the start of the step: SHAKE) until every edge has its rest length to 1e-10, or to what
// rounding of coordinates leaves. time2 > 0: elements give way by their stretching stiffness; tension is multiplier
// length/time2. multiplier gets the sum of what it took: x_i moves by inverse_mass * sum of multiplier * edge.
// False: it cannot be done.
bool der_project_lengths(const cdg_rod *rod, double *const x[3], double *const from_x[3], double time2,
                         const der_explicit_work *work, int *iterations);
// Takes off velocities what changes lengths (RATTLE's second half). Multipliers likewise.
bool der_project_velocities(const cdg_rod *rod, double *const x[3], double *const v[3], const der_explicit_work *work);

#endif
