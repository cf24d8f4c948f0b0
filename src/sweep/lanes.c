// Many short worlds of one scene stepped together (world/world_together.h), and their cases' rows and lines.
#include "sweep/lanes.h"

#include "base/error.h"
#include "sweep/case_parts.h"
#include "sweep/case_time.h"
#include "world/world_together.h"

#include <stdio.h>
#include <stdlib.h>

bool cdg_lanes_may_take(const cdg_scene *scene, char *reason, size_t size) {
    cdg_world *world = NULL;
    snprintf(reason, size, "%s", "");
    if (scene->mode == SCENE_STATIC) {
        snprintf(reason, size, "a static scene has no steps");
        return false;
    }
    if (cdg_scene_build(scene, 1, &world, NULL) != CDG_OK) { // the cases tell why
        snprintf(reason, size, "the scene cannot be built");
        return false;
    }
    bool may = cdg_together_may_join(world, reason, size);
    cdg_world_destroy(world);
    return may;
}

// ---- a job ----------------------------------------------------------------------------------------------------------

typedef struct lane_case {
    char **overrides;
    size_t override_count;
    cdg_case_def def;
    cdg_case_result result;
    cdg_case_runner *runner; // NULL: it has ended
    bool is_alone;           // its steps are not those of the others
} lane_case;

typedef struct lane_job {
    const cdg_sweep *sweep;
    size_t first, count;
    cdg_sweep_go_on *go_on;
    void *user;
    lane_case cases[CDG_LANES_JOB_SIZE];
    // those that go on together
    cdg_world *worlds[CDG_LANES_JOB_SIZE];
    lane_case *going[CDG_LANES_JOB_SIZE];
    size_t going_count;
    const cdg_run_plan *plan; // of all of them
    double began;             // by cdg_case_clock
    bool is_late;             // the cases that go on have had their time
} lane_job;

static bool has_same_plan(const cdg_run_plan *a, const cdg_run_plan *b) {
    return a->step == b->step && a->steps_per_output == b->steps_per_output && a->frame_count == b->frame_count;
}

// False: no memory.
static bool open_cases(lane_job *job) {
    bool is_good = true;
    for (size_t i = 0; i < job->count; i++) {
        lane_case *c = &job->cases[i];
        c->overrides = cdg_design_overrides(&job->sweep->design, job->first + i, &c->override_count);
        if (c->overrides == NULL) is_good = false;
        if (!is_good) continue;
        c->def = (cdg_case_def){.source = &job->sweep->source,
                                .overrides = (const char *const *)c->overrides,
                                .override_count = c->override_count,
                                .thread_count = 1};
        if (cdg_case_open(&c->def, &c->result, &c->runner) == CDG_ERROR_MEMORY) is_good = false;
        if (c->runner == NULL) continue;
        if (job->plan == NULL) job->plan = cdg_case_plan(c->runner);
        c->is_alone = !has_same_plan(job->plan, cdg_case_plan(c->runner));
    }
    return is_good;
}

static void list_going(lane_job *job) {
    job->going_count = 0;
    for (size_t i = 0; i < job->count; i++) {
        lane_case *c = &job->cases[i];
        if (c->runner == NULL || c->is_alone) continue;
        job->worlds[job->going_count] = cdg_case_world(c->runner);
        job->going[job->going_count++] = c;
    }
}

static void close_case(lane_case *c, cdg_result result, cdg_error *error) {
    cdg_case_close(c->runner, result, error);
    c->runner = NULL;
}

static bool on_step(void *user, size_t world, const cdg_step_report *report) {
    lane_job *job = user;
    cdg_case_stepped(job->going[world]->runner, report);
    if (job->go_on != NULL && !job->go_on(job->user)) return false;
    double limit = job->sweep->case_time * (double)job->count; // of which each has an equal share
    job->is_late = job->is_late || (limit > 0 && cdg_case_clock() - job->began > limit);
    return !job->is_late;
}

static void close_late(lane_job *job) {
    for (size_t i = 0; i < job->going_count; i++) {
        lane_case *c = job->going[i];
        cdg_error error;
        cdg_fail(&error, CDG_ERROR_INTERRUPTED, "stopped on request at %g s of %g s",
                 cdg_world_time(cdg_case_world(c->runner)), cdg_case_plan(c->runner)->end);
        close_case(c, CDG_ERROR_INTERRUPTED, &error);
        cdg_case_time_tell(job->sweep->case_time, &c->result);
    }
    list_going(job);
}

