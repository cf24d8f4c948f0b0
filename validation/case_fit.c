// Fits of synthetic measurements: a curved cable, its shape at rest as points in no order, and a film of its swinging
// tip, with noise. How often the true stiffness and damping come out, and how often within the stated errors.
#include "validation/case_functions.h"

#include "base/error.h"
#include "math/random.h"
#include "sweep/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 3, POINTS = 60, TRIALS = 100, QUICK_TRIALS = 4, TEXT_SIZE = 20000, NODES = 13 };

static const double truth[VALUES] = {3, 1.2, 30}; // MPa, MPa, ms
static const char *const varies[VALUES] = {
    "E: materials.rubber.young_modulus=1:10 MPa (start 2)",
    "G: materials.rubber.shear_modulus=0.3:5 MPa (start 0.8)",
    "damping: materials.rubber.damping.bend,materials.rubber.damping.twist=5:200 ms (start 15)",
};
static const double tip_noise = 0.5e-3, shape_noise = 0.5e-3; // m

// The cable with what the test spoils.
static void write_scene(const validation_factors *f, char out[TEXT_SIZE]) {
    snprintf(out, TEXT_SIZE,
             "cordage: 1\n"
             "simulation: {model: der, step: 10 ms, duration: 0.8 s, gravity: [0, 0, %.17g]}\n"
             "output: {every: 10 ms}\n"
             "materials:\n"
             "  rubber: {young_modulus: 3 MPa, shear_modulus: 1.2 MPa, density: %.17g, damping: {bend: 30 ms, "
             "twist: 30 ms}}\n"
             "rods:\n"
             "  - name: cable\n"
             "    material: rubber\n"
             "    section: {circle: {radius: 4 mm}}\n"
             "    centerline: {arc: {start: [0, 0, 0], tangent: [1, 0, 0], normal: [0, 1, 0], radius: 0.15, angle: 120 "
             "deg}}\n"
             "    rest: initial\n"
             "    elements: 12\n"
             "supports: [{clamp: cable.start}]\n"
             "contact: off\n"
             "probes: [{name: tip, position: cable.end}]\n",
             -9.81 * f->gravity, 1100 * f->mass);
}

static double normal(cdg_random *random) { // Box and Muller
    double size = sqrt(-2 * log(1 - random_unit(random)));
    return size * cos(6.283185307179586 * random_unit(random));
}

typedef struct measured { // without noise
    cdg_case_result film;
    cdg_vec3 nodes[NODES];
} measured;

static cdg_result keep_nodes(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    measured *m = user;
    (void)scene, (void)error;
    return cdg_rod_positions(world, cdg_world_rod_at(world, 0), m->nodes);
}

static cdg_result measure(const cdg_case_source *source, measured *out, cdg_error *error) {
    const char *const rest[] = {"simulation.mode=static", "simulation.duration=10 ms"};
    cdg_case_result at_rest;
    cdg_case_def film = {.source = source, .thread_count = 1};
    cdg_case_def shape = {
        .source = source, .thread_count = 1, .overrides = rest, .override_count = 2, .on_row = keep_nodes, .user = out};
    cdg_result result = cdg_case_run(&film, &out->film);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", out->film.sentence);
    result = cdg_case_run(&shape, &at_rest);
    if (result != CDG_OK) cdg_fail(error, result, "%s", at_rest.sentence);
    cdg_case_result_free(&at_rest);
    return result;
}

