// The parts of a step, for who steps many worlds at once (world_together.c): only for plain worlds, whose rods have
// nothing to do with each other. In this order, for one world: begin; for each rod load, then take or predict; end.
#ifndef CDG_WORLD_WORLD_STEP_H
#define CDG_WORLD_WORLD_STEP_H

#include "world/step.h"

// Without bodies, joints and motions, and on one thread. Contact may be on: steps in which anything touches fail.
bool cdg_step_is_plain(const cdg_world *world);

typedef struct cdg_step_part {
    double time, step; // the step ends at time
    size_t failed_rod;
    cdg_error error;
    void *scratch; // what the loads leave of the world's
} cdg_step_part;

cdg_step_context cdg_step_context_of(cdg_world *world, cdg_step_part *part);
cdg_result cdg_step_begin(cdg_world *world, cdg_step_part *part);
// Drives the rod's supports and collects its loads, which live until the next call for this world.
void cdg_step_load(cdg_world *world, cdg_step_part *part, size_t index, cdg_rod_loads *out);
// The rod was predicted elsewhere.
void cdg_step_take(cdg_world *world, cdg_step_part *part, size_t index, const cdg_rod_loads *loads,
                   const cdg_rod_step_result *result);
void cdg_step_predict(cdg_world *world, cdg_step_part *part, size_t index, const cdg_rod_loads *loads);
// Judges and commits, or leaves the world at its last good time; cdg_world_step may then try its own ways.
cdg_result cdg_step_end(cdg_world *world, cdg_step_part *part, cdg_step_report *report);

// How many steps from now on nothing happens but that rods move under their weight, and nobody looks at them: neither
// the guard, nor contact, nor supports that let go, nor checks of turns. 0 before the first step.
uint64_t cdg_step_quiet(const cdg_world *world);
// The world's rod was advanced by as many steps of those while a step was under way, which now comes after them.
void cdg_step_skip(cdg_world *world, cdg_step_part *part, uint64_t steps);

#endif
