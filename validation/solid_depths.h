// Whether solids pass through anything, and how deep they penetrate it: tests all edges against triangles, and measures
// the distances of all that is near. This check of contact shares no code with the search for contacts.
#ifndef VALIDATION_SOLID_DEPTHS_H
#define VALIDATION_SOLID_DEPTHS_H

#include <cordage/cordage.h>

// Remembers solids, and rods beside them, as they are at the start: parts of one solid that are near each other then
// may stay so; a part of a rod that begins in a solid (sewn in) may stay there, and be drawn in farther by twice the
// distance that contact keeps, as ties allow. Rods and solids must not be added later; a rod whose resolution changes
// is ignored.
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
