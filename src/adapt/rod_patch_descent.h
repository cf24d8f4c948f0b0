// The search of Spillmann's thesis for where a few elements are in equilibrium, for comparison: conjugate gradients
// with a line search by halving (algorithms 3 and 4 of its appendix D, with what is misprinted there put right).
#ifndef CDG_ADAPT_ROD_PATCH_DESCENT_H
#define CDG_ADAPT_ROD_PATCH_DESCENT_H

#include "adapt/rod_patch.h"

// How far a force of 1 moves a node at first, m/N, and a torque of 1 turns a frame, rad/(N m).
typedef struct cdg_patch_gives {
    double node[CDG_PATCH_NODES], frame[CDG_PATCH_ELEMENTS];
} cdg_patch_gives;

// As cdg_rod_patch_solve, as far as `most` iterations get. Returns how many there were; 0: there is no way downhill.
int cdg_rod_patch_descend(cdg_rod_patch *patch, const cdg_rod_patch_gradient *wanted, const cdg_patch_gives *gives,
                          int most);

#endif
