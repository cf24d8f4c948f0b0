// Rigid bodies: rigid shapes with mass that move freely, collide, and carry the ends of rods.
#ifndef CORDAGE_BODY_H
#define CORDAGE_BODY_H

#include <cordage/shape.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// A shape from sphere to mesh, with mass. Only a mesh has its centre of mass elsewhere than at the origin of its axes,
// which the position of the shape places.
typedef struct cdg_body_def {
    const char *name;  // copied; unique among bodies; NULL: chosen for you
    cdg_shape shape;   // a mesh is copied; it must be closed
    double density;    // kg/m^3; or
    double mass;       // kg; one of the two is positive, the other 0
    cdg_vec3 inertia;  // kg m^2 about the own axes through the centre of mass; zero: that of the shape, filled evenly
    cdg_vec3 velocity; // m/s, of the centre of mass
    cdg_vec3 angular_velocity; // rad/s, world axes
    bool is_fixed;             // stays where it is, or moves as prescribed; needs no mass
    const cdg_motion *motions; // only of a fixed one
    size_t motion_count;
    bool is_ghost;      // collides with nothing
    double friction;    // Coulomb's coefficient; negative: that of the world's contact. Two that touch have the mean.
    double restitution; // share of the speed of approach that is given back; negative: that of the world's contact. Of
                        // two that touch the larger counts.
} cdg_body_def;

cdg_body_def cdg_body_def_default(void); // a ball of 5 cm, of water's density, at rest at the origin

// Adds a body; a mesh and motions are copied.
cdg_result cdg_world_add_body(cdg_world *world, const cdg_body_def *def, cdg_body_id *out);
// Not while a weld holds a rod to it. Hands let go of it; the handle is stale from then on, and the index of
// later bodies is less by one.
cdg_result cdg_world_remove_body(cdg_world *world, cdg_body_id body);
size_t cdg_world_body_count(const cdg_world *world);                       // that are there now
cdg_body_id cdg_world_body_at(const cdg_world *world, size_t index);       // in order of creation; null beyond
cdg_body_id cdg_world_find_body(const cdg_world *world, const char *name); // null: there is none

typedef struct cdg_body_info {
    const char *name;
    // as in the definition; a mesh is as it is kept, corners that coincide made one, counter-clockwise seen from
    // outside, and valid as long as the world
    cdg_shape shape;
    bool is_fixed;
    double mass;          // kg
    cdg_vec3 center;      // m, of mass, own axes
    double inertia[3][3]; // kg m^2, about the centre of mass, own axes
    double friction;      // Coulomb's coefficient: its own, or that of the world's contact
} cdg_body_info;
// Name, shape, mass and inertia of a body.
cdg_result cdg_body_get_info(const cdg_world *world, cdg_body_id body, cdg_body_info *out);

typedef struct cdg_body_state {
    cdg_vec3 position; // m, of the origin of the own axes
    cdg_quat orientation;
    cdg_vec3 velocity;         // m/s, of the centre of mass
    cdg_vec3 angular_velocity; // rad/s, world axes
} cdg_body_state;
// Where a body is and how it moves at the world's time.
cdg_result cdg_body_get_state(const cdg_world *world, cdg_body_id body, cdg_body_state *out);
// Of a body that carries no welds and is not fixed.
cdg_result cdg_body_set_state(cdg_world *world, cdg_body_id body, const cdg_body_state *state);
// From the next step on; negative: that of the world's contact.
cdg_result cdg_body_set_friction(cdg_world *world, cdg_body_id body, double friction);
cdg_result cdg_body_energy(const cdg_world *world, cdg_body_id body, double *kinetic, double *gravity); // J

// ---- welds ----------------------------------------------------------------------------------------------------------

// Holds the section at a node of a rod, position and frame, to a body as they are to each other when the weld is made.
// Forces go both ways. Every model that takes a clamp there takes a weld.
typedef struct cdg_weld_def {
    cdg_place place; // a node
    cdg_body_id body;
} cdg_weld_def;

cdg_weld_def cdg_weld_def_default(void); // of nothing yet
// Welds a node of a rod to a body from the next step on.
cdg_result cdg_world_add_weld(cdg_world *world, const cdg_weld_def *def, cdg_weld_id *out);
// The rod is free of the body from the next step on. Where it lies in it, contact pushes them apart gently. The handle
// is stale from then on.
cdg_result cdg_world_remove_weld(cdg_world *world, cdg_weld_id weld);
size_t cdg_world_weld_count(const cdg_world *world); // that are there now
// Force (N) and moment (N m) that the body exerts on the rod at the node, world axes.
cdg_result cdg_weld_reaction(const cdg_world *world, cdg_weld_id weld, cdg_vec3 *force, cdg_vec3 *moment);

#ifdef __cplusplus
}
#endif
#endif
