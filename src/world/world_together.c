// Many worlds stepped at once, in teams that stay together for all steps, so that their arrays stay in the near caches.
#include "world/world_together.h"

#include "base/error.h"
#include "base/parallel.h"
#include "world/world_step.h"

#include <stdio.h>
#include <stdlib.h>

static const cdg_rod *first_rod(const cdg_world *world) { return world->rod_count > 0 ? world->rods[0].rod : NULL; }

size_t cdg_together_size(const cdg_world *world) {
    const cdg_rod *rod = first_rod(world);
    return rod != NULL && rod->model->team.size != NULL ? rod->model->team.size() : 1;
}

bool cdg_together_may_join(cdg_world *world, char *reason, size_t size) {
    snprintf(reason, size, "%s", "");
    const char *obstacle = world->contact_def.choice == CDG_CONTACT_ON
                               ? "contact is on, and is not found in lanes; switch it off with 'contact: off'"
                           : world->body_count > 0     ? "bodies need a world's own steps"
                           : world->joint_count > 0    ? "rods that are joined need a world's own steps"
                           : world->motion_count > 0   ? "supports that move need a world's own steps"
                           : world->plan_count > 0     ? "rods that are cut need a world's own steps"
                           : !cdg_step_is_plain(world) ? "a world in lanes has one thread"
                                                       : NULL;
    if (obstacle != NULL) {
        snprintf(reason, size, "%s", obstacle);
        return false;
    }
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->model->team.size != NULL && rod->model->team.is_alike(rod, rod)) return true;
    }
    snprintf(reason, size,
             "only open, undamped rods of model pobd with solver gauss_seidel, alike along their length, go in lanes");
    return false;
}

// ---- a team of worlds -----------------------------------------------------------------------------------------------

typedef struct together {
    const cdg_together_def *def;
    size_t team_size, scratch_bytes;
    size_t chunk;   // teams that one thread takes one after the other
    void **scratch; // one a thread
    cdg_result *results;
} together;

typedef struct world_lane {
    cdg_world *world;
    size_t index; // among all
    cdg_step_part part;
    cdg_rod_loads loads;
} world_lane;

static bool may_share(const world_lane *a, const world_lane *b, size_t rod) {
    const cdg_rod *first = a->world->rods[rod].rod, *second = b->world->rods[rod].rod;
    return a->part.step == b->part.step && first->model == second->model && first->model->team.is_alike(first, second);
}

// The rod at one index of all worlds: together if they are alike, and the model can.
static bool predict_rods(world_lane *lanes, size_t count, size_t rod, void *scratch) {
    cdg_rod *rods[CDG_TEAM_MAX];
    cdg_rod_loads loads[CDG_TEAM_MAX];
    cdg_rod_step_result results[CDG_TEAM_MAX] = {0};
    const cdg_rod_model *model = lanes[0].world->rods[rod].rod->model;
    if (count < 2 || model->team.size == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        if (!may_share(&lanes[0], &lanes[i], rod)) return false;
        rods[i] = lanes[i].world->rods[rod].rod;
        loads[i] = lanes[i].loads;
    }
    if (!model->team.predict(rods, count, lanes[0].part.step, loads, NULL, scratch, results)) return false;
    for (size_t i = 0; i < count; i++) cdg_step_take(lanes[i].world, &lanes[i].part, rod, &lanes[i].loads, &results[i]);
    return true;
}

// Of the teams after this one that the same thread takes: those of others may be changing.
static void list_soon(const together *t, size_t first, cdg_soon *soon) {
    size_t worlds = t->chunk * t->team_size, end = (first / worlds + 1) * worlds;
    if (end > t->def->count) end = t->def->count;
    soon->count = 0;
    for (size_t lane = 0; lane < t->team_size; lane++) {
        cdg_world *later[4] = {NULL};
        for (size_t i = 0; i < 4; i++) {
            size_t index = first + (i + 1) * t->team_size + lane;
            if (index < end) later[i] = t->def->worlds[index];
        }
        cdg_prefetch_world(later, soon);
    }
}

// How many steps, `most` at most, a team of worlds of one rod can take without a look at any of them.
static uint64_t quiet_steps(const together *t, const world_lane *lanes, size_t count, uint64_t most) {
    uint64_t steps = most;
    if (t->def->on_step != NULL || count < 2 || lanes[0].world->rod_count != 1) return 0;
    if (lanes[0].world->rods[0].rod->model->team.advance == NULL) return 0;
    for (size_t i = 0; i < count && steps > 0; i++) {
        uint64_t quiet = cdg_step_quiet(lanes[i].world);
        if (quiet < steps) steps = quiet;
    }
    return steps;
}

