// A rigid body in the computer: mass, centre and inertia from its shape, its state, and one step of its motion.
#ifndef CDG_BODIES_BODY_H
#define CDG_BODIES_BODY_H

#include "math/quat.h"
#include "math/rate_rule.h"
#include "math/symmetric3.h"

#include <cordage/body.h>

typedef struct cdg_mass {
    double mass;        // kg
    cdg_vec3 center;    // m, own axes
    symmetric3 inertia; // kg m^2, about the centre, own axes
} cdg_mass;

typedef struct cdg_body_now {
    cdg_vec3 x;    // m, centre of mass
    cdg_quat q;    // of the own axes
    cdg_vec3 v;    // m/s
    cdg_vec3 spin; // kg m^2/s, angular momentum about the centre of mass, world axes
    // y of the motion: m/s, and rad/s in the own axes
    cdg_vec3 move_rate, turn_rate;
} cdg_body_now;

typedef struct cdg_body {
    char *name;
    cdg_body_def def; // name, mesh and motions are own copies
    cdg_mass mass;
    symmetric3 inverse_inertia;
    double reach;     // m, of its farthest point from the centre of mass
    double thickness; // m, radius of a ball that fits into it; a mesh's is guessed from its least extent
    cdg_body_now now;
    double energy, energy_next; // J, when the energy guard last looked, and of the candidate
} cdg_body;

// inertia.c: of a shape filled evenly with `density`; meshes must be closed and turned outward.
cdg_mass cdg_shape_mass(const cdg_body_def *def, double density);

// body.c. `name` is copied. A mesh must be closed and turned outward (contact/contact_mesh.h does that).
cdg_result cdg_body_build(const cdg_body_def *def, const char *name, cdg_body *out, cdg_error *error);
void cdg_body_free(cdg_body *body);
cdg_vec3 cdg_body_origin(const cdg_body *body, const cdg_body_now *now);             // m, of the own axes
void cdg_body_place(cdg_body *body, cdg_vec3 origin, cdg_quat orientation);          // sets x and q, leaves motion
symmetric3 cdg_body_world_inertia(const cdg_body *body, cdg_quat q);                 // about the centre, world axes
cdg_vec3 cdg_body_angular_velocity(const cdg_body *body, cdg_quat q, cdg_vec3 spin); // rad/s, world axes
double cdg_body_kinetic_energy(const cdg_body *body);                                // J

// body_motion.c: the end of a step in which these impulses act. The spin at the end is turned into a turn with the
// orientation `end`, which is a guess; out->q is what follows from it.
void cdg_body_advance(const cdg_body *body, double step, cdg_vec3 impulse, cdg_vec3 turn_impulse,
                      const cdg_rate_rule *rule, cdg_quat end, cdg_body_now *out);
// The same with the guess made right, by iteration.
void cdg_body_fly(const cdg_body *body, double step, cdg_vec3 impulse, cdg_vec3 turn_impulse, const cdg_rate_rule *rule,
                  cdg_body_now *out);

#endif
