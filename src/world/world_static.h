// What searches for equilibria share: supports and loads at a time that is only a parameter, and side forces.
#ifndef CDG_WORLD_WORLD_STATIC_H
#define CDG_WORLD_WORLD_STATIC_H

#include "world/world.h"

// Loads of one rod at a time. Before the path's beginning they go on as the mirror image of those after it: a load that
// grows from zero has turned round there, which is where a path beyond a limit of the load may lead.
typedef struct static_loads {
    cdg_world *world;
    uint32_t index;       // of the rod
    double time, begin;   // s
    double *block;        // all arrays
    double *mirror;       // as block, for the sum
    cdg_hold *kept;       // room for the rod's holds
    const double *side;   // N, 3 * node_count: side forces; NULL: none
    cdg_rod_loads loads;  // in block
    cdg_rod_loads second; // in mirror
} static_loads;

bool static_loads_open(static_loads *s, cdg_world *world, uint32_t index); // false: no memory
void static_loads_close(static_loads *s);
// Sets the rod's holds and the loads for a time.
void static_loads_set(static_loads *s, double time);
// The loads anew for the state the rod is in; `user` is the static_loads.
void static_loads_reload(void *user, const cdg_rod *rod, const cdg_rod_loads *loads);

// Every rod to an equilibrium at `time`, with side forces (one array for each entry of world->rods, or NULL).
cdg_result cdg_static_settle(cdg_world *world, double time, double begin, double *const *side,
                             cdg_equilibrium_report *report);
// CDG_OK when all rods have models that find equilibria.
cdg_result cdg_static_check(cdg_world *world);
// That nothing lies in anything else in the equilibrium that was found, where contact is on by default.
cdg_result cdg_static_check_apart(cdg_world *world);
// The world's time becomes `time`, and its clock starts there.
void cdg_static_set_time(cdg_world *world, double time);
// Lowest eigenvalue of all rods about the state at the world's time; not a number: a model cannot tell.
cdg_result cdg_static_lowest(cdg_world *world, double time, double begin, double *const *side, double *lowest,
                             bool *is_stable);

// world_arc.c: follows the path by its arc length, from an equilibrium.
cdg_result cdg_static_follow_arc(cdg_world *world, const cdg_path_def *def, double begin, double *const *side,
                                 cdg_path_report *report);

#endif
