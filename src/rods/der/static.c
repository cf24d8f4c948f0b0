// Equilibria of der rods. A sequence of pulled problems, minimise energy + pull/2 |x - x_now|^2 (by masses), each
// solved by Newton from the state now: with a strong pull it is a short safe step downhill, with a weak one Newton's
// method on the equilibrium itself. The pull weakens while Newton is quick and grows when it fails, as a trust region
// would shrink.
#include "rods/der/static.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

der_static_options der_static_options_default(void) {
    return (der_static_options){.iterations = 2000, .tolerance = 1e-9, .leaves_saddles = true};
}

void der_static_accept(cdg_rod *rod) {
    for (int k = 0; k < 3; k++) memcpy(rod->x[k], rod->x_next[k], rod->node_count * sizeof(double));
    for (int k = 0; k < 4; k++) memcpy(rod->q[k], rod->q_next[k], rod->element_count * sizeof(double));
    memcpy(rod->twist, rod->twist_next, rod->node_count * sizeof(double));
}

void der_static_start(cdg_rod *rod) {
    for (int k = 0; k < 3; k++) memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) rod_set_vec3(rod->x_next, rod->holds[h].node, rod->holds[h].position);
}

// Torques that follow the rod have no energy, so the lowest eigenvalue does not decide.
static bool has_torque(const cdg_rod *rod, const cdg_rod_loads *loads) {
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < rod->element_count; j++)
            if (loads->torque[k][j] != 0) return true;
    return false;
}

void der_static_measure(const cdg_rod *rod, const cdg_rod_loads *loads, const der_chain *chain, strip *matrix,
                        double *residual, double *force) {
    *residual = 0;
    *force = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        for (int k = 0; k < 4; k++) {
            double right = *der_right_side(chain, matrix, i, k);
            if (k == 3) right *= i < rod->element_count ? 1 / rod->rest_length[i] : 0;
            *residual = fmax(*residual, fabs(right));
        }
        *force = fmax(*force, vec3_norm(rod_vec3(loads->force, i)));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        double turn, length = rod->rest_length[j];
        *force = fmax(*force, vec3_norm(der_chain_edge_force(chain, j, &turn)));
        *force = fmax(*force, vec3_norm(rod_vec3(loads->torque, j)) / length);
    }
    for (size_t i = 0; i < rod->node_count; i++) { // couples in the rod, as forces over an element
        cdg_vec3 moment = cdg_rod_section_moment(rod, i);
        *force = fmax(*force, vec3_norm(moment) / rod_cell_length(rod, i));
    }
    // A rod at rest has no forces but rounding (rounding_of says how much).
    *force = fmax(*force, 1e-7 * rod->stretch_stiffness[2][0]);
}

// N: what rounding of the coordinates alone does to the balance of a node: the length of an element is the difference
// of coordinates that may be thousands of times as large, and a stiff rod answers the smallest of its changes.
static double rounding_of(const cdg_rod *rod) {
    double largest = 0, stiffest = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 x = rod_vec3(rod->x, i);
        largest = fmax(largest, fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))));
    }
    for (size_t j = 0; j < rod->element_count; j++)
        stiffest = fmax(stiffest, rod->stretch_stiffness[2][j * rod->section_stride] / rod->rest_length[j]);
    return 4 * DBL_EPSILON * stiffest * largest; // two elements, two nodes each
}

// Largest unbalanced force on nodes, and couple on angles by element length; and the largest force there is.
static bool find_residual(cdg_rod *rod, const cdg_rod_loads *loads, void *memory, double *residual, double *force) {
    der_chain chain;
    der_workspace work;
    size_t element;
    char *next = der_setup(rod, (der_scheme){0}, loads, memory, &chain);
    der_workspace_place(&work, (double *)(void *)next, rod->node_count, rod->is_closed);
    der_static_start(rod);
    if (!der_chain_start(&chain, &element)) return false;
    der_chain_settle_tension(&chain);
    strip_clear(&work.matrix);
    if (!isfinite(der_chain_assemble(&chain, &work.matrix, 1))) return false;
    der_static_measure(rod, loads, &chain, &work.matrix, residual, force);
    return true;
}

