// The parts of a step, which world_step.c puts together: teams and memory (step_teams.c), fetching ahead
// (step_prefetch.c), predicting and committing rods (step_predict.c), what is told of it (step_report.c), and when a
// step is divided (step_retry.c).
#ifndef CDG_WORLD_STEP_H
#define CDG_WORLD_STEP_H

#include "world/world.h"

// A step under way, from `time` - `step` to `time`.
typedef struct cdg_step_context {
    cdg_world *world;
    double time, step;
    int threads; // that rods are predicted on
    // The failing rod with the lowest index wins, so the message does not depend on threads.
    cdg_error *errors;  // one a thread
    size_t *failed_rod; // one a thread; SIZE_MAX: none
    bool is_again;      // welded rods are predicted several times in a step
} cdg_step_context;

// world_step.c: one try, all of it or nothing.
cdg_result cdg_step_try(cdg_world *world, double time, double step, int threads, cdg_step_demand demand);

// step_report.c -------------------------------------------------------------------------------------------------------
void cdg_step_tell(const cdg_world *world, cdg_step_report *report);

// step_teams.c --------------------------------------------------------------------------------------------------------
bool cdg_step_is_weight_only(const cdg_world *world, size_t index);
// The index in world->rods of a team's rod.
size_t cdg_team_rod(const cdg_world *world, const world_team *team, size_t i);
int cdg_step_threads(const cdg_world *world); // that are worth waking
static inline size_t step_aligned_bytes(size_t bytes) { return (bytes + 63) / 64 * 64; }

// step_prefetch.c -----------------------------------------------------------------------------------------------------
// Memory that the teams after this one will touch.
void cdg_prefetch_list(const cdg_world *world, const world_team *team, cdg_soon *soon);
void cdg_prefetch_world(cdg_world *const worlds[4], cdg_soon *soon);    // of worlds of one rod; NULL: none
void cdg_prefetch_next(const cdg_world *world, const world_team *team); // asks for it
void cdg_prefetch_commit(const cdg_world *world, size_t index);         // what committing the rods after this one needs
// Positions and frames of the rods after this one, and, if asked for, their turns at rest.
void cdg_prefetch_shape(const cdg_world *world, size_t index, bool with_rest);
void cdg_prefetch_state(const cdg_world *world, size_t index, bool is_candidate); // all of either

// step_predict.c ------------------------------------------------------------------------------------------------------
void cdg_step_predict_rods(cdg_step_context *context); // all rods and nets that are not welded to bodies
// One team (again) with the holds as they are; the thread's number chooses scratch. False: it failed.
bool cdg_step_predict_team(cdg_step_context *context, size_t team, int thread);
// Rods of implicit models again, with other contact forces; those that are welded with their bodies.
cdg_result cdg_step_predict_again(cdg_step_context *context, const uint32_t *indices, size_t count);
void cdg_step_commit_rods(cdg_step_context *context);
// Whether the rod carries its weight alone, its supports stay, and no check of it is due after a step.
bool cdg_step_is_quiet(const cdg_world *world, size_t index);
// The message of the rod that failed, and the world as it was; CDG_OK: none did.
cdg_result cdg_step_failure(cdg_step_context *context);
void cdg_step_drive_back(cdg_world *world); // holds and welds to the world's time, after a try that failed

// step_retry.c --------------------------------------------------------------------------------------------------------
typedef struct cdg_step_division {
    int threads;
    bool is_saved;        // the state at the start of the step
    int deepest;          // halving
    double tries, taken;  // parts that were tried, and of these, since the step was begun anew, taken
    double most;          // that may fail
    double parts, needed; // the step is being taken in, and contact asks for
    double parts_most;    // that contact may ask for
} cdg_step_division;

// The step to `time`, in as many parts as it takes. On failure the world is somewhere within the step.
cdg_result cdg_step_divided(cdg_world *world, double time, cdg_step_division *division);

#endif
