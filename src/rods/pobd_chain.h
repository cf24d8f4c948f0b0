// One Newton system of the pobd direct solver: from the current unknowns of a problem to a correction of them.
#ifndef CDG_RODS_POBD_CHAIN_H
#define CDG_RODS_POBD_CHAIN_H

#include "rods/pobd_assemble.h"

// The vector functions for one instruction set: the best of this CPU with at most so many doubles in a vector.
typedef struct pobd_kernels pobd_kernels;
const pobd_kernels *pobd_kernels_choose(int most_doubles);

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
    struct chain_state *kept;  // before each chunk; NULL: there is only one
    struct pobd_border *border;
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

#endif
