// Bounded least squares. Each step solves (J^T J + lambda D^2) d = -J^T r for several lambda at once, with D the
// longest each column of J has been (Moré 1978). Unknowns that would leave their bounds are put there one by one, and
// the others solved again.
#include "math/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lambda_first = 1e-3, lambda_least = 1e-13, lambda_most = 1e12;
static const double factors[LEAST_SQUARES_TRIALS] = {0.1, 1, 10}; // of lambda, tried side by side
// Found: the step that is left, measured by what noise does to the residuals, squared; and by the residuals themselves,
// where there is no noise.
static const double small_step = 1e-4, small_gain = 1e-16;

typedef struct solver {
    const least_squares *p;
    double *point, *residuals, *jacobian;
    double *scale;         // D
    double *normal, *work; // J^T J; a matrix of the same size
    double *gradient;      // J^T r
    double *step, *right;  // of all unknowns
    double *full;          // the point after the whole step, without lambda
    double *trials, *trial_residuals;
    bool *is_fixed; // during a step
    bool is_good[LEAST_SQUARES_TRIALS];
} solver;

static double sum_of_squares(const double *a, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
    return sum;
}

static void form_normal(solver *w) {
    size_t n = w->p->unknowns, m = w->p->residuals;
    for (size_t u = 0; u < n; u++) {
        const double *a = w->jacobian + u * m;
        w->gradient[u] = 0;
        for (size_t i = 0; i < m; i++) w->gradient[u] += a[i] * w->residuals[i];
        for (size_t v = 0; v <= u; v++) {
            double sum = 0;
            for (size_t i = 0; i < m; i++) sum += a[i] * w->jacobian[v * m + i];
            w->normal[u * n + v] = w->normal[v * n + u] = sum;
        }
        w->scale[u] = fmax(w->scale[u], sqrt(w->normal[u * n + u]));
    }
}

// Cholesky in place on the lower triangle, then both substitutions; rows of fixed unknowns are those of the identity.
static void solve_free(const solver *w, double lambda) {
    size_t n = w->p->unknowns;
    double *a = w->work, *x = w->step;
    for (size_t u = 0; u < n; u++) {
        x[u] = w->is_fixed[u] ? 0 : w->right[u];
        for (size_t v = 0; v <= u; v++) {
            bool is_out = w->is_fixed[u] || w->is_fixed[v];
            double value = is_out ? (u == v) : w->normal[u * n + v];
            if (u == v && !is_out) value += fmax(lambda, lambda_least) * w->scale[u] * w->scale[u];
            for (size_t k = 0; k < v; k++) value -= a[u * n + k] * a[v * n + k];
            a[u * n + v] = u == v ? sqrt(fmax(value, 1e-300)) : value / a[v * n + v];
        }
    }
    for (size_t u = 0; u < n; u++) {
        for (size_t k = 0; k < u; k++) x[u] -= a[u * n + k] * x[k];
        x[u] /= a[u * n + u];
    }
    for (size_t u = n; u-- > 0;) {
        for (size_t k = u + 1; k < n; k++) x[u] -= a[k * n + u] * x[k];
        x[u] /= a[u * n + u];
    }
}

// The point after the step for one lambda.
static void take_step(const solver *w, double lambda, double *out) {
    size_t n = w->p->unknowns;
    memcpy(out, w->point, n * sizeof *out);
    for (size_t u = 0; u < n; u++) {
        bool is_held =
            (w->point[u] <= w->p->low[u] && w->gradient[u] > 0) || (w->point[u] >= w->p->high[u] && w->gradient[u] < 0);
        w->is_fixed[u] = w->scale[u] == 0 || is_held;
    }
    for (bool is_cut = true; is_cut;) {
        for (size_t u = 0; u < n; u++) { // fixed ones have moved already
            w->right[u] = -w->gradient[u];
            for (size_t v = 0; v < n; v++) w->right[u] -= w->normal[u * n + v] * (out[v] - w->point[v]);
        }
        solve_free(w, lambda);
        size_t first = n; // to reach its bound along the step
        double least = 1;
        for (size_t u = 0; u < n; u++) {
            double bound = w->step[u] > 0 ? w->p->high[u] : w->p->low[u];
            double share = w->step[u] != 0 ? (bound - w->point[u]) / w->step[u] : 1;
            if (!w->is_fixed[u] && share < least) least = share, first = u;
        }
        is_cut = first < n;
        if (!is_cut) break;
        out[first] = w->step[first] > 0 ? w->p->high[first] : w->p->low[first];
        w->is_fixed[first] = true;
    }
    for (size_t u = 0; u < n; u++)
        if (!w->is_fixed[u]) out[u] = w->point[u] + w->step[u];
}

