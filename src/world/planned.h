// Changes that are planned: from a time on the world is as another one that was built alike.
#ifndef CDG_WORLD_PLANNED_H
#define CDG_WORLD_PLANNED_H

#include "world/world.h"

// From the step that begins nearest to `time` on, the world is as `then`: built alike, with other materials, sections,
// loads, friction, motions or gravity. It goes on from its state, and what the change does to the energy is work from
// outside; gravity, loads and poses that were set by hand since are those of `then` again. Changes are planned in the
// order of their times. The world owns `then` from here on, whatever is returned.
cdg_result cdg_world_plan_change(cdg_world *world, double time, cdg_world *then);

// Whether the next step makes one. Hands that were added since they were planned must let go before.
bool cdg_planned_are_due(const cdg_world *world);
// Before a step: changes whose time has come.
cdg_result cdg_planned_make_due(cdg_world *world);
// What is in force when a snapshot is taken at `time` by steps of `step`: the world itself, or one of its changes.
const cdg_world *cdg_planned_at(const cdg_world *world, double time, double step);
// Makes the world what it was, or will be, when a snapshot was taken at `time` by steps of `step`: no state is carried.
cdg_result cdg_planned_choose(cdg_world *world, double time, double step);
// The state of one world for another that was built alike: cuts, led things, state. CDG_ERROR_ARGUMENT: it is not.
cdg_result cdg_world_carry_state(const cdg_world *from, cdg_world *to);
// One of `planned_count`, and when it comes; NULL: it is in force.
cdg_world *cdg_planned_other(const cdg_world *world, size_t index, double *time);
void cdg_planned_free(cdg_world *world);

#endif
