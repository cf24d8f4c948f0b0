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
    uint32_t *faces; // of pressure: indices in solid->surface
    size_t face_count;
} solid_load;

#define CDG_SOLID_THICKNESS 0.05 // of its surface in contact, in shortest edges

// A force of something that is attached to a node.
typedef struct solid_tied {
    uint32_t node;
    cdg_vec3 force; // N
} solid_tied;

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
    solid_tied *tied;       // of rods (tie_solve.c)
    size_t tied_count;
} world_solid;

extern const cdg_object_operations cdg_solid_operations;

static inline size_t cdg_contacts_kept(const cdg_world *world) { // of rods, solids and bodies
    return !world_has_contact(world) ? 0 : world->contacts.kept_count;
}
cdg_result cdg_solid_measure_probe(const cdg_world *world, const cdg_probe *probe, double *out); // solid_probe.c
world_solid *cdg_world_get_solid(const cdg_world *world, cdg_solid_id id);                       // NULL: stale
// solid_forcing.c: sets is_held and target of the solid at `time`, and the mean force of its loads since `time` - step.
void cdg_solid_drive(world_solid *entry, double time, double step);
bool cdg_solid_has_pressure(const world_solid *entry);
cdg_pose cdg_solid_support_pose(const solid_support *support, double time);
solid_support *cdg_world_get_solid_support(const cdg_world *world, cdg_solid_support_id id); // NULL: stale
void cdg_solid_forcing_free(world_solid *entry);
// The solid is removed: its supports and loads lose their handles, and later solids are closed up.
void cdg_solid_forcing_leave(cdg_world *world, uint32_t solid);

#endif
