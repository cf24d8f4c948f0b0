// The reference model (Spillmann and Teschner, Cosserat Nets, appendix II, after Cao, Liu and Wang 2006): the fewest
// degrees of freedom, three a node and one a segment, no constraint, no penalty, exact kinetic energy. It is made to be
// right, for other models to be compared with: where Newton's method fails, the step is divided.
#include "rods/reference/reference.h"
#include "rods/reference/options.h"

#include "base/error.h"
#include "math/quat.h"
#include "rods/reference/response.h"

#include <stdio.h>
#include <string.h>

// What touches something is to settle: the midpoint rule sends back every node that contact stops, for ever, and a rod
// on a slope creeps by it. Such rods' steps are those of implicit Euler, as with other models.
static bool settles(const cdg_rod *rod) { return rod->touch != CDG_UNTOUCHED; }

// The kinetic energy of spin is followed well while an element turns by a fraction of a radian a step; long steps of a
// fast rod would slowly gain energy. Steps are divided to keep to it.
static const double turn_wanted = 0.25, turn_accepted = 0.5; // rad
enum { TURN_PARTS_MAX = 64, PARTS_MAX = 256 };
// A rod that is touched is predicted many times a step, and the world divides the step for all that touch each other.
enum { PARTS_TOUCHED = 2 };

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result reference_check(const cdg_rod_def *def, cdg_error *error) {
    const cdg_reference_options *o = &def->reference;
    if (o->iterations < 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': reference needs at least 1 iteration a step, not %d",
                        def->name, o->iterations);
    if (!(o->tolerance > 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the reference tolerance must be positive", def->name);
    if (!(o->dissipation >= 0 && o->dissipation <= 0.5))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': the reference dissipation is %g; it lies between 0 (conserving) and 0.5 (settling)",
                        def->name, o->dissipation);
    return CDG_OK;
}

static bool reference_needs_history(const cdg_rod_def *def) {
    (void)def;
    return false;
}

static bool reference_measures_angle(const cdg_rod_def *def) { return def->reference.darboux == CDG_REFERENCE_ANGLE; }

// ---- scratch: sized and carved by one function, so that the two always agree ----------------------------------------

typedef struct workspace {
    reference_step step;
    cdg_vec3 *force_sum, *moment_sum; // over the parts of a divided step, for each hold
    double *moment[3];
    double *x0[3], *v0[3], *q0[4], *w0[3];
} workspace;

typedef struct carver {
    char *next; // NULL while sizing
    size_t bytes;
} carver;

static void *carve(carver *c, size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    void *block = c->next;
    if (c->next != NULL) c->next += bytes;
    c->bytes += bytes;
    return block;
}
static void carve_several(carver *c, double **arrays, int array_count, size_t count) {
    for (int k = 0; k < array_count; k++) arrays[k] = carve(c, count * sizeof(double));
}

static workspace carve_workspace(const cdg_rod *rod, carver *c) {
    workspace w = {0};
    size_t nodes = rod->node_count, elements = rod->element_count, holds = rod->hold_capacity;
    size_t unknowns = reference_unknown_count(nodes, rod->is_closed);
    carve_several(c, w.x0, 3, nodes);
    carve_several(c, w.v0, 3, nodes);
    carve_several(c, w.q0, 4, elements);
    carve_several(c, w.w0, 3, elements);
    carve_several(c, w.moment, 3, elements);
    w.force_sum = carve(c, holds * sizeof *w.force_sum);
    w.moment_sum = carve(c, holds * sizeof *w.moment_sum);
    reference_step *s = &w.step;
    s->roll = carve(c, elements * sizeof *s->roll);
    s->is_held = carve(c, nodes * sizeof *s->is_held);
    s->anchors = carve(c, holds * sizeof *s->anchors);
    s->hold_force = carve(c, holds * sizeof *s->hold_force);
    s->hold_moment = carve(c, holds * sizeof *s->hold_moment);
    s->momentum0 = carve(c, unknowns * sizeof(double));
    s->momentum1 = carve(c, unknowns * sizeof(double));
    s->right = carve(c, unknowns * sizeof(double));
    s->matrix.size = s->mass.size = unknowns;
    s->matrix.width = reference_matrix_width(rod->is_closed);
    s->matrix.values = carve(c, unknowns * cdg_banded_column(s->matrix.width) * sizeof(double));
    s->matrix.pivots = carve(c, unknowns * sizeof *s->matrix.pivots);
    s->mass.width = reference_mass_width(rod->is_closed);
    s->mass.values = carve(c, unknowns * (s->mass.width + 1) * sizeof(double));
    return w;
}

static size_t scratch_size(const cdg_rod *rod) {
    carver sizing = {0};
    carve_workspace(rod, &sizing);
    return sizing.bytes;
}

// ---- the step -------------------------------------------------------------------------------------------------------

// The state as the step starts. Frames are turned the shortest way onto their edges: a no-op to rounding, unless the
// state was set from outside.
static void load_state(const cdg_rod *rod, workspace *w) {
    for (int k = 0; k < 3; k++) {
        memcpy(w->x0[k], rod->x[k], rod->node_count * sizeof(double));
        memcpy(w->v0[k], rod->v[k], rod->node_count * sizeof(double));
        memcpy(w->w0[k], rod->w[k], rod->element_count * sizeof(double));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = rod_quat(rod->q, j);
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
        cdg_quat align = quat_between(quat_d3(q), vec3_normalize(edge));
        rod_set_quat(w->q0, j, quat_normalize(quat_multiply(align, q)));
    }
}

// What was the end of one part of the step is the start of the next.
static void advance(const cdg_rod *rod, workspace *w) {
    for (int k = 0; k < 3; k++) {
        memcpy(w->x0[k], rod->x_next[k], rod->node_count * sizeof(double));
        memcpy(w->v0[k], rod->v_next[k], rod->node_count * sizeof(double));
        memcpy(w->w0[k], rod->w_next[k], rod->element_count * sizeof(double));
    }
    for (int k = 0; k < 4; k++) memcpy(w->q0[k], rod->q_next[k], rod->element_count * sizeof(double));
}

// The frame that a hold prescribed at the end of the step before; without one, as it is now.
static cdg_quat hold_frame_before(const cdg_rod *rod, const cdg_hold *hold) {
    const cdg_hold *before = rod_hold_before(rod, hold);
    return before != NULL && before->frame_hold != CDG_HOLD_NO_FRAME ? before->frame : hold->frame;
}

// Drives the supports through part `part` of `parts` of the step.
static void set_holds(cdg_rod *rod, workspace *w, int part, int parts) {
    reference_step *s = &w->step;
    double from = (double)part / parts, to = (double)(part + 1) / parts;
    memset(s->is_held, 0, rod->node_count * sizeof *s->is_held);
    s->anchor_count = 0;
    for (size_t h = 0; h < rod->hold_count; h++) {
        const cdg_hold *hold = &rod->holds[h];
        s->hold_force[h] = s->hold_moment[h] = vec3(0, 0, 0);
        if (hold->holds_position) {
            s->is_held[hold->node] = true;
            // exact at the last part
            cdg_vec3 position =
                vec3_mad(hold->position, to - 1, vec3_sub(hold->position, rod_vec3(rod->x, hold->node)));
            rod_set_vec3(rod->x_next, hold->node, position);
        }
        if (hold->frame_hold == CDG_HOLD_NO_FRAME) continue;
        cdg_quat before = hold_frame_before(rod, hold), turn = quat_relative(before, hold->frame);
        s->anchors[s->anchor_count++] = (reference_anchor){
            .hold = h,
            .node = hold->node,
            .is_roll = hold->frame_hold == CDG_HOLD_ROLL,
            .frame = {part == 0 ? before : quat_multiply(before, quat_power(turn, from)),
                      part + 1 == parts ? hold->frame : quat_multiply(before, quat_power(turn, to))},
        };
    }
}

// Parts into which the present spin divides the step.
static int parts_wanted(const cdg_rod *rod, double step) {
    if (settles(rod)) return 1; // it gains nothing
    double fastest = 0;
    for (size_t j = 0; j < rod->element_count; j++) fastest = fmax(fastest, vec3_norm(rod_vec3(rod->w, j)));
    int parts = 1;
    while (parts < TURN_PARTS_MAX && fastest * step > turn_wanted * parts) parts *= 2;
    return parts;
}

static double largest_turn(const cdg_rod *rod, const workspace *w) {
    double largest = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 turn = quat_log(quat_relative(rod_quat(w->q0, j), rod_quat(rod->q_next, j)));
        largest = fmax(largest, vec3_norm(turn));
    }
    return largest;
}

