// Springs for lengths, areas and volumes (Teschner, Heidelberger, Mueller, Gross 2004), which the films of appendix A
// use. Each term has the energy k/2 ((value - value at rest)/value at rest)^2; k of an edge is stiffness times a sixth
// of the volume of the tetrahedra that have it, that of a triangle a quarter, of a tetrahedron its own, so that
// stiffnesses are pressures and do not depend on the mesh. Every tetrahedron has its parts of all terms.
#ifndef CDG_SOLIDS_MASS_SPRING_H
#define CDG_SOLIDS_MASS_SPRING_H

#include "solids/solid.h"

typedef struct cdg_mass_spring {
    double length, area, volume; // Pa
    double *rest_length[6];      // slot_count, m: of edges 01 02 03 12 13 23
    double *rest_area[4];        // slot_count, m^2: opposite corner 0 .. 3
    void *block;
} cdg_mass_spring;

static inline cdg_mass_spring *solid_springs(const cdg_solid *solid) { return solid->own; }

#define MASS_SPRING_DECLARE(suffix)                                                                                    \
    double cdg_mass_spring_forces##suffix(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);
MASS_SPRING_DECLARE()
MASS_SPRING_DECLARE(_base)
MASS_SPRING_DECLARE(_avx2)
MASS_SPRING_DECLARE(_avx512)
#undef MASS_SPRING_DECLARE

static const int spring_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int spring_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // opposite corner 0 .. 3

#endif
