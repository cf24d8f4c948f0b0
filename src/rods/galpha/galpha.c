// The galpha model (Sobottka, Lay and Weber 2008): the dynamic Cosserat equations as a two-point boundary problem,
// implicit in space and time. Here: what it accepts, a step with retries, equilibria, and its table. galpha/parts.h
// tells what the other files do.
#include "rods/galpha/galpha.h"
#include "rods/galpha/options.h"

#include "base/error.h"
#include "rods/galpha/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A step that fails is halved up to this many times before the model gives up.
enum { HALVINGS_MAX = 12, FAILURES_MAX = 256 }; // the latter: of parts, in a step

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result check_scheme(const cdg_rod_def *def, cdg_error *error) {
    const cdg_galpha_options *o = &def->galpha;
    if (!o->has_coefficients) {
        if (o->lambda_infinity >= -1 && o->lambda_infinity <= 0) return CDG_OK;
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': lambda_infinity of galpha is %g; it lies between -1 (no damping) and 0 (most)",
                        def->name, o->lambda_infinity);
    }
    if (galpha_scheme_is_stable(galpha_scheme_choose(o))) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "rod '%s': alpha = %g, beta = %g, gamma = %g of galpha are not stable at every step; take alpha <= "
                    "1/2, beta <= 1/2, gamma >= 1/2 and alpha - beta + gamma >= 1/2 (equal: second order), or "
                    "lambda_infinity instead",
                    def->name, o->alpha, o->beta, o->gamma);
}

static cdg_result galpha_check(const cdg_rod_def *def, cdg_error *error) {
    const cdg_galpha_options *o = &def->galpha;
    cdg_result result = check_scheme(def, error);
    if (result != CDG_OK) return result;
    if (!(o->relaxation > 0 && o->relaxation <= 1))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': relaxation of galpha is %g; it lies between 0 and 1",
                        def->name, o->relaxation);
    if (!(o->tolerance > 0 && o->tolerance < 1))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': tolerance of galpha is %g; it lies between 0 and 1",
                        def->name, o->tolerance);
    if (!(o->step_error >= 0 && isfinite(o->step_error)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': step_error of galpha is %g; it must not be negative",
                        def->name, o->step_error);
    if (o->iterations < 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': galpha needs at least 1 iteration a step, not %d",
                        def->name, o->iterations);
    if (cdg_centerline_is_closed(&def->centerline))
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': model 'galpha' cannot simulate a closed rod; 'pobd', 'corde', 'der' and "
                        "'reference' can",
                        def->name);
    if (o->is_extensible && def->has_stiffness && !(def->stiffness.shear[0] > 0 && def->stiffness.shear[1] > 0))
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "rod '%s': galpha divides by the shear stiffness, which is 0; give one or set extensible: false",
            def->name);
    return CDG_OK;
}

static cdg_result check_support(const cdg_rod *rod, const cdg_support_def *def, cdg_error *error) {
    size_t last = rod->node_count - 1;
    if (def->place.index == 0 || def->place.index == last) return CDG_OK;
    return cdg_fail(
        error, CDG_ERROR_UNSUPPORTED,
        "model 'galpha' holds a rod at its ends only; node %zu of rod '%s' lies between them: use two rods, "
        "or model 'pobd'",
        def->place.index, rod->name);
}

static bool needs_history(const cdg_rod_def *def) {
    (void)def;
    return false; // what it needs of the past is in its own state
}

static bool is_controlled(const cdg_rod *rod) { return galpha_options(rod)->step_error > 0; }

// The nodes; under step-size control also the nodes a step before, what goes with them, and mean rates.
static size_t own_count(const cdg_rod *rod) {
    size_t nodes = rod->node_count * GALPHA_NODE_DOUBLES;
    return is_controlled(rod) ? 2 * nodes + GALPHA_MEMORY_DOUBLES + rod->node_count * GALPHA_MEAN_DOUBLES : nodes;
}
static size_t own_constant_count(const cdg_rod *rod) { return rod->node_count * GALPHA_REST_DOUBLES; }

static galpha_node *nodes_before(const cdg_rod *rod, double *own) { return galpha_nodes_of(own) + rod->node_count; }
static galpha_memory *memory_of(const cdg_rod *rod, double *own) {
    return (galpha_memory *)(void *)(own + 2 * rod->node_count * GALPHA_NODE_DOUBLES);
}
static galpha_mean_rates *rates_of(const cdg_rod *rod, double *own) {
    return (galpha_mean_rates *)(void *)(own + 2 * rod->node_count * GALPHA_NODE_DOUBLES + GALPHA_MEMORY_DOUBLES);
}