static void start_step(cdg_rod *rod, double step, const cdg_rod_loads *loads, workspace *w, int parts) {
    load_state(rod, w);
    for (size_t j = 0; j < rod->element_count; j++)
        rod_set_vec3(w->moment, j, quat_rotate(rod_quat(rod->q, j), rod_vec3(loads->torque, j)));
    w->step.step = step / parts;
}

static reference_outcome take_parts(cdg_rod *rod, double step, const cdg_rod_loads *loads, workspace *w, int parts) {
    reference_step *s = &w->step;
    reference_outcome total = {.is_converged = true};
    start_step(rod, step, loads, w, parts);
    for (size_t h = 0; h < rod->hold_count; h++) w->force_sum[h] = w->moment_sum[h] = vec3(0, 0, 0);
    for (int part = 0; part < parts && total.is_converged; part++) {
        if (part > 0) advance(rod, w);
        set_holds(rod, w, part, parts);
        s->is_last = part + 1 == parts;
        reference_outcome outcome = reference_take_step(s);
        total.iterations += outcome.iterations;
        total.correction = outcome.correction;
        total.is_converged =
            outcome.is_converged && (settles(rod) || parts >= TURN_PARTS_MAX || largest_turn(rod, w) <= turn_accepted);
        for (size_t h = 0; h < rod->hold_count; h++) {
            w->force_sum[h] = vec3_mad(w->force_sum[h], 1.0 / parts, s->hold_force[h]);
            w->moment_sum[h] = vec3_mad(w->moment_sum[h], 1.0 / parts, s->hold_moment[h]);
        }
    }
    return total;
}

