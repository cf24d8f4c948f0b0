// Discrete elastic rods (Bergou et al. 2008): the table of the model, what it refuses, and the step that suits it.
#include "rods/der/options.h"
#include "rods/der/static.h"

#include "base/error.h"
#include "rods/der/net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cdg_result der_check(const cdg_rod_def *def, cdg_error *error) {
    const cdg_der_options *o = &def->der;
    if (o->constraint != CDG_DER_CONSTRAINT_NONE && def->adapt.is_on)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': der with a constraint on the length of its elements cannot change their number; "
                        "take 'constraint: none' or integrator 'implicit' with 'adapt'",
                        def->name);
    if (o->iterations < 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': der needs at least 1 iteration a step, not %d", def->name,
                        o->iterations);
    if (!(o->tolerance >= 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the der tolerance must not be negative", def->name);
    if (o->integrator == CDG_DER_EXPLICIT && o->twist == CDG_DER_TWIST_DYNAMIC)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': integrator 'explicit' has quasistatic twist; 'implicit' takes dynamic", def->name);
    if (o->integrator == CDG_DER_IMPLICIT && o->constraint != CDG_DER_CONSTRAINT_NONE)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': a constraint on the length belongs to integrator 'explicit'; 'implicit' takes any "
                        "stretching stiffness",
                        def->name);
    return CDG_OK;
}

static bool is_implicit(const cdg_rod *rod) { return der_options(rod)->integrator == CDG_DER_IMPLICIT; }

static bool yields_at_welds(const cdg_rod *rod) { return der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE; }

static bool der_needs_history(const cdg_rod_def *def) {
    return def->der.integrator == CDG_DER_IMPLICIT && def->der.scheme == CDG_DER_BDF2;
}

// Sections of a discrete elastic rod have no rotary inertia across the rod, and none about it when twist is
// quasistatic.
static void prepare_section(cdg_rod *rod, size_t j) {
    rod->frame_inertia[0][j] = rod->frame_inertia[1][j] = 0;
    if (der_is_quasistatic(rod)) rod->frame_inertia[2][j] = 0;
}

static void prepare(cdg_rod *rod) {
    size_t count = rod->section_stride != 0 ? rod->element_count : 1;
    for (size_t j = 0; j < count; j++) prepare_section(rod, j);
}

static size_t scratch_size(const cdg_rod *rod) {
    return der_is_explicit(rod) ? der_explicit_scratch(rod) : der_implicit_scratch(rod);
}

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    if (der_is_explicit(rod)) return der_explicit_predict(rod, step, loads, scratch, result, error);
    return der_implicit_predict(rod, step, loads, scratch, result, error);
}

static const double clamped_share = 0.7; // 1/sqrt 2: of the stable step, beside a clamp

// Longest stable steps of the explicit integrator: 2/omega of the shortest wave that the nodes can carry. Stretching:
// omega = (2/l) sqrt(S/m); bending: omega = (4/l^2) sqrt(B/m); across a half cell beside a clamp bending is twice as
// stiff. A Kelvin-Voigt time tau makes it 2/(omega^2 tau + omega) at most. Twist is quasistatic and has no limit.
// Elements that may be halved count by the shortest parts that they may come to have: there are no sub-steps.
typedef struct element_limit {
    double stretch, bend; // s
} element_limit;

// Of an element that is this long, or would be.
static element_limit find_element_limit(const cdg_rod *rod, size_t j, double length, bool is_damped) {
    double stretch_time = is_damped ? rod->damping_time[1] : 0, bend_time = is_damped ? rod->damping_time[2] : 0;
    size_t at = j * rod->section_stride, next = rod_next_node(rod, j);
    double whole = rod->rest_length[j], mass = fmin(rod->node_mass[j], rod->node_mass[next]);
    // A free end's node has half the mass of the others, but only one spring.
    if (!rod->is_closed && (j == 0 || next + 1 == rod->node_count)) mass = rod->line_mass[at] * whole;
    mass *= length / whole;
    double stretch = 2 * sqrt(rod->stretch_stiffness[2][at] / (mass * length));
    double bend_stiffness = 0;
    for (int k = 0; k < 2; k++)
        bend_stiffness = fmax(bend_stiffness, fmax(rod->bend_stiffness[k][j * rod->section_stride],
                                                   rod->bend_stiffness[k][next * rod->section_stride]));
    double bend = 4 * sqrt(bend_stiffness / (mass * length * length * length));
    bool is_fixed = der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE;
    return (element_limit){is_fixed ? INFINITY : 2 / (stretch * (1 + stretch * stretch_time)),
                           2 / (bend * (1 + bend * bend_time))};
}

