// Static scenes run as a user runs them: the elastica along a growing load, critical loads where the lowest eigenvalue
// passes zero, natural frequencies, and the limit load of an arch that snaps, each with der and galpha.
#define _XOPEN_SOURCE 700 // P_tmpdir
#include "output/run_reader.h"
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 2000, PATH_SIZE = 300 };

static const char *const models[2] = {"der", "galpha"};

// ---- running a scene ------------------------------------------------------------------------------------------------

static void remove_run(const char *directory) {
    static const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
    char path[PATH_SIZE + 20];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

// Runs the text in a directory of its own and opens what it wrote; the directory is gone again.
static cdg_result run_text(const validation_context *context, const char *text, cdg_run_reader **reader,
                           cdg_error *error) {
    const char *base = getenv("TMPDIR");
    char directory[PATH_SIZE];
    *reader = NULL;
    snprintf(directory, sizeof directory, "%.250s/cordage-validate-XXXXXX", base != NULL ? base : P_tmpdir);
    if (mkdtemp(directory) == NULL) {
        error->code = CDG_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%s: cannot make a directory for the run", directory);
        return CDG_ERROR_IO;
    }
    cdg_scene *scene = NULL;
    cdg_result result = cdg_scene_parse(text, strlen(text), "case_statics.yaml", NULL, NULL, 0, &scene, error);
    if (result == CDG_ERROR_SCENE && cdg_scene_diagnostic_count(scene) > 0)
        cdg_scene_format_diagnostic(scene, 0, error->message, sizeof error->message);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = context->thread_count};
    if (result == CDG_OK) result = cdg_run(&def, NULL, error);
    if (result == CDG_OK) result = cdg_run_reader_open(directory, reader, error);
    cdg_scene_destroy(scene);
    remove_run(directory); // what is open stays readable
    return result;
}

// A rod of 1 m along x, thin, B = 1 N m^2, 1 kg/m, clamped at its start, with the case's wrong parameters; `statics`
// goes into the simulation, `more` behind the supports.
static void write_rod(const validation_context *context, const char *model, const char *statics, double soft,
                      const char *more, int elements, char text[TEXT_SIZE]) {
    const validation_factors *f = &context->factor;
    snprintf(text, TEXT_SIZE,
             "cordage: 1\n"
             "simulation: {model: %s, gravity: [0, 0, 0], %s}\n"
             "output: {every: 0.1 s}\n"
             "rods:\n"
             "  - name: rod\n"
             "    stiffness: {stretch: %.17g N, shear: %.17g N, bend: [%.17g N m^2, %.17g N m^2], twist: %.17g N m^2, "
             "mass: %.17g kg/m, inertia: [1e-6 kg m, 1e-6 kg m, 2e-6 kg m], radius: 1 mm}\n"
             "    centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}\n"
             "    elements: %d\n"
             "supports: [{clamp: rod.start}]\n%s",
             model, statics, 4e6 * f->stretch, 1e6 * f->stretch, soft * f->bend, f->bend, 0.8 * f->twist, f->mass,
             elements, more);
}

static cdg_result last_node(const cdg_run_reader *reader, size_t frame, cdg_vec3 *out, cdg_error *error) {
    size_t nodes = reader->rods[0].node_count;
    double *positions = malloc(3 * nodes * sizeof *positions);
    if (positions == NULL) return error->code = CDG_ERROR_MEMORY;
    cdg_result result = cdg_run_reader_read(reader, frame, 0, CDG_FIELD_positions, positions, error);
    if (result == CDG_OK) memcpy(out, positions + 3 * (nodes - 1), sizeof *out);
    free(positions);
    return result;
}

// ---- elastica -------------------------------------------------------------------------------------------------------

typedef struct reference {
    double time, x, z; // of the tip, in lengths; the load is 10 times the time
} reference;

static const reference tips[] = {{0.1, 0.9435667637, 0.3017207738},
                                 {0.2, 0.8393582792, 0.4934574804},
                                 {0.5, 0.6123716393, 0.7137915236},
                                 {1.0, 0.4450044022, 0.8106090249}};

