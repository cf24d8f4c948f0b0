// Newton's method on a der_chain (der/newton.h). The matrix is factored in linear time (strip_solve.h); where it is not
// positive definite the terms that can make it so are left out, which still gives a direction downhill.
#include "rods/der/newton.h"

#include "base/error.h"
#include "rods/der/net_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t padded(size_t count) { return (count + 7) / 8 * 8; }

size_t der_workspace_doubles(size_t node_count, bool is_closed) {
    size_t count = is_closed ? node_count - 2 : node_count;
    return STRIP_NODE * (count + 1) + (is_closed ? STRIP_RING_NODE * count : 0) + padded(4 * count) +
           4 * padded(node_count);
}

void der_workspace_place(der_workspace *work, double *memory, size_t node_count, bool is_closed) {
    memset(work, 0, sizeof *work);
    size_t count = is_closed ? node_count - 2 : node_count;
    work->matrix.count = count;
    work->matrix.rows = memory;
    memory += STRIP_NODE * (count + 1);
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

// Value, gradient and Hessian at the unknowns.
static double assemble(const der_system *s, double geometric) {
    double value = 0;
    for (size_t r = 0; r < s->count; r++) {
        strip_clear(&s->works[r].matrix);
        value += der_chain_assemble(&s->chains[r], &s->works[r].matrix, geometric);
    }
    return s->net != NULL ? value + der_net_assemble(s->net, geometric) : value;
}

// Factors the matrix at the unknowns; falls back to the part that is never indefinite, unless told that indefinite will
// do. NAN value: it cannot be done.
static double factor(const der_system *s, bool may_be_indefinite) {
    for (int attempt = 0; attempt < 2; attempt++) {
        double value = assemble(s, attempt == 0 ? 1 : 0);
        size_t negative_count;
        bool is_broken;
        if (s->net != NULL) {
            der_net_factor(s->net);
            negative_count = s->net->matrix.negative_count, is_broken = s->net->matrix.is_broken;
        } else {
            strip_factor(&s->works->matrix);
            negative_count = s->works->matrix.negative_count, is_broken = s->works->matrix.is_broken;
        }
        if (!isfinite(value)) return value;
        if ((negative_count == 0 || may_be_indefinite) && !is_broken) return value;
    }
    return NAN;
}

static void substitute(const der_system *s) {
    if (s->net != NULL)
        der_net_substitute(s->net);
    else
        strip_substitute(&s->works->matrix, s->works->solution, s->works->border);
}

static bool solution_size(const der_system *s, double *move, double *turn) {
    *move = *turn = 0;
    for (size_t r = 0; r < s->count; r++) {
        double one_move, one_turn;
        if (!der_solution_size(&s->chains[r], &s->works[r], &one_move, &one_turn)) return false;
        *move = fmax(*move, one_move), *turn = fmax(*turn, one_turn);
    }
    return true;
}

static bool advance(const der_system *s, double factor, der_outcome *outcome) {
    for (size_t r = 0; r < s->count; r++) {
        size_t element;
        outcome->failed = r;
        if (!der_advance(&s->chains[r], &s->works[r], factor, &element)) return false;
    }
    outcome->failed = 0;
    return true;
}

static void settle_tension(const der_system *s) {
    for (size_t r = 0; r < s->count; r++) der_chain_settle_tension(&s->chains[r]);
}

void der_predict_tension(const der_chain *c, const der_workspace *work) {
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
    const der_system *system;
    der_outcome *outcome;
    double length, tolerance; // m
    double before;            // m, the correction of the iteration before
} run;

// ---- torques that follow the rod ------------------------------------------------------------------------------------

enum { FOLLOWERS = DER_SKEW_VECTORS / 2 };

// One element with a torque (m1, m2) across it. Its pull at the edge turns with the element's angle, by u in all, and
// nothing turns back with the edge: the derivative u e^T, with e the angle's unit vector, of which the matrix has the
// symmetric half.
typedef struct follower {
    size_t element;
    double u[2][3]; // at its two nodes
    double *of_u, *of_e;
} follower;

static double dot_u(const follower *f, const double *solution) {
    double sum = 0;
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < 3; k++) sum += f->u[n][k] * solution[4 * (f->element + n) + k];
    return sum;
}

// More elements than there is room for: none, and Newton's method converges as slowly as it did.
static int find_followers(const der_chain *c, const der_workspace *work, follower out[FOLLOWERS]) {
    int count = 0;
    for (size_t j = 0; j < c->element_count; j++) {
        double m1 = c->torque[0][j], m2 = c->torque[1][j];
        if (m1 == 0 && m2 == 0) continue;
        if (count == FOLLOWERS) return 0;
        follower *f = &out[count];
        size_t size = 4 * work->matrix.count;
        *f = (follower){.element = j, .of_u = work->skew + 2 * (size_t)count * size};
        f->of_e = f->of_u + size;
        for (size_t n = 0; n < 2; n++)
            for (int k = 0; k < 3 && c->weight[j + n] < INFINITY; k++)
                f->u[n][k] = (n == 0 ? 1 : -1) * (m1 * c->d1[k][j] + m2 * c->d2[k][j]) * c->inverse_length[j];
        count++;
    }
    return count;
}