// These and the step under way at once, in the rods' lanes from the first to the last, which saves what surrounds a
// step. `taken` says how many of the quiet steps were taken; false: the step under way is still to be predicted.
static bool advance_worlds(const together *t, world_lane *lanes, size_t count, uint64_t steps, void *scratch,
                           uint64_t *taken) {
    cdg_rod *rods[CDG_TEAM_MAX];
    cdg_rod_loads loads[CDG_TEAM_MAX];
    cdg_rod_step_result results[CDG_TEAM_MAX] = {0};
    cdg_soon soon;
    *taken = 0;
    if (steps == 0) return false;
    bool is_looked_at = false;
    const cdg_rod_model *model = lanes[0].world->rods[0].rod->model;
    for (size_t i = 0; i < count; i++) {
        if (!may_share(&lanes[0], &lanes[i], 0)) return false;
        rods[i] = lanes[i].world->rods[0].rod;
        cdg_step_load(lanes[i].world, &lanes[i].part, 0, &lanes[i].loads);
        loads[i] = lanes[i].loads;
        is_looked_at = is_looked_at || cdg_guard_patience(lanes[i].world) <= steps;
    }
    list_soon(t, lanes[0].index / t->team_size * t->team_size, &soon);
    bool is_predicted = model->team.advance(rods, count, lanes[0].part.step, steps, !is_looked_at, loads, &soon,
                                            scratch, taken, results);
    for (size_t i = 0; *taken > 0 && i < count; i++) cdg_step_skip(lanes[i].world, &lanes[i].part, *taken);
    for (size_t i = 0; i < count && is_predicted; i++)
        cdg_step_take(lanes[i].world, &lanes[i].part, 0, &lanes[i].loads, &results[i]);
    return is_predicted;
}

static void predict_worlds(world_lane *lanes, size_t count, void *scratch) {
    for (size_t rod = 0; rod < lanes[0].world->rod_count; rod++) {
        for (size_t i = 0; i < count; i++) cdg_step_load(lanes[i].world, &lanes[i].part, rod, &lanes[i].loads);
        if (predict_rods(lanes, count, rod, scratch)) continue;
        for (size_t i = 0; i < count; i++) cdg_step_predict(lanes[i].world, &lanes[i].part, rod, &lanes[i].loads);
    }
}

// A step that fails in the team is tried again as the world's own, which may divide it, and tells what is wrong.
static cdg_result end_step(const together *t, world_lane *lane) {
    cdg_step_report report;
    cdg_result result = cdg_step_end(lane->world, &lane->part, &report);
    if (result != CDG_OK) result = cdg_world_step(lane->world, &report);
    if (result != CDG_OK || t->def->on_step == NULL) return result;
    return t->def->on_step(t->def->user, lane->index, &report) ? CDG_OK : CDG_ERROR_INTERRUPTED;
}

// One step of the worlds that are still going, and `left` in all where nobody looks at those before it; those that are
// not going leave the list.
static size_t step_worlds(const together *t, world_lane *lanes, size_t count, uint64_t *left, void *scratch) {
    size_t kept = 0;
    uint64_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        cdg_result result = cdg_step_begin(lanes[i].world, &lanes[i].part);
        t->results[lanes[i].index] = result;
        if (result == CDG_OK) lanes[kept++] = lanes[i];
    }
    if (kept == 0) return 0;
    count = kept;
    // The last one is a step like others, after which everything can be asked for.
    uint64_t ahead = quiet_steps(t, lanes, count, *left - 1);
    if (!advance_worlds(t, lanes, count, ahead, scratch, &taken)) predict_worlds(lanes, count, scratch);
    *left -= taken + 1;
    kept = 0;
    for (size_t i = 0; i < count; i++) {
        cdg_result result = end_step(t, &lanes[i]);
        t->results[lanes[i].index] = result;
        if (result == CDG_OK) lanes[kept++] = lanes[i];
    }
    return kept;
}

static bool has_same_rods(const cdg_world *a, const cdg_world *b) {
    if (a->rod_count != b->rod_count) return false;
    for (size_t i = 0; i < a->rod_count; i++)
        if (a->rods[i].rod == NULL || b->rods[i].rod == NULL) return false;
    return true;
}

static void step_alone(const together *t, size_t index) {
    cdg_world *world = t->def->worlds[index];
    cdg_step_report report;
    cdg_result result = CDG_OK;
    for (uint64_t step = 0; step < t->def->step_count && result == CDG_OK; step++) {
        result = cdg_world_step(world, &report);
        if (result == CDG_OK && t->def->on_step != NULL && !t->def->on_step(t->def->user, index, &report))
            result = CDG_ERROR_INTERRUPTED;
    }
    t->results[index] = result;
}