static cdg_result add_elastica(validation_context *context, const char *model, cdg_error *error) {
    char text[TEXT_SIZE], label[VALIDATION_TEXT_SIZE];
    cdg_run_reader *reader;
    write_rod(context, model, "mode: static", 1, "loads: [{force: [0, 0, -10 N], at: rod.end, ramp: 1 s}]\n", 40, text);
    cdg_result result = run_text(context, text, &reader, error);
    for (int i = 0; i < 4 && result == CDG_OK; i++) {
        cdg_vec3 tip = {0};
        result = last_node(reader, cdg_run_reader_nearest_frame(reader, tips[i].time), &tip, error);
        snprintf(label, sizeof label, "%s, tip load P L^2/B = %g: distance from the elastica's", model,
                 10 * tips[i].time);
        validation_add_limit(context, label, "L", hypot(tip.x - tips[i].x, tip.z + tips[i].z), 1e-3);
    }
    cdg_run_reader_close(reader);
    return result;
}

// ---- critical loads -------------------------------------------------------------------------------------------------

// The time at which the lowest eigenvalue passes zero along the straight rod.
static cdg_result add_critical(validation_context *context, const char *model, const char *label, const char *load,
                               double expected, cdg_error *error) {
    char text[TEXT_SIZE], whole[VALIDATION_TEXT_SIZE], loads[200];
    cdg_run_reader *reader;
    snprintf(loads, sizeof loads, "loads: [{%s, ramp: 1 s}]\n", load);
    write_rod(context, model, "mode: static, static: {path: arc_length}", 0.5, loads, 60, text);
    cdg_result result = run_text(context, text, &reader, error);
    double *lowest = result == CDG_OK ? malloc(reader->frame_count * sizeof *lowest) : NULL, time = NAN;
    if (result == CDG_OK && lowest == NULL) result = error->code = CDG_ERROR_MEMORY;
    if (result == CDG_OK) result = cdg_run_reader_stability(reader, lowest, error);
    for (size_t i = 1; result == CDG_OK && i < reader->frame_count; i++) {
        if (!(lowest[i - 1] > 0 && lowest[i] <= 0)) continue;
        double share = lowest[i - 1] / (lowest[i - 1] - lowest[i]);
        time = reader->times[i - 1] + share * (reader->times[i] - reader->times[i - 1]);
    }
    if (result == CDG_OK) {
        snprintf(whole, sizeof whole, "%s, %s", model, label);
        validation_add_relative(context, whole, "", time, expected, 5e-3);
    }
    free(lowest);
    cdg_run_reader_close(reader);
    return result;
}

// ---- frequencies ----------------------------------------------------------------------------------------------------

static cdg_result add_frequencies(validation_context *context, const char *model, int elements, cdg_error *error) {
    static const double roots[4] = {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349};
    char text[TEXT_SIZE], label[VALIDATION_TEXT_SIZE];
    cdg_run_reader *reader;
    write_rod(context, model, "mode: static, modes: 4", 1e-4, "", elements, text); // other bending is far above
    cdg_result result = run_text(context, text, &reader, error);
    double frequencies[4];
    if (result == CDG_OK) result = cdg_run_reader_modes(reader, 0, frequencies, NULL, error);
    for (int i = 0; i < 4 && result == CDG_OK; i++) {
        snprintf(label, sizeof label, "%s, natural frequency %d of a cantilever, %d elements", model, i + 1, elements);
        validation_add_relative(context, label, "Hz", frequencies[i], roots[i] * roots[i] * 1e-2 / 6.283185307179586,
                                5e-3);
    }
    cdg_run_reader_close(reader);
    return result;
}

cdg_result validate_statics(validation_context *context, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        validation_under(context, k == 0 ? VALIDATION_DER_IMPLICIT : VALIDATION_GALPHA);
        result = add_elastica(context, models[k], error);
        if (result == CDG_OK)
            result = add_critical(context, models[k], "Euler, clamped-free: load by its critical one",
                                  "force: [-2.4674011003 N, 0, 0], at: rod.end", 0.5, error);
        if (result == CDG_OK)
            result = add_critical(context, models[k], "heavy column (Greenhill): load by its critical one",
                                  "line: [-7.8373474389 N/m, 0, 0], on: rod", 0.5, error);
        if (result == CDG_OK) result = add_frequencies(context, models[k], k == 0 ? 60 : 100, error);
        validation_progress(context, (k + 1) / 2.0);
    }
    return result;
}

