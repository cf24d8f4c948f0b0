// The loops of der's explicit step over springs, frames and edges, for many at once: one table of them for each
// instruction set (der/loops_simd.c). What they leave at the ends is done one by one by those who call them.
#ifndef CDG_RODS_DER_LOOPS_H
#define CDG_RODS_DER_LOOPS_H

#include "rods/der/chain.h"

typedef struct der_loops {
    // Springs from node `spring` on, before `end`, as many groups as fit; returns the first that is not done. What a
    // spring pulls at the edge before its node is added to pull[][node - 1], what it pulls at the edge after it is put
    // to pull[][node]. damping_time NULL: elastic; else of bending and twisting (s), with nodes' velocities v and the
    // frames' spin.
    size_t (*pull_springs)(const der_chain *chain, const double *damping_time, double *const v[3], const double *spin,
                           size_t spring, size_t end, double *const pull[3]);
    // The same for the energy as a function of the angles: derivatives are added to right (minus the first), diagonal,
    // and put to off; chain->twist is set. Adds to *energy.
    size_t (*roll_springs)(const der_chain *chain, size_t spring, size_t end, double *right, double *diagonal,
                           double *off, double *energy);
    // Turns frames by factor * angle, which is at most 1, and adds that to theta; returns the first that is not turned.
    size_t (*turn_frames)(const der_chain *chain, const double *angle, double factor);
    // Directors of the frames and what they say of the motion: w_next, and q_next with the sign of q.
    void (*finish_frames)(const der_chain *chain, double *const v[3], double inverse_step, double *const w[3]);

    // force = load + pull of the edge after the node less that of the edge before, nodes from 1 to count - 2
    void (*sum_pulls)(size_t count, const double *load, const double *pull, double *force);
    // x_next = x + step (v + kick force/mass)
    void (*drift)(size_t count, const double *x, const double *v, const double *force, const double *inverse_mass,
                  double kick, double step, double *x_next);
    // (to - from) factor
    void (*difference)(size_t count, const double *from, const double *to, double factor, double *out);
    double (*largest)(size_t count, const double *a);        // |a|; INFINITY when one is not a number
    double (*sum_of_squares)(size_t count, const double *a); // in the order of the lanes

    // Edges of x between nodes 0 to count; half the excess of their squared lengths over rest, negative, in right; the
    // diagonal of the constraints' matrix. Returns the largest excess over the squared length, INFINITY if one is not a
    // number.
    double (*find_edges)(size_t count, double *const x[3], const double *rest_length, const double *inverse_mass,
                         double *const edge[3], double *right, double *diagonal);
    // off[j] = -edge j . edge j+1 over the mass between, before count - 1
    void (*couple_edges)(size_t count, double *const edge[3], const double *inverse_mass, double *off);
    // x_i += (lambda edge of i - 1 less that of i)/mass, nodes from 1 to count - 1 between as many edges
    void (*move_nodes)(size_t count, const double *lambda, const double *edge, const double *inverse_mass, double *x);
} der_loops;

extern const der_loops der_loops_base, der_loops_avx2, der_loops_avx512;

const der_loops *der_choose_loops(void);

#endif
