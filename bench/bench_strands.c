// Many strands on 1 and 2 threads; the results must be identical to the last bit.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <string.h>

enum { STRANDS = 10000, ELEMENTS = 50, ITERATIONS = 4, FRAMES_A_SAMPLE = 3 };

// FNV-1a over the bits of all positions and frames.
static cdg_result hash_world(const cdg_world *world, uint64_t *out) {
    cdg_vec3 positions[ELEMENTS + 1];
    cdg_quat frames[ELEMENTS];
    unsigned char bytes[sizeof positions + sizeof frames];
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < STRANDS; i++) {
        cdg_rod_id rod = cdg_world_rod_at(world, i);
        cdg_result result = cdg_rod_positions(world, rod, positions);
        if (result == CDG_OK) result = cdg_rod_frames(world, rod, frames);
        if (result != CDG_OK) return result;
        memcpy(bytes, positions, sizeof positions);
        memcpy(bytes + sizeof positions, frames, sizeof frames);
        for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * 0x100000001B3u;
    }
    *out = hash;
    return CDG_OK;
}

static cdg_result sample_threads(bench_context *context, int thread_count, double done, uint64_t *hash,
                                 cdg_error *error) {
    const hanging_rods what = {.rod_count = STRANDS,
                               .element_count = ELEMENTS,
                               .solver = CDG_POBD_GAUSS_SEIDEL,
                               .integrator = CDG_POBD_EULER,
                               .iterations = ITERATIONS,
                               .thread_count = thread_count,
                               .step = 1e-3};
    cdg_world *world = NULL;
    cdg_result result = hanging_rods_build(&what, &world, error);
    if (result != CDG_OK) return result;
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
        double began = bench_clock();
        for (int k = 0; k < FRAMES_A_SAMPLE && result == CDG_OK; k++) result = cdg_world_step(world, NULL);
        if (i >= 0) bench_add_sample(context, 1e3 * (bench_clock() - began) / FRAMES_A_SAMPLE);
        bench_progress(context, done + 0.5 * (double)(i + 1) / (double)context->repeat);
    }
    if (result == CDG_OK) result = hash_world(world, hash);
    if (result != CDG_OK) hanging_rods_fail(world, result, error);
    cdg_world_destroy(world);
    return result;
}

cdg_result bench_strands(bench_context *context, cdg_error *error) {
    uint64_t one = 0, two = 0;
    bench_add_row(context, "2 threads", "ms/frame", 16);
    cdg_result result = sample_threads(context, 2, 0, &two, error);
    if (result != CDG_OK) return result;
    bench_add_row(context, "1 thread", "ms/frame", 0);
    result = sample_threads(context, 1, 0.5, &one, error);
    if (result != CDG_OK) return result;
    bench_check(context, one == two, "1 and 2 threads give identical results");
    return CDG_OK;
}
