// Sections of a rod that varies along itself, through changes of its resolution: each has that of its own place.
#ifndef CDG_ADAPT_ROD_SECTIONS_H
#define CDG_ADAPT_ROD_SECTIONS_H

#include "rods/rod.h"

// After the arrays, lengths and arc lengths are those of the halves, and the section of both is that of the whole. The
// whole's mass is shared. Nothing is done to uniform rods.
void cdg_sections_halve(cdg_rod *rod, size_t element);
// Before the arrays close: the section of the whole, and the mass of both, come to be the first half's.
void cdg_sections_join(cdg_rod *rod, size_t element);

#endif
