// The mesher of the thesis (appendix A): cubes of five tetrahedra, kept where enough of them is inside, and a boundary
// that is smoothed without loss of volume.
#ifndef CDG_MESHING_LATTICE_H
#define CDG_MESHING_LATTICE_H

#include "meshing/moves.h"

typedef struct cdg_lattice_def {
    const cdg_inside *inside;
    cdg_vec3 low, high;
    double size, density; // edge of a cube, m; share of an element that must be inside
    int thread_count;
} cdg_lattice_def;

uint64_t cdg_lattice_cubes(const cdg_lattice_def *def); // that the box takes

// CDG_ERROR_MEMORY, or CDG_ERROR_INTERRUPTED.
cdg_result cdg_lattice_fill(const cdg_lattice_def *def, cdg_budget *budget, cdg_progress *progress, cdg_raw_mesh *out);

#endif