static double explicit_limit(const cdg_rod *rod, bool is_damped, cdg_limit *mode) {
    double limit = INFINITY;
    for (size_t j = 0; j < rod->element_count; j++) {
        element_limit it = find_element_limit(rod, j, rod_shortest_length(rod, j), is_damped);
        if (it.stretch < limit) limit = it.stretch, *mode = CDG_LIMIT_STRETCH;
        if (it.bend < limit) limit = it.bend, *mode = CDG_LIMIT_BEND;
    }
    return limit;
}

// With what half a clamped element needs.
static bool bears_length(const cdg_rod *rod, size_t element, double length, double step) {
    if (!der_is_explicit(rod)) return true;
    element_limit limit = find_element_limit(rod, element, length, true);
    return step <= clamped_share * fmin(limit.stretch, limit.bend);
}

// The implicit integrator is stable at any step, so the step is chosen for accuracy: a hundredth of the period of the
// bending wave as long as the rod, omega = (2 pi/L)^2 sqrt(B/m), within sensible bounds.
static double der_advise_step(const cdg_rod *rod, char *reason) {
    if (der_is_explicit(rod)) {
        cdg_limit mode = CDG_LIMIT_NONE;
        // Edges of fixed length whip: their tension, which no constant of the rod tells, makes faster waves.
        bool is_fixed = der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE;
        double undamped = explicit_limit(rod, false, &mode), limit = explicit_limit(rod, true, &mode);
        double step = is_fixed ? fmin(0.3 * limit, 5e-4) : 0.6 * limit;
        const char *name = mode == CDG_LIMIT_BEND ? "bending" : "stretching";
        if (limit < 0.5 * undamped)
            snprintf(reason, 256,
                     "der (explicit): its damping of %s waves of one element of rod '%.60s' allows at most %.3g s "
                     "(%.3g s without); the implicit integrator has no such limit",
                     name, rod->name, limit, undamped);
        else
            snprintf(reason, 256,
                     "der (explicit): %s waves of one element of rod '%.60s' allow at most %.3g s; half a clamped one "
                     "less",
                     name, rod->name, limit);
        return step;
    }
    double bend = fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]), wave_number = 2 * der_pi / rod->length;
    double period = 2 * der_pi / (wave_number * wave_number * sqrt(bend * rod->length / rod->mass));
    double wanted = period / 100, step = fmin(fmax(wanted, 1e-4), 5e-3);
    const char *bound = wanted < 1e-4 ? ", but not below 0.1 ms" : wanted > 5e-3 ? ", but not above 5 ms" : "";
    snprintf(reason, 256,
             "der (implicit) is stable at any step; a hundredth of the bending wave as long as rod '%.60s'%s",
             rod->name, bound);
    return step;
}

// Beyond the limit waves of one element grow in every step. With damping the limit above is short of the true one,
// (2/omega) (sqrt(1 + z^2) - z), z = omega tau/2, by a fifth at most; of elements that may be halved it is that of
// their parts.
static bool doubt(const cdg_rod *rod, double step, char *text) {
    cdg_limit mode = CDG_LIMIT_NONE;
    if (!der_is_explicit(rod)) return false;
    for (size_t j = 0; j < rod->element_count; j++)
        if (rod_shortest_length(rod, j) < rod->rest_length[j]) return false;
    double limit = explicit_limit(rod, true, &mode);
    if (!(step > (limit < explicit_limit(rod, false, &mode) ? 1.25 : 1) * limit)) return false;
    snprintf(
        text, 256,
        "der (explicit): steps of %.3g s are longer than the %.3g s up to which rod '%.60s' is stable, and it will "
        "blow up; take shorter ones, or 'integrator: implicit'",
        step, limit, rod->name);
    return true;
}

static cdg_limit der_limit(const cdg_rod *rod) {
    cdg_limit mode = CDG_LIMIT_BEND;
    if (der_is_explicit(rod)) explicit_limit(rod, true, &mode);
    return mode;
}

static cdg_result find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error) {
    der_static_options options = der_static_options_default();
    options.reload = reload;
    options.user = user;
    der_static_report report;
    cdg_result result = der_find_equilibrium(rod, loads, &options, &report, error);
    *out = (cdg_rod_equilibrium){.iterations = report.iterations,
                                 .residual = report.residual,
                                 .force = report.force,
                                 .is_stable = report.is_stable,
                                 .lowest = report.lowest,
                                 .history_count = report.history.count};
    memcpy(out->history, report.trace, sizeof out->history);
    return result;
}