// Whether the pulled problem is not convex at the state.
static bool is_indefinite(cdg_rod *rod, const cdg_rod_loads *loads, double pull, void *memory) {
    der_chain chain;
    der_workspace work;
    size_t element;
    char *next = der_setup(rod, (der_scheme){.pull = pull}, loads, memory, &chain);
    der_workspace_place(&work, (double *)(void *)next, rod->node_count, rod->is_closed);
    der_static_start(rod);
    if (!der_chain_start(&chain, &element)) return false;
    der_chain_settle_tension(&chain);
    strip_clear(&work.matrix);
    der_chain_assemble(&chain, &work.matrix, 1);
    strip_factor(&work.matrix);
    return work.matrix.negative_count > 0;
}

// One pulled problem. The state moves only when it is solved.
static bool solve_pulled(cdg_rod *rod, const cdg_rod_loads *loads, double pull, int iterations, void *memory,
                         double *skew, der_outcome *outcome) {
    der_chain chain;
    der_workspace work;
    cdg_error ignored;
    char *next = der_setup(rod, (der_scheme){.pull = pull}, loads, memory, &chain);
    der_workspace_place(&work, (double *)(void *)next, rod->node_count, rod->is_closed);
    work.skew = skew;
    der_static_start(rod);
    double length = rod->length / (double)rod->element_count;
    if (der_newton_static(&chain, &work, iterations, 1e-12 * length, outcome, &ignored) != CDG_OK) return false;
    der_static_accept(rod);
    return true;
}

void der_static_finish(cdg_rod *rod, const cdg_rod_loads *loads, void *memory) {
    der_chain chain;
    size_t element;
    der_setup(rod, (der_scheme){0}, loads, memory, &chain);
    der_static_start(rod);
    if (der_chain_start(&chain, &element)) der_set_reactions(rod, &chain, (der_scheme){0}, loads);
    for (int k = 0; k < 3; k++) {
        memset(rod->v[k], 0, rod->node_count * sizeof(double));
        memset(rod->w[k], 0, rod->element_count * sizeof(double));
    }
    rod->has_history = false;
}

// Off a saddle: along its lowest mode, by a twentieth of an element at most.
static cdg_result push(cdg_rod *rod, const double *shape) {
    double largest = 0, element_length = rod->length / (double)rod->element_count;
    for (size_t i = 0; i < rod->node_count; i++) {
        largest = fmax(largest, vec3_norm(vec3(shape[4 * i], shape[4 * i + 1], shape[4 * i + 2])));
        largest = fmax(largest, fabs(shape[4 * i + 3]) * element_length);
    }
    double factor = 0.05 * element_length / largest;
    for (size_t i = 0; i < rod->node_count; i++)
        for (int k = 0; k < 3; k++) rod->x[k][i] += factor * shape[4 * i + (size_t)k];
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
        rod_set_quat(rod->q, j, der_transport(rod_quat(rod->q, j), vec3_normalize(e), factor * shape[4 * j + 3]));
    }
    return CDG_OK;
}

typedef struct search {
    cdg_rod *rod;
    const cdg_rod_loads *loads;
    const der_static_options *options;
    der_static_report *report;
    void *memory;
    double *skew; // as der_workspace has it
} search;