// Elimination with the largest pivots; the solution is left in `right`. False: singular.
static bool solve_small(int n, double m[2 * FOLLOWERS][2 * FOLLOWERS], double *right) {
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int r = i + 1; r < n; r++)
            if (fabs(m[r][i]) > fabs(m[pivot][i])) pivot = r;
        if (!(fabs(m[pivot][i]) > 0)) return false;
        for (int k = 0; k < n; k++) {
            double held = m[i][k];
            m[i][k] = m[pivot][k], m[pivot][k] = held;
        }
        double held = right[i];
        right[i] = right[pivot], right[pivot] = held;
        for (int r = i + 1; r < n; r++) {
            double share = m[r][i] / m[i][i];
            for (int k = i; k < n; k++) m[r][k] -= share * m[i][k];
            right[r] -= share * right[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) right[i] -= m[i][k] * right[k];
        right[i] /= m[i][i];
    }
    return true;
}

// The other half, (u e^T - e u^T)/2 for each: the solution of the whole matrix from that of its symmetric part
// (Sherman, Morrison and Woodbury).
static void add_skew_half(const der_chain *c, der_workspace *work) {
    follower list[FOLLOWERS];
    if (c->torque[0] == NULL || c->is_closed || work->skew == NULL) return;
    int count = find_followers(c, work, list);
    size_t size = 4 * work->matrix.count;
    double m[2 * FOLLOWERS][2 * FOLLOWERS] = {{0}}, right[2 * FOLLOWERS];
    for (int i = 0; i < count; i++) {
        follower *f = &list[i];
        memset(f->of_u, 0, 2 * size * sizeof(double));
        for (size_t n = 0; n < 2; n++)
            for (size_t k = 0; k < 3; k++) f->of_u[4 * (f->element + n) + k] = f->u[n][k];
        f->of_e[4 * f->element + 3] = 1;
        strip_solve_more(&work->matrix, f->of_u, NULL);
        strip_solve_more(&work->matrix, f->of_e, NULL);
    }
    for (int i = 0; i < count; i++) {
        size_t angle = 4 * list[i].element + 3;
        for (int k = 0; k < count; k++) {
            m[2 * i][2 * k] = 0.5 * list[k].of_u[angle] + (i == k);
            m[2 * i][2 * k + 1] = -0.5 * list[k].of_e[angle];
            m[2 * i + 1][2 * k] = 0.5 * dot_u(&list[i], list[k].of_u);
            m[2 * i + 1][2 * k + 1] = -0.5 * dot_u(&list[i], list[k].of_e) + (i == k);
        }
        right[2 * i] = work->solution[angle];
        right[2 * i + 1] = dot_u(&list[i], work->solution);
    }
    if (count == 0 || !solve_small(2 * count, m, right)) return;
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < size; i++)
            work->solution[i] -= 0.5 * (right[2 * k] * list[k].of_u[i] - right[2 * k + 1] * list[k].of_e[i]);
}

// Solves for the step at the unknowns as they are, whose matrix is factored, and takes it.
static state take_step(run *r, bool predicts_tension, double *turn) {
    double move;
    const der_system *s = r->system;
    der_outcome *outcome = r->outcome;
    substitute(s);
    if (predicts_tension && s->net == NULL) add_skew_half(s->chains, s->works);
    if (!solution_size(s, &move, turn)) return STUCK;
    double share = *turn > turn_limit ? turn_limit / *turn : 1;
    for (size_t i = 0; i < s->count; i++) {
        if (share < 1) scale_solution(&s->works[i], share);
        if (predicts_tension) der_predict_tension(&s->chains[i], &s->works[i]);
    }
    bool is_placed = advance(s, 1, outcome);
    outcome->iterations++;
    outcome->correction = share * move;
    der_history_add(&outcome->history, outcome->correction);
    // Convergence is at least as fast as it was so far.
    double expected = share == 1 && move < r->before ? move * (move / r->before) : move;
    // Near the solution every correction is far smaller than the one before, until nothing but rounding is left.
    bool is_rounding = move < 1e-8 * r->length && move > 0.25 * r->before;
    r->before = move;
    if (!is_placed) return STUCK;
    return is_rounding || (move < 1e-3 * r->length && expected < r->tolerance) ? CONVERGED : GOING_ON;
}

