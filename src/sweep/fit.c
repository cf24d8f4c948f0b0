// A fit: where to begin, least squares in rounds between which unknown noise is estimated from what is left over, and
// errors from the rates at the end.
#include "sweep/fit.h"

#include "base/error.h"
#include "math/random.h"
#include "math/singular_values.h"
#include "math/student.h"
#include "sweep/design.h"
#include "sweep/fit_noise.h"
#include "sweep/fit_warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 6, STARTS_MAX = 64 };

static const double same_noise = 0.02;   // change of an estimate after which it counts as found
static const double first_noise = 0.01;  // of the range of what was measured
static const double least_noise = 1e-9;  // of that range: beyond lies rounding
static const double no_influence = 1e-4; // standard deviations that the whole range of a variable moves all data by

typedef struct fit {
    const cdg_fit_def *def;
    cdg_fit_model *model;
    cdg_fit_result *out;
    double *ranges;    // of each noise: of what was measured, SI
    double *raw;       // residuals of a batch, SI
    double *jacobian;  // weighted
    double *residuals; // weighted
    double *values;
    cdg_error *error;
    cdg_error case_error;
    int round;
} fit;

cdg_result cdg_fit_check_vary(cdg_vary *v, cdg_error *error) {
    if (v->kind != CDG_VARY_RANGE)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%s' is a list; a fit looks for a value in a range: write LOW:HIGH with its unit, as 1:10 MPa",
                        v->label);
    if (v->is_whole)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%s' takes whole numbers, in which there is nothing to fit; sweep it", v->label);
    if (!(v->high > v->low))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%s' has no room between %g and %g", v->label, v->low, v->high);
    if (v->low > 0) v->is_log = true;
    return CDG_OK;
}

// ---- weights --------------------------------------------------------------------------------------------------------

static double sigma_of(const fit *f, size_t i) {
    const cdg_fit_residual *r = &cdg_fit_model_residuals(f->model)[i];
    return r->sigma > 0 ? r->sigma : f->out->noises[r->noise];
}

static void weigh(const fit *f, const double *raw, double *out) {
    for (size_t i = 0; i < f->out->residual_count; i++) out[i] = raw[i] / sigma_of(f, i);
}

static void guess_noises(fit *f) {
    const cdg_fit_residual *r = cdg_fit_model_residuals(f->model);
    for (size_t k = 0; k < f->out->noise_count; k++) {
        double low = INFINITY, high = -INFINITY, sigma = 0;
        for (size_t i = 0; i < f->out->residual_count; i++) {
            if (r[i].noise != k) continue;
            low = fmin(low, r[i].measured);
            high = fmax(high, r[i].measured);
            sigma = fmax(sigma, r[i].sigma);
        }
        f->ranges[k] = high > low ? high - low : fmax(fabs(high), 1e-12);
        f->out->noises[k] = sigma > 0 ? sigma : first_noise * f->ranges[k];
    }
}

// What is left over of each kind, by its share of the degrees of freedom. True: an estimate has changed.
static bool estimate_noises(fit *f) {
    const cdg_fit_residual *r = cdg_fit_model_residuals(f->model);
    bool has_changed = false;
    double share = f->out->freedom / (double)cdg_fit_model_freedom(f->model);
    for (size_t k = 0; k < f->out->noise_count; k++) {
        double sum = 0, count = 0;
        bool is_known = false;
        for (size_t i = 0; i < f->out->residual_count; i++) {
            if (r[i].noise != k) continue;
            const cdg_fit_data *data = &f->def->setup.data[r[i].data];
            double parts = data->kind == CDG_FIT_SHAPE ? 1 - 1.0 / (double)data->column_count : 1;
            is_known = is_known || r[i].sigma > 0;
            sum += f->out->residuals[i] * f->out->residuals[i];
            count += parts;
        }
        if (is_known) continue;
        double noise = fmax(sqrt(sum / (count * share)), least_noise * f->ranges[k]);
        has_changed = has_changed || fabs(noise / f->out->noises[k] - 1) > same_noise;
        f->out->noises[k] = noise;
    }
    return has_changed;
}

// ---- least squares --------------------------------------------------------------------------------------------------

static void evaluate(void *user, size_t count, const double *points, double *residuals, bool *is_good) {
    fit *f = user;
    size_t n = f->out->residual_count;
    cdg_fit_model_evaluate(f->model, count, points, f->raw, is_good, &f->case_error);
    for (size_t i = 0; i < count; i++)
        if (is_good[i]) weigh(f, f->raw + i * n, residuals + i * n);
}