// Down to where forces balance. Says how it failed in words, or NULL.
static const char *descend(search *s) {
    double scale = cdg_rod_eigenvalue_scale(s->rod), pull = 100 * scale, weakest = 1e-11 * scale;
    der_static_report *report = s->report;
    double best = INFINITY;
    int idle = 0;
    double slowest = 0.03; // how fast the pull may weaken, less so after a failure
    while (report->iterations < s->options->iterations) {
        der_outcome outcome;
        if (s->options->reload != NULL) s->options->reload(s->options->user, s->rod, s->loads);
        // Off a saddle, or near a bifurcation: a pull that just makes the problem convex follows the soft direction in
        // steps that grow; Newton's own fallback would creep.
        bool is_convex = !s->options->leaves_saddles || has_torque(s->rod, s->loads) ||
                         !is_indefinite(s->rod, s->loads, pull, s->memory);
        for (int i = 0; !is_convex && i < 40 && pull < 1e3 * scale; i++) {
            pull = fmax(3 * pull, 1e-9 * scale);
            is_convex = !is_indefinite(s->rod, s->loads, pull, s->memory);
        }
        bool is_solved = solve_pulled(s->rod, s->loads, pull, 40, s->memory, s->skew, &outcome);
        report->iterations += outcome.iterations > 0 ? outcome.iterations : 1;
        report->rounds++;
        if (!is_solved) {
            pull *= 5;
            slowest = fmin(sqrt(slowest), 0.6);
            if (pull > 1e12 * scale) return "no step, however short, leads downhill";
            continue;
        }
        if (!find_residual(s->rod, s->loads, s->memory, &report->residual, &report->force))
            return "an element has lost its length";
        report->trace[report->history.count % CDG_HISTORY_SIZE] = report->residual;
        der_history_add(&report->history, report->residual);
        if (report->residual <= s->options->tolerance * report->force) return NULL;
        double rounding = rounding_of(s->rod);
        // At the weakest pull what is left is rounding, unless it still falls or the rod still moves (off a saddle).
        bool is_still = outcome.history.correction[0] < 1e-8 * s->rod->length / (double)s->rod->element_count;
        bool is_small = report->residual <= fmax(1e-6 * report->force, rounding);
        idle = pull == weakest && (is_still || is_small) && !(report->residual < 0.5 * best) ? idle + 1 : 0;
        if (report->residual < best) best = report->residual;
        if (idle >= 4) return is_small ? NULL : "forces do not balance";
        pull *= fmax(slowest, outcome.iterations <= 5 ? 0.03 : outcome.iterations <= 12 ? 0.3 : 1.5);
        slowest = fmax(0.8 * slowest, 0.03);
        if (pull < weakest) pull = weakest;
    }
    return "the iterations are used up";
}

cdg_result der_find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, const der_static_options *options,
                                der_static_report *report, cdg_error *error) {
    *report = (der_static_report){0};
    size_t bytes = der_bytes(der_implicit_scratch(rod));
    void *memory = aligned_alloc(64, bytes);
    double *shape = malloc(4 * rod->node_count * sizeof *shape);
    double *skew = malloc(DER_SKEW_VECTORS * 4 * rod->node_count * sizeof *skew);
    search s = {rod, loads, options, report, memory, skew};
    cdg_result result = CDG_OK;
    if (memory == NULL || shape == NULL || skew == NULL)
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the equilibrium of %zu elements", rod->element_count);
    enum { PUSHES = 8 };
    for (int i = 0; i <= PUSHES && result == CDG_OK; i++) {
        const char *failure = descend(&s);
        if (failure != NULL) {
            char history[200];
            der_history_print(&report->history, history, sizeof history);
            result =
                cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                         "no equilibrium of rod '%s' found: %s after %d iterations; largest unbalanced forces so "
                         "far, N: %s. A rod that nothing holds falls for ever; else apply loads and motions in parts",
                         rod->name, failure, report->iterations, history);
            break;
        }
        result = der_find_modes(rod, loads, 1, &report->lowest, shape, error);
        // Motions that nothing holds have eigenvalues of zero but for rounding.
        report->is_stable = report->lowest > -1e-6 * cdg_rod_eigenvalue_scale(rod);
        if (result != CDG_OK || report->is_stable || !options->leaves_saddles || has_torque(rod, loads)) break;
        if (i < PUSHES) result = push(rod, shape);
    }
    if (memory != NULL) der_static_finish(rod, loads, memory);
    free(memory);
    free(shape);
    free(skew);
    return result;
}
