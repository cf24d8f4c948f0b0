// One rod, one core: cost of a step per element and iteration, and of a whole small frame. The step is timed as a
// user sees it, with prediction, loads, supports and velocity update.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>

static const double sample_seconds = 0.05; // long against the clock and the scheduler, short enough to repeat

// Adds samples of seconds * scale.
static cdg_result sample_steps(bench_context *context, const hanging_rods *what, double scale, double done,
                               double share, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_result result = hanging_rods_build(what, &world, error);
    if (result != CDG_OK) return result;
    for (int i = -1; i < context->repeat; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (result != CDG_OK) {
            hanging_rods_fail(world, result, error);
            break;
        }
        if (i >= 0) bench_add_sample(context, seconds * scale);
        bench_progress(context, done + share * (double)(i + 1) / (double)context->repeat);
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result bench_step_direct(bench_context *context, cdg_error *error) {
    const hanging_rods what = {.rod_count = 1,
                               .element_count = 1000,
                               .solver = CDG_POBD_DIRECT,
                               .integrator = CDG_POBD_BDF2,
                               .iterations = 5,
                               .thread_count = 1,
                               .step = 1e-3};
    bench_add_row(context, "", "ns/element/iteration", 200);
    return sample_steps(context, &what, 1e9 / (1000.0 * 5), 0, 1, error);
}

cdg_result bench_step_gauss_seidel(bench_context *context, cdg_error *error) {
    const hanging_rods what = {.rod_count = 1,
                               .element_count = 1000,
                               .solver = CDG_POBD_GAUSS_SEIDEL,
                               .integrator = CDG_POBD_EULER,
                               .iterations = 50,
                               .thread_count = 1,
                               .step = 1e-3};
    bench_add_row(context, "", "ns/element/iteration", 8);
    return sample_steps(context, &what, 1e9 / (1000.0 * 50), 0, 1, error);
}

cdg_result bench_frame(bench_context *context, cdg_error *error) {
    const hanging_rods what = {.rod_count = 1,
                               .element_count = 50,
                               .solver = CDG_POBD_GAUSS_SEIDEL,
                               .integrator = CDG_POBD_EULER,
                               .iterations = 10,
                               .thread_count = 1,
                               .step = 1e-3};
    bench_add_row(context, "", "us/frame", 6);
    return sample_steps(context, &what, 1e6, 0, 1, error);
}

cdg_result bench_scaling_direct(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {100, 1000, 10000, 100000};
    const size_t sizes = sizeof counts / sizeof *counts;
    for (size_t i = 0; i < sizes; i++) {
        hanging_rods what = {.rod_count = 1,
                             .element_count = counts[i],
                             .solver = CDG_POBD_DIRECT,
                             .integrator = CDG_POBD_BDF2,
                             .iterations = 5,
                             .thread_count = 1,
                             .step = 1e-3};
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "set-up, %zu elements", counts[i]);
        bench_add_row(context, label, "ns/element", 0);
        for (int k = 0; k < context->repeat; k++) {
            cdg_world *world = NULL;
            double began = bench_clock();
            cdg_result result = hanging_rods_build(&what, &world, error);
            if (result != CDG_OK) return result;
            bench_add_sample(context, 1e9 * (bench_clock() - began) / (double)counts[i]);
            cdg_world_destroy(world);
        }
        snprintf(label, sizeof label, "step, %zu elements", counts[i]);
        bench_add_row(context, label, "ns/element/iteration", counts[i] == 1000 ? 200 : 0);
        cdg_result result = sample_steps(context, &what, 1e9 / (5 * (double)counts[i]), (double)i / (double)sizes,
                                         1 / (double)sizes, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
