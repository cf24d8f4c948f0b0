// Newton's method on a der_chain (der_newton.h). The matrix is factored in linear time (strip_solve.h); where it is not
// positive definite the terms that can make it so are left out, which still gives a direction downhill.
#include "rods/der_newton.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t padded(size_t count) { return (count + 7) / 8 * 8; }

size_t der_workspace_doubles(size_t node_count, bool is_closed) {
    size_t count = is_closed ? node_count - 2 : node_count;
    return STRIP_NODE * count + (is_closed ? STRIP_RING_NODE * count : 0) + padded(4 * count) + 4 * padded(node_count);
}

void der_workspace_place(der_workspace *work, double *memory, size_t node_count, bool is_closed) {
    memset(work, 0, sizeof *work);
    size_t count = is_closed ? node_count - 2 : node_count;
    work->matrix.count = count;
    work->matrix.rows = memory;
    memory += STRIP_NODE * count;
    if (is_closed) {
        work->matrix.ring = memory;
        memory += STRIP_RING_NODE * count;
    }
    work->solution = memory;
    memory += padded(4 * count);
    for (int k = 0; k < 3; k++) work->start[k] = memory + (size_t)k * padded(node_count);
    work->turn = memory + 3 * padded(node_count);
}

bool der_solution_size(const der_chain *c, const der_workspace *work, double *move, double *turn) {
    double largest_move = 0, largest_turn = 0, sum = 0;
    const double *here = der_solution(c, work, 0);
    for (size_t i = 0; i < c->node_count; i++) {
        const double *next = der_solution(c, work, i + 1 < c->node_count ? i + 1 : 0);
        double square = here[0] * here[0] + here[1] * here[1] + here[2] * here[2];
        if (square > largest_move) largest_move = square;
        sum += square;
        if (i < c->element_count) {
            double x = next[0] - here[0], y = next[1] - here[1], z = next[2] - here[2];
            double inverse = c->inverse_length[i], angle = (x * x + y * y + z * z) * inverse * inverse;
            if (angle > largest_turn) largest_turn = angle;
            if (here[3] * here[3] > largest_turn) largest_turn = here[3] * here[3];
            sum += here[3] * here[3];
        }
        here = next;
    }
    *move = sqrt(largest_move);
    *turn = sqrt(largest_turn);
    return isfinite(sum);
}

bool der_advance(const der_chain *c, const der_workspace *work, double factor, size_t *element) {
    for (size_t i = 0; i < c->node_count; i++) {
        const double *change = der_solution(c, work, i);
        for (int k = 0; k < 3; k++) c->x[k][i] += factor * change[k];
        if (i < c->element_count) work->turn[i] = factor * change[3];
    }
    return der_chain_follow(c, work->turn, element);
}

void der_history_add(der_history *history, double correction) {
    history->correction[history->count++ % DER_HISTORY] = correction;
}

void der_history_print(const der_history *history, char *out, size_t size) {
    int first = history->count > DER_HISTORY ? history->count - DER_HISTORY : 0;
    size_t length = (size_t)snprintf(out, size, "%s", first > 0 ? "..., " : "");
    for (int i = first; i < history->count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%.1e", i > first ? ", " : "",
                                   history->correction[i % DER_HISTORY]);
}

// Factors the matrix at the unknowns; falls back to the part that is never indefinite, unless told that indefinite will
// do. NAN value: it cannot be done.
static double factor(const der_chain *c, der_workspace *work, bool may_be_indefinite) {
    for (int attempt = 0; attempt < 2; attempt++) {
        strip_clear(&work->matrix);
        double value = der_chain_assemble(c, &work->matrix, attempt == 0 ? 1 : 0);
        strip_factor(&work->matrix);
        if (!isfinite(value)) return value;
        if ((work->matrix.negative_count == 0 || may_be_indefinite) && !work->matrix.is_broken) return value;
    }
    return NAN;
}

// What the linear step makes of the tension.
static void predict_tension(const der_chain *c, const der_workspace *work) {
    for (size_t j = 0; j < c->element_count; j++) {
        const double *from = der_solution(c, work, j), *to = der_solution(c, work, j + 1 < c->node_count ? j + 1 : 0);
        double along = 0;
        for (int k = 0; k < 3; k++) along += c->t[k][j] * (to[k] - from[k]);
        double stretch = (1 / c->inverse_length[j] + along) / c->rest_length[j];
        c->tension[j] = c->stretch_stiffness[j] * (stretch - c->stretch_rest[j]);
    }
}

static void scale_solution(der_workspace *work, double factor) {
    for (size_t i = 0; i < 4 * work->matrix.count; i++) work->solution[i] *= factor;
    for (size_t i = 0; i < STRIP_BORDER; i++) work->border[i] *= factor;
}

// An edge may turn by no more than this in one iteration, rad: beyond it the linear model says nothing.
static const double turn_limit = 1;

typedef enum state { GOING_ON, CONVERGED, STUCK } state;

typedef struct run {
    const der_chain *chain;
    der_workspace *work;
    der_outcome *outcome;
    double length, tolerance; // m
    double before;            // m, the correction of the iteration before
} run;

