// From what an elimination of pobd's chain leaves at an element to its record for answering loads (math/outward.h).
#ifndef CDG_RODS_POBD_ANSWER_H
#define CDG_RODS_POBD_ANSWER_H

#include "math/outward.h"
#include "rods/pobd/assemble.h"
#include "rods/pobd/terms.h"

// What waits in an element's record, where the transfers are: fm, fb, tc, tn of x = fm x' - fb t and
// t = -tc x' - tn t' (chain_solve_simd.c), as seen from the first end and from the last one, where x has the opposite
// sign. In the place of the core: the complements of both sides, each on x (6), x with t (9), on t (6).
enum { POBD_SIDE = 21 };

typedef struct pobd_answer_kernels {
    size_t width;
    // `width` elements without supports at their nodes, or one with: anchors add to its turning, nodes may be held.
    // False when the system is not positive definite there.
    bool (*several)(const pobd_assembly *assembly, size_t element, double *records);
    bool (*one)(const pobd_assembly *assembly, size_t element, const block_symmetric *anchors, bool is_start_held,
                bool is_end_held, double *record);
} pobd_answer_kernels;

extern const pobd_answer_kernels pobd_answer_kernels_base;
#if defined(__x86_64__)
extern const pobd_answer_kernels pobd_answer_kernels_avx2, pobd_answer_kernels_avx512;
#endif

// The torque of a load works on phi (pobd/problem.h), whose change about d3 is (w I + [v]x)_3 theta.
static inline block_vector pobd_lever(const pobd_problem *problem, size_t element) {
    block_rotation p = block_relative(block_load_rotation(problem->q_target, element),
                                      block_load_rotation((const double *const *)problem->q, element));
    return (block_vector){-p.y, p.x, p.w};
}

#endif
