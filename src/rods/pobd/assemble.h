// Vectorised passes of the direct solver over a rod: assembling, the objective's value, moving by a correction.
#ifndef CDG_RODS_POBD_ASSEMBLE_H
#define CDG_RODS_POBD_ASSEMBLE_H

#include "rods/pobd/problem.h"

typedef struct pobd_assembly {
    const pobd_problem *problem;
    bool is_exact;           // exact second derivatives, else their positive semidefinite part
    double shift_x, shift_t; // N/m, N m: added to the diagonal
    size_t element_count;    // of the chain: all, without the last when the rod is closed
} pobd_assembly;

typedef struct pobd_correction {
    double *x[3], *t[3]; // m, node_count; rad, element_count
} pobd_correction;

typedef struct pobd_size {
    double move, turn, swing; // m, rad, rad m (turn times length): largest of a correction
    bool is_finite;           // all of it
} pobd_size;

// assemble  fills entries CHAIN_TILE_PAD ... of a tile (chain_solve.h) with elements first ... first + count - 1. Going
//           forwards, an element's near node is its start and the bend at its end belongs to it; backwards the reverse.
//           Elements 0 ... element_count - 2 may be asked for forwards, 1 ... element_count - 1 backwards.
// value     the objective, without anchors and without the last element of a closed rod and the bends at its nodes.
// advance   x += factor dx, q <- q (1, factor theta/2) normalised; held nodes stay.
// excess    after such an advance: the stretch energy, minus what it would be had all strains changed in proportion to
//           the correction; that is of second order in the turns.
// center    moves the correction as a whole so that the weighted mean of x + dx is that of the targets, as it should be
//           but for rounding: a free rod's momentum. Does nothing when a node is held.
// measure   the size of a correction.
#define POBD_ASSEMBLE_DECLARE(suffix)                                                                                  \
    void pobd_assemble##suffix(const pobd_assembly *assembly, size_t first, size_t count, bool is_forward,             \
                               double *tile);                                                                          \
    double pobd_value##suffix(const pobd_problem *problem, size_t chain_element_count);                                \
    void pobd_advance##suffix(const pobd_problem *problem, const pobd_correction *correction, double factor);          \
    double pobd_excess##suffix(const pobd_problem *problem, const pobd_correction *correction, double factor,          \
                               size_t chain_element_count);                                                            \
    void pobd_center##suffix(const pobd_problem *problem, const pobd_correction *correction);                          \
    pobd_size pobd_measure##suffix(const pobd_problem *problem, const pobd_correction *correction);
POBD_ASSEMBLE_DECLARE(_base)
POBD_ASSEMBLE_DECLARE(_avx2)
POBD_ASSEMBLE_DECLARE(_avx512)
#undef POBD_ASSEMBLE_DECLARE

#endif