// Full steps with the tension as an independent unknown: a handful of iterations as a rule, but nothing keeps them from
// going astray.
enum { FREE_ITERATIONS = 12 };

static state run_freely(run *r, int iterations) {
    // Torques that follow the rod belong to no energy: signs of the matrix, symmetric only by neglect, say nothing
    // then.
    bool has_torque = false;
    for (size_t i = 0; i < r->system->count; i++) has_torque = has_torque || r->system->chains[i].torque[0] != NULL;
    settle_tension(r->system);
    for (int i = 0; i < iterations; i++) {
        double turn;
        if (!isfinite(factor(r->system, has_torque))) return STUCK;
        state now = take_step(r, true, &turn);
        if (now != GOING_ON) return now;
    }
    return STUCK;
}

// Minus the gradient times the step, which is positive downhill. The matrix must be assembled, not factored.
static double slope_along(const der_system *s) {
    if (s->net != NULL) return der_net_slope(s->net);
    const der_chain *c = s->chains;
    const der_workspace *work = s->works;
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
        settle_tension(r->system);
        double reference = factor(r->system, false), turn;
        if (!isfinite(reference)) return STUCK;
        substitute(r->system);
        assemble(r->system, 1);
        double slope = slope_along(r->system);
        factor(r->system, false);
        now = take_step(r, false, &turn);
        bool is_placed = now != STUCK;
        for (double taken = 1;; taken /= 2) {
            double value = INFINITY, slope_there = INFINITY;
            if (is_placed) {
                value = assemble(r->system, 1);
                slope_there = slope_along(r->system);
            }
            if (value < reference || fabs(slope_there) <= 0.5 * slope) break;
            if (isfinite(value) && r->outcome->correction < 1e-9 * r->length) break; // rounding hides what there is
            if (taken < 1e-9) return STUCK;
            is_placed = advance(r->system, -taken / 2, r->outcome);
            r->outcome->correction /= 2;
            now = GOING_ON;
        }
        if (now == CONVERGED) return now;
    }
    return now;
}

static run begin(const der_system *s, double tolerance, der_outcome *outcome) {
    run r = {s, outcome, 0, tolerance, 0};
    size_t element_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const der_chain *c = &s->chains[i];
        element_count += c->element_count;
        for (size_t j = 0; j < c->element_count; j++) r.length += c->rest_length[j];
    }
    r.length /= (double)element_count;
    r.before = r.length; // quadratic convergence begins at about an element's length
    return r;
}

bool der_newton_from_near(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                          der_outcome *outcome) {
    der_system alone = {chain, work, 1, NULL};
    *outcome = (der_outcome){0};
    run r = begin(&alone, tolerance, outcome);
    return run_freely(&r, iterations < FREE_ITERATIONS ? iterations : FREE_ITERATIONS) == CONVERGED;
}

static bool start(const der_system *s, der_outcome *outcome, size_t *element) {
    for (size_t r = 0; r < s->count; r++) {
        outcome->failed = r;
        if (!der_chain_start(&s->chains[r], element)) return false;
    }
    outcome->failed = 0;
    return true;
}

// `trust`: m, how large the correction before the first counts as.
static cdg_result solve(const der_system *s, int iterations, double tolerance, double trust, der_outcome *outcome,
                        cdg_error *error) {
    *outcome = (der_outcome){0};
    size_t element = 0;
    if (!start(s, outcome, &element))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "element %zu has no length, or would turn back within a step: nodes that a support moves may "
                        "have come too close, or the step is too long",
                        element);
    run r = begin(s, tolerance, outcome);
    r.before = fmax(r.before, trust);
    for (size_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            memcpy(s->works[i].start[k], s->chains[i].x[k], s->chains[i].node_count * sizeof(double));
    state end = run_freely(&r, iterations < FREE_ITERATIONS ? iterations : FREE_ITERATIONS);
    if (end != CONVERGED && iterations > outcome->iterations) {
        for (size_t i = 0; i < s->count; i++)
            for (int k = 0; k < 3; k++)
                memcpy(s->chains[i].x[k], s->works[i].start[k], s->chains[i].node_count * sizeof(double));
        start(s, outcome, &element); // as at the start
        r.before = fmax(r.length, trust);
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

cdg_result der_newton_system(const der_system *s, int iterations, double tolerance, der_outcome *outcome,
                             cdg_error *error) {
    return solve(s, iterations, tolerance, 0, outcome, error);
}

cdg_result der_newton_static(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                             der_outcome *outcome, cdg_error *error) {
    der_system alone = {chain, work, 1, NULL};
    return solve(&alone, iterations, tolerance, INFINITY, outcome, error);
}

cdg_result der_newton(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                      der_outcome *outcome, cdg_error *error) {
    der_system alone = {chain, work, 1, NULL};
    return der_newton_system(&alone, iterations, tolerance, outcome, error);
}
