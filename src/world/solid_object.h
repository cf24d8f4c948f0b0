// A solid in a world: what it is made of, and what holds and pulls it.
#ifndef CDG_WORLD_SOLID_OBJECT_H
#define CDG_WORLD_SOLID_OBJECT_H

#include "geometry/motion.h"
#include "solids/solid.h"
#include "world/world.h"

typedef struct solid_support {
    cdg_solid_support_def def; // motions is an own copy
    uint32_t *nodes;
    size_t node_count;
    cdg_vec3 middle; // m, of the nodes when it was made, or was last driven by hand
    cdg_quat turn;   // then, against how they were when it was made
    cdg_vec3 *arm;   // m, of each node from the middle when it was made
    cdg_vec3 force;  // N, in the last step
} solid_support;

typedef struct solid_load {
    cdg_solid_load_def def;
    uint32_t *nodes; // of force; weights are their shares of mass
    double *share;
    size_t node_count;
    uint32_t *faces; // of pressure: places in solid->surface
    size_t face_count;
} solid_load;

typedef struct world_solid {
    cdg_solid solid;
    struct solid_skin *skin; // solid_proxy.h; NULL: contact was not prepared yet
    solid_support *supports;
    size_t support_count;
    solid_load *loads;
    size_t load_count;
    const cdg_world *world; // that it is in
    double *own_mass;       // kg, of nodes, without that of hands; NULL: no hand has held it
    cdg_vec3 *own_force;    // N, on every node, set from outside; NULL: none
} world_solid;

extern const cdg_object_operations cdg_solid_operations;

world_solid *cdg_world_get_solid(const cdg_world *world, cdg_solid_id id); // NULL: stale
// solid_forcing.c: sets is_held and target of the solid at `time`, and the mean force of its loads since `time` - step.
void cdg_solid_drive(world_solid *place, double time, double step);
bool cdg_solid_has_pressure(const world_solid *place);
cdg_pose cdg_solid_support_pose(const solid_support *support, double time);
solid_support *cdg_world_get_solid_support(const cdg_world *world, cdg_solid_support_id id); // NULL: stale
void cdg_solid_forcing_free(world_solid *place);
// The solid is removed: its supports and loads lose their handles, and later solids are closed up.
void cdg_solid_forcing_leave(cdg_world *world, uint32_t solid);

#endif