static bool differentiate(void *user, const double *point, const double *residuals, double *jacobian) {
    fit *f = user;
    size_t n = f->out->residual_count;
    (void)residuals;
    if (cdg_fit_model_differentiate(f->model, point, jacobian, &f->case_error) != CDG_OK) return false;
    for (size_t v = 0; v < f->out->parameter_count; v++) weigh(f, jacobian + v * n, jacobian + v * n);
    return true;
}

static bool tell(void *user, int iteration, const double *point, double sum) {
    fit *f = user;
    if (f->def->progress == NULL) return true;
    for (size_t v = 0; v < f->out->parameter_count; v++) f->values[v] = cdg_vary_at(&f->def->setup.varies[v], point[v]);
    cdg_fit_progress progress = {f->round, iteration, cdg_fit_model_case_count(f->model),
                                 sqrt(sum / fmax(1, f->out->freedom)), f->values};
    return f->def->progress(f->def->user, &progress);
}

// Cases that were stopped are no failures of the scene.
static bool is_stopped(const fit *f) {
    const cdg_fit_setup *setup = &f->def->setup;
    return setup->go_on != NULL && !setup->go_on(setup->user);
}

static cdg_result fail_end(fit *f, least_squares_end end) {
    if (is_stopped(f)) end = LEAST_SQUARES_STOPPED;
    switch (end) {
    case LEAST_SQUARES_NO_MEMORY: return cdg_fail(f->error, CDG_ERROR_MEMORY, "no memory for the fit");
    case LEAST_SQUARES_STOPPED: return cdg_fail(f->error, CDG_ERROR_INTERRUPTED, "the fit was stopped on request");
    case LEAST_SQUARES_NO_START:
        return cdg_fail(f->error, f->case_error.code != CDG_OK ? f->case_error.code : CDG_ERROR_NO_CONVERGENCE,
                        "the scene fails at the start of the fit: %.900s", f->case_error.message);
    case LEAST_SQUARES_FOUND:
    case LEAST_SQUARES_STUCK:
    case LEAST_SQUARES_LIMIT: break;
    }
    return CDG_OK;
}

// Every variable must move something.
static cdg_result check_influence(fit *f) {
    size_t n = f->out->residual_count;
    for (size_t v = 0; v < f->out->parameter_count; v++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += f->jacobian[v * n + i] * f->jacobian[v * n + i];
        if (sqrt(sum) > no_influence) continue;
        return cdg_fail(f->error, CDG_ERROR_ARGUMENT,
                        "'%s' has no influence on the data: nothing that was measured changes with it at %g%s%s. Leave "
                        "it out, or measure something that it moves",
                        f->def->setup.varies[v].label, cdg_vary_at(&f->def->setup.varies[v], f->out->point[v]),
                        f->def->setup.varies[v].unit[0] != '\0' ? " " : "", f->def->setup.varies[v].unit);
    }
    return CDG_OK;
}

static cdg_result solve(fit *f) {
    size_t n = f->out->parameter_count;
    double *bounds = calloc(2 * n + 1, sizeof *bounds);
    if (bounds == NULL) return fail_end(f, LEAST_SQUARES_NO_MEMORY);
    for (size_t v = 0; v < n; v++) bounds[n + v] = 1;
    least_squares problem = {.unknowns = n,
                             .residuals = f->out->residual_count,
                             .low = bounds,
                             .high = bounds + n,
                             .evaluate = evaluate,
                             .differentiate = differentiate,
                             .progress = tell,
                             .user = f,
                             .iteration_limit = f->def->iteration_limit};
    cdg_result result = CDG_OK;
    for (f->round = 0; f->round < ROUNDS_MAX && result == CDG_OK; f->round++) {
        int iterations;
        f->out->end = least_squares_solve(&problem, f->out->point, f->residuals, f->jacobian, &iterations);
        f->out->iterations += iterations;
        f->out->rounds = f->round + 1;
        result = fail_end(f, f->out->end);
        if (result == CDG_OK && f->round == 0) result = check_influence(f);
        if (result != CDG_OK) break;
        for (size_t i = 0; i < f->out->residual_count; i++) f->out->residuals[i] = f->residuals[i] * sigma_of(f, i);
        // Rates and residuals belong to the weights that they were found with.
        if (f->out->end == LEAST_SQUARES_LIMIT || f->round + 1 == ROUNDS_MAX || !estimate_noises(f)) break;
    }
    free(bounds);
    return result;
}

// ---- the beginning --------------------------------------------------------------------------------------------------

static double share_of(const cdg_vary *v, double value) {
    double share = v->is_log ? log(value / v->low) / log(v->high / v->low) : (value - v->low) / (v->high - v->low);
    return fmin(fmax(share, 0), 1);
}