// Steps all worlds that go on; those that fail are closed. False: stopped on request.
static bool step(lane_job *job, uint64_t count) {
    cdg_result results[CDG_LANES_JOB_SIZE];
    cdg_error error = {0};
    cdg_together_def def = {.worlds = job->worlds,
                            .count = job->going_count,
                            .step_count = count,
                            .thread_count = 1,
                            .on_step = on_step,
                            .user = job};
    if (count == 0 || job->going_count == 0) return true;
    if (cdg_worlds_run(&def, results, &error) != CDG_OK) return false;
    bool goes_on = true;
    for (size_t i = 0; i < job->going_count; i++) {
        if (results[i] == CDG_ERROR_INTERRUPTED && !job->is_late) goes_on = false;
        if (results[i] == CDG_OK || results[i] == CDG_ERROR_INTERRUPTED) continue;
        cdg_fail(&error, results[i], "%s", cdg_world_message(job->worlds[i]));
        close_case(job->going[i], results[i], &error);
    }
    list_going(job);
    if (job->is_late && goes_on) close_late(job);
    return goes_on;
}

static void keep_rows(lane_job *job) {
    for (size_t i = 0; i < job->going_count; i++) {
        cdg_error error = {0};
        cdg_result result = cdg_case_keep(job->going[i]->runner, &error);
        if (result != CDG_OK) close_case(job->going[i], result, &error);
    }
    list_going(job);
}

static bool run_together(lane_job *job) {
    list_going(job);
    for (size_t frame = 1; job->plan != NULL && job->going_count > 0 && frame < job->plan->frame_count; frame++) {
        uint64_t steps = job->plan->steps_per_output;
        size_t frames = job->plan->frame_count;
        if (!step(job, steps - 1)) return false;
        for (size_t i = 0; i < job->going_count; i++) cdg_guard_look_next(job->worlds[i]); // what is kept is looked at
        if (!step(job, 1)) return false;
        keep_rows(job);
        // The first case, whose plan it is, may have failed: any other has the same.
        if (job->going_count > 0) job->plan = cdg_case_plan(job->going[0]->runner);
        if (job->going_count == 0 || frames != job->plan->frame_count) break;
    }
    for (size_t i = 0; i < job->going_count; i++) close_case(job->going[i], CDG_OK, &(cdg_error){0});
    return true;
}

// The lines in the order of the cases; what could not go together goes alone.
static bool give_lines(lane_job *job, double seconds, void (*give)(void *target, char *line, size_t size),
                       void *target) {
    for (size_t i = 0; i < job->count; i++) {
        size_t size, index = job->first + i;
        lane_case *c = &job->cases[i];
        char *line = c->is_alone ? cdg_sweep_do_case(job->sweep, index, job->go_on, job->user, &size)
                                 : cdg_sweep_write_line(job->sweep, index, &c->result, seconds, &size);
        if (line == NULL) return false;
        give(target, line, size);
    }
    return true;
}

static void free_job(lane_job *job) {
    for (size_t i = 0; i < job->count; i++) {
        lane_case *c = &job->cases[i];
        if (c->runner != NULL) close_case(c, CDG_ERROR_INTERRUPTED, &(cdg_error){0});
        cdg_case_result_free(&c->result);
        cdg_design_overrides_free(c->overrides, c->override_count);
    }
    free(job);
}

cdg_lanes_state cdg_lanes_run(const cdg_sweep *sweep, size_t first, size_t count, cdg_sweep_go_on *go_on, void *user,
                              void (*give)(void *target, char *line, size_t size), void *target) {
    lane_job *job = calloc(1, sizeof *job);
    if (job == NULL) return CDG_LANES_STOPPED;
    *job = (lane_job){.sweep = sweep, .first = first, .count = count, .go_on = go_on, .user = user};
    double began = job->began = cdg_case_clock();
    bool is_done = open_cases(job);
    double opened = cdg_case_clock();
    is_done = is_done && run_together(job);
    double seconds = (cdg_case_clock() - began) / (double)count, solve = (cdg_case_clock() - opened) / (double)count;
    for (size_t i = 0; i < count; i++) job->cases[i].result.solve_seconds = solve; // equal shares
    is_done = is_done && give_lines(job, seconds, give, target);
    free_job(job);
    return is_done ? CDG_LANES_DONE : CDG_LANES_STOPPED;
}
