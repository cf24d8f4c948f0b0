// Gaps of many pairs of elements at once: most boxes that overlap hold elements that are not near, and this tells them
// from the rest before anything is known of them but the pair.
#ifndef CDG_CONTACT_PAIR_GAPS_H
#define CDG_CONTACT_PAIR_GAPS_H

#include "contact/box_pairs.h"
#include "contact/pieces.h"

enum { CDG_SEGMENT_SIZE = 8 };

// What there is to know of two elements before they become a contact: one cache line.
typedef struct cdg_near_pair {
    double s, t;                 // parameters of the nearest points in the candidate
    double between[3], distance; // from b to a there, m
    double start_gap;            // m, between the surfaces at the start of the step
    double bound;                // m: no point of a comes nearer to one of b by more than this in the step
} cdg_near_pair;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_pair_gaps {
    // CDG_SEGMENT_SIZE of each element: two ends, and the radii there; in the candidate and at the start of the step
    double *segments, *starts;
    double *moves; // m, of each element: how far an end moves in the step, at most
    size_t element_capacity;
    double *gaps; // m, of each pair: between the surfaces in the candidate; -HUGE_VAL: moves are too long to tell
    size_t pair_capacity;
    cdg_box_pair *sieved;   // pair_capacity: of each part of the pairs those that are near, from where the part begins
    uint32_t *sieved_count; // of each part
    cdg_box_pair *near;     // those that are looked at, in order, and what is known of them
    cdg_near_pair *records;
    size_t near_count, near_capacity;
    int threads;             // that share pairs out; less than 2: none
    double deepest, longest; // of the sum of radii: largest overlap, longest move of an element; at least 0
} cdg_pair_gaps;

void cdg_pair_gaps_free(cdg_pair_gaps *gaps);

// False: no memory. A pair whose moves together are longer than `most` times the sum of radii is always kept, because
// its gap in the candidate says too little.
bool cdg_pair_gaps_find(cdg_pair_gaps *out, const cdg_pieces *pieces, const cdg_box_pair *pairs, size_t pair_count,
                        double most);

// Looks at pairs whose gap is at most `margin` of the sum of their larger radii. False: no memory.
bool cdg_pair_gaps_look(cdg_pair_gaps *gaps, const cdg_pieces *pieces, const cdg_box_pair *pairs, size_t pair_count,
                        double margin);

// Writes gaps of pairs and returns the largest overlap, at least 0, as a share of the sum of the larger radii.
typedef double cdg_gap_kernel(const double *segments, const double *moves, const cdg_box_pair *pairs, size_t pair_count,
                              double most, double *gaps);
cdg_gap_kernel cdg_gap_kernel_base, cdg_gap_kernel_avx2, cdg_gap_kernel_avx512;
typedef void cdg_near_kernel(const double *segments, const double *starts, const cdg_box_pair *pairs, size_t pair_count,
                             cdg_near_pair *out);
cdg_near_kernel cdg_near_kernel_base, cdg_near_kernel_avx2, cdg_near_kernel_avx512;

#endif
