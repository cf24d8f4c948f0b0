// Many worlds stepped at once: rods at the same index of alike worlds go in teams, one world in each lane of the
// processor's vectors. Each world keeps its own books, guard and failures.
#ifndef CDG_WORLD_WORLD_TOGETHER_H
#define CDG_WORLD_WORLD_TOGETHER_H

#include "world/world.h"

// Whether worlds like this one gain by it; if not, `reason` says why.
bool cdg_together_may_join(cdg_world *world, char *reason, size_t size);
// Worlds in one team.
size_t cdg_together_size(const cdg_world *world);

// What a world's rods are to be told after each of its steps; false stops the world.
typedef bool cdg_together_on_step(void *user, size_t world, const cdg_step_report *report);

typedef struct cdg_together_def {
    cdg_world *const *worlds; // of the same step size, each of one thread
    size_t count;
    uint64_t step_count;
    int thread_count;              // teams on several threads; 0: all cores
    cdg_together_on_step *on_step; // called from the team's thread; may be NULL
    void *user;
} cdg_together_def;

// Steps every world `step_count` times. results[i] is CDG_OK, or why world i stopped (its message tells more), or
// CDG_ERROR_INTERRUPTED when on_step stopped it. Which worlds share a team depends on their order alone, and the bits
// of a world only on its team: not on threads.
cdg_result cdg_worlds_run(const cdg_together_def *def, cdg_result *results, cdg_error *error);

#endif
