// Hands on solids, for grip.c and the step of solids.
#ifndef CDG_WORLD_SOLID_GRIP_H
#define CDG_WORLD_SOLID_GRIP_H

#include "world/solid_object.h"

// Finds the solid of a grip's definition, and the nodes that it holds. The grip's memory is freed by the second.
cdg_result cdg_solid_grip_aim(cdg_world *world, world_grip *grip);
void cdg_solid_grip_free(world_grip *grip);
// Where the place of the surface that is nearest to a point was when the solid was made.
cdg_vec3 cdg_solid_rest_point(const struct world_solid *entry, cdg_vec3 point);
double cdg_solid_grip_limit(const world_grip *grip); // N, that a hand does not exceed
double cdg_solid_grip_mass(const world_grip *grip);  // kg, of the solid
cdg_vec3 cdg_solid_grip_point(const world_grip *grip);
cdg_vec3 cdg_solid_grip_velocity(const world_grip *grip);
// Masses of the solid's nodes: their own and those of the hands that hold it.
void cdg_solid_grips_set_masses(const cdg_world *world, struct world_solid *entry);
// Adds what hands exert to the solid's forces of the step.
void cdg_solid_grips_apply(const cdg_world *world, struct world_solid *entry, double step);

#endif
