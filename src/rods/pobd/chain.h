// One Newton system of the pobd direct solver: from the current unknowns of a problem to a correction of them.
#ifndef CDG_RODS_POBD_CHAIN_H
#define CDG_RODS_POBD_CHAIN_H

#include "math/chain_solve.h"
#include "rods/pobd/assemble.h"
#include "rods/pobd/terms.h"

// The vector functions for one instruction set: the best of this CPU with at most so many doubles in a vector.
typedef struct pobd_kernels pobd_kernels;
const pobd_kernels *pobd_kernels_choose(int most_doubles);

// Terms of a closed rod around its border, x_0 and the turn of the last element.
typedef struct pobd_border {
    block_stretch_term first, last;       // elements 0 and N - 1
    block_spin_term spin;                 // of element N - 1
    block_bend_term bend_zero, bend_last; // at node 0 and at node N - 1
} pobd_border;

typedef struct pobd_chain {
    const pobd_kernels *kernels;
    const pobd_problem *problem;
    size_t element_count; // of the open chain
    size_t step_count;    // elements eliminated from the first end
    size_t padding;       // 1 when the last end eliminates one less, else 0
    double *tile_first, *tile_last;
    // What the substitution needs of a step is kept for all steps of a short rod, but only for `chunk` steps at a time
    // of a long one, where it would take most of the memory: the state before each chunk is kept instead, and the
    // chunk is eliminated again when the substitution comes to it.
    double *record;
    size_t chunk, chunk_first; // steps in a chunk; first step of the one whose record stands
    chain_state *kept;         // before each chunk; NULL: there is only one
    pobd_border *border;
    pobd_assembly assembly;     // of the last elimination
    pobd_correction correction; // set by pobd_chain_substitute
    double middle[15];          // solution in the middle: x before, t, x after, border
    double value;               // objective at the unknowns, set by pobd_chain_eliminate when it succeeds
    double decrement;           // -(gradient . correction), likewise: not negative
} pobd_chain;

// has_spare: the problem brings memory for the correction.
size_t pobd_chain_scratch_size(size_t element_count, bool is_closed, bool has_spare);
// Scratch is 64-byte aligned. Nothing is kept between solves.
void pobd_chain_init(pobd_chain *chain, const pobd_problem *problem, void *scratch);

// Assembles and eliminates. False when the matrix is not positive definite; the unknowns stay as they are.
bool pobd_chain_eliminate(pobd_chain *chain, bool is_exact, double shift_x, double shift_t);
// Completes the correction after a successful elimination, and measures it.
pobd_size pobd_chain_substitute(pobd_chain *chain);

// The objective at the current unknowns, vectorised.
double pobd_chain_value(const pobd_chain *chain);
// Moves the unknowns by factor times the correction; the opposite factor takes it back.
void pobd_chain_advance(const pobd_chain *chain, double factor);
// After such a move: the stretch energy, minus what it would be had all strains changed in proportion to the
// correction.
double pobd_chain_excess(const pobd_chain *chain, double factor);

// ---- from each end to the other (pobd/response.c) -------------------------------------------------------------------

// Called twice for each element that the ends come to: with the state of both ends before it, and then, but for the
// last one, with what the substitution needs of it (chain_solve.h). The other pointer is NULL. The first end is at
// element `step`, the last end at element_count - 1 - step.
typedef void pobd_chain_visit(void *user, size_t step, const chain_state *before, const double *record);
// Assembles, and eliminates all elements from both ends, not only up to the middle. The border of a closed rod is held
// meanwhile. False when the matrix is not positive definite.
bool pobd_chain_pass(pobd_chain *chain, bool is_exact, double shift_x, double shift_t, pobd_chain_visit *visit,
                     void *user);
// Second derivatives by the turn of an element that the anchors at its nodes add.
block_symmetric pobd_chain_anchors(const pobd_chain *chain, size_t element);

// pobd/direct.c. Attempt 0: exact second derivatives, no shift. 1: their positive semidefinite part. 2, 3, ...: and
// shifted by a growing part of the rod's own stiffness, for problems without inertia in some direction.
enum { POBD_ATTEMPT_COUNT = 9 };
void pobd_attempt_shifts(const pobd_problem *problem, int attempt, double *shift_x, double *shift_t);

#endif