// ---- an arch that snaps ---------------------------------------------------------------------------------------------

// A pinned circular arch, span 1 m, B = 1 N m^2, stretching stiffness A; half of it by Runge-Kutta steps. With n the
// force that the part beyond exerts, constant up to the crown, and M the moment:
//   x' = (1 + N/A) cos t, z' = (1 + N/A) sin t, t' = k + M/B, M' = -(x' n_z - z' n_x), N = n_x cos t + n_z sin t.
static const double arch_angle = 0.2, arch_stretch = 2e4;

typedef struct arch_state {
    double x, z, turn, moment;
} arch_state;

static arch_state arch_rate(arch_state s, const double force[2], double curvature) {
    double c = cos(s.turn), d = sin(s.turn), stretch = 1 + (force[0] * c + force[1] * d) / arch_stretch;
    return (arch_state){stretch * c, stretch * d, curvature + s.moment, -stretch * (c * force[1] - d * force[0])};
}

static arch_state arch_add(arch_state a, double h, arch_state b) {
    return (arch_state){a.x + h * b.x, a.z + h * b.z, a.turn + h * b.turn, a.moment + h * b.moment};
}

// unknown: turn at the start, n_x, load. out: what must vanish at the crown, which is at height z.
static void arch_shoot(const double unknown[3], double z, double out[3]) {
    enum { STEPS = 400 };
    double length = arch_angle / (2 * sin(arch_angle / 2)), h = length / 2 / STEPS, curvature = -arch_angle / length;
    double force[2] = {unknown[1], -unknown[2] / 2};
    arch_state s = {0, 0, unknown[0], 0};
    for (int i = 0; i < STEPS; i++) {
        arch_state a = arch_rate(s, force, curvature), b = arch_rate(arch_add(s, h / 2, a), force, curvature);
        arch_state c = arch_rate(arch_add(s, h / 2, b), force, curvature);
        arch_state d = arch_rate(arch_add(s, h, c), force, curvature);
        s = arch_add(arch_add(arch_add(arch_add(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    out[0] = s.x - 0.5, out[1] = s.z - z, out[2] = s.turn;
}

// Newton's method with differences; Cramer's rule.
static double arch_load(double unknown[3], double z) {
    static const double change[3] = {1e-7, 1e-4, 1e-4};
    for (int i = 0; i < 30; i++) {
        double at[3], there[3], j[3][3];
        arch_shoot(unknown, z, at);
        for (int k = 0; k < 3; k++) {
            double moved[3] = {unknown[0], unknown[1], unknown[2]};
            moved[k] += change[k];
            arch_shoot(moved, z, there);
            for (int r = 0; r < 3; r++) j[k][r] = (there[r] - at[r]) / change[k]; // column k
        }
        double step[3];
        for (int k = 0; k < 3; k++) {
            const double *a = k == 0 ? at : j[0], *b = k == 1 ? at : j[1], *c = k == 2 ? at : j[2];
            step[k] = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        double whole = j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) +
                       j[0][1] * (j[1][2] * j[2][0] - j[1][0] * j[2][2]) +
                       j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
        for (int k = 0; k < 3; k++) unknown[k] -= step[k] / whole;
        if (fabs(step[2] / whole) < 1e-9 * (1 + fabs(unknown[2]))) break;
    }
    return unknown[2];
}

// The first load that no equilibrium with a lower crown exceeds: the crown goes down in small steps.
static double arch_limit(void) {
    double unknown[3] = {arch_angle / 2, 0, 0}, top = (1 - cos(arch_angle / 2)) / (2 * sin(arch_angle / 2));
    double loads[3] = {0, 0, 0};
    for (int i = 1; i < 1000; i++) {
        loads[0] = loads[1], loads[1] = loads[2];
        loads[2] = arch_load(unknown, top * (1 - i / 200.0));
        if (i > 2 && loads[1] > loads[0] && loads[1] > loads[2]) { // the parabola through the three
            double bend = loads[0] - 2 * loads[1] + loads[2], slope = (loads[2] - loads[0]) / 2;
            return loads[1] - slope * slope / (2 * bend);
        }
    }
    return NAN;
}

// The largest time on the parabola over the crown's height through an output and its neighbours.
static cdg_result find_top(const cdg_run_reader *reader, size_t frame, double *out, cdg_error *error) {
    size_t nodes = reader->rods[0].node_count;
    double *positions = malloc(3 * nodes * sizeof *positions), z[3], t[3];
    cdg_result result = positions == NULL ? (error->code = CDG_ERROR_MEMORY) : CDG_OK;
    for (size_t k = 0; k < 3 && result == CDG_OK; k++) {
        result = cdg_run_reader_read(reader, frame - 1 + k, 0, CDG_FIELD_positions, positions, error);
        if (result != CDG_OK) break;
        z[k] = positions[3 * (nodes / 2) + 2];
        t[k] = reader->times[frame - 1 + k];
    }
    if (result == CDG_OK) {
        double first = (t[1] - t[0]) / (z[1] - z[0]), second = (t[2] - t[1]) / (z[2] - z[1]);
        double bend = (second - first) / (z[2] - z[0]), slope = first + bend * (z[1] - z[0]); // at z[1]
        *out = t[1] - slope * slope / (4 * bend);
    }
    free(positions);
    return result;
}

static cdg_result add_arch(validation_context *context, const char *model, double reference_load, cdg_error *error) {
    const validation_factors *f = &context->factor;
    char text[TEXT_SIZE], label[VALIDATION_TEXT_SIZE];
    double half = arch_angle / 2, all = 1.3 * reference_load;
    snprintf(text, sizeof text,
             "cordage: 1\n"
             "simulation: {model: %s, mode: static, gravity: [0, 0, 0], static: {path: arc_length}}\n"
             "output: {every: 0.05 s}\n"
             "rods:\n"
             "  - name: arch\n"
             "    stiffness: {stretch: %.17g N, shear: 1e9 N, bend: [%.17g N m^2, 5 N m^2], twist: 1 N m^2, mass: 1 "
             "kg/m, inertia: [1e-5 kg m, 1e-5 kg m, 2e-5 kg m], radius: 3 mm}\n"
             "    centerline: {arc: {start: [0, 0, 0], tangent: [%.17g, 0, %.17g], normal: [%.17g, 0, %.17g], "
             "radius: %.17g m, angle: %.17g rad}}\n"
             "    normal: [0, 1, 0]\n"
             "    rest: initial\n"
             "    elements: 60\n"
             "supports: [{pin: [arch.start, arch.end]}, {twist: [arch.start, arch.end]}]\n"
             "loads: [{force: [0, 0, -%.17g N], at: arch.node(30), ramp: 1 s}]\n",
             model, arch_stretch * f->stretch, f->bend, cos(half), sin(half), sin(half), -cos(half),
             1 / (2 * sin(half)), arch_angle, all);
    cdg_run_reader *reader;
    cdg_result result = run_text(context, text, &reader, error);
    double highest = 0;
    for (size_t i = 1; result == CDG_OK && highest == 0 && i + 1 < reader->frame_count; i++)
        if (reader->times[i] > reader->times[i + 1]) result = find_top(reader, i, &highest, error);
    if (result == CDG_OK) {
        snprintf(label, sizeof label, "%s, 60 elements: limit load of the arch", model);
        validation_add_relative(context, label, "N", highest * all, reference_load, 5e-3);
        validation_add_relative(context, "the path's end", "s", reader->times[reader->frame_count - 1], 1, 1e-12);
    }
    cdg_run_reader_close(reader);
    return result;
}

cdg_result validate_static_arch(validation_context *context, cdg_error *error) {
    double limit = arch_limit();
    cdg_result result = CDG_OK;
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        validation_under(context, k == 0 ? VALIDATION_DER_IMPLICIT : VALIDATION_GALPHA);
        result = add_arch(context, models[k], limit, error);
        validation_progress(context, (k + 1) / 2.0);
    }
    return result;
}