static void run_team(const together *t, size_t index, int thread) {
    world_lane lanes[CDG_TEAM_MAX];
    size_t first = index * t->team_size, count = 0;
    for (size_t i = first; i < first + t->team_size && i < t->def->count; i++) {
        cdg_world *world = t->def->worlds[i];
        t->results[i] = CDG_OK;
        if (cdg_step_is_plain(world) && has_same_rods(t->def->worlds[first], world))
            lanes[count++] = (world_lane){.world = world, .index = i};
        else
            step_alone(t, i);
    }
    for (uint64_t left = t->def->step_count; left > 0 && count > 0;)
        count = step_worlds(t, lanes, count, &left, t->scratch[thread]);
}

static void run_chunk(void *user, size_t index, int thread) {
    const together *t = user;
    size_t teams = (t->def->count + t->team_size - 1) / t->team_size;
    for (size_t team = index * t->chunk; team < (index + 1) * t->chunk && team < teams; team++)
        run_team(t, team, thread);
}

// ---- all ------------------------------------------------------------------------------------------------------------

enum { LOOKED_AT = 64 }; // worlds at a time: to wait for the memory of thousands takes as long as steps do

typedef struct scratch_need {
    const cdg_together_def *def;
    size_t bytes[CDG_THREADS_MAX]; // the most that each thread has found
} scratch_need;

// What says where a rod is, a link each time, and the rod, while others are looked at.
static void fetch_rods(const cdg_together_def *def, size_t index) {
    enum { LINK = 4 };
    if (index + 3 * LINK >= def->count) return;
    __builtin_prefetch(&def->worlds[index + 3 * LINK]->rod_count);
    __builtin_prefetch(&def->worlds[index + 3 * LINK]->rods);
    __builtin_prefetch(def->worlds[index + 2 * LINK]->rods);
    const cdg_rod *rod = first_rod(def->worlds[index + LINK]);
    if (rod != NULL) __builtin_prefetch(rod), __builtin_prefetch(&rod->element_count);
}

static void look_at_worlds(void *user, size_t index, int thread) {
    scratch_need *need = user;
    for (size_t i = index * LOOKED_AT; i < (index + 1) * LOOKED_AT && i < need->def->count; i++) {
        fetch_rods(need->def, i);
        const cdg_world *world = need->def->worlds[i];
        for (size_t r = 0; r < world->rod_count; r++) {
            const cdg_rod *rod = world->rods[r].rod;
            if (rod == NULL || rod->model->team.scratch_size == NULL) continue;
            size_t bytes = rod->model->team.scratch_size(rod);
            if (bytes > need->bytes[thread]) need->bytes[thread] = bytes;
        }
    }
}

static size_t scratch_for(const cdg_together_def *def, int threads) {
    scratch_need need = {.def = def};
    size_t largest = 64;
    cdg_parallel_for((def->count + LOOKED_AT - 1) / LOOKED_AT, threads, look_at_worlds, &need);
    for (int i = 0; i < threads; i++)
        if (need.bytes[i] > largest) largest = need.bytes[i];
    return (largest + 63) / 64 * 64;
}

static bool make_scratch(together *t, int threads) {
    t->scratch_bytes = scratch_for(t->def, threads);
    t->scratch = calloc((size_t)threads, sizeof *t->scratch);
    for (int i = 0; t->scratch != NULL && i < threads; i++)
        if ((t->scratch[i] = aligned_alloc(64, t->scratch_bytes)) == NULL) return false;
    return t->scratch != NULL;
}

cdg_result cdg_worlds_run(const cdg_together_def *def, cdg_result *results, cdg_error *error) {
    if (def->count == 0) return CDG_OK;
    together t = {.def = def, .results = results, .team_size = cdg_together_size(def->worlds[0])};
    size_t teams = (def->count + t.team_size - 1) / t.team_size;
    int threads = def->thread_count > 0 ? def->thread_count : cdg_parallel_default_threads();
    if (threads > CDG_THREADS_MAX) threads = CDG_THREADS_MAX;
    if ((size_t)threads > teams) threads = (int)teams;
    // Long enough to fetch ahead, short enough for threads to end together.
    t.chunk = teams / ((size_t)threads * 128) + 1;
    cdg_result result = CDG_OK;
    if (make_scratch(&t, threads))
        cdg_parallel_for((teams + t.chunk - 1) / t.chunk, threads, run_chunk, &t);
    else
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory to step %zu worlds", def->count);
    for (int i = 0; t.scratch != NULL && i < threads; i++) free(t.scratch[i]);
    free(t.scratch);
    return result;
}