void galpha_forget_steps(const cdg_rod *rod) {
    if (is_controlled(rod)) *memory_of(rod, rod->own) = (galpha_memory){0};
}

static void read_own(cdg_rod *rod) { galpha_read_arrays(rod, galpha_nodes_of(rod->own)); }

// The staggered arrays stay as the scene gives them until the first step.
static void prepare(cdg_rod *rod) {
    galpha_set_rest(rod);
    read_own(rod);
}

// Frames at nodes before the first step are fitted to those of elements by way of the rest shape.
static void change_rest(cdg_rod *rod) {
    galpha_set_rest(rod);
    if (!rod->has_history) read_own(rod);
}

// What a support holds: the section as the model has it, or the rod would jump in its next step. Before the first one
// that is fitted to what is held (galpha/frames.c), where sections can turn against their elements.
static cdg_quat section_frame(const cdg_rod *rod, size_t node) {
    bool is_fitted_to_it = !rod->has_history && galpha_options(rod)->is_extensible;
    return is_fitted_to_it ? rod_section_frame(rod, node) : galpha_nodes_of(rod->own)[node].frame;
}

// ---- scratch --------------------------------------------------------------------------------------------------------

// The next block of scratch, or only its size while there is none yet (base NULL).
static void *take(char *base, size_t *used, size_t bytes) {
    void *block = base != NULL ? base + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return block;
}

size_t galpha_lay_out(const cdg_rod *rod, void *scratch, galpha_scratch *m) {
    size_t nodes = rod->node_count, elements = rod->element_count, used = 0;
    m->work.trial = take(scratch, &used, nodes * sizeof *m->work.trial);
    m->work.attempt = take(scratch, &used, nodes * sizeof *m->work.attempt);
    m->work.factors = take(scratch, &used, nodes * sizeof *m->work.factors);
    m->work.residual = take(scratch, &used, nodes * TWO_POINT_FIELDS * sizeof *m->work.residual);
    m->work.correction = take(scratch, &used, nodes * sizeof *m->work.correction);
    m->work.again = take(scratch, &used, nodes * sizeof *m->work.again);
    m->loads = take(scratch, &used, elements * sizeof *m->loads);
    for (int k = 0; k < (is_controlled(rod) ? 4 : 2); k++)
        m->state[k] = take(scratch, &used, nodes * sizeof *m->state[k]);
    return used;
}