static cdg_result find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues,
                             cdg_vec3 *shapes, cdg_error *error) {
    double *all = shapes != NULL ? malloc(count * 4 * rod->node_count * sizeof *all) : NULL;
    if (shapes != NULL && all == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu modes", count);
    cdg_result result = der_find_modes(rod, loads, count, eigenvalues, all, error);
    for (size_t i = 0; i < count * rod->node_count && all != NULL; i++)
        shapes[i] = vec3(all[4 * i], all[4 * i + 1], all[4 * i + 2]);
    free(all);
    return result;
}

static void weld_scheme(const cdg_rod *rod, double step, cdg_weld_scheme *out) {
    cdg_rate_rule euler = cdg_rate_rule_euler();
    if (der_is_explicit(rod)) {
        // Forces act from where nodes are at the beginning; the moment that is known from there is that of the step
        // before, whose end it was.
        *out = (cdg_weld_scheme){euler, cdg_rate_rule_mean(0), euler, 0};
        return;
    }
    bool is_bdf2 = der_choose_scheme(rod, step).history != 0;
    cdg_rate_rule rule = is_bdf2 ? cdg_rate_rule_bdf2() : euler;
    *out = (cdg_weld_scheme){rule, rule, rule, 1};
}

// Symplectic Euler; RATTLE has both at the same time.
static double velocity_lag(const cdg_rod *rod, double step, int substeps) {
    (void)substeps;
    bool is_rattle = der_options(rod)->constraint == CDG_DER_CONSTRAINT_RATTLE;
    return der_is_explicit(rod) && !is_rattle ? step / 2 : 0;
}

// Quasistatic angles have no inertia, and are found anew each step.
static double spin_inertia(const cdg_rod *rod, size_t element) {
    bool is_dynamic =
        der_options(rod)->twist == CDG_DER_TWIST_DYNAMIC ||
        (der_options(rod)->twist == CDG_DER_TWIST_AUTO && der_options(rod)->integrator == CDG_DER_IMPLICIT);
    return is_dynamic ? rod->frame_inertia[2][element * rod->section_stride] * rod->rest_length[element] : 0;
}

static bool frames_follow(const cdg_rod *rod) {
    (void)rod;
    return true;
}

static void solver_advice(const cdg_rod *rod, double step, char *text) {
    (void)step;
    snprintf(text, 256, "more iterations (--set simulation.der.iterations=%d)", 2 * der_options(rod)->iterations);
}

static bool curls_by_angle(const cdg_rod_def *def) { return def->der.curvature == CDG_DER_ANGLE; }

static cdg_edge_kind edge_kind(const cdg_rod *rod) {
    (void)rod;
    return CDG_EDGE_STRETCHED;
}

const cdg_rod_model cdg_der_model = {
    .name = "der",
    .options = &der_model_options,
    .element_cost = 7e-7,
    .supports_closed = true,
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .ties_to_solids = true,
    .carries_node_mass = true,
    .adapts = true,
    .check = der_check,
    .yields_at_welds = yields_at_welds,
    .needs_history = der_needs_history,
    .scratch_size = scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = der_advise_step,
    .limit = der_limit,
    .doubt = doubt,
    .weld_scheme = weld_scheme,
    .prepare = prepare,
    .prepare_section = prepare_section,
    .bears_length = bears_length,
    .solver_advice = solver_advice,
    .division.gains_by_halves = is_implicit,
    .contact.spin_inertia = spin_inertia,
    .contact.frames_follow = frames_follow,
    .contact.response_size = der_response_size,
    .contact.keep_response = der_keep_response,
    .contact.respond = der_response,
    .contact.lighten = der_lighten,
    .contact.respond_lightly = der_respond_lightly,
    .contact.outward = der_outward,
    .net.supports_joints = der_supports_joints,
    .net.scratch_size = der_net_scratch_size,
    .net.prepare = der_prepare_net,
    .net.settle = der_settle_net,
    .net.predict = der_predict_net,
    .net.response_size = der_net_response_size,
    .net.keep_response = der_keep_net_response,
    .net.respond = der_respond_net,
    .statics.find_equilibrium = find_equilibrium,
    .statics.find_modes = find_modes,
    .statics.path = &der_path_operations,
    .measures.counts_turns = true,
    .measures.curls_by_angle = curls_by_angle,
    .measures.element = der_measure_element,
    .measures.edge_kind = edge_kind,
    .measures.moment_error = der_moment_error,
    .measures.velocity_lag = velocity_lag,
};
