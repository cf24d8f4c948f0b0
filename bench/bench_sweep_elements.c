// Scaling with the number of elements: a step of one hanging rod under every model, with its default options, from 50
// to 100,000 elements, on one core. Limits are plain loops over the rod's memory and with
// as many operations.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"
#include "bench/plain_arithmetic.h"
#include "bench/plain_loop.h"

#include <stdio.h>

static const double sample_seconds = 0.03;
static const double long_step = 0.3, very_long_step = 1; // s: beyond, three samples must do, or one

typedef struct sweep_model {
    const char *name;
    cdg_model model;
    bool is_other;     // the model's other solver or integrator
    double operations; // of an element and step, as scripts/bench_instructions counts them
} sweep_model;

static const sweep_model models[] = {
    {"pobd direct", CDG_MODEL_POBD, false, 4272},     {"pobd gauss_seidel", CDG_MODEL_POBD, true, 2763},
    {"corde", CDG_MODEL_CORDE, false, 845},           {"der implicit", CDG_MODEL_DER, false, 3615},
    {"der explicit", CDG_MODEL_DER, true, 777},       {"galpha", CDG_MODEL_GALPHA, false, 21770},
    {"reference", CDG_MODEL_REFERENCE, false, 64230},
};
static const size_t counts[] = {50, 1000, 10000, 100000};
enum { MODELS = sizeof models / sizeof *models, COUNTS = sizeof counts / sizeof *counts };

// Rubber, 8 mm thick, elements of 1 cm whatever their number, clamped at one end, in the advised step.
static cdg_result build(const sweep_model *what, size_t elements, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    cdg_rod_id rod = {0};
    def.model = what->model;
    def.element_count = elements;
    def.section.radius = 4e-3;
    def.centerline.line.to = (cdg_vec3){1e-2 * (double)elements, 0, 0};
    if (what->is_other) {
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.der.integrator = CDG_DER_EXPLICIT;
    }
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &clamp, NULL);
    // Long rods have long periods; the same step at every size keeps iterations alike.
    double step = cdg_world_advice(*out).step;
    if (result == CDG_OK) result = cdg_world_set_step_size(*out, step < 1e-3 ? step : 1e-3);
    if (result != CDG_OK) hanging_rods_fail(*out, result, error);
    return result;
}

static cdg_result sample(bench_context *context, cdg_world *world, double operations, size_t elements,
                         cdg_error *error) {
    cdg_result result = CDG_OK;
    double scale = 1e9 / (double)elements;
    int wanted = context->repeat;
    for (int i = -1; i < wanted; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (result != CDG_OK) return hanging_rods_fail(world, result, error);
        if (i >= 0) bench_add_sample(context, seconds * scale);
        if (seconds > long_step && wanted > 1) wanted = seconds > very_long_step ? 1 : 3;
    }
    bench_set_limits(context, scale * plain_loop_seconds(cdg_world_memory(world)),
                     1e9 * plain_arithmetic_seconds(operations));
    return CDG_OK;
}

cdg_result bench_sweep_elements(bench_context *context, cdg_error *error) {
    for (size_t m = 0; m < MODELS; m++)
        for (size_t k = 0; k < COUNTS; k++) {
            char label[BENCH_TEXT_SIZE];
            cdg_world *world = NULL;
            snprintf(label, sizeof label, "%s, %zu elements", models[m].name, counts[k]);
            bench_add_row(context, label, "ns/element/step", 0);
            cdg_result result = build(&models[m], counts[k], &world, error);
            if (result == CDG_OK) result = sample(context, world, models[m].operations, counts[k], error);
            cdg_world_destroy(world);
            if (result != CDG_OK) return result;
            bench_progress(context, (double)(m * COUNTS + k + 1) / (MODELS * COUNTS));
        }
    return CDG_OK;
}