size_t galpha_scratch_size(const cdg_rod *rod) {
    galpha_scratch m;
    return galpha_lay_out(rod, NULL, &m);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// Weight goes to the elements by their mass; what else acts on a node, by the lengths of the elements beside it.
void galpha_set_loads(const cdg_rod *rod, const cdg_rod_loads *loads, galpha_loads *out) {
    for (size_t j = 0; j < rod->element_count; j++) {
        double mass = rod->line_mass[j * rod->section_stride] * rod->rest_length[j];
        cdg_vec3 weight = vec3_scale(mass / 2, loads->gravity);
        out[j] = (galpha_loads){.at_start = weight, .at_end = weight};
        if (loads->is_weight_only) continue;
        for (int end = 0; end < 2; end++) {
            size_t node = j + (size_t)end;
            cdg_vec3 force = vec3_mad(rod_vec3(loads->force, node), -rod->node_mass[node], loads->gravity);
            double share = rod->rest_length[j] / 2 / rod_cell_length(rod, node);
            cdg_vec3 *to = end == 0 ? &out[j].at_start : &out[j].at_end;
            *to = vec3_mad(*to, share, force);
        }
        out[j].torque = rod_vec3(loads->torque, j);
    }
}

// ---- the step -------------------------------------------------------------------------------------------------------

static const galpha_node *read_state(const cdg_rod *rod, galpha_scratch *m) {
    if (rod->has_history) return galpha_nodes_of(rod->own);
    galpha_read_arrays(rod, m->state[0]); // at the start, or after the arrays were set from outside
    return m->state[0];
}

// Rates to continue: there are none at the start, and those of a blow are not to be continued.
static bool has_rates(const cdg_rod *rod) { return rod->has_history && rod->history_step > 0; }

// rad: by how much sections tilt in a step, as they do now; turns about the rod's own axis leave stretching where it
// is.
static double tilt_in_step(const cdg_rod *rod, const galpha_node *state, double step) {
    double most = 0;
    for (size_t i = 0; i < rod->node_count; i++) most = fmax(most, hypot(state[i].spin.x, state[i].spin.y));
    return most * step;
}

// Without rates implicit Euler is taken, which needs none, and once costs no order; and when the rod is struck: what
// stops a node would send it back. While it rests on something, a scheme that hardly damps short waves would keep its
// nodes jumping between the floor and their velocities.
static galpha_scheme scheme_for(const cdg_rod *rod, bool is_restart, const galpha_node *state, double step) {
    if (is_restart || rod->touch == CDG_IS_STRUCK) return galpha_scheme_euler();
    galpha_scheme own = galpha_scheme_choose(galpha_options(rod));
    own = galpha_scheme_for_turn(own, tilt_in_step(rod, state, step));
    bool rings = rod->touch == CDG_RESTS && galpha_scheme_spectral_radius(own, 1e6) > 0.5;
    return rings ? galpha_scheme_from_lambda(0) : own;
}

static cdg_result fail_to_converge(const cdg_rod *rod, const galpha_loads *loads, double step, galpha_outcome outcome,
                                   const galpha_hold_pair *holds, cdg_error *error) {
    double distance = vec3_distance(holds->hold[0].position, holds->hold[1].position);
    bool is_between =
        holds->has_hold[0] && holds->has_hold[1] && holds->hold[0].holds_position && holds->hold[1].holds_position;
    if (!galpha_options(rod)->is_extensible && is_between && distance > rod->length)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "its supports pull the ends %g m apart, but it is %g m long and cannot stretch: set "
                        "'extensible: true', or move them less",
                        distance, rod->length);
    double bend = galpha_bending_length(rod, loads), element = rod->length / (double)rod->element_count;
    if (element > bend)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "Newton's method found no solution on elements of %.2g m, likely because the loads bend the "
                        "rod within %.2g m: use %.0f elements or more",
                        element, bend, ceil(2 * rod->length / bend));
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "Newton's method found no solution, not even with a step of %g s (last correction %.2g element "
                    "lengths after %d iterations); likely a prescribed motion or a load is far too sudden: give it a "
                    "ramp, or take a smaller step; iterations and relaxation of rod '%s' may help, too",
                    step, outcome.correction, outcome.iterations, rod->name);
}

static cdg_result finish(cdg_rod *rod, const galpha_scratch *m, const galpha_node *state, double step,
                         cdg_error *error) {
    if (state != galpha_nodes_of(rod->own_next)) memcpy(rod->own_next, state, rod->node_count * sizeof *state);
    galpha_write_arrays(rod, state, rod->x_next, rod->v_next, rod->q_next, rod->w_next);
    galpha_set_reactions(rod, &m->work.trial[0], &m->work.trial[rod->element_count]);
    for (size_t i = 0; i < rod->node_count; i++)
        if (!vec3_is_finite(state[i].position) || !vec3_is_finite(state[i].velocity) ||
            !vec3_is_finite(state[i].spin) || !vec3_is_finite(state[i].acceleration))
            return cdg_fail(error, CDG_ERROR_NOT_FINITE,
                            "node %zu has no finite position or velocity; likely a load or a prescribed motion is far "
                            "too large for the step of %g s, or a stiffness or density is wrong by orders of magnitude",
                            i, step);
    return CDG_OK;
}

// Parts of the step are counted in WHOLEths of it: exact, as they are powers of two.
enum { WHOLE = 1u << HALVINGS_MAX, PARTS_TOUCHED = 4, PATIENCE = 4 };

// What changes from part to part of a step.
typedef struct part_state {
    const galpha_node *old, *before; // now, and a part earlier (NULL: not known)
    galpha_memory memory;
    galpha_mean_rates *rates; // in own_next: only the candidate's
    bool is_restart;          // the next part has no rates to continue
    unsigned done, part;
    int patience; // parts to be taken before a longer one is tried again
} part_state;

// A buffer that neither state lies in.
static galpha_node *free_buffer(const galpha_scratch *m, const part_state *p) {
    int k = 0;
    while (m->state[k] == p->old || m->state[k] == p->before) k++;
    return m->state[k];
}

static void shorten(part_state *p, double step) {
    while (p->part > 1 && step * p->part / WHOLE > p->memory.next_step) p->part /= 2;
}

// Rates fit the length of their step; for another length they are shifted, unless they come from a first step.
static const galpha_node *fitting_state(const cdg_rod *rod, const galpha_scratch *m, const part_state *p,
                                        double offset) {
    double shift = offset - p->memory.rate_offset;
    bool needs_shift = p->before != NULL && !p->is_restart && p->memory.rate_offset != 0 && shift != 0;
    if (!needs_shift) return p->old;
    galpha_node *fitting = free_buffer(m, p);
    galpha_shift_rates(p->old, p->before, rod->node_count, shift / p->memory.step, fitting);
    return fitting;
}

