// An elastic pendulum (Spillmann and Teschner, figure 11): a rod hanging from a pin swings; the rotary inertia of its
// frames slows it down ("ghost inertia"), less and less as the inertia factor alpha falls, and not at all with the
// constraint coupling. The reference is the first mode of a hanging beam with bending stiffness B, weight per length
// m g and rotary inertia alpha I by Ritz's method with polynomials: converged, and no part of the simulation.
#include "validation/case_functions.h"
#include "validation/corde_rods.h"

#include <math.h>
#include <stdio.h>

enum { TERMS = 8 };

typedef struct mode {
    long double coefficient[TERMS]; // of s, s^2, ..., s from 0 at the pin to 1
    long double omega;
} mode;

static void solve(long double a[TERMS][TERMS], const long double right[TERMS], long double x[TERMS]) {
    for (int i = 0; i < TERMS; i++) x[i] = right[i];
    for (int p = 0; p < TERMS; p++)
        for (int i = p + 1; i < TERMS; i++) {
            long double f = a[i][p] / a[p][p];
            for (int j = p; j < TERMS; j++) a[i][j] -= f * a[p][j];
            x[i] -= f * x[p];
        }
    for (int i = TERMS; i-- > 0;) {
        for (int j = i + 1; j < TERMS; j++) x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

// Stiffness B int y'' y'' + int T y' y' with T = m g (L - s), inertia m int y y + alpha I int y' y'; inverse iteration.
static mode first_mode(const cdg_rod_def *rod, double alpha, double gravity) {
    long double length = 10, b = rod->stiffness.bend[0], m = rod->stiffness.mass, i = alpha * rod->stiffness.inertia[0];
    long double stiffness[TERMS][TERMS], inertia[TERMS][TERMS];
    for (int r = 0; r < TERMS; r++)
        for (int c = 0; c < TERMS; c++) {
            long double p = r + 1, q = c + 1, sum = p + q; // s^p and s^q
            long double tension = p * q / (sum - 1) - p * q / sum;
            stiffness[r][c] = m * gravity * tension;
            if (r > 0 && c > 0) stiffness[r][c] += b / powl(length, 3) * p * (p - 1) * q * (q - 1) / (sum - 3);
            inertia[r][c] = m * length / (sum + 1) + i / length * p * q / (sum - 1);
        }
    mode result = {{1}, 0};
    for (int round = 0; round < 60; round++) {
        long double matrix[TERMS][TERMS], right[TERMS], x[TERMS], norm = 0;
        for (int r = 0; r < TERMS; r++) {
            right[r] = 0;
            for (int c = 0; c < TERMS; c++) {
                matrix[r][c] = stiffness[r][c];
                right[r] += inertia[r][c] * result.coefficient[c];
            }
        }
        solve(matrix, right, x);
        for (int r = 0; r < TERMS; r++) norm += x[r];
        for (int r = 0; r < TERMS; r++) result.coefficient[r] = x[r] / norm; // 1 at the free end
    }
    long double top = 0, bottom = 0;
    for (int r = 0; r < TERMS; r++)
        for (int c = 0; c < TERMS; c++) {
            top += result.coefficient[r] * stiffness[r][c] * result.coefficient[c];
            bottom += result.coefficient[r] * inertia[r][c] * result.coefficient[c];
        }
    result.omega = sqrtl(top / bottom);
    return result;
}

static double shape_at(const mode *m, double s) {
    long double sum = 0, power = s;
    for (int k = 0; k < TERMS; k++, power *= s) sum += m->coefficient[k] * power;
    return (double)sum;
}

enum { OUTPUTS = 700, OUTPUT_STEPS = 500, SHOWN = 12 }; // the last in s: more than two swings

// The free end over time, as in figure 11.
typedef struct swing_record {
    size_t count;
    double time[OUTPUTS], end[OUTPUTS];
} swing_record;

static cdg_vec3 tilted_end(void) {
    const double tilt = 0.02; // small: the period of a swing grows by its square over 16
    return (cdg_vec3){10 * sin(tilt), 0, -10 * cos(tilt)};
}

// Mean period from the zero crossings of the motion's part along the mode.
static cdg_result measure_period(const validation_context *context, const cdg_rod_def *rod, const mode *m,
                                 double *period, swing_record *record, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id id = {0};
    cdg_rod_def def = *rod;
    def.centerline.line.to = tilted_end();
    cdg_result result = corde_world(context, &def, (cdg_vec3){0, 0, -9.81}, &world, &id, error);
    if (result != CDG_OK) return result;
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = id}};
    result = validation_fail(world, cdg_world_add_support(world, &pin, NULL), error);
    if (result == CDG_OK)
        result = validation_fail(world, cdg_world_set_step_size(world, 1e-4), error); // as in the paper
    double before = 0, first = 0, last = 0;
    int crossings = 0;
    for (long i = 0; i < 300000 && result == CDG_OK && crossings < (context->is_quick ? 5 : 9); i++) {
        result = validation_fail(world, cdg_world_step(world, NULL), error);
        cdg_vec3 nodes[51];
        if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
        if (result != CDG_OK) break;
        double along = 0;
        for (int k = 0; k <= 50; k++) along += nodes[k].x * shape_at(m, k / 50.0) * (k == 50 ? 0.5 : 1);
        double time = cdg_world_time(world);
        if (i % OUTPUT_STEPS == 0 && record->count < OUTPUTS) {
            record->time[record->count] = time;
            record->end[record->count++] = nodes[50].x;
        }
        if (i > 0 && before * along < 0) {
            last = time - 1e-4 * along / (along - before);
            if (crossings++ == 0) first = last;
        }
        before = along;
    }
    cdg_world_destroy(world);
    *period = crossings > 1 ? 2 * (last - first) / (crossings - 1) : (double)NAN;
    return result;
}

