// How many tetrahedra a simple shape will have, known before it is meshed.
#ifndef CDG_SOLIDS_SHAPE_MESH_H
#define CDG_SOLIDS_SHAPE_MESH_H

#include <cordage/solid.h>

enum { SHAPE_TETRAHEDRA_MAX = 10 * 1000 * 1000 };

// About; of a shape whose lengths are good.
double cdg_shape_tetrahedra(const cdg_shape *shape, double resolution);

#endif
