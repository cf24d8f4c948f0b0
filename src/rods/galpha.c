// The galpha model (Sobottka, Lay and Weber 2008): the dynamic Cosserat equations as a two-point boundary problem,
// implicit in space and time. Here: what it accepts, a step with retries, equilibria, and its table. galpha_parts.h
// tells what the other files do.
#include "rods/galpha.h"

#include "base/error.h"
#include "rods/galpha_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A step that fails is halved up to this many times before the model gives up.
enum { HALVINGS_MAX = 12 };

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
    if (o->iterations < 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': galpha needs at least 1 iteration a step, not %d",
                        def->name, o->iterations);
    if (cdg_centerline_is_closed(&def->centerline))
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s': model 'galpha' cannot simulate a closed rod; 'pobd', 'corde' and 'der' can",
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

static size_t own_count(const cdg_rod *rod) { return rod->node_count * GALPHA_NODE_DOUBLES; }
static size_t own_constant_count(const cdg_rod *rod) { return rod->node_count * GALPHA_REST_DOUBLES; }

static galpha_node *nodes_of(double *own) { return (galpha_node *)(void *)own; }

static void prepare(cdg_rod *rod) {
    galpha_set_rest(rod);
    galpha_read_arrays(rod, nodes_of(rod->own));
    galpha_write_arrays(rod, nodes_of(rod->own), rod->x, rod->v, rod->q, rod->w);
}

// ---- scratch --------------------------------------------------------------------------------------------------------

typedef struct step_memory {
    galpha_work work;
    galpha_loads *loads;
    galpha_node *state[2];
} step_memory;

// The next block of scratch, or only its size while there is none yet (base NULL).
static void *take(char *base, size_t *used, size_t bytes) {
    void *block = base != NULL ? base + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return block;
}

// Returns the bytes used.
static size_t lay_out(const cdg_rod *rod, void *scratch, step_memory *m) {
    size_t nodes = rod->node_count, elements = rod->element_count, used = 0;
    m->work.trial = take(scratch, &used, nodes * sizeof *m->work.trial);
    m->work.attempt = take(scratch, &used, nodes * sizeof *m->work.attempt);
    m->work.factors = take(scratch, &used, nodes * sizeof *m->work.factors);
    m->work.residual = take(scratch, &used, nodes * TWO_POINT_FIELDS * sizeof *m->work.residual);
    m->work.correction = take(scratch, &used, nodes * sizeof *m->work.correction);
    m->work.again = take(scratch, &used, nodes * sizeof *m->work.again);
    m->loads = take(scratch, &used, elements * sizeof *m->loads);
    for (int k = 0; k < 2; k++) m->state[k] = take(scratch, &used, nodes * sizeof *m->state[k]);
    return used;
}

