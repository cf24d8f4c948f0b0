// Halving an element of a rod, and making two halves one again: the rod's arrays, before anything is in equilibrium.
#ifndef CDG_ADAPT_RESOLUTION_H
#define CDG_ADAPT_RESOLUTION_H

#include "rods/rod.h"

// Node `element` + 1 and element `element` + 1 become new ones, in the middle of the element, whose frame both halves
// have. Masses, rest lengths and rest turns are those of the halves; positions lie on the chord, velocities between.
void cdg_resolution_halve(cdg_rod *rod, size_t element);
// Whether elements `element` and `element` + 1 are halves of one.
bool cdg_resolution_are_halves(const cdg_rod *rod, size_t element);
// The reverse: the node between them goes. The frame lies between theirs.
void cdg_resolution_join(cdg_rod *rod, size_t element);

#endif
