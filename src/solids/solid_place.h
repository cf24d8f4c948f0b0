// A place in a solid that goes with it: a point by its weights at the corners of a tetrahedron, and the rotation of the
// material there. What is attached to a solid, and what is measured at a place of it, names one.
#ifndef CDG_SOLIDS_SOLID_PLACE_H
#define CDG_SOLIDS_SOLID_PLACE_H

#include "solids/solid.h"

typedef struct solid_place {
    uint32_t tetrahedron;
    double weight[4]; // of its corners, sum 1; negative: the point lies beside it
} solid_place;

// Where `point` is, with nodes at x. Returns how far it is outside of the solid, m; 0: inside, or on it.
double cdg_solid_find_place(const cdg_solid *solid, double *const x[3], cdg_vec3 point, solid_place *out);

cdg_vec3 cdg_solid_place_at(const cdg_solid *solid, double *const x[3], const solid_place *place);
// That of the tetrahedron's deformation against rest; `start` is one nearby (polar.h).
cdg_quat cdg_solid_place_rotation(const cdg_solid *solid, double *const x[3], const solid_place *place, cdg_quat start);
// Forces on the four corners that do the same work as a force and a moment at the place, for any small moves; so their
// sum is the force, and their moment that of both. `rotation` is that of the place at x.
void cdg_solid_place_forces(const cdg_solid *solid, double *const x[3], const solid_place *place, cdg_quat rotation,
                            cdg_vec3 force, cdg_vec3 moment, cdg_vec3 out[4]);
// Move and turn (rad, world axes) of the place by small moves of the corners.
void cdg_solid_place_moves(const cdg_solid *solid, double *const x[3], const solid_place *place, cdg_quat rotation,
                           const cdg_vec3 moves[4], cdg_vec3 *move, cdg_vec3 *turn);
double cdg_solid_place_stress(const cdg_solid *solid, double *const x[3], const solid_place *place); // Pa, von Mises

#endif
