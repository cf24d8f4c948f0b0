// Bilateral interleaving (Kugelstadt and Schömer 2016, section 7 and figure 4): even indices from one end, odd ones
// from the other, in turn, so that corrections do not run through the chain in one direction only.
#ifndef CDG_BENCH_INTERLEAVE_H
#define CDG_BENCH_INTERLEAVE_H

#include <stddef.h>

// The index to visit as number `visit` of `count`: 0 5 2 3 4 1 for six, 0 3 2 1 4 for five.
static inline size_t interleave(size_t visit, size_t count) {
    return visit % 2 == 0 ? visit : count - count % 2 - visit;
}

#endif
