// Accuracy against cost: the same three scenes under every model at two or three resolutions. Cost is processor time of
// one core. What is right is, for the swing, the reference model extrapolated to no elements; for the pendulum, linear
// theory; for the spring, the equilibrium of der with many elements.
#include "validation/case_functions.h"
#include "validation/model_rods.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double pi = 3.14159265358979323846;
enum { RESOLUTIONS = 3, OUTPUTS = 50 };

// What is right, found once.
typedef struct truths {
    cdg_vec3 path[OUTPUTS]; // of the swinging tip, m
    double sag;             // of the spring, m
} truths;

typedef struct measured {
    double error;   // as a share of the length, the frequency or the sag
    double seconds; // of processor time
} measured;

typedef struct scene_kind {
    const char *name, *error;
    size_t elements[RESOLUTIONS];
    double tolerance; // of the second resolution
    cdg_result (*run)(const validation_context *context, const truths *right, validation_model model, size_t elements,
                      int resolution, measured *out, cdg_error *error);
    const char *reason;
} scene_kind;

// ---- a heavy cantilever swings to rest ------------------------------------------------------------------------------

static const double output_time = 0.06; // s

// Let go level, w L^3/B = 10, drag of 1/s: where the tip is at each output.
static cdg_result swing(const validation_context *context, validation_model model, size_t elements, double step,
                        cdg_vec3 *tips, cdg_error *error) {
    model_trial t = model_begin(context, model, model_unit_rod(elements), (cdg_vec3){0, 0, -10}, step, error);
    model_support(&t, CDG_SUPPORT_CLAMP, 0);
    model_drag(&t, 1);
    for (int i = 0; i < OUTPUTS; i++) {
        cdg_vec3 nodes[MODEL_NODES_MAX];
        model_run(&t, output_time);
        model_positions(&t, nodes);
        tips[i] = nodes[elements];
    }
    return model_end(&t, error);
}

// The reference model is of second order in element and step.
static cdg_result find_path(cdg_vec3 *out, cdg_error *error) {
    validation_context right = validation_context_default(); // what is right is not spoiled
    cdg_vec3 coarse[OUTPUTS], fine[OUTPUTS];
    cdg_result result = swing(&right, VALIDATION_REFERENCE, 20, 3e-3, coarse, error);
    if (result == CDG_OK) result = swing(&right, VALIDATION_REFERENCE, 40, 1.5e-3, fine, error);
    for (int i = 0; i < OUTPUTS && result == CDG_OK; i++)
        out[i] = vec3_mad(fine[i], 1 / 3.0, vec3_sub(fine[i], coarse[i]));
    return result;
}

static cdg_result run_swing(const validation_context *context, const truths *right, validation_model model,
                            size_t elements, int resolution, measured *out, cdg_error *error) {
    static const double steps[RESOLUTIONS] = {6e-3, 3e-3, 1.5e-3};
    cdg_vec3 tips[OUTPUTS];
    clock_t began = clock();
    cdg_result result = swing(context, model, elements, steps[resolution], tips, error);
    out->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    double sum = 0;
    for (int i = 0; i < OUTPUTS && result == CDG_OK; i++) {
        double away = vec3_distance(tips[i], right->path[i]);
        sum += away * away / OUTPUTS;
    }
    out->error = sqrt(sum);
    return result;
}

// ---- a flexible pendulum --------------------------------------------------------------------------------------------

static cdg_result run_pendulum(const validation_context *context, const truths *right, validation_model model,
                               size_t elements, int resolution, measured *out, cdg_error *error) {
    (void)right; // its frequency is known
    const double gravity = 51.012, omega = 1.2110240775 * sqrt(gravity), tilt = 0.02;
    const int steps = 100 << resolution; // of a period
    const double step = 2 * pi / omega / steps;
    cdg_rod_def def = model_unit_rod(elements);
    def.centerline.line.to = (cdg_vec3){sin(tilt), 0, -cos(tilt)};
    clock_t began = clock();
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, -gravity}, step, error);
    model_support(&t, CDG_SUPPORT_PIN, 0);
    model_passages p = {0};
    for (int i = 0; i < 17 * steps / 4 && t.result == CDG_OK; i++) {
        cdg_vec3 nodes[MODEL_NODES_MAX];
        double moment = 0;
        model_step(&t);
        model_positions(&t, nodes);
        for (size_t k = 1; k <= elements; k++) moment += (k == elements ? 0.5 : 1) * (double)k * nodes[k].x;
        model_watch(&p, (i + 1) * step, step, moment);
    }
    out->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    out->error = fabs(model_frequency(&p) / omega - 1);
    return model_end(&t, error);
}

// ---- a coil spring under a load -------------------------------------------------------------------------------------

// Radius 1 m, pitch angle 0.1, five turns of wire: 31.6 m, B = 1 N m^2, C = 0.8 N m^2, pulled by 1 mN at its end.
static cdg_rod_def spring(size_t elements) {
    cdg_rod_def def = model_unit_rod(elements);
    def.stiffness.stretch = def.stiffness.shear[0] = def.stiffness.shear[1] = 1e4;
    for (int k = 0; k < 3; k++) def.stiffness.inertia[k] = k < 2 ? 2.5e-3 : 5e-3;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = (cdg_vec3){0, 0, -1};
    def.centerline.helix.start_direction = (cdg_vec3){1, 0, 0};
    def.centerline.helix.radius = 1;
    def.centerline.helix.pitch = 2 * pi * tan(0.1);
    def.centerline.helix.turns = 5;
    def.rest.kind = CDG_REST_INITIAL;
    return def;
}

