// Whether solids pass through anything, and how deep they lie in it, by looking at everything: edges against triangles,
// and distances of all that is near. A check of contact that shares nothing with how contact is found.
#ifndef VALIDATION_SOLID_DEPTHS_H
#define VALIDATION_SOLID_DEPTHS_H

#include <cordage/cordage.h>

// Solids, and rods beside them, as they are at the start: what of one solid is near each other then may stay so, and
// what of a rod begins in a solid (sewn in) may stay there, and be drawn in by as much as keeps both apart twice, as
// ties have it. Neither rods nor solids are added later; a rod whose resolution changes is looked at no longer.
typedef struct solid_depths solid_depths;

solid_depths *solid_depths_create(const cdg_world *world); // NULL: no memory
void solid_depths_free(solid_depths *depths);              // NULL is fine

typedef struct solid_depth {
    size_t crossings; // edges of solids and elements of rods that pass through a triangle
    double depth;     // in thicknesses of the thinner solid, 0: nothing touches
    char where[120];  // between which two that is, "" for none
} solid_depth;

// The world's present state; surfaces are `factor` times as thick as the world has them. Solids by shape matching pass
// through themselves as they should; obstacles and bodies of triangles are not looked at.
solid_depth solid_depths_measure(solid_depths *depths, const cdg_world *world, double factor);

#endif