// A film of the tip, and points of the shape in no order; nodes are where the curve is known.
static cdg_result add_noise(const measured *m, uint64_t seed, cdg_fit_data data[2], cdg_error *error) {
    char *text = malloc(TEXT_SIZE);
    cdg_random random = {seed};
    if (text == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    int used = snprintf(text, TEXT_SIZE, "time [s], tip_x [mm], tip_y [mm], tip_z [mm]\n");
    for (size_t r = 0; r < m->film.row_count; r += 2) {
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, "%.17g", m->film.times[r]);
        for (size_t k = 0; k < 3; k++)
            used += snprintf(text + used, TEXT_SIZE - (size_t)used, ", %.17g",
                             1e3 * (m->film.series[3 * r + k] + tip_noise * normal(&random)));
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, "\n");
    }
    cdg_result result = cdg_fit_data_parse(text, (size_t)used, "film.csv", &data[0], error);
    used = snprintf(text, TEXT_SIZE,
                    "# shape: cable\n# set: simulation.mode=static\n# set: simulation.duration=10 ms\n"
                    "x [mm], y [mm], z [mm]\n");
    for (size_t i = 0; i < POINTS; i++) {
        cdg_vec3 at = m->nodes[1 + (size_t)(random_bits(&random) % (NODES - 2))];
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, "%.17g, %.17g, %.17g\n",
                         1e3 * (at.x + shape_noise * normal(&random)), 1e3 * (at.y + shape_noise * normal(&random)),
                         1e3 * (at.z + shape_noise * normal(&random)));
    }
    if (result == CDG_OK) result = cdg_fit_data_parse(text, (size_t)used, "shape.csv", &data[1], error);
    free(text);
    return result;
}

typedef struct score {
    int near[VALUES], sure, inside[VALUES]; // within 1 %; all three within limits of 99 %; within those of 95 %
    int together;                           // all three within those of 95 %
    int joint;                              // within the joint region of 95 %
    double worst[VALUES];
    size_t cases;
} score;

// z^T R^-1 z with z how far each value is off in its standard errors and R their correlations: the squared distance
// from the truth, of which the ellipsoids of equal confidence are made. By elimination; R is positive definite.
static double joint_distance2(const cdg_fit_result *r) {
    double a[VALUES][VALUES], z[VALUES], sum = 0;
    for (int v = 0; v < VALUES; v++) {
        z[v] = log(truth[v] / r->parameters[v].value) / r->parameters[v].error;
        for (int w = 0; w < VALUES; w++) a[v][w] = r->correlations[v * VALUES + w];
    }
    for (int v = 0; v < VALUES; v++) {
        sum += z[v] * z[v] / a[v][v];
        for (int w = v + 1; w < VALUES; w++) {
            double factor = a[w][v] / a[v][v];
            for (int k = v; k < VALUES; k++) a[w][k] -= factor * a[v][k];
            z[w] -= factor * z[v];
        }
    }
    return sum;
}

static void judge(const cdg_fit_result *r, double limit99, score *out) {
    bool is_sure = true, is_together = true;
    const double f95 = 2.642; // of Fisher's distribution with 3 and 240 degrees of freedom
    out->joint += joint_distance2(r) <= VALUES * f95;
    for (int v = 0; v < VALUES; v++) {
        const cdg_fit_parameter *p = &r->parameters[v];
        double off = fabs(p->value / truth[v] - 1);
        out->near[v] += off <= 0.01;
        out->worst[v] = fmax(out->worst[v], off);
        bool is_inside = truth[v] >= p->low && truth[v] <= p->high;
        out->inside[v] += is_inside;
        is_together = is_together && is_inside;
        is_sure = is_sure && off <= 0.01 && fabs(log(truth[v] / p->value)) <= limit99 * p->error;
    }
    out->sure += is_sure;
    out->together += is_together;
    out->cases += r->case_count;
}