// Takes the solution of a part, or, when it is too wrong, asks for a shorter one. Without control every part is good.
static bool accept_part(const cdg_rod *rod, const galpha_step *s, const galpha_scratch *m, double step, part_state *p) {
    if (is_controlled(rod)) {
        double error = galpha_step_error(s, m->work.trial, &p->memory, p->rates);
        p->memory.next_step = galpha_next_step(s, &p->memory, error);
        if (error > galpha_options(rod)->step_error && p->part > 1) {
            p->part /= 2;
            shorten(p, step);
            return false;
        }
        galpha_remember(s, m->work.trial, &p->memory, p->rates);
    }
    // not where `fitting_state` lies, which is s->old
    galpha_node *next = free_buffer(m, p);
    for (int k = 0; next == s->old; k++)
        if (m->state[k] != p->old && m->state[k] != p->before && m->state[k] != s->old) next = m->state[k];
    galpha_accept(s, m->work.trial, next);
    p->before = is_controlled(rod) ? p->old : NULL;
    p->old = next;
    p->is_restart = false;
    p->done += p->part;
    return true;
}

// The next part may be twice as long where it then still ends at a multiple of its own length.
static void lengthen(const cdg_rod *rod, double step, part_state *p) {
    if (p->patience-- > 0) return;
    p->patience = 0;
    while (p->part < WHOLE && 2 * p->part <= WHOLE - p->done && p->done % (2 * p->part) == 0 &&
           (!is_controlled(rod) || 2 * step * p->part / WHOLE <= p->memory.next_step))
        p->part *= 2;
    if (is_controlled(rod)) shorten(p, step);
}

static part_state begin_parts(const cdg_rod *rod, double step, galpha_scratch *m) {
    part_state p = {.old = read_state(rod, m), .is_restart = !has_rates(rod), .part = WHOLE};
    if (!is_controlled(rod)) return p;
    p.rates = rates_of(rod, rod->own_next);
    if (!rod->has_history) return p;
    p.memory = *memory_of(rod, rod->own);
    memcpy(p.rates, rates_of(rod, rod->own), rod->node_count * 2 * sizeof *p.rates);
    if (p.memory.step > 0) p.before = nodes_before(rod, rod->own);
    if (p.memory.next_step > 0) shorten(&p, step);
    return p;
}

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    galpha_scratch m;
    galpha_lay_out(rod, scratch, &m);
    galpha_set_loads(rod, loads, m.loads);
    part_state p = begin_parts(rod, step, &m);
    galpha_node start_ends[2] = {p.old[0], p.old[rod->element_count]};
    *result = (cdg_rod_step_result){0};
    // The world divides the step for all that touch each other.
    unsigned least = rod->touch == CDG_UNTOUCHED ? 1 : WHOLE / PARTS_TOUCHED;
    while (p.done < WHOLE) {
        double length = step * p.part / WHOLE;
        galpha_hold_pair holds =
            galpha_holds_at(rod, &start_ends[0], &start_ends[1], (double)(p.done + p.part) / (double)WHOLE);
        galpha_scheme scheme = scheme_for(rod, p.is_restart, p.old, length);
        galpha_step s = {
            .rod = rod,
            .old = fitting_state(rod, &m, &p, galpha_rate_offset(scheme) * length),
            .rest = galpha_rest_of(rod),
            .loads = m.loads,
            .scheme = scheme,
            .step_rate = 1 / length,
            .holds = &holds,
        };
        galpha_step_prepare(&s);
        galpha_outcome outcome = galpha_solve(&s, &m.work);
        result->iterations += outcome.iterations;
        result->residual = outcome.correction;
        if (!outcome.is_solved) {
            if (p.part <= least || result->halvings >= FAILURES_MAX)
                return fail_to_converge(rod, m.loads, length, outcome, &holds, error);
            p.part /= 2;
            result->halvings++;
            p.patience = PATIENCE;
            p.is_restart = true; // old rates of a motion that is too fast for the step mislead more than they help
            continue;
        }
        if (!accept_part(rod, &s, &m, step, &p)) continue;
        result->parts++;
        lengthen(rod, step, &p);
    }
    if (p.before != NULL) { // under control
        memcpy(nodes_before(rod, rod->own_next), p.before, rod->node_count * sizeof *p.before);
        *memory_of(rod, rod->own_next) = p.memory;
    }
    return finish(rod, &m, p.old, step, error);
}

