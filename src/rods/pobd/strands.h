// A team of alike rods solved by Gauss-Seidel at once, one rod in each lane of the processor's vectors: hair and fur.
//
// A rod alone is cut into runs for the lanes, with seams between them and lanes left over when it is short, and what
// surrounds the solution is done array by array. In a team there are no seams and no spare lanes, and a step goes
// through memory once: prediction, solution and velocities in one place.
#ifndef CDG_RODS_POBD_STRANDS_H
#define CDG_RODS_POBD_STRANDS_H

#include "rods/pobd/motion.h"
#include "rods/pobd/problem.h"

// One rod of the team; all have as many elements, are open, undamped and uniform with the rest turn of node 1.
typedef struct pobd_strand {
    cdg_rod *rod;
    const cdg_rod_loads *loads;
    double inertia;                 // kg m^2, rotary inertia of a frame as the solver sees it
    const cdg_hold *held[2];        // start, end: where the node is held; NULL: free
    const pobd_anchor *anchored[2]; // start, end: how its section is held; NULL: free
    double correction;              // m, out: largest node correction in the last iteration
    double stretch;                 // out: as in pobd_outcome
    cdg_vec3 end_stretch[2];        // out: of the first and the last element, by their multipliers (pobd_multipliers)
    cdg_vec3 end_turn[2];           // out: of the half cells at the start and the end, where sections are held
} pobd_strand;

size_t pobd_strands_most(void);                         // how many rods a team has at most on this machine
size_t pobd_strands_scratch_size(size_t element_count); // bytes

// Candidates of all. False when a frame turns too fast for the plain prediction, something is not finite or an element
// is much longer than its forces imply: then the candidates are worthless, and rods must be done one by one, which
// succeeds or tells where and what is wrong.
// `soon` is fetched meanwhile; NULL: nothing.
bool pobd_solve_strands(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations, const cdg_soon *soon,
                        void *scratch);

// Several steps of all at once, from state to state, with loads of weight alone and holds that stay, then candidates of
// one more; `scheme` is that of every one of them. False, for the same reasons: `taken` says how many steps the states
// have gone, all or none; the rest, with the candidates, must be done one by one. `is_final`: the candidates will be
// committed, so that the memory of the history may take them: less of it is touched.
bool pobd_advance_strands(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations, uint64_t steps,
                          bool is_final, const cdg_soon *soon, void *scratch, uint64_t *taken);

// pobd/strands_simd.c
#define POBD_STRANDS_DECLARE(suffix)                                                                                   \
    size_t pobd_strands_scratch_size_##suffix(size_t element_count);                                                   \
    bool pobd_solve_strands_##suffix(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations,           \
                                     const cdg_soon *soon, void *scratch);                                             \
    bool pobd_advance_strands_##suffix(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations,         \
                                       uint64_t steps, bool is_final, const cdg_soon *soon, void *scratch,             \
                                       uint64_t *taken);
POBD_STRANDS_DECLARE(base)
POBD_STRANDS_DECLARE(avx2)
POBD_STRANDS_DECLARE(avx512)
#undef POBD_STRANDS_DECLARE

#endif
