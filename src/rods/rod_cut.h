// A part of a rod as a rod of its own.
#ifndef CDG_RODS_ROD_CUT_H
#define CDG_RODS_ROD_CUT_H

#include "rods/rod.h"

// Elements of the definition, `count` from `first` on. Of a closed rod all of them, from where it is cut.
typedef struct cdg_rod_piece {
    size_t first, count;
} cdg_rod_piece;

// Refuses rods of which no part can be made.
cdg_result cdg_rod_cut_check(const cdg_rod *rod, cdg_error *error);
// An open rod with everything that these elements have: rest shape, state, whole turns, resolution. Nothing holds or
// grips it: supports and the masses of hands are the world's. The rod that it is cut from stays as it is.
cdg_result cdg_rod_cut_out(const cdg_rod *whole, const cdg_rod_piece *cut, const char *name, cdg_rod **out,
                           cdg_error *error);

#endif