void galpha_pose_candidate(const cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                           galpha_posed *out) {
    galpha_scratch m;
    galpha_lay_out(rod, scratch, &m);
    galpha_set_loads(rod, loads, m.loads);
    const galpha_node *old = read_state(rod, &m), *candidate = galpha_nodes_of(rod->own_next);
    out->holds = galpha_holds_at(rod, &old[0], &old[rod->element_count], 1);
    out->step = (galpha_step){
        .rod = rod,
        .old = old,
        .rest = galpha_rest_of(rod),
        .loads = m.loads,
        .scheme = scheme_for(rod, !has_rates(rod), old, step),
        .step_rate = 1 / step,
        .holds = &out->holds,
    };
    galpha_step_prepare(&out->step);
    out->trial = m.work.trial;
    for (size_t i = 0; i < rod->node_count; i++) {
        const galpha_node *n = &candidate[i];
        out->trial[i] = (galpha_trial){
            .position = n->position,
            .frame = n->frame,
            .moment = quat_rotate(n->frame, galpha_moment_of(rod, i, n->darboux)),
            .force = quat_rotate(n->frame, n->force),
        };
        galpha_update_trial(&out->step, i, &out->trial[i]);
    }
    if (!galpha_is_shortened(&out->step, out->trial)) out->step.give = galpha_give_of(&out->step);
}

// ---- the table ------------------------------------------------------------------------------------------------------

static void measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    size_t at = element * rod->section_stride;
    // before the first step sections are where the model begins, and the arrays have the scene's
    cdg_quat frame = rod->has_history ? rod_quat(rod->q, element) : galpha_own_frame(rod, element);
    cdg_vec3 strain = galpha_stretch(rod, element, rod_vec3(rod->x, element), rod_vec3(rod->x, element + 1), frame);
    cdg_vec3 force = vec3(rod->stretch_stiffness[0][at] * strain.x, rod->stretch_stiffness[1][at] * strain.y,
                          rod->stretch_stiffness[2][at] * strain.z);
    double half = rod->rest_length[element] / 2;
    *out = (cdg_element_measure){.strain = strain, .force = force};
    if (galpha_options(rod)->is_extensible) {
        out->shear_energy = half * (strain.x * force.x + strain.y * force.y);
        out->stretch_energy = half * strain.z * force.z;
    } else {
        out->force = rod->has_history ? galpha_nodes_of(rod->own)[element].middle_force : vec3(0, 0, 0);
        out->stretch_energy = half * strain.z * out->force.z; // where it has given way
    }
}

static void weld_scheme(const cdg_rod *rod, double step, cdg_weld_scheme *out) {
    galpha_scheme s = scheme_for(rod, !has_rates(rod), galpha_nodes_of(rod->own), step);
    cdg_rate_rule rule = {s.alpha, s.beta, s.gamma};
    *out = (cdg_weld_scheme){rule, rule, rule, 1};
}

// Bending and twist are logarithms of turns (galpha/element.c).
static bool measures_angle(const cdg_rod_def *def) {
    (void)def;
    return true;
}

static void solver_advice(const cdg_rod *rod, double step, char *text) {
    (void)step;
    snprintf(text, 256, "more iterations (--set simulation.galpha.iterations=%d)", 2 * galpha_options(rod)->iterations);
}

const cdg_rod_model cdg_galpha_model = {
    .name = "galpha",
    .options = &galpha_model_options,
    .element_cost = 1e-5,
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .supports_slide = true,
    .takes_weight_only = true,
    .check = galpha_check,
    .needs_history = needs_history,
    .solver_advice = solver_advice,
    .scratch_size = galpha_scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = cdg_rod_advise_by_bending,
    .weld_scheme = weld_scheme,
    .own_count = own_count,
    .own_constant_count = own_constant_count,
    .check_support = check_support,
    .prepare = prepare,
    .rest_changed = change_rest,
    .state_changed = read_own,
    .check_shape = galpha_check_shape,
    .section_frame = section_frame,
    .division.divides_by_itself = true,
    .contact.response_size = galpha_response_size,
    .contact.keep_response = galpha_keep_response,
    .contact.respond = galpha_respond,
    .statics.find_equilibrium = galpha_find_equilibrium,
    .statics.find_modes = galpha_find_modes,
    .statics.path = &galpha_path_operations,
    .measures.by_angle = measures_angle,
    .measures.element = measure_element,
    .measures.energy = galpha_measure_energy,
};