// How far the sum of squares would fall in the linear problem, cut at the bounds.
static double promised_by(const solver *w, const double *to) {
    double sum = 0;
    for (size_t i = 0; i < w->p->residuals; i++) {
        double r = w->residuals[i];
        for (size_t u = 0; u < w->p->unknowns; u++) r += w->jacobian[u * w->p->residuals + i] * (to[u] - w->point[u]);
        sum += r * r;
    }
    return sum_of_squares(w->residuals, w->p->residuals) - sum;
}

static bool is_found(solver *w, double sum) {
    take_step(w, 0, w->full);
    double promise = promised_by(w, w->full);
    double freedom = fmax(1, (double)w->p->residuals - (double)w->p->unknowns);
    // Cut at bounds a step may promise nothing, which does not mean that there is nothing to gain.
    return sum == 0 || (promise >= -small_gain * sum && promise <= fmax(small_step / freedom, small_gain) * sum);
}

// Tries steps until one is better; false: none is.
static bool advance(solver *w, double *lambda, double *sum) {
    size_t n = w->p->unknowns, m = w->p->residuals;
    while (*lambda <= lambda_most) {
        for (size_t t = 0; t < LEAST_SQUARES_TRIALS; t++) take_step(w, *lambda * factors[t], w->trials + t * n);
        w->p->evaluate(w->p->user, LEAST_SQUARES_TRIALS, w->trials, w->trial_residuals, w->is_good);
        size_t best = LEAST_SQUARES_TRIALS;
        double least = *sum;
        for (size_t t = 0; t < LEAST_SQUARES_TRIALS; t++) {
            double now = w->is_good[t] ? sum_of_squares(w->trial_residuals + t * m, m) : INFINITY;
            if (now < least) least = now, best = t;
        }
        if (best < LEAST_SQUARES_TRIALS) {
            memcpy(w->point, w->trials + best * n, n * sizeof *w->point);
            memcpy(w->residuals, w->trial_residuals + best * m, m * sizeof *w->residuals);
            *lambda = fmax(lambda_least, *lambda * factors[best]);
            *sum = least;
            return true;
        }
        *lambda *= 1e3;
    }
    return false;
}

static least_squares_end iterate(solver *w, int *iterations) {
    const least_squares *p = w->p;
    bool is_good = true;
    p->evaluate(p->user, 1, w->point, w->residuals, &is_good);
    double sum = sum_of_squares(w->residuals, p->residuals), lambda = lambda_first;
    if (!is_good || !isfinite(sum)) return LEAST_SQUARES_NO_START;
    for (*iterations = 0;; ++*iterations) {
        if (p->progress != NULL && !p->progress(p->user, *iterations, w->point, sum)) return LEAST_SQUARES_STOPPED;
        if (!p->differentiate(p->user, w->point, w->residuals, w->jacobian))
            return *iterations == 0 ? LEAST_SQUARES_NO_START : LEAST_SQUARES_STUCK;
        form_normal(w);
        if (is_found(w, sum)) return LEAST_SQUARES_FOUND;
        if (*iterations >= p->iteration_limit) return LEAST_SQUARES_LIMIT;
        if (!advance(w, &lambda, &sum)) return LEAST_SQUARES_STUCK;
    }
}

least_squares_end least_squares_solve(const least_squares *p, double *point, double *residuals, double *jacobian,
                                      int *iterations) {
    size_t n = p->unknowns, m = p->residuals;
    size_t doubles = LEAST_SQUARES_TRIALS * (n + m) + 2 * n * n + 5 * n + 1;
    double *block = calloc(doubles, sizeof *block);
    bool *is_fixed = calloc(n + 1, sizeof *is_fixed);
    least_squares_end end = LEAST_SQUARES_NO_MEMORY;
    *iterations = 0;
    if (block != NULL && is_fixed != NULL) {
        solver w = {.p = p, .point = point, .residuals = residuals, .jacobian = jacobian, .is_fixed = is_fixed};
        w.trials = block;
        w.trial_residuals = w.trials + LEAST_SQUARES_TRIALS * n;
        w.normal = w.trial_residuals + LEAST_SQUARES_TRIALS * m;
        w.work = w.normal + n * n;
        w.scale = w.work + n * n;
        w.gradient = w.scale + n;
        w.step = w.gradient + n;
        w.right = w.step + n;
        w.full = w.right + n;
        end = iterate(&w, iterations);
    }
    free(block);
    free(is_fixed);
    return end;
}
