// Gaps of many pairs of elements at once: most boxes that overlap hold elements that are not near, and this tells them
// from the rest before anything is known of them but the pair.
#ifndef CDG_CONTACT_PAIR_GAPS_H
#define CDG_CONTACT_PAIR_GAPS_H

#include "contact/box_pairs.h"
#include "contact/pieces.h"

enum { CDG_SEGMENT_SIZE = 8 };

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_pair_gaps {
    double *segments; // CDG_SEGMENT_SIZE of each element: two ends in the candidate, and the radii there
    double *moves;    // m, of each element: how far an end moves in the step, at most
    size_t element_capacity;
    double *gaps; // m, of each pair: between the surfaces in the candidate; -HUGE_VAL: moves are too long to tell
    size_t pair_capacity;
    double deepest, longest; // of the sum of radii: largest overlap, longest move of an element; at least 0
} cdg_pair_gaps;

void cdg_pair_gaps_free(cdg_pair_gaps *gaps);

// False: no memory. Moves are too long to tell when those of both elements together are more than `most` of the sum of
// radii.
bool cdg_pair_gaps_find(cdg_pair_gaps *out, const cdg_pieces *pieces, const cdg_box_pair *pairs, size_t pair_count,
                        double most);

// Writes gaps of pairs and returns the largest overlap, at least 0, as a share of the sum of the larger radii.
typedef double cdg_gap_kernel(const double *segments, const double *moves, const cdg_box_pair *pairs, size_t pair_count,
                              double most, double *gaps);
cdg_gap_kernel cdg_gap_kernel_base, cdg_gap_kernel_avx2, cdg_gap_kernel_avx512;

#endif
