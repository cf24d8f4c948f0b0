// Scaling with the number of strands: hair of 50 elements, Gauss-Seidel with 4 iterations, from 1 to 20,000 strands on
// 1 and on 2 threads. Limits are plain loops over the strands' memory and with as many
// operations, shared by the threads.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"
#include "bench/plain_arithmetic.h"
#include "bench/plain_loop.h"

#include <stdio.h>

static const double sample_seconds = 0.03;
static const double strand_operations = 57350; // of a step, as scripts/bench_instructions counts them

static cdg_result sample(bench_context *context, size_t strands, int threads, cdg_error *error) {
    const hanging_rods what = {.rod_count = strands,
                               .element_count = 50,
                               .solver = CDG_POBD_GAUSS_SEIDEL,
                               .integrator = CDG_POBD_EULER,
                               .iterations = 4,
                               .thread_count = threads,
                               .step = 1e-3};
    cdg_world *world = NULL;
    cdg_result result = hanging_rods_build(&what, &world, error);
    if (result != CDG_OK) return result;
    double scale = 1e6 / (double)strands;
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (i >= 0 && result == CDG_OK) bench_add_sample(context, seconds * scale);
    }
    if (result != CDG_OK) hanging_rods_fail(world, result, error);
    if (result == CDG_OK)
        bench_set_limits(context, scale * plain_loop_seconds(cdg_world_memory(world)) / threads,
                         scale * plain_arithmetic_seconds((double)strands * strand_operations) / threads);
    cdg_world_destroy(world);
    return result;
}

cdg_result bench_sweep_strands(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {1, 10, 100, 1000, 10000, 20000};
    enum { COUNTS = sizeof counts / sizeof *counts };
    for (int threads = 1; threads <= 2; threads++)
        for (size_t k = 0; k < COUNTS; k++) {
            char label[BENCH_TEXT_SIZE];
            snprintf(label, sizeof label, "%zu strand%s, %d thread%s", counts[k], counts[k] > 1 ? "s" : "", threads,
                     threads > 1 ? "s" : "");
            bench_add_row(context, label, "us/strand/step", 0);
            cdg_result result = sample(context, counts[k], threads, error);
            if (result != CDG_OK) return result;
            bench_progress(context, ((threads - 1) * COUNTS + (double)k + 1) / (2 * COUNTS));
        }
    return CDG_OK;
}
