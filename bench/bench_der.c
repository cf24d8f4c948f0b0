// The der model on one core: a Newton iteration of an implicit step, and an explicit step with projection and
// quasistatic frames, per node; both timed as a user sees them, with loads, supports and velocities.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>

static const double sample_seconds = 0.05;

static cdg_result build(size_t elements, cdg_der_integrator integrator, double step, cdg_world **out,
                        cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = step;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = elements;
    def.centerline.line.to.x = 1e-2 * (double)elements; // elements of 1 cm whatever their number
    def.der.integrator = integrator;
    if (integrator == CDG_DER_EXPLICIT) def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
    cdg_rod_id rod = {0};
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &support, NULL);
    if (result == CDG_OK) return CDG_OK;
    result = hanging_rods_fail(*out, result, error);
    cdg_world_destroy(*out);
    return result;
}

typedef struct counted {
    cdg_world *world;
    double iterations; // Newton's
} counted;

static cdg_result step(void *user) {
    counted *c = user;
    cdg_step_report report;
    cdg_result result = cdg_world_step(c->world, &report);
    c->iterations += report.iterations;
    return result;
}

static cdg_result sample(bench_context *context, size_t elements, cdg_der_integrator integrator, double step_size,
                         cdg_error *error) {
    counted c = {0};
    cdg_result result = build(elements, integrator, step_size, &c.world, error);
    if (result != CDG_OK) return result;
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
        c.iterations = 0;
        double began = bench_clock();
        int steps = 0;
        while (bench_clock() - began < sample_seconds && result == CDG_OK) result = step(&c), steps++;
        double seconds = bench_clock() - began, count = integrator == CDG_DER_IMPLICIT ? c.iterations : steps;
        if (i >= 0 && result == CDG_OK) bench_add_sample(context, 1e9 * seconds / count / (double)(elements + 1));
    }
    if (result != CDG_OK) hanging_rods_fail(c.world, result, error);
    cdg_world_destroy(c.world);
    return result;
}

cdg_result bench_der_implicit(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {200, 1000, 10000, 100000};
    for (int i = 0; i < 4; i++) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu elements", counts[i]);
        bench_add_row(context, label, "ns/node/iteration", 800);
        cdg_result result = sample(context, counts[i], CDG_DER_IMPLICIT, 1e-3, error);
        if (result != CDG_OK) return result;
        bench_progress(context, (i + 1) / 4.0);
    }
    return CDG_OK;
}

cdg_result bench_der_explicit(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {100, 1000, 10000, 100000};
    for (int i = 0; i < 4; i++) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu elements", counts[i]);
        bench_add_row(context, label, "ns/node/step", 250);
        cdg_result result = sample(context, counts[i], CDG_DER_EXPLICIT, 1e-4, error);
        if (result != CDG_OK) return result;
        bench_progress(context, (i + 1) / 4.0);
    }
    return CDG_OK;
}
