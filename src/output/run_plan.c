// When a run steps and when it writes: both are whole multiples of the step, so that nothing is interpolated.
#include "output/run_plan.h"

#include <cordage/run.h>

#include "base/error.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Counts above this are surely a slip of the pen in the scene, and doubles would no longer count one by one.
static const double count_limit = 1e15;

// Times written as decimals (0.3 / 0.1) miss whole ratios by some roundings; this is far above those and far below any
// difference someone means.
static const double ratio_slack = 1e-9;

static void plan_outputs(const cdg_scene *scene, cdg_run_plan *plan, double *frames) {
    double duration = scene->duration;
    double every = scene->output_every > 0 ? scene->output_every : duration / 50;
    if (duration <= 0) {
        *frames = 0;
        plan->every = every;
        return;
    }
    if (every > duration) every = duration; // an output at the start and one at the end
    *frames = round(duration / every);
    plan->every = every;
    plan->end = *frames * every;
    if (fabs(plan->end - duration) > ratio_slack * duration) { // the duration is what was asked for most plainly
        *frames = ceil(duration / every);
        plan->every = duration / *frames;
        plan->end = duration;
        snprintf(plan->warning, sizeof plan->warning,
                 "the duration of %g s is not a whole number of outputs of %g s; outputs are written every %g s",
                 duration, every, plan->every);
    }
}

// Every step is an output, and how many there will be is not known: room for all that are allowed.
static void plan_static(const cdg_scene *scene, cdg_run_plan *plan) {
    plan->end = scene->duration;
    plan->every = scene->output_every > 0 ? fmin(scene->output_every, scene->duration) : scene->duration / 50;
    plan->frame_count = scene->duration > 0 ? (size_t)scene->statics.steps + 1 : 1;
    snprintf(plan->reason, sizeof plan->reason, "equilibria have no time step");
}

static void add_doubts(const cdg_world *world, cdg_run_plan *plan) {
    char doubt[256];
    if (!cdg_world_doubts(world, plan->step, doubt)) return;
    size_t length = strlen(plan->warning);
    snprintf(plan->warning + length, sizeof plan->warning - length, "%s%s", length > 0 ? "; " : "", doubt);
}

cdg_result cdg_run_plan_make(const cdg_scene *scene, cdg_world *world, cdg_run_plan *out, cdg_error *error) {
    *out = (cdg_run_plan){0};
    if (scene->mode == SCENE_STATIC) {
        plan_static(scene, out);
        return CDG_OK;
    }
    double frames = 0;
    plan_outputs(scene, out, &frames);

    double wanted = scene->step;
    if (wanted > 0) {
        snprintf(out->reason, sizeof out->reason, "the scene asks for %g s", wanted);
    } else {
        cdg_step_advice advice =
            cdg_world_advise(world, scene->step_duration > 0 ? scene->step_duration : scene->duration);
        wanted = advice.step;
        snprintf(out->reason, sizeof out->reason, "%s", advice.reason);
    }
    if (frames == 0) { // nothing will move: only the initial state is written
        out->step = isfinite(wanted) && wanted > 0 ? wanted : out->every;
        out->frame_count = 1;
        return CDG_OK;
    }
    if (!isfinite(wanted) || wanted <= 0) wanted = out->every; // nothing limits the step

    double steps = ceil(out->every / wanted * (1 - ratio_slack));
    if (!(steps >= 1)) steps = 1;
    if (!(steps * frames < count_limit)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a step of %g s makes %g steps until %g s; give a longer step or a shorter duration", wanted,
                        steps * frames, out->end);
    }
    out->steps_per_output = (uint64_t)steps;
    out->step_count = (uint64_t)steps * (uint64_t)frames;
    out->frame_count = (size_t)frames + 1;
    out->step = out->every / steps;
    if (world != NULL) add_doubts(world, out);
    if (out->step < wanted * (1 - ratio_slack)) {
        size_t length = strlen(out->reason);
        snprintf(out->reason + length, sizeof out->reason - length,
                 "; made %g s so that outputs every %g s fall on steps", out->step, out->every);
    }
    return CDG_OK;
}

cdg_result cdg_run_step(const cdg_scene *scene, cdg_world *world, double *step, cdg_error *error) {
    cdg_run_plan plan;
    if (scene == NULL || world == NULL || step == NULL || !scene->is_usable)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a step is planned for a scene without errors and its world");
    cdg_result result = cdg_run_plan_make(scene, world, &plan, error);
    *step = result == CDG_OK ? plan.step : 0;
    return result;
}
