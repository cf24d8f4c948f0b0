// What contact costs while nothing is near: steps of a rod with contact on, against the same without.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>

static const double sample_seconds = 0.05, most = 1.1;

static cdg_result build(const hanging_rods *what, bool has_contact, cdg_world **out, cdg_error *error) {
    cdg_result result = hanging_rods_build(what, out, error);
    if (result != CDG_OK || !has_contact) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.position.z = -2;
    result = cdg_world_set_contact(*out, &contact);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    return result == CDG_OK ? result : hanging_rods_fail(*out, result, error);
}

// The processor's time of a step, the two worlds in turn.
static cdg_result sample(cdg_world *worlds[2], double *ratio) {
    double seconds[2] = {0};
    while (seconds[0] < sample_seconds) {
        for (int k = 0; k < 2; k++) {
            double began = bench_own_clock();
            for (int i = 0; i < 20; i++) {
                cdg_result result = cdg_world_step(worlds[k], NULL);
                if (result != CDG_OK) return result;
            }
            seconds[k] += bench_own_clock() - began;
        }
    }
    *ratio = seconds[1] / seconds[0];
    return CDG_OK;
}

cdg_result bench_contact_idle(bench_context *context, cdg_error *error) {
    static const struct {
        size_t elements;
        cdg_pobd_solver solver;
        int iterations;
        const char *name;
    } rows[] = {{50, CDG_POBD_GAUSS_SEIDEL, 10, "50 elements, gauss_seidel, 10 iterations"},
                {1000, CDG_POBD_GAUSS_SEIDEL, 10, "1,000 elements, gauss_seidel, 10 iterations"},
                {100000, CDG_POBD_GAUSS_SEIDEL, 10, "100,000 elements, gauss_seidel, 10 iterations"},
                {50, CDG_POBD_DIRECT, 2, "50 elements, direct, 2 iterations"},
                {10000, CDG_POBD_DIRECT, 2, "10,000 elements, direct, 2 iterations"}};
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t r = 0; r < count; r++) {
        hanging_rods what = {.rod_count = 1,
                             .element_count = rows[r].elements,
                             .solver = rows[r].solver,
                             .integrator = CDG_POBD_EULER,
                             .iterations = rows[r].iterations,
                             .thread_count = 1,
                             .step = 1e-5};
        cdg_world *worlds[2] = {NULL, NULL};
        cdg_result result = build(&what, false, &worlds[0], error);
        if (result == CDG_OK) result = build(&what, true, &worlds[1], error);
        bench_add_row(context, rows[r].name, "of a step without", most);
        for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches
            double ratio;
            result = sample(worlds, &ratio);
            if (result == CDG_OK && i >= 0) bench_add_sample(context, ratio);
            if (result != CDG_OK) hanging_rods_fail(worlds[1], result, error);
        }
        for (int k = 0; k < 2; k++) cdg_world_destroy(worlds[k]);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)(r + 1) / (double)count);
    }
    return CDG_OK;
}
