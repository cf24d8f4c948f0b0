// The quality of a solid's mesh, before anything moves: how many cells it has across, and its flattest tetrahedron.
#ifndef CDG_SOLIDS_SOLID_ADVICE_H
#define CDG_SOLIDS_SOLID_ADVICE_H

#include "solids/solid.h"

// In bending a solid of linear tetrahedra with n cells across is too stiff by about this over n^2 (`cordage validate
// solids`: 1.8 % at 16 cells, of order 2).
#define CDG_SOLID_BENDING_ERROR 4.6
// What is good enough.
#define CDG_SOLID_GOOD_BENDING 0.03
// Heights of a tetrahedron below this share of a cell make it a sliver.
#define CDG_SOLID_SLIVER 0.1

typedef struct cdg_solid_advice {
    double thickness;     // m: the least side of the box that turns as hard as it does, or of walls that are thinner
    double cell;          // m: side of the cubes of six tetrahedra that would fill it
    double bending_error; // share, about: how much too stiff it is when it bends across its thickness
    double resolution;    // m: cells with which that would be CDG_SOLID_GOOD_BENDING
    double least_height;  // m: of a corner above the opposite face
    size_t flattest;      // the tetrahedron that has it
    size_t sliver_count;
} cdg_solid_advice;

cdg_solid_advice cdg_solid_advise(const cdg_solid *solid);

#endif