// The reference model from the same start, with longer steps. Its rotary inertia is no ghost: with the one printed, r^2
// for r^4, it swings as slowly as corde with alpha = 1. Theirs has no drag, so across the rod it has what r^4 gives.
static cdg_result swing_reference(const validation_context *context, double seconds, swing_record *record,
                                  cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id id = {0};
    cdg_rod_def def = corde_comparison_rod(CDG_CORDE_CONSTRAINT);
    def.model = CDG_MODEL_REFERENCE;
    const double radius = def.stiffness.radius;
    for (int k = 0; k < 2; k++) def.stiffness.inertia[k] *= radius * radius;
    def.centerline.line.to = tilted_end();
    cdg_result result = corde_world(context, &def, (cdg_vec3){0, 0, -9.81}, &world, &id, error);
    if (result != CDG_OK) return result;
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = id}};
    result = cdg_world_add_support(world, &pin, NULL);
    if (result == CDG_OK) result = cdg_world_set_step_size(world, 1e-2);
    while (result == CDG_OK && record->count < OUTPUTS && cdg_world_time(world) < seconds) {
        cdg_vec3 nodes[51];
        result = cdg_world_step(world, NULL);
        if (result == CDG_OK) result = cdg_world_step(world, NULL);
        if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
        record->time[record->count] = cdg_world_time(world);
        record->end[record->count++] = nodes[50].x;
    }
    result = validation_fail(world, result, error);
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_corde_pendulum(validation_context *context, cdg_error *error) {
    const double alphas[] = {1, 0.1, 0.01, 0.001, 0};
    double ideal = 0, away[5];
    for (int i = 0; i < 5; i++) {
        bool is_constraint = alphas[i] == 0;
        cdg_rod_def rod = corde_comparison_rod(is_constraint ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY);
        rod.corde.inertia_factor = is_constraint ? 1 : alphas[i];
        mode m = first_mode(&rod, alphas[i], 9.81), free = first_mode(&rod, 0, 9.81);
        ideal = (double)(2 * 3.14159265358979323846L / free.omega);
        double period;
        swing_record record = {.count = 0};
        cdg_result result = measure_period(context, &rod, &m, &period, &record, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        if (is_constraint)
            snprintf(label, sizeof label, "period, constraint coupling, against no rotary inertia");
        else
            snprintf(label, sizeof label, "period, penalty coupling, alpha = %g", alphas[i]);
        // element length and step change the period by some 1e-4; a tenth of the ghost inertia's effect shows
        validation_add_relative(context, label, "s", period, (double)(2 * 3.14159265358979323846L / m.omega), 5e-4);
        if (is_constraint)
            validation_cite(context, VALIDATION_SEED_000_11, "no number printed: the reference model has no drag");
        else
            validation_cite(context, VALIDATION_SEED_000_11, "no number printed: smaller alpha, nearer the reference");
        if (i == 0) validation_begin_chart(context, "Free end of the pendulum (figure 11)", "time", "s", "x", "m");
        snprintf(label, sizeof label, is_constraint ? "constraint" : "alpha %g", alphas[i]);
        size_t shown = 0;
        while (shown < record.count && record.time[shown] < SHOWN) shown++;
        validation_add_curve(context, label, record.time, record.end, shown);
        away[i] = fabs(period / ideal - 1);
        if (validation_is_decided(context)) return CDG_OK;
        validation_progress(context, (i + 1) / 5.0);
    }
    swing_record reference = {.count = 0};
    cdg_result result = swing_reference(context, SHOWN, &reference, error);
    if (result != CDG_OK) return result;
    validation_add_reference_curve(context, "reference", reference.time, reference.end, reference.count);
    validation_add_relative(context, "period, constraint coupling, against the ideal one", "s", ideal * (1 + away[4]),
                            ideal, 0.005);
    for (int i = 1; i < 4; i++) {
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "how much less ghost inertia alpha = %g leaves than %g", alphas[i],
                 alphas[i - 1]);
        // in the end the mesh's own small error is left
        validation_add_limit(context, label, "", away[i] / away[i - 1], i == 1 ? 0.2 : 1);
    }
    return CDG_OK;
}