static bool is_finite_candidate(const cdg_rod *rod) {
    for (size_t i = 0; i < rod->node_count; i++)
        if (!vec3_is_finite(rod_vec3(rod->x_next, i)) || !vec3_is_finite(rod_vec3(rod->v_next, i))) return false;
    for (size_t j = 0; j < rod->element_count; j++)
        if (!vec3_is_finite(rod_vec3(rod->w_next, j))) return false;
    return true;
}

static workspace bind(cdg_rod *rod, const cdg_rod_loads *loads, void *scratch) {
    carver carving = {.next = scratch};
    workspace w = carve_workspace(rod, &carving);
    reference_step *s = &w.step;
    s->rod = rod;
    s->is_angle = reference_options(rod)->darboux == CDG_REFERENCE_ANGLE;
    s->numerical = settles(rod) ? 0.5 : reference_options(rod)->dissipation;
    s->late = settles(rod) ? 0 : 0.5;
    s->iterations = reference_options(rod)->iterations;
    s->tolerance = reference_options(rod)->tolerance;
    s->loads = loads;
    for (int k = 0; k < 3; k++) {
        s->x0[k] = w.x0[k], s->v0[k] = w.v0[k], s->w0[k] = w.w0[k], s->moment[k] = w.moment[k];
        s->x1[k] = rod->x_next[k], s->v1[k] = rod->v_next[k], s->w1[k] = rod->w_next[k];
    }
    for (int k = 0; k < 4; k++) s->q0[k] = w.q0[k], s->q1[k] = rod->q_next[k];
    return w;
}

reference_step reference_pose_candidate(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch) {
    workspace w = bind(rod, loads, scratch);
    start_step(rod, step, loads, &w, 1);
    set_holds(rod, &w, 0, 1);
    return w.step;
}

