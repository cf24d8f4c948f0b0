// Grips: hands that take hold of a rod, a body or a solid and pull it to a point that moves while the world is stepped.
#ifndef CORDAGE_GRIP_H
#define CORDAGE_GRIP_H

#include <cordage/obstacle.h>
#include <cordage/solid.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// A spring and a damper between a place and a target. They act at the end of each step (implicitly), so that no
// stiffness needs a shorter step, and pull no harder than `force_limit`. Numbers that are 0 follow from the mass that
// the hand feels: critical damping, a time of 1/60 s, and 50 times the weight that this mass has on earth, but of a rod
// no more than what stretches it to twice its length or lifts it three times.
// Where a hand is from a time on, until the next one.
typedef struct cdg_grip_key {
    double time;     // s
    cdg_vec3 target; // m
    double twist;    // rad, as of cdg_grip_twist; 0 at first: it does not twist
} cdg_grip_key;

typedef struct cdg_grip_def {
    // On a rod as it is defined, however it is divided since; a point of a body that is not fixed; a node or a point of
    // a solid, where the nodes about it are held.
    cdg_place place;
    cdg_vec3 target;    // m, world axes
    double stiffness;   // N/m; 0: chosen
    double damping;     // N s/m; 0: critical
    double force_limit; // N, of the spring; 0: chosen
    // A hand that comes by itself: it takes hold at the first key's time, follows them, and lets go at `to`. NULL: it
    // takes hold at once, and is moved.
    const cdg_grip_key *keys; // copied; times rise
    size_t key_count;
    double to; // s
} cdg_grip_def;

typedef struct cdg_grip_id {
    uint32_t index1;
    uint32_t generation;
} cdg_grip_id;

cdg_grip_def cdg_grip_def_default(void); // of nothing yet, with chosen stiffness, damping and limit
// Takes hold. Only rods of models whose nodes carry mass (pobd, der, corde) can be gripped: CDG_ERROR_UNSUPPORTED.
cdg_result cdg_world_add_grip(cdg_world *world, const cdg_grip_def *def, cdg_grip_id *out);
// From the next step on the target is there (NULL: where it was).
cdg_result cdg_grip_move(cdg_world *world, cdg_grip_id grip, const cdg_vec3 *target);
// Turns the gripped section about the rod's tangent to this angle (rad) from where it was when it was first twisted, by
// a torque that follows from the rod's stiffness and inertia. Not of bodies.
cdg_result cdg_grip_twist(cdg_world *world, cdg_grip_id grip, double angle);
// Where the gripped place is, and what the hand exerted there in the last step (N); either may be NULL.
cdg_result cdg_grip_get(const cdg_world *world, cdg_grip_id grip, cdg_vec3 *point, cdg_vec3 *force);
// Lets go. The handle is stale from then on.
cdg_result cdg_world_remove_grip(cdg_world *world, cdg_grip_id grip);

// ---- leads: supports and obstacles have no mass ---------------------------------------------------------------------

// Supports and obstacles are where they are told to be. A lead tells them, as cdg_support_set_pose and
// cdg_obstacle_set_pose would before each step: in a step that begins at or after a key's time the thing moves to the
// key's target. From `to` on it stays where it is. Unlike poses that are set by hand, those of a lead are part of
// snapshots.
typedef struct cdg_lead_def {
    cdg_support_id support; // null: an obstacle
    cdg_obstacle_id obstacle;
    const cdg_grip_key *keys; // copied; times rise; targets are positions of the thing itself; twists are not read
    size_t key_count;
    double to; // s
} cdg_lead_def;

cdg_lead_def cdg_lead_def_default(void); // of nothing yet
// Leads something from now on. Leads end by themselves, and when what they lead is removed.
cdg_result cdg_world_add_lead(cdg_world *world, const cdg_lead_def *def);

#ifdef __cplusplus
}
#endif
#endif