// Starts that were said, and the middles of the other ranges; then samples of those.
static void fill_starts(const fit *f, const cdg_design *samples, double *out) {
    size_t n = f->out->parameter_count;
    for (size_t i = 0; i <= samples->case_count; i++)
        for (size_t v = 0; v < n; v++) {
            const cdg_vary *vary = &f->def->setup.varies[v];
            double share = i == 0 ? 0.5 : share_of(vary, samples->values[(i - 1) * n + v]);
            out[i * n + v] = isnan(vary->start) ? share : share_of(vary, vary->start);
        }
}

static cdg_result choose_start(fit *f) {
    size_t n = f->out->parameter_count, m = f->out->residual_count, count = f->def->start_count;
    bool has_all = true;
    for (size_t v = 0; v < n; v++) has_all = has_all && !isnan(f->def->setup.varies[v].start);
    if (count == 0) count = has_all ? 1 : fmin((double)STARTS_MAX, 8 * (double)n);
    cdg_design samples = {0};
    cdg_vary *varies = malloc((n + 1) * sizeof *varies); // ranges alone
    for (size_t v = 0; varies != NULL && v < n; v++) {
        varies[v] = f->def->setup.varies[v];
        varies[v].count = 0;
    }
    cdg_result result = varies == NULL ? cdg_fail(f->error, CDG_ERROR_MEMORY, "no memory for the fit") : CDG_OK;
    if (result == CDG_OK && count > 1)
        result = cdg_design_make(varies, n, CDG_DESIGN_LATIN, count - 1, f->def->seed, &samples, f->error);
    double *points = calloc(count * (n + m) + 1, sizeof *points), *residuals = points + count * n;
    bool *is_good = calloc(count + 1, sizeof *is_good);
    if (result == CDG_OK && (points == NULL || is_good == NULL))
        result = cdg_fail(f->error, CDG_ERROR_MEMORY, "no memory for the fit");
    if (result == CDG_OK) {
        fill_starts(f, &samples, points);
        cdg_fit_model_evaluate(f->model, count, points, residuals, is_good, &f->case_error);
        size_t best = count;
        double least = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t k = 0; is_good[i] && k < m; k++) sum += pow(residuals[i * m + k] / sigma_of(f, k), 2);
            if (is_good[i] && sum < least) least = sum, best = i;
        }
        if (best == count)
            result = fail_end(f, LEAST_SQUARES_NO_START);
        else
            memcpy(f->out->point, points + best * n, n * sizeof *f->out->point);
        memcpy(f->out->start, f->out->point, n * sizeof *f->out->start);
    }
    free(points);
    free(is_good);
    free(varies);
    cdg_design_free(&samples);
    return result;
}

// ---- errors ---------------------------------------------------------------------------------------------------------

// A relative change, or one of the whole range, in shares.
static double unit_of(const cdg_vary *v) { return v->is_log ? 1 / log(v->high / v->low) : 1; }

// How far a value would go if no bound held any: the step of Gauss and Newton, from U S in `columns`.
static double shift_of(const fit *f, const double *columns, size_t v) {
    size_t n = f->out->parameter_count, m = f->out->residual_count;
    double shift = 0;
    for (size_t k = 0; k < n; k++) {
        double s = f->out->singular_values[k], along = f->out->directions[k * n + v], sum = 0;
        for (size_t i = 0; i < m; i++) sum += columns[k * m + i] * f->residuals[i];
        if (along != 0) shift -= along * sum / fmax(s * s, 1e-300);
    }
    return fabs(shift);
}

