// Paper 002, table 1: one frame of 10 ms of a classic PBD strand and of an elastic rod with ghost points, 50 elements,
// one core, for the iteration counts printed there. The paper's figures are from an Intel Core i5 3450.
#include "bench/bench_table1.h"

#include <stdio.h>

#include "base/error.h"
#include "bench/baseline_pbd_strand.h"
#include "bench/baseline_pber.h"
#include "math/vec3.h"

enum { ELEMENTS = 50, SCENES = 3 };

static const double sample_seconds = 0.02; // long against the clock, and still a handful of the slowest frames
static const int iterations[SCENES] = {10, 18, 80};
static const double paper_pbd[SCENES] = {160, 260, 1320}, paper_pber[SCENES] = {1650, 2160, 9180}; // microseconds

static cdg_result step_pbd(void *strand) {
    baseline_pbd_strand_step(strand);
    return CDG_OK;
}

static cdg_result step_pber(void *rod) {
    baseline_pber_step(rod);
    return CDG_OK;
}

// One row: samples of `step`, and that the last point is still somewhere.
static void sample(bench_context *context, const char *method, int scene, double paper, cdg_result (*step)(void *user),
                   void *user, const cdg_vec3 *last_point) {
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "%s, %d iterations (paper: %g)", method, iterations[scene], paper);
    bench_add_row(context, label, "us/frame", 0);
    for (int i = -1; i < context->repeat; i++) { // the first warms caches and is thrown away
        cdg_result result;
        double seconds = bench_time(step, user, sample_seconds, &result);
        if (i >= 0) bench_add_sample(context, 1e6 * seconds);
    }
    bench_check(context, vec3_is_finite(*last_point), "the strand stays finite");
}

cdg_result bench_table1(bench_context *context, cdg_error *error) {
    for (int scene = 0; scene < SCENES; scene++) {
        baseline_pbd_strand strand;
        if (!baseline_pbd_strand_init(&strand, ELEMENTS, 1)) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
        strand.iterations = iterations[scene];
        sample(context, "pbd", scene, paper_pbd[scene], step_pbd, &strand, &strand.position[ELEMENTS]);
        baseline_pbd_strand_destroy(&strand);
        bench_progress(context, (scene + 0.5) / SCENES);
        baseline_pber rod;
        if (!baseline_pber_init(&rod, ELEMENTS, 1)) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
        rod.iterations = iterations[scene];
        sample(context, "pber", scene, paper_pber[scene], step_pber, &rod, &rod.position[ELEMENTS]);
        baseline_pber_destroy(&rod);
        bench_progress(context, (scene + 1.0) / SCENES);
    }
    return CDG_OK;
}
