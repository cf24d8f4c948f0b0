// Contact of rigid bodies with each other and with obstacles, by ODE (the only user of it).
//
// The collider keeps nothing between steps but shapes: it is told where everything is and how fast it would be without
// contact, and answers with the impulses of contact. So a continued run needs nothing of it.
#ifndef CDG_BODIES_COLLIDER_H
#define CDG_BODIES_COLLIDER_H

#include "math/quat.h"
#include "math/symmetric3.h"

#include <cordage/shape.h>

typedef struct cdg_collider cdg_collider;

// One thing that may touch others, in a step.
typedef struct cdg_collider_item {
    cdg_vec3 position; // m, of the own axes, at the beginning of the step
    cdg_quat orientation;
    cdg_vec3 center; // m, of mass, world axes; of a thing without mass the point that has `velocity`
    cdg_vec3 velocity, angular_velocity; // m/s, rad/s, world axes: what it would have at the end without contact
    double mass;                         // kg; 0: nothing changes its motion
    symmetric3 inertia;                  // kg m^2, about the centre, world axes
    double friction, restitution;        // of two that touch: the mean, and the larger
    bool is_ghost;
    // what contact does to it
    cdg_vec3 impulse, turn_impulse; // N s, N m s (about the centre)
    bool is_touched;
} cdg_collider_item;

cdg_result cdg_collider_create(cdg_collider **out, cdg_error *error);
void cdg_collider_destroy(cdg_collider *collider); // NULL is fine

// Items are numbered in the order in which their shapes are added, which are copied; items say where they are.
cdg_result cdg_collider_add(cdg_collider *collider, const cdg_shape *shape, cdg_error *error);
size_t cdg_collider_count(const cdg_collider *collider);

// Finds who touches whom (an entry for each shape) and sets is_touched; the contacts are kept for solve. `count` may be
// NULL.
cdg_result cdg_collider_find(cdg_collider *collider, cdg_collider_item *items, size_t *count, cdg_error *error);
// Where two things lie in each other, as find left it.
typedef struct cdg_collider_touch {
    uint32_t a, b;   // items
    cdg_vec3 point;  // m
    cdg_vec3 normal; // unit, from b to a
    double depth;    // m
} cdg_collider_touch;
cdg_collider_touch cdg_collider_touch_at(const cdg_collider *collider, size_t index);
// Impulses that keep apart what touches, with friction and restitution. Velocities may have changed since find, poses
// may not. `slow` (m/s): what comes slower does not bounce.
cdg_result cdg_collider_solve(cdg_collider *collider, double step, double slow, cdg_collider_item *items,
                              cdg_error *error);

#endif