// The node at which the rod turns most against its rest shape before the step, and by how much, rad.
static size_t most_turned(const cdg_rod *rod, double *angle) {
    size_t most = 0;
    *angle = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        cdg_quat turn = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
        double here = 2 * acos(fmin(fabs(quat_relative(rod_rest_turn(rod, i), turn).w), 1));
        if (here > *angle) *angle = here, most = i;
    }
    return most;
}

static cdg_result fail_to_converge(const cdg_rod *rod, double step, int parts, cdg_error *error) {
    const double far = 1; // rad: a load that does this is too large for the elements, and so is a start like this
    double angle = 0;
    size_t node = most_turned(rod, &angle);
    if (angle > far)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "Newton's method found no motion even after the step of %g s was divided into %d; likely the "
                        "rod is bent or twisted too far for its elements: at node %zu it turns by %.0f degrees against "
                        "its rest shape; use more elements, start nearer to the rest shape, or take model 'der' or "
                        "'pobd'",
                        step, parts, node, angle * 57.29577951308232);
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "Newton's method found no motion even after the step of %g s was divided into %d; likely a load or "
                    "a prescribed motion is far too large, or an element was folded or squeezed to nothing; give it a "
                    "ramp, or take model 'der' or 'pobd'",
                    step, parts);
}

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    workspace w = bind(rod, loads, scratch);
    int parts = parts_wanted(rod, step), most = settles(rod) ? PARTS_TOUCHED : PARTS_MAX, iterations = 0;
    reference_outcome outcome;
    do {
        outcome = take_parts(rod, step, loads, &w, parts);
        iterations += outcome.iterations;
        parts *= 2;
    } while (!outcome.is_converged && parts <= most);
    if (!outcome.is_converged) return fail_to_converge(rod, step, most, error);
    if (!is_finite_candidate(rod))
        return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                        "a position or a velocity is not finite; likely a load is far too large for the step of %g s",
                        step);
    for (size_t h = 0; h < rod->hold_count; h++) {
        rod->holds[h].force = w.force_sum[h];
        rod->holds[h].moment = w.moment_sum[h];
    }
    result->iterations = iterations;
    result->residual = outcome.correction;
    return CDG_OK;
}

// Stable at any step, so the step is chosen for accuracy: a period of the bending wave as long as the rod in 200 steps,
// which the midpoint rule gets right to (2 pi/200)^2/12 = 1e-4.
static double advise_step(const cdg_rod *rod, char *reason) {
    double period = cdg_rod_bending_period(rod), wanted = period / 200, step = fmin(fmax(wanted, 1e-5), 5e-3);
    const char *bound = wanted < 1e-5 ? ", but not below 0.01 ms" : wanted > 5e-3 ? ", but not above 5 ms" : "";
    snprintf(reason, 256, "reference: for accuracy, 1/200 of the bending period of rod '%.60s', %.3g s%s", rod->name,
             period, bound);
    return step;
}

// Holds have means over the step and middles of it; velocity is momentum over mass, so positions follow the mean
// velocity.
static void weld_scheme(const cdg_rod *rod, double step, cdg_weld_scheme *out) {
    (void)step;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    *out = (cdg_weld_scheme){euler, euler, settles(rod) ? euler : cdg_rate_rule_mean(0.5), settles(rod) ? 1 : 0.5};
}

static void solver_advice(const cdg_rod *rod, double step, char *text) {
    (void)step;
    snprintf(text, 256, "more iterations (--set simulation.reference.iterations=%d)",
             2 * reference_options(rod)->iterations);
}

const cdg_rod_model cdg_reference_model = {
    .name = "reference",
    .options = &reference_model_options,
    .element_cost = 3e-5,
    .supports_closed = true,
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .check = reference_check,
    .needs_history = reference_needs_history,
    .solver_advice = solver_advice,
    .scratch_size = scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = advise_step,
    .weld_scheme = weld_scheme,
    .division.divides_by_itself = true,
    .contact.response_size = reference_response_size,
    .contact.keep_response = reference_keep_response,
    .contact.respond = reference_respond,
    .measures.has_consistent_mass = true,
    .measures.by_angle = reference_measures_angle,
};
