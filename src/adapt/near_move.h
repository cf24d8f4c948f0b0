// Which segments of a rod may be in the way of a move: a first sieve, in which most of a long rod is left behind by its
// box, and most of the rest by the distance of middles.
#ifndef CDG_ADAPT_NEAR_MOVE_H
#define CDG_ADAPT_NEAR_MOVE_H

#include "contact/box_pairs.h"

#include <stddef.h>
#include <stdint.h>

enum { CDG_NEAR_LANES = 8, CDG_NEAR_SEGMENTS = 64 };

// Segments that move, one in each lane, and the box about all of them, grown by `reach` and what the others may have.
typedef struct cdg_near_move {
    double middle[3][CDG_NEAR_LANES]; // far away in lanes that nobody needs
    double reach[CDG_NEAR_LANES];     // m: half of the length, the radius, and how far anything goes
    cdg_box box;
} cdg_near_move;

// Of segments `first` and on, `count` of them, at most CDG_NEAR_SEGMENTS, between a point and the next: a bit for each
// that may be nearer to one of the lanes' than `reach` and `other` (m) together.
uint64_t cdg_near_segments(const cdg_near_move *move, double *const x[3], size_t first, size_t count, double other);

#define CDG_NEAR_DECLARE(suffix)                                                                                       \
    uint64_t cdg_near_segments##suffix(const cdg_near_move *move, double *const x[3], size_t first, size_t count,      \
                                       double other);
CDG_NEAR_DECLARE(_base)
CDG_NEAR_DECLARE(_avx2)
CDG_NEAR_DECLARE(_avx512)
#undef CDG_NEAR_DECLARE

#endif
