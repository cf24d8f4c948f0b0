// Bounds of the dihedral angles of isosurface stuffing, proven by branch and bound over all cuts and warps.
#ifndef VALIDATION_STENCIL_ANGLES_H
#define VALIDATION_STENCIL_ANGLES_H

#include <stddef.h>

typedef struct stencil_proof {
    size_t cases;             // sides of corners and ways of warped ones
    size_t boxes;             // of parameters that were looked at
    size_t open;              // boxes in which the bounds could not be shown; 0: they hold
    double smallest, largest; // rad, that were met: no bounds beyond these can hold
} stencil_proof;

// Whether no element has an angle below `least` or above `most` (rad), when cuts nearer to a corner than these shares
// of long and short edges draw it onto the surface.
stencil_proof stencil_prove(double near_long, double near_short, double least, double most);

#endif