// Covariance from singular values of the rates. A value that a bound holds is as unknown as the others, so it counts;
// otherwise those that it trades with would look sure. Where one is held, limits reach as far as the others would go
// without the bound.
static void find_errors(fit *f) {
    size_t n = f->out->parameter_count, m = f->out->residual_count;
    cdg_fit_result *out = f->out;
    double *columns = f->raw, sum = 0; // no longer needed
    bool has_held = false;
    for (size_t i = 0; i < m; i++) sum += f->residuals[i] * f->residuals[i];
    out->misfit = sqrt(sum / fmax(1, out->freedom));
    out->limit = student_limit(f->def->confidence, fmax(1, out->freedom));
    for (size_t v = 0; v < n; v++) {
        const cdg_vary *vary = &f->def->setup.varies[v];
        out->parameters[v].is_at_bound = out->point[v] <= 0 || out->point[v] >= 1;
        has_held = has_held || out->parameters[v].is_at_bound;
        double unit = unit_of(vary);
        for (size_t i = 0; i < m; i++) columns[v * m + i] = unit * f->jacobian[v * m + i];
    }
    singular_values(columns, m, n, out->singular_values, out->directions);
    double *covariance = out->correlations;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            covariance[a * n + b] = 0;
            for (size_t k = 0; k < n; k++) {
                const double *along = out->directions + k * n;
                double s = out->singular_values[k];
                if (along[a] * along[b] != 0)
                    covariance[a * n + b] += along[a] * along[b] * out->misfit * out->misfit / fmax(s * s, 1e-300);
            }
        }
    for (size_t v = 0; v < n; v++) {
        const cdg_vary *vary = &f->def->setup.varies[v];
        cdg_fit_parameter *p = &out->parameters[v];
        double error = sqrt(covariance[v * n + v]);
        double reach = out->limit * error + (has_held ? shift_of(f, columns, v) : 0);
        p->value = cdg_vary_at(vary, out->point[v]);
        p->error = vary->is_log ? error : error * (vary->high - vary->low);
        p->low = vary->is_log ? p->value * exp(-reach) : p->value - reach * (vary->high - vary->low);
        p->high = vary->is_log ? p->value * exp(reach) : p->value + reach * (vary->high - vary->low);
    }
    double *deviations = f->values;
    for (size_t v = 0; v < n; v++) deviations[v] = sqrt(covariance[v * n + v]);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double both = deviations[a] * deviations[b];
            covariance[a * n + b] = a == b ? 1 : both > 0 ? covariance[a * n + b] / both : 0;
        }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool make_room(fit *f) {
    size_t n = f->out->parameter_count, m = f->out->residual_count, k = f->out->noise_count;
    size_t batch = n > LEAST_SQUARES_TRIALS ? n : LEAST_SQUARES_TRIALS;
    cdg_fit_result *out = f->out;
    out->parameters = calloc(n + 1, sizeof *out->parameters);
    double **arrays[] = {&out->point,           &out->start,      &out->residuals, &out->noises, &out->correlations,
                         &out->singular_values, &out->directions, &f->ranges,      &f->raw,      &f->jacobian,
                         &f->residuals,         &f->values};
    size_t sizes[] = {n, n, m, k, n * n, n, n * n, k, batch * m, n * m, m, n};
    bool has_room = out->parameters != NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        has_room = (*arrays[i] = calloc(sizes[i] + 1, sizeof(double))) != NULL && has_room;
    return has_room;
}

static cdg_result check_counts(fit *f) {
    size_t freedom = cdg_fit_model_freedom(f->model), n = f->out->parameter_count;
    f->out->freedom = (double)freedom - (double)n;
    if (freedom > n)
        return cdg_fit_check_noises(&f->def->setup, cdg_fit_model_residuals(f->model), f->out->residual_count,
                                    f->out->noise_count, f->error);
    return cdg_fail(
        f->error, CDG_ERROR_ARGUMENT,
        "%zu value%s cannot be found, with limits, from %zu independent number%s; measure more, or vary less", n,
        n == 1 ? "" : "s", freedom, freedom == 1 ? "" : "s");
}

cdg_result cdg_fit_run(const cdg_fit_def *def, cdg_fit_model *model, cdg_fit_result *out, cdg_error *error) {
    *out = (cdg_fit_result){.parameter_count = def->setup.vary_count,
                            .residual_count = cdg_fit_model_residual_count(model),
                            .noise_count = cdg_fit_model_noise_count(model)};
    fit f = {.def = def, .model = model, .out = out, .error = error};
    cdg_result result = make_room(&f) ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the fit");
    if (result == CDG_OK) result = check_counts(&f);
    if (result == CDG_OK) {
        guess_noises(&f);
        result = choose_start(&f);
    }
    if (result == CDG_OK) result = solve(&f);
    if (result == CDG_OK) find_errors(&f);
    out->case_count = cdg_fit_model_case_count(model);
    out->has_exact = cdg_fit_model_has_exact(model);
    out->has_differences = !cdg_fit_model_is_exact(model);
    if (result == CDG_OK && !cdg_fit_warn(def, model, out))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the fit");
    free(f.ranges);
    free(f.raw);
    free(f.jacobian);
    free(f.residuals);
    free(f.values);
    return result;
}

void cdg_fit_result_free(cdg_fit_result *result) {
    for (size_t i = 0; i < result->warning_count; i++) free(result->warnings[i]);
    free(result->warnings);
    free(result->parameters);
    free(result->point);
    free(result->start);
    free(result->residuals);
    free(result->noises);
    free(result->correlations);
    free(result->singular_values);
    free(result->directions);
    *result = (cdg_fit_result){0};
}