static cdg_result one_trial(const validation_context *context, const cdg_case_source *source, const measured *m,
                            uint64_t seed, score *out, cdg_error *error) {
    cdg_fit_data data[2] = {0};
    cdg_vary ranges[VALUES] = {0};
    cdg_fit_model *model = NULL;
    cdg_fit_result found = {0};
    cdg_result result = add_noise(m, seed, data, error);
    for (int v = 0; v < VALUES && result == CDG_OK; v++) {
        result = cdg_vary_parse(varies[v], &ranges[v], error);
        if (result == CDG_OK) result = cdg_fit_check_vary(&ranges[v], error);
    }
    cdg_fit_def def = {.setup = {.source = source,
                                 .varies = ranges,
                                 .vary_count = VALUES,
                                 .data = data,
                                 .data_count = 2,
                                 .thread_count = context->thread_count},
                       .confidence = 0.95,
                       .iteration_limit = 50};
    if (result == CDG_OK) result = cdg_fit_model_make(&def.setup, &model, error);
    if (result == CDG_OK) result = cdg_fit_run(&def, model, &found, error);
    // The limits of 99 % from those of 95 %, as their ratio is with very many degrees of freedom: here there are 240.
    if (result == CDG_OK) judge(&found, found.limit * 2.5758 / 1.95996, out);
    cdg_fit_result_free(&found);
    cdg_fit_model_destroy(model);
    for (int v = 0; v < VALUES; v++) cdg_vary_free(&ranges[v]);
    for (int d = 0; d < 2; d++) cdg_fit_data_free(&data[d]);
    return result;
}

static void add_rows(validation_context *context, const score *s, int trials) {
    static const char *const names[VALUES] = {"Young's modulus", "shear modulus", "damping"};
    char label[VALIDATION_TEXT_SIZE];
    int inside = 0;
    for (int v = 0; v < VALUES; v++) {
        snprintf(label, sizeof label, "%s: share of trials that are off by more than 1 %%", names[v]);
        validation_add_limit(context, label, "", 1 - (double)s->near[v] / trials, 0.05);
        snprintf(label, sizeof label, "%s: farthest off of %d trials", names[v], trials);
        validation_add_information(context, label, "", s->worst[v]);
        inside += s->inside[v];
    }
    snprintf(label, sizeof label, "share of %d trials not within 1 %% and limits of 99 %%, all three", trials);
    validation_add_limit(context, label, "", 1 - (double)s->sure / trials, trials < TRIALS ? 0.2 : 0.05);
    // Errors may be neither too small nor too large: the spread of a count of 3 x trials at 95 %, three times.
    double count = VALUES * trials, spread = 3 * sqrt(0.95 * 0.05 * count) / count;
    snprintf(label, sizeof label, "share of values within limits of 95 %%");
    validation_add_absolute(context, label, "", inside / count, 0.95, spread);
    snprintf(label, sizeof label, "share of trials with the truth in the joint region of 95 %%");
    validation_add_absolute(context, label, "", (double)s->joint / trials, 0.95, 3 * sqrt(0.95 * 0.05 / trials));
    validation_add_information(context, "cases run for a fit", "", (double)s->cases / trials);
    validation_add_information(context, "share of trials with all three within their own limits of 95 %", "",
                               (double)s->together / trials);
}

cdg_result validate_fit(validation_context *context, cdg_error *error) {
    char true_text[TEXT_SIZE], text[TEXT_SIZE];
    const validation_factors none = {1, 1, 1, 1, 1, 1, 1, 1};
    int trials = context->is_quick ? QUICK_TRIALS : TRIALS;
    write_scene(&none, true_text);
    write_scene(&context->factor, text);
    cdg_case_source true_source = {.text = true_text, .size = strlen(true_text), .name = "cable"};
    cdg_case_source source = {.text = text, .size = strlen(text), .name = "cable"};
    measured m = {0};
    score s = {0};
    cdg_result result = measure(&true_source, &m, error);
    for (int i = 0; i < trials && result == CDG_OK; i++) {
        result = one_trial(context, &source, &m, 1000 + (uint64_t)i, &s, error);
        validation_progress(context, (i + 1.0) / trials);
        if (context->stops_at_failure && i == 1 && s.sure == 0) trials = i + 1;
    }
    validation_under(context, VALIDATION_DER_IMPLICIT);
    if (result == CDG_OK) add_rows(context, &s, trials);
    cdg_case_result_free(&m.film);
    return result;
}