static size_t scratch_size(const cdg_rod *rod) {
    step_memory m;
    return lay_out(rod, NULL, &m);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// Weight goes to the elements by their mass; what else acts on a node, by the lengths of the elements beside it.
static void set_loads(const cdg_rod *rod, const cdg_rod_loads *loads, galpha_loads *out) {
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

static const galpha_node *read_state(const cdg_rod *rod, step_memory *m) {
    if (rod->has_history) return nodes_of(rod->own);
    galpha_read_arrays(rod, m->state[0]); // at the start, or after the arrays were set from outside
    return m->state[0];
}

static cdg_result fail_to_converge(const cdg_rod *rod, double step, galpha_outcome outcome, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "Newton's method found no solution, not even with a step of %g s (last correction %.2g element "
                    "lengths after %d iterations); likely a prescribed motion or a load is far too sudden: give it a "
                    "ramp, or take a smaller step; iterations and relaxation of rod '%s' may help, too",
                    step, outcome.correction, outcome.iterations, rod->name);
}

static cdg_result finish(cdg_rod *rod, const step_memory *m, const galpha_node *state, double step, cdg_error *error) {
    if (state != nodes_of(rod->own_next)) memcpy(rod->own_next, state, rod->own_count * sizeof(double));
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

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    step_memory m;
    lay_out(rod, scratch, &m);
    set_loads(rod, loads, m.loads);
    const galpha_node *old = read_state(rod, &m);
    galpha_node start_ends[2] = {old[0], old[rod->element_count]};
    bool is_restart = !rod->has_history;
    *result = (cdg_rod_step_result){0};
    // Parts of the step as counts of 2^-HALVINGS_MAX of it: exact.
    const unsigned whole = 1u << HALVINGS_MAX;
    unsigned done = 0, part = whole;
    while (done < whole) {
        double length = step * part / whole;
        galpha_hold_pair holds =
            galpha_holds_at(rod, &start_ends[0], &start_ends[1], (double)(done + part) / (double)whole);
        galpha_step s = {
            .rod = rod,
            .old = old,
            .rest = galpha_rest_of(rod),
            .loads = m.loads,
            // The first step has no rates to continue: implicit Euler needs none, and once costs no order.
            .scheme = is_restart ? galpha_scheme_euler() : galpha_scheme_choose(&rod->galpha),
            .step_rate = 1 / length,
            .holds = &holds,
        };
        galpha_step_prepare(&s);
        galpha_outcome outcome = galpha_solve(&s, &m.work);
        result->iterations += outcome.iterations;
        result->residual = outcome.correction;
        if (!outcome.is_solved) {
            if (part == 1) return fail_to_converge(rod, length, outcome, error);
            part /= 2;
            result->halvings++;
            is_restart = true; // old rates of a motion that is too fast for the step mislead more than they help
            continue;
        }
        galpha_node *next = old == m.state[0] ? m.state[1] : m.state[0];
        galpha_accept(&s, m.work.trial, next);
        old = next;
        is_restart = false;
        done += part;
        while (part < whole && 2 * part <= whole - done && done % (2 * part) == 0) part *= 2;
    }
    return finish(rod, &m, old, step, error);
}

// ---- equilibrium ----------------------------------------------------------------------------------------------------

// Inertia with zero velocity holds the rod back less and less: each solution is a step of implicit Euler from rest, and
// the last one, without inertia, is the equilibrium under these loads. Leaves it in state[0].
static bool relax(const cdg_rod *rod, step_memory *m, const galpha_hold_pair *holds, cdg_rod_equilibrium *out) {
    char reason[256];
    double usual = cdg_galpha_model.advise_step(rod, reason), step = INFINITY;
    for (int attempt = 0; attempt < 2000 && step > 1e-8 * usual; attempt++) {
        for (size_t i = 0; i < rod->node_count; i++) { // at rest
            galpha_node *n = &m->state[0][i];
            *n = (galpha_node){.position = n->position, .frame = n->frame, .darboux = n->darboux, .force = n->force};
        }
        galpha_step s = {
            .rod = rod,
            .old = m->state[0],
            .rest = galpha_rest_of(rod),
            .loads = m->loads,
            .scheme = galpha_scheme_euler(),
            .step_rate = 1 / step,
            .holds = holds,
        };
        galpha_step_prepare(&s);
        galpha_outcome outcome = galpha_solve(&s, &m->work);
        out->iterations += outcome.iterations;
        if (!outcome.is_solved) {
            step = step == INFINITY ? 16 * usual : step / 8;
            continue;
        }
        galpha_accept(&s, m->work.trial, m->state[1]);
        galpha_node *solved = m->state[1];
        m->state[1] = m->state[0];
        m->state[0] = solved;
        if (step == INFINITY) return true;
        step = step > 1e4 * usual ? INFINITY : 4 * step;
    }
    return false;
}

static void set_state(cdg_rod *rod, const galpha_node *state) {
    memcpy(rod->own, state, rod->own_count * sizeof(double));
    galpha_write_arrays(rod, state, rod->x, rod->v, rod->q, rod->w);
    rod->has_history = true; // at rest: all rates are zero
}

// Loads may turn with the rod, so they are evaluated anew until that moves nothing.
static cdg_result find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error) {
    void *scratch = aligned_alloc(64, scratch_size(rod));
    if (scratch == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory", rod->name);
    step_memory m;
    lay_out(rod, scratch, &m);
    galpha_read_arrays(rod, m.state[0]);
    galpha_hold_pair holds = galpha_holds_at(rod, &m.state[0][0], &m.state[0][rod->element_count], 1);
    double scale = rod->length / (double)rod->element_count, change = INFINITY;
    // whether it is stable is not looked into
    *out = (cdg_rod_equilibrium){.is_stable = true, .lowest = NAN};
    bool is_solved = true;
    for (int round = 0; round < 50 && is_solved && change > rod->galpha.tolerance * scale; round++) {
        set_loads(rod, loads, m.loads);
        is_solved = relax(rod, &m, &holds, out);
        change = 0;
        for (size_t i = 0; i < rod->node_count; i++)
            change = fmax(change, vec3_distance(m.state[0][i].position, rod_vec3(rod->x, i)));
        set_state(rod, m.state[0]);
        reload(user, rod, loads);
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        out->force = fmax(out->force, vec3_norm(m.state[0][j].middle_force));
        out->residual = fmax(out->residual, vec3_norm(m.state[0][j].force_balance));
    }
    if (is_solved) galpha_set_reactions(rod, &m.work.trial[0], &m.work.trial[rod->element_count]);
    free(scratch);
    if (is_solved && change <= rod->galpha.tolerance * scale) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "rod '%s': no equilibrium was found after %d iterations; likely there is none (a rod that nothing "
                    "holds), or it buckles: let it move there in time, with drag",
                    rod->name, out->iterations);
}

// ---- the table ------------------------------------------------------------------------------------------------------

static void measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    size_t at = element * rod->section_stride;
    cdg_vec3 strain = galpha_stretch(rod, element, rod_vec3(rod->x, element), rod_vec3(rod->x, element + 1),
                                     rod_quat(rod->q, element));
    cdg_vec3 force = vec3(rod->stretch_stiffness[0][at] * strain.x, rod->stretch_stiffness[1][at] * strain.y,
                          rod->stretch_stiffness[2][at] * strain.z);
    double half = rod->rest_length[element] / 2;
    *out = (cdg_element_measure){.strain = strain, .force = force};
    if (rod->galpha.is_extensible) {
        out->shear_energy = half * (strain.x * force.x + strain.y * force.y);
        out->stretch_energy = half * strain.z * force.z;
    } else {
        out->force = rod->has_history ? nodes_of(rod->own)[element].middle_force : vec3(0, 0, 0);
    }
}

const cdg_rod_model cdg_galpha_model = {
    .name = "galpha",
    .supports_anisotropic = true,
    .supports_varying_section = true,
    .supports_frame_clamp = true,
    .takes_weight_only = true,
    .check = galpha_check,
    .needs_history = needs_history,
    .scratch_size = scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = cdg_rod_advise_by_bending,
    .own_count = own_count,
    .own_constant_count = own_constant_count,
    .check_support = check_support,
    .find_equilibrium = find_equilibrium,
    .prepare = prepare,
    .measure_element = measure_element,
};
