// Many short worlds of one scene stepped together, each rod in a lane of the processor's vectors.
#ifndef CDG_SWEEP_LANES_H
#define CDG_SWEEP_LANES_H

#include "sweep/sweep.h"

// Cases of one job. It is fixed, so that what goes together depends on nothing but the cases.
enum { CDG_LANES_JOB_SIZE = 32 };

// Whether cases of the scene can go together; if not, `reason` says why.
bool cdg_lanes_may_take(const cdg_scene *scene, char *reason, size_t size);

typedef enum cdg_lanes_state {
    CDG_LANES_DONE,
    CDG_LANES_STOPPED // on request, or without memory
} cdg_lanes_state;
// Runs `count` cases, at most CDG_LANES_JOB_SIZE, and gives a line for each. Cases whose steps differ from those of the
// others go alone; one that fails does not touch the others.
cdg_lanes_state cdg_lanes_run(const cdg_sweep *sweep, size_t first, size_t count, cdg_sweep_go_on *go_on, void *user,
                              void (*give)(void *target, char *line, size_t size), void *target);

#endif
