// Warnings of a fit, each with what to do about it.
#include "sweep/fit_warnings.h"
#include "sweep/fit_noise.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_SIZE = 800 };

static const double undetermined = 0.5; // relative change, or share of a range, within the stated confidence
static const double noticeable = 0.1;   // part of a direction that is worth naming
static const double related = 0.5;      // correlation of neighbouring residuals that is no noise
static const size_t neighbours_least = 20;
static const double outlying = 6; // standard deviations of the other rows
static const double outlier_least = 10;
static const double nowhere_near = 0.4; // share of the data that is left over

bool cdg_fit_add_warning(cdg_fit_result *r, const char *format, ...) {
    char text[SENTENCE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **warnings = realloc(r->warnings, (r->warning_count + 1) * sizeof *warnings);
    if (warnings == NULL) return false;
    r->warnings = warnings;
    size_t size = strlen(text) + 1;
    if ((warnings[r->warning_count] = malloc(size)) == NULL) return false;
    memcpy(warnings[r->warning_count++], text, size);
    return true;
}

static bool warn_of_end(const cdg_fit_def *def, cdg_fit_result *r) {
    if (r->end == LEAST_SQUARES_LIMIT)
        return cdg_fit_add_warning(
            r,
            "the %d iterations of a round are used up before the least was reached: the values are not the best "
            "ones. Start nearer (start ...), or allow more (--iterations)",
            def->iteration_limit);
    // Noise of the simulation itself ends data without noise.
    bool has_noise = false;
    for (size_t i = 0; i < r->noise_count; i++) has_noise = has_noise || r->noises[i] > 0;
    if (r->end == LEAST_SQUARES_STUCK && has_noise && r->misfit > 1e-3)
        return cdg_fit_add_warning(
            r, "no step leads further down, though the rates promise one: the simulation is not smooth here "
               "(contact, a snap, steps that divide), and errors are rough");
    return true;
}

static bool warn_of_bounds(const cdg_fit_def *def, cdg_fit_result *r) {
    for (size_t v = 0; v < r->parameter_count; v++) {
        const cdg_vary *vary = &def->setup.varies[v];
        if (!r->parameters[v].is_at_bound) continue;
        bool is_low = r->point[v] <= 0;
        if (!cdg_fit_add_warning(r,
                                 "'%s' ended at the %s end of its range, %g %s, and would go on: widen the range. It "
                                 "has no limits; those "
                                 "of the others allow for a value beyond that end",
                                 vary->label, is_low ? "lower" : "upper", is_low ? vary->low : vary->high, vary->unit))
            return false;
    }
    return true;
}

// A direction in words: "E up by 10 % with density up by 10 %".
static void describe(const cdg_fit_def *def, const double *along, size_t count, char *out, size_t size) {
    double largest = 0, sign = 1;
    for (size_t v = 0; v < count; v++)
        if (fabs(along[v]) > largest) largest = fabs(along[v]), sign = along[v] < 0 ? -1 : 1;
    size_t used = 0;
    out[0] = '\0';
    for (size_t v = 0; v < count; v++) {
        double part = sign * along[v] / largest;
        const cdg_vary *vary = &def->setup.varies[v];
        if (fabs(part) < noticeable || used >= size) continue;
        used +=
            (size_t)snprintf(out + used, size - used, "%s'%s' %s by %.2g %%%s", used > 0 ? " with " : "", vary->label,
                             part > 0 ? "up" : "down", 10 * fabs(part), vary->is_log ? "" : " of its range");
    }
}

static bool warn_of_directions(const cdg_fit_def *def, cdg_fit_result *r) {
    size_t n = r->parameter_count;
    for (size_t k = 0; k < n; k++) {
        double reach = r->limit * r->misfit / fmax(r->singular_values[k], 1e-300);
        if (reach < undetermined) continue;
        char text[400];
        describe(def, r->directions + k * n, n, text, sizeof text);
        bool is_one = strstr(text, " with ") == NULL;
        if (!cdg_fit_add_warning(
                r,
                is_one ? "the data do not determine %s: %s hardly changes what was measured. Measure something that it "
                         "moves more, or give its value and leave it out"
                       : "the data do not determine %s: %s hardly changes what was measured. Measure something that "
                         "tells them apart, or give one of them and leave it out",
                is_one ? "one of the values" : "a combination of the values", text))
            return false;
    }
    return true;
}

// Residuals of a series that go together from row to row.
static double relation(const cdg_fit_result *r, size_t first, size_t count) {
    double same = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
        double now = r->residuals[first + i];
        same += now * now;
        if (i > 0) next += now * r->residuals[first + i - 1];
    }
    return same > 0 ? next / same : 0;
}

// Data made without noise leave what the simulation rounds.
static bool is_rounding(const cdg_fit_data *data, size_t column, double noise) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < data->row_count; i++) {
        low = fmin(low, data->columns[column].values[i]);
        high = fmax(high, data->columns[column].values[i]);
    }
    return noise < 1e-5 * (high - low);
}

