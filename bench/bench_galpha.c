// The galpha model: cost of a step to convergence at the frame rate of a film, and the iterations it takes (Sobottka et
// al. 2008 report 135 ms and 14 on a laptop of their time).
#include "bench/case_functions.h"

#include <stdio.h>

static const double sample_seconds = 0.05; // long against the clock and the scheduler, short enough to repeat

typedef struct counted_world {
    cdg_world *world;
    double iterations, steps;
} counted_world;

static cdg_result count_step(void *user) {
    counted_world *counted = user;
    cdg_step_report report;
    cdg_result result = cdg_world_step(counted->world, &report);
    if (result != CDG_OK) return result;
    counted->iterations += report.iterations;
    counted->steps++;
    return CDG_OK;
}

// A rod of 100 elements, clamped horizontally, that swings under its weight without damping: w L^3/B = 10.
static cdg_result build(bool is_extensible, cdg_world **out, cdg_error *error) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.galpha.is_extensible = is_extensible;
    def.galpha.lambda_infinity = -0.8; // keeps swinging for as long as the measurement takes
    def.section.radius = 1e-3;
    def.material = (cdg_material){.young_modulus = 3.924e9, .poisson_ratio = 0.3, .density = 1000};
    def.element_count = 100;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = 1 / 30.0;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_id rod;
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    return result == CDG_OK ? cdg_world_add_support(*out, &support, NULL) : result;
}

cdg_result bench_galpha(bench_context *context, cdg_error *error) {
    for (int i = 0; i < 2; i++) {
        counted_world counted = {0};
        cdg_result result = build(i == 0, &counted.world, error);
        const char *kind = i == 0 ? "extensible" : "inextensible";
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%s, a step", kind);
        bench_add_row(context, label, "ms", 1);
        for (int k = -1; k < context->repeat && result == CDG_OK; k++) { // the first warms caches
            double seconds = bench_time(count_step, &counted, sample_seconds, &result);
            if (k >= 0 && result == CDG_OK) bench_add_sample(context, seconds * 1e3);
            bench_progress(context, (i + (k + 1.0) / context->repeat) / 2);
        }
        snprintf(label, sizeof label, "%s, iterations a step", kind);
        bench_add_row(context, label, "", 14);
        if (result == CDG_OK) bench_add_sample(context, counted.iterations / counted.steps);
        if (result != CDG_OK && error != NULL) {
            error->code = result;
            snprintf(error->message, sizeof error->message, "%s", cdg_world_message(counted.world));
        }
        cdg_world_destroy(counted.world);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
