// How deep rods lie in each other, in themselves and in obstacles, by looking at everything: a check of contact that
// shares nothing with how contact is found.
#ifndef VALIDATION_ROD_DEPTHS_H
#define VALIDATION_ROD_DEPTHS_H

#include <cordage/cordage.h>

// Rods of a world as they are at the start, by whose lengths neighbours along a rod are told; nodes of several rods
// that lie at one point then are joined. Rods must not be added later; where their
// resolution changes, lengths are measured anew.
typedef struct rod_depths rod_depths;

rod_depths *rod_depths_create(const cdg_world *world); // NULL: no memory
void rod_depths_free(rod_depths *depths);              // NULL is fine

typedef struct rod_depth {
    double depth;           // in radii of the thinner one, 0: nothing touches; obstacles: of the rod
    cdg_rod_id rod, other;  // other is null for an obstacle
    size_t element, second; // of the rods; second is the obstacle's place for obstacles
} rod_depth;

// The deepest penetration in the world's present state, of rods whose radii are `factor` times those of the world.
// Meshes are not looked at.
rod_depth rod_depths_measure(rod_depths *depths, const cdg_world *world, double factor);

#endif