// A row that is off by far more than the others: of noise one in 500 million would be.
static bool warn_of_outlier(const cdg_fit_def *def, const cdg_fit_residual *all, size_t first, size_t end,
                            cdg_fit_result *r) {
    double sum = 0, count = (double)(end - first);
    size_t worst = first;
    for (size_t i = first; i < end; i++) {
        sum += r->residuals[i] * r->residuals[i];
        if (fabs(r->residuals[i]) > fabs(r->residuals[worst])) worst = i;
    }
    double off = fabs(r->residuals[worst]), others = sqrt(fmax(sum - off * off, 0) / fmax(count - 1, 1));
    const cdg_fit_data *data = &def->setup.data[all[worst].data];
    const char *name = data->columns[all[worst].column].name;
    if (count < outlier_least || all[worst].sigma > 0 || !(off > outlying * others) ||
        is_rounding(data, all[worst].column, off))
        return true;
    return cdg_fit_add_warning(
        r,
        "%s: '%s' of row %zu (counted from 1) is off by %.2g times as much as the other rows: if it "
        "is a mistake, mend it or leave it out, because it pulls the values and widens their limits",
        data->path, name, all[worst].row + 1, off / others);
}

static bool is_same_kind(cdg_dimension a, cdg_dimension b) { return a.m == b.m && a.kg == b.kg && a.s == b.s; }

// Data that the scene comes nowhere near: another unit, axis or sign. Columns of one kind count together, so that one
// of them may be zero but for noise.
static bool warn_of_nonsense(const cdg_fit_def *def, const cdg_fit_residual *all, cdg_fit_result *r) {
    for (size_t d = 0; d < def->setup.data_count; d++) {
        const cdg_fit_data *data = &def->setup.data[d];
        for (size_t c = 0; c < data->column_count; c++) {
            double left = 0, measured = 0;
            bool is_first = true;
            for (size_t k = 0; k < c; k++)
                is_first = is_first && !is_same_kind(data->columns[k].dimension, data->columns[c].dimension);
            for (size_t i = 0; i < r->residual_count && is_first; i++) {
                if (all[i].data != d ||
                    !is_same_kind(data->columns[all[i].column].dimension, data->columns[c].dimension))
                    continue;
                left += r->residuals[i] * r->residuals[i];
                measured += all[i].measured * all[i].measured;
            }
            if (left > nowhere_near * nowhere_near * measured &&
                !cdg_fit_add_warning(
                    r,
                    "%s: what is left over in '%s' is %.2g of what was measured: the scene comes nowhere "
                    "near the data. Look at units, axes, signs and the origin, and draw no conclusions "
                    "from the values",
                    data->path, data->columns[c].name, sqrt(left / measured)))
                return false;
        }
    }
    return true;
}

static bool warn_of_misfit(const cdg_fit_def *def, const cdg_fit_model *model, cdg_fit_result *r) {
    const cdg_fit_residual *all = cdg_fit_model_residuals(model);
    if (!warn_of_nonsense(def, all, r)) return false;
    bool is_said = r->residual_count > 0;
    for (size_t i = 0; i < r->residual_count; i++) is_said = is_said && all[i].sigma > 0;
    if (is_said && r->freedom >= 10 && r->misfit > 2 &&
        !cdg_fit_add_warning(
            r,
            "what is left over is %.2g times as large as the stated noise: the scene does not explain the data, or "
            "sigma "
            "is too small; errors are those of what is left over",
            r->misfit))
        return false;
    if (is_said && r->freedom >= 10 && r->misfit < 0.5 &&
        !cdg_fit_add_warning(r, "what is left over is only %.2g of the stated noise: sigma is too large", r->misfit))
        return false;
    for (size_t first = 0, end; first < r->residual_count; first = end) {
        const cdg_fit_data *data = &def->setup.data[all[first].data];
        for (end = first; end < r->residual_count && cdg_fit_is_same_series(&def->setup, &all[end], &all[first]);
             end++) {
        }
        if (!warn_of_outlier(def, all, first, end, r)) return false;
        if (data->kind == CDG_FIT_SHAPE || end - first < neighbours_least) continue;
        if (is_rounding(data, all[first].column, r->noises[all[first].noise])) continue;
        double value = relation(r, first, end - first);
        if (value > related &&
            !cdg_fit_add_warning(r,
                                 "%s: what is left over in '%s' is no noise, because neighbours go together "
                                 "(correlation %.2f): the scene "
                                 "does not explain the data there, and true errors are larger than stated",
                                 data->path, data->columns[all[first].column].name, value))
            return false;
    }
    return true;
}

bool cdg_fit_warn(const cdg_fit_def *def, const cdg_fit_model *model, cdg_fit_result *result) {
    return warn_of_end(def, result) && warn_of_bounds(def, result) && warn_of_directions(def, result) &&
           warn_of_misfit(def, model, result);
}
