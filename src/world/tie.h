// Ties: sections of rods that are held to places in solids (tie.c), and the step of both together (tie_solve.c).
#ifndef CDG_WORLD_TIE_H
#define CDG_WORLD_TIE_H

#include "solids/solid_place.h"
#include "world/step.h"

// A pose of the section, and what the solid exerts on the rod there: N, N m, world axes.
typedef struct tie_state {
    cdg_vec3 position;
    cdg_quat frame;
    cdg_vec3 force, moment;
} tie_state;

typedef struct world_tie {
    cdg_tie_def def;
    uint32_t support; // index in world->supports
    uint32_t solid;   // index in world->solids
    solid_place place;
    cdg_quat turn;        // from the rotation of the place to the section's frame
    cdg_quat rotation;    // of the place at the world's time
    tie_state now, trial; // at the world's time, and in a trial of the step
    double length;        // m: of an element of the rod, or an edge of the solid: what turns are weighed with
    double pass[2];       // m along the rod: between these it passes through the solid
    // in the system of tie_solve.c
    size_t way_count, first_way; // 3 or 6
    size_t node;                 // of world_solid.tied: four from here
} world_tie;

// tie.c
bool cdg_ties_hold_node(const cdg_world *world, cdg_rod_id rod, size_t node);
void cdg_ties_follow(cdg_world *world);     // all sections to where they are at the world's time
void cdg_ties_mark(const cdg_world *world); // tells contact what passes, after elements were numbered
// Whether a rod passes through a solid, by a tie to it, so far along it; and whether it does so at one of two places
// alone, whatever the solid.
bool cdg_ties_pass(const cdg_world *world, uint32_t rod, uint32_t solid, double arc);
bool cdg_ties_end_between(const cdg_world *world, uint32_t rod, const double arc[2]);
bool cdg_world_ties_solid(const cdg_world *world, uint32_t solid); // whether a rod is tied to it

// tie_solve.c
size_t cdg_ties_way_count(const cdg_world *world);
// Memory that lasts from step to step, and units, after teams were formed.
cdg_result cdg_ties_reserve(cdg_world *world);
cdg_result cdg_ties_find_teams(cdg_world *world);
void cdg_ties_forget(cdg_world *world);              // all of it
cdg_result cdg_tie_yields_prepare(cdg_world *world); // tie_yield.c: after contact was built
// Before solids are predicted: what is tied together takes the same kind of step, with the forces of the last one.
void cdg_ties_begin(cdg_step_context *context);
cdg_result cdg_ties_predict(cdg_step_context *context); // after them
// With other contact forces, if any of what contact lists is tied.
cdg_result cdg_ties_predict_again(cdg_step_context *context, const uint32_t *indices, size_t count);
bool cdg_ties_keep_response(const cdg_world *world); // whether the prediction under way is the last one
void cdg_ties_commit(cdg_world *world);
void cdg_ties_snapshot(cdg_world *world, cdg_object_pass pass, void *tape);

#endif