static const cdg_vec3 spring_load = {0, 0, -1e-3};

// How far the loaded end is below where it is at rest, in equilibrium.
static cdg_result find_sag(double *out, cdg_error *error) {
    enum { FINE = 150 };
    validation_context right = validation_context_default();
    double ends[2];
    for (int i = 0; i < 2; i++) { // second order: two resolutions tell the limit
        size_t elements = i == 0 ? FINE / 2 : FINE;
        model_trial t = model_begin(&right, VALIDATION_DER_IMPLICIT, spring(elements), (cdg_vec3){0, 0, 0}, 1, error);
        cdg_vec3 before[MODEL_NODES_MAX], after[MODEL_NODES_MAX];
        model_support(&t, CDG_SUPPORT_CLAMP, 0);
        model_force(&t, elements, spring_load);
        model_positions(&t, before);
        if (t.result == CDG_OK) t.result = cdg_world_find_equilibrium(t.world, NULL);
        model_positions(&t, after);
        ends[i] = before[elements].z - after[elements].z;
        if (model_end(&t, error) != CDG_OK) return t.result;
    }
    *out = ends[1] + (ends[1] - ends[0]) / 3;
    return CDG_OK;
}

static cdg_result run_spring(const validation_context *context, const truths *right, validation_model model,
                             size_t elements, int resolution, measured *out, cdg_error *error) {
    clock_t began = clock();
    model_trial t =
        model_begin(context, model, spring(elements), (cdg_vec3){0, 0, 0}, resolution == 0 ? 1 : 0.5, error);
    double element = 31.6 / (double)elements;
    t.longest = sqrt(60 * element * element / 1e4);
    cdg_vec3 before[MODEL_NODES_MAX], after[MODEL_NODES_MAX];
    model_support(&t, CDG_SUPPORT_CLAMP, 0);
    model_force(&t, elements, spring_load);
    model_drag(&t, 0.06); // twice the slowest swing's 0.03 rad/s
    model_positions(&t, before);
    model_run(&t, 300);
    model_positions(&t, after);
    out->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    out->error = fabs((before[elements].z - after[elements].z) / right->sag - 1);
    return model_end(&t, error);
}

// ---- the table ------------------------------------------------------------------------------------------------------

static const scene_kind scenes[] = {
    {"cantilever",
     "rms of its tip's path over 3 s, in lengths",
     {10, 20, 40},
     0.03,
     run_swing,
     "20 elements and steps of 3 ms: what the path lags and leads in 3 s"},
    {"pendulum",
     "relative error of its frequency",
     {10, 20, 40},
     0.01,
     run_pendulum,
     "20 elements and 200 steps a period; gauss_seidel has raised inertia"},
    {"spring",
     "relative error of its sag at rest",
     {50, 100, 0},
     0.03,
     run_spring,
     "100 elements, 20 a turn: (pi/20)^2/12 of the curvature, and what 300 s leave of the swing"},
};

cdg_result validate_models_table(validation_context *context, cdg_error *error) {
    const int kinds = (int)(sizeof scenes / sizeof *scenes);
    truths right;
    cdg_result result = find_path(right.path, error);
    if (result == CDG_OK) result = find_sag(&right.sag, error);
    if (result != CDG_OK) return result;
    for (int s = 0; s < kinds; s++) {
        const scene_kind *scene = &scenes[s];
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "%s: error against cost", scene->name);
        validation_begin_log_chart(context, label, "processor time", "s", "error", "1");
        validation_because(context, scene->reason);
        for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
            measured found[RESOLUTIONS] = {{0, 0}};
            double errors[RESOLUTIONS], seconds[RESOLUTIONS];
            int count = 0;
            validation_under(context, (validation_model)m);
            for (; count < RESOLUTIONS && scene->elements[count] > 0 && !(context->is_quick && count == 2); count++) {
                size_t elements = scene->elements[count];
                result = scene->run(context, &right, (validation_model)m, elements, count, &found[count], error);
                if (result != CDG_OK) return result;
                const char *name = validation_model_name((validation_model)m);
                snprintf(label, sizeof label, "%s, %s, %zu elements: error", scene->name, name, elements);
                if (count == 1)
                    validation_add_limit(context, label, "", found[count].error, scene->tolerance);
                else
                    validation_add_information(context, label, "", found[count].error);
                snprintf(label, sizeof label, "%s, %s, %zu elements: cost", scene->name, name, elements);
                validation_add_information(context, label, "s", found[count].seconds);
                errors[count] = found[count].error, seconds[count] = found[count].seconds;
            }
            validation_add_curve(context, validation_model_name((validation_model)m), seconds, errors, (size_t)count);
            validation_progress(context, (s + (m + 1.0) / VALIDATION_MODEL_COUNT) / kinds);
        }
    }
    return CDG_OK;
}