// Solves for the step at the unknowns as they are, whose matrix is factored, and takes it.
static state take_step(run *r, bool predicts_tension, double *turn) {
    double move;
    size_t element;
    der_outcome *outcome = r->outcome;
    strip_substitute(&r->work->matrix, r->work->solution, r->work->border);
    if (!der_solution_size(r->chain, r->work, &move, turn)) return STUCK;
    double share = *turn > turn_limit ? turn_limit / *turn : 1;
    if (share < 1) scale_solution(r->work, share);
    if (predicts_tension) predict_tension(r->chain, r->work);
    bool is_placed = der_advance(r->chain, r->work, 1, &element);
    outcome->iterations++;
    outcome->correction = share * move;
    der_history_add(&outcome->history, outcome->correction);
    // Convergence is at least as fast as it was so far.
    double expected = share == 1 && move < r->before ? move * (move / r->before) : move;
    r->before = move;
    if (!is_placed) return STUCK;
    return move < 1e-3 * r->length && expected < r->tolerance ? CONVERGED : GOING_ON;
}

// Full steps with the tension as an independent unknown: a handful of iterations as a rule, but nothing keeps them from
// going astray.
static state run_freely(run *r, int iterations) {
    // Torques that follow the rod belong to no energy: signs of the matrix, symmetric only by neglect, say nothing
    // then.
    bool has_torque = r->chain->torque[0] != NULL;
    der_chain_settle_tension(r->chain);
    for (int i = 0; i < iterations; i++) {
        double turn;
        if (!isfinite(factor(r->chain, r->work, has_torque))) return STUCK;
        state now = take_step(r, true, &turn);
        if (now != GOING_ON) return now;
    }
    return STUCK;
}

// Minus the gradient times the step, which is positive downhill. The matrix must be assembled, not factored.
static double slope_along(const der_chain *c, const der_workspace *work) {
    const strip *m = &work->matrix;
    double sum = 0;
    for (size_t i = 0; i < 4 * m->count; i++)
        sum += m->rows[STRIP_NODE * (i / 4) + STRIP_ROW * (i % 4) + STRIP_RIGHT] * work->solution[i];
    for (size_t i = 0; i < STRIP_BORDER && c->is_closed; i++) sum += m->border_right[i] * work->border[i];
    return sum;
}

// Every step lowers the value, or at least halves the slope along itself, which is what counts where the gradient is
// not quite that of the value: torques that follow the rod, inertia of angles. Slower, but it does not go astray.
static state run_downhill(run *r, int iterations) {
    state now = GOING_ON;
    for (int i = 0; i < iterations; i++) {
        der_chain_settle_tension(r->chain);
        double reference = factor(r->chain, r->work, false), turn;
        if (!isfinite(reference)) return STUCK;
        strip_substitute(&r->work->matrix, r->work->solution, r->work->border);
        strip_clear(&r->work->matrix);
        der_chain_assemble(r->chain, &r->work->matrix, 1);
        double slope = slope_along(r->chain, r->work);
        factor(r->chain, r->work, false);
        now = take_step(r, false, &turn);
        bool is_placed = now != STUCK;
        for (double taken = 1;; taken /= 2) {
            double value = INFINITY, slope_there = INFINITY;
            if (is_placed) {
                strip_clear(&r->work->matrix);
                value = der_chain_assemble(r->chain, &r->work->matrix, 1);
                slope_there = slope_along(r->chain, r->work);
            }
            if (value < reference || fabs(slope_there) <= 0.5 * slope) break;
            if (isfinite(value) && r->outcome->correction < 1e-9 * r->length) break; // rounding hides what there is
            if (taken < 1e-9) return STUCK;
            size_t element;
            is_placed = der_advance(r->chain, r->work, -taken / 2, &element);
            r->outcome->correction /= 2;
            now = GOING_ON;
        }
        if (now == CONVERGED) return now;
    }
    return now;
}

cdg_result der_newton(const der_chain *c, der_workspace *work, int iterations, double tolerance, der_outcome *outcome,
                      cdg_error *error) {
    *outcome = (der_outcome){0};
    size_t element = 0;
    if (!der_chain_start(c, &element))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "element %zu has no length, or would turn back within a step: nodes that a support moves may "
                        "have come too close, or the step is too long",
                        element);
    enum { FREE_ITERATIONS = 12 };
    run r = {c, work, outcome, 0, tolerance, INFINITY};
    for (size_t j = 0; j < c->element_count; j++) r.length += c->rest_length[j] / (double)c->element_count;
    for (int k = 0; k < 3; k++) memcpy(work->start[k], c->x[k], c->node_count * sizeof(double));
    state end = run_freely(&r, iterations < FREE_ITERATIONS ? iterations : FREE_ITERATIONS);
    if (end != CONVERGED && iterations > outcome->iterations) {
        for (int k = 0; k < 3; k++) memcpy(c->x[k], work->start[k], c->node_count * sizeof(double));
        der_chain_start(c, &element); // as at the start
        r.before = INFINITY;
        end = run_downhill(&r, iterations - outcome->iterations);
    }
    if (end == STUCK || (end != CONVERGED && outcome->correction > 1e-3 * r.length)) {
        char history[200];
        der_history_print(&outcome->history, history, sizeof history);
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "Newton's method does not converge (moves in its last iterations, m: %s); use a shorter step "
                        "or smaller loads, and look whether stiffness and density are what they should be",
                        history);
    }
    return CDG_OK;
}
