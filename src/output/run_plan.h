// When a run steps and when it writes.
#ifndef CDG_OUTPUT_RUN_PLAN_H
#define CDG_OUTPUT_RUN_PLAN_H

#include "scene/scene.h"

typedef struct cdg_run_plan {
    double step;               // s; every / steps_per_output; 0: static
    double every;              // s between outputs
    double end;                // s: time of the last output
    uint64_t steps_per_output; // 0 when the run has only its first output
    uint64_t step_count;
    size_t frame_count; // outputs, the one at time 0 included; static: at most
    char reason[512];   // why this step: one sentence
    char warning[512];  // "" when the scene's times fit each other and nobody has doubts about the step
} cdg_run_plan;

// Outputs lie on whole steps, so the step is made to divide the output interval: never longer than asked. The
// world is asked for advice only when the scene leaves the step open.
cdg_result cdg_run_plan_make(const cdg_scene *scene, cdg_world *world, cdg_run_plan *out, cdg_error *error);

#endif
