// The report of a fit.
#include "sweep/fit_report.h"

#include "base/error.h"
#include "math/vec3.h"
#include "output/disk.h"
#include "output/number.h"
#include "output/whole_file.h"
#include "plot/figure_file.h"
#include "sweep/fit_curve.h"
#include "sweep/fit_noise.h"
#include "sweep/fit_warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256, FACT_SIZE = 512, CURVE_PARTS = 8 };

static const double panel_aspect = 1.75; // of the inside of a chart, roughly: lengths of both axes look alike

typedef struct report {
    const cdg_fit_def *def;
    cdg_fit_model *model;
    cdg_fit_result *result;
    cdg_chart_list charts;
    cdg_error *error;
} report;

// ---- numbers --------------------------------------------------------------------------------------------------------

// As many digits as the error leaves.
static int digits_for(double value, double error) {
    if (!(error > 0) || value == 0) return 6;
    int digits = (int)ceil(log10(fabs(value) / error)) + 2;
    return digits < 3 ? 3 : digits > 10 ? 10 : digits;
}

void cdg_fit_value_text(const cdg_fit_def *def, const cdg_fit_result *r, size_t v, char *out, size_t size) {
    const cdg_vary *vary = &def->setup.varies[v];
    const cdg_fit_parameter *p = &r->parameters[v];
    const char *blank = vary->unit[0] != '\0' ? " " : "";
    int digits = digits_for(p->value, vary->is_log ? p->error * p->value : p->error);
    bool is_open = !isfinite(p->high) || !isfinite(p->low) || (vary->is_log && p->high > 1e4 * p->low);
    if (is_open && !p->is_at_bound)
        snprintf(out, size, "%.*g%s%s (not determined by the data)", digits, p->value, blank, vary->unit);
    else if (p->is_at_bound)
        snprintf(out, size, "%.*g%s%s (at the end of its range)", digits, p->value, blank, vary->unit);
    else
        snprintf(out, size, "%.*g%s%s (%.*g to %.*g with %g %%)", digits, p->value, blank, vary->unit, digits, p->low,
                 digits, p->high, 100 * def->confidence);
}

const char *cdg_fit_rates_text(const cdg_fit_result *r) {
    return r->has_differences ? r->has_exact ? "exact gradients and differences" : "rates by differences"
                              : "exact gradients";
}

static const char *end_text(least_squares_end end) {
    switch (end) {
    case LEAST_SQUARES_FOUND: return "found";
    case LEAST_SQUARES_STUCK: return "stuck";
    case LEAST_SQUARES_LIMIT: return "iterations used up";
    case LEAST_SQUARES_NO_MEMORY:
    case LEAST_SQUARES_NO_START:
    case LEAST_SQUARES_STOPPED: break;
    }
    return "stopped";
}

static void put_numbers(cdg_json *json, const char *key, const double *values, size_t count) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < count; i++) cdg_json_number(json, NULL, values[i]);
    cdg_json_end(json);
}

static void put_parameters(const cdg_fit_def *def, const cdg_fit_result *r, cdg_json *json) {
    cdg_json_begin_array(json, "values");
    for (size_t v = 0; v < r->parameter_count; v++) {
        const cdg_vary *vary = &def->setup.varies[v];
        const cdg_fit_parameter *p = &r->parameters[v];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", vary->label);
        cdg_json_begin_array(json, "paths");
        for (size_t i = 0; i < vary->path_count; i++) cdg_json_text(json, NULL, vary->paths[i]);
        cdg_json_end(json);
        cdg_json_text(json, "unit", vary->unit);
        cdg_json_number(json, "value", p->value);
        cdg_json_number(json, vary->is_log ? "relative_error" : "error", p->is_at_bound ? NAN : p->error);
        cdg_json_number(json, "low", p->is_at_bound ? NAN : p->low);
        cdg_json_number(json, "high", p->is_at_bound ? NAN : p->high);
        cdg_json_number(json, "start", cdg_vary_at(vary, r->start[v]));
        cdg_json_boolean(json, "at_bound", p->is_at_bound);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static void put_noises(const cdg_fit_def *def, const cdg_fit_model *model, const cdg_fit_result *r, cdg_json *json) {
    const cdg_fit_residual *all = cdg_fit_model_residuals(model);
    cdg_json_begin_array(json, "noises");
    for (size_t i = 0; i < r->residual_count; i++) {
        if (i > 0 && cdg_fit_is_same_series(&def->setup, &all[i], &all[i - 1])) continue;
        const cdg_fit_data *data = &def->setup.data[all[i].data];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "file", data->path);
        cdg_json_text(json, "column", data->kind == CDG_FIT_SHAPE ? data->rod : data->columns[all[i].column].name);
        cdg_json_number(json, "standard_deviation", r->noises[all[i].noise]);
        cdg_json_boolean(json, "estimated", !(all[i].sigma > 0));
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

void cdg_fit_report_json(const cdg_fit_def *def, const cdg_fit_model *model, const cdg_fit_result *r, cdg_json *json) {
    put_parameters(def, r, json);
    cdg_json_number(json, "confidence", def->confidence);
    cdg_json_number(json, "degrees_of_freedom", r->freedom);
    cdg_json_number(json, "misfit", r->misfit);
    put_noises(def, model, r, json);
    put_numbers(json, "correlations", r->correlations, r->parameter_count * r->parameter_count);
    put_numbers(json, "singular_values", r->singular_values, r->parameter_count);
    put_numbers(json, "directions", r->directions, r->parameter_count * r->parameter_count);
    cdg_json_text(json, "end", end_text(r->end));
    cdg_json_integer(json, "iterations", (uint64_t)r->iterations);
    cdg_json_integer(json, "cases", r->case_count);
    cdg_json_text(json, "rates", cdg_fit_rates_text(r));
    cdg_json_begin_array(json, "warnings");
    for (size_t i = 0; i < r->warning_count; i++) cdg_json_text(json, NULL, r->warnings[i]);
    cdg_json_end(json);
}

// SI unit of a dimension, as charts know it: that of the first kind of quantity that has it.
static void unit_text(cdg_dimension d, char *out, size_t size) {
    snprintf(out, size, "1");
    for (int i = CDG_QUANTITY_COUNT - 1; i >= 0; i--) {
        cdg_dimension other = cdg_quantity_dimension((cdg_quantity)i);
        if (other.m == d.m && other.kg == d.kg && other.s == d.s && other.rad == d.rad)
            snprintf(out, size, "%s", cdg_quantity_unit((cdg_quantity)i));
    }
    for (char *at = out; *at != '\0'; at++)
        if (*at == ' ') *at = '*';
}

// ---- charts ---------------------------------------------------------------------------------------------------------

// Points as dots: each stands alone.
static cdg_result add_dots(report *p, cdg_chart *chart, const char *name, const double *x, const double *y,
                           size_t count) {
    double *block = malloc((4 * count + 1) * sizeof *block), *spaced_y = block + 2 * count;
    if (block == NULL) return cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for a chart");
    for (size_t i = 0; i < count; i++) {
        block[2 * i] = x[i], spaced_y[2 * i] = y[i];
        block[2 * i + 1] = spaced_y[2 * i + 1] = NAN;
    }
    cdg_result result = cdg_chart_add(chart, name, block, spaced_y, 2 * count, p->error);
    free(block);
    return result;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static cdg_result chart_series(report *p, size_t d, size_t c, const cdg_fit_curves *curves) {
    const cdg_fit_data *data = &p->def->setup.data[d];
    const cdg_fit_column *column = &data->columns[c], *over = data->over ? cdg_fit_data_column(data, data->over) : NULL;
    char title[NAME_SIZE], unit[64], over_unit[64];
    unit_text(column->dimension, unit, sizeof unit);
    if (over != NULL) unit_text(over->dimension, over_unit, sizeof over_unit);
    snprintf(title, sizeof title, "%s of %s", column->name, base_of(data->path));
    cdg_chart *chart;
    cdg_result result = cdg_chart_list_add(&p->charts, title, over != NULL ? over->name : "time",
                                           over != NULL ? over_unit : "s", column->name, unit, &chart, p->error);
    double *block = malloc((2 * curves->row_count + 1) * sizeof *block), *y = block + curves->row_count;
    if (block == NULL) return cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for a chart");
    for (size_t i = 0; i < curves->row_count; i++) {
        const double *row = curves->series + i * curves->column_count;
        block[i] = over != NULL ? row[curves->columns[over - data->columns]] : curves->times[i];
        y[i] = row[curves->columns[c]];
    }
    double last = curves->row_count > 0 ? curves->times[curves->row_count - 1] : 0;
    double *at = malloc((data->row_count + 1) * sizeof *at);
    for (size_t i = 0; at != NULL && i < data->row_count; i++)
        at[i] = over != NULL ? over->values[i] : data->times != NULL ? data->times[i] : last;
    if (at == NULL && result == CDG_OK) result = cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for a chart");
    if (result == CDG_OK) result = add_dots(p, chart, "measured", at, column->values, data->row_count);
    if (result == CDG_OK) result = cdg_chart_add(chart, "fit", block, y, curves->row_count, p->error);
    if (result == CDG_OK) chart->series[0].is_main = true;
    free(block);
    free(at);
    return result;
}

// Both axes as long as each other, by the larger of the two.
static void make_even(cdg_chart *chart) {
    cdg_chart_bounds b;
    if (!cdg_chart_get_bounds(chart, &b)) return;
    double width = 1.06 * fmax(b.x_high - b.x_low, panel_aspect * (b.y_high - b.y_low)), height = width / panel_aspect;
    double x = (b.x_low + b.x_high) / 2, y = (b.y_low + b.y_high) / 2;
    if (!(width > 0)) return;
    chart->x.low = x - width / 2, chart->x.high = x + width / 2;
    chart->y.low = y - height / 2, chart->y.high = y + height / 2;
}

static double part_of(cdg_vec3 v, size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static cdg_result chart_shape(report *p, size_t d, size_t a, size_t b, const cdg_fit_curves *curves) {
    const cdg_fit_data *data = &p->def->setup.data[d];
    const char *left = data->columns[a].name, *right = data->columns[b].name;
    size_t axes[2] = {(size_t)(left[0] - 'x'), (size_t)(right[0] - 'x')};
    char title[NAME_SIZE];
    snprintf(title, sizeof title, "%s of %s, %s over %s", data->rod, base_of(data->path), right, left);
    cdg_chart *chart;
    cdg_result result = cdg_chart_list_add(&p->charts, title, left, "m", right, "m", &chart, p->error);
    size_t segments = curves->is_closed ? curves->node_count : curves->node_count - 1,
           count = CURVE_PARTS * segments + 1;
    double *block = malloc((2 * count + 1) * sizeof *block), *y = block + count;
    if (block == NULL) return cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for a chart");
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 at = cdg_curve_at(curves->nodes, curves->node_count, curves->is_closed, (double)i / CURVE_PARTS);
        block[i] = part_of(at, axes[0]);
        y[i] = part_of(at, axes[1]);
    }
    if (result == CDG_OK)
        result = add_dots(p, chart, "measured", data->columns[a].values, data->columns[b].values, data->row_count);
    if (result == CDG_OK) result = cdg_chart_add(chart, "fit", block, y, count, p->error);
    if (result == CDG_OK) {
        chart->series[0].is_main = true;
        make_even(chart);
    }
    free(block);
    return result;
}

// A force curve that ends before the data does says nothing of the rest.
static bool warn_of_reach(report *p, size_t d, const cdg_fit_curves *curves) {
    const cdg_fit_data *data = &p->def->setup.data[d];
    const cdg_fit_column *over = cdg_fit_data_column(data, data->over);
    double low = INFINITY, high = -INFINITY;
    size_t outside = 0;
    for (size_t i = 0; i < curves->row_count; i++) {
        double at = curves->series[i * curves->column_count + curves->columns[over - data->columns]];
        low = fmin(low, at), high = fmax(high, at);
    }
    for (size_t i = 0; i < data->row_count; i++)
        outside += over->values[i] < low - 1e-6 * (high - low) || over->values[i] > high + 1e-6 * (high - low);
    if (outside == 0) return true;
    return cdg_fit_add_warning(
        p->result,
        "%s: %zu of %zu rows lie beyond the simulated curve, which was drawn on straight there: let "
        "the scene go further (duration, load)",
        data->path, outside, data->row_count);
}

static cdg_result chart_data(report *p, size_t d) {
    const cdg_fit_data *data = &p->def->setup.data[d];
    cdg_fit_curves curves;
    cdg_result result = cdg_fit_model_curves(p->model, p->result->point, d, &curves, p->error);
    if (result == CDG_OK && data->over != NULL && !warn_of_reach(p, d, &curves))
        result = cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for the report");
    for (size_t a = 0; a < data->column_count && result == CDG_OK; a++) {
        bool is_over = data->over != NULL && strcmp(data->columns[a].name, data->over) == 0;
        if (data->kind == CDG_FIT_SERIES && !is_over) result = chart_series(p, d, a, &curves);
        for (size_t b = a + 1; data->kind == CDG_FIT_SHAPE && b < data->column_count && result == CDG_OK; b++)
            result = chart_shape(p, d, a, b, &curves);
    }
    cdg_fit_curves_free(&curves);
    return result;
}

static double sigma_of(const report *p, size_t i) {
    const cdg_fit_residual *r = &cdg_fit_model_residuals(p->model)[i];
    return r->sigma > 0 ? r->sigma : p->result->noises[r->noise];
}

// What is left over, one series of dots a kind of noise.
static cdg_result chart_rest(report *p) {
    const cdg_fit_residual *all = cdg_fit_model_residuals(p->model);
    cdg_chart *chart;
    cdg_result result = cdg_chart_list_add(&p->charts, "What is left over, in standard deviations of the noise", "row",
                                           "1", "simulated less measured", "1", &chart, p->error);
    double *block = malloc((2 * p->result->residual_count + 1) * sizeof *block), *y = block + p->result->residual_count;
    if (block == NULL) return cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for a chart");
    for (size_t i = 0; i < p->result->residual_count; i++) {
        block[i] = (double)all[i].row + 1;
        y[i] = p->result->residuals[i] / sigma_of(p, i);
    }
    for (size_t first = 0, end; first < p->result->residual_count && result == CDG_OK; first = end) {
        const cdg_fit_data *data = &p->def->setup.data[all[first].data];
        for (end = first;
             end < p->result->residual_count && cdg_fit_is_same_series(&p->def->setup, &all[end], &all[first]); end++) {
        }
        result = add_dots(p, chart, data->kind == CDG_FIT_SHAPE ? data->rod : data->columns[all[first].column].name,
                          block + first, y + first, end - first);
    }
    free(block);
    return result;
}

// ---- files ----------------------------------------------------------------------------------------------------------

static cdg_result write_table(const report *p, const char *directory) {
    const cdg_fit_residual *all = cdg_fit_model_residuals(p->model);
    char *path = cdg_disk_join(directory, "fit.csv", "");
    cdg_whole_file file = {0};
    if (path == NULL) return cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for the report");
    cdg_result result = cdg_whole_file_begin(path, &file, p->error);
    if (result == CDG_OK) fprintf(file.stream, "file,row,column,measured [SI],simulated [SI],left over [deviations]\n");
    for (size_t i = 0; i < p->result->residual_count && result == CDG_OK; i++) {
        const cdg_fit_data *data = &p->def->setup.data[all[i].data];
        char measured[CDG_NUMBER_SIZE], simulated[CDG_NUMBER_SIZE], rest[CDG_NUMBER_SIZE];
        cdg_number_shortest(all[i].measured, measured);
        cdg_number_shortest(all[i].measured + p->result->residuals[i], simulated);
        cdg_number_shortest(p->result->residuals[i] / sigma_of(p, i), rest);
        fprintf(file.stream, "\"%s\",%zu,%s,%s,%s,%s\n", base_of(data->path), all[i].row + 1,
                data->columns[all[i].column].name, measured, simulated, rest);
    }
    if (result == CDG_OK) result = cdg_whole_file_end(&file, p->error);
    cdg_whole_file_abandon(&file);
    free(path);
    return result;
}

static cdg_result write_json(const report *p, const char *directory) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "scene", p->def->setup.source->name);
    cdg_fit_report_json(p->def, p->model, p->result, &json);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    char *path = cdg_disk_join(directory, "fit.json", "");
    cdg_result result = CDG_OK;
    if (text == NULL || path == NULL)
        result = cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for the report");
    else
        result = cdg_whole_file_write(path, text, strlen(text), p->error);
    cdg_json_free(&json);
    free(path);
    return result;
}

typedef struct fact_list {
    cdg_page_fact *facts;
    char (*texts)[FACT_SIZE];
    size_t count;
} fact_list;

static bool make_facts(const report *p, fact_list *out) {
    size_t count = p->result->parameter_count + p->result->warning_count + 4;
    out->facts = calloc(count, sizeof *out->facts);
    out->texts = calloc(count, sizeof *out->texts);
    if (out->facts == NULL || out->texts == NULL) return false;
    for (size_t v = 0; v < p->result->parameter_count; v++) {
        cdg_fit_value_text(p->def, p->result, v, out->texts[out->count], FACT_SIZE);
        out->facts[out->count] = (cdg_page_fact){p->def->setup.varies[v].label, out->texts[out->count]};
        out->count++;
    }
    snprintf(out->texts[out->count], FACT_SIZE, "%zu numbers, %g degrees of freedom; left over %.3g times the noise",
             p->result->residual_count, p->result->freedom, p->result->misfit);
    out->facts[out->count] = (cdg_page_fact){"data", out->texts[out->count]};
    out->count++;
    snprintf(out->texts[out->count], FACT_SIZE, "%zu cases, %d iterations, %s", p->result->case_count,
             p->result->iterations, cdg_fit_rates_text(p->result));
    out->facts[out->count] = (cdg_page_fact){"search", out->texts[out->count]};
    out->count++;
    for (size_t i = 0; i < p->result->warning_count; i++)
        out->facts[out->count++] = (cdg_page_fact){"warning", p->result->warnings[i]};
    return true;
}

static cdg_result write_figures(const report *p, const char *directory) {
    static const char *const names[] = {"fit.svg", "fit.png", "report.html"};
    char title[NAME_SIZE];
    snprintf(title, sizeof title, "Fit of %s", base_of(p->def->setup.source->name));
    fact_list facts = {0};
    cdg_figure_files files = {0};
    cdg_result result =
        make_facts(p, &facts) ? CDG_OK : cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for the report");
    cdg_figure figure = {.title = title,
                         .charts = p->charts.items,
                         .chart_count = p->charts.count,
                         .facts = facts.facts,
                         .fact_count = facts.count};
    for (size_t i = 0; i < 3 && result == CDG_OK; i++) {
        char *path = cdg_disk_join(directory, names[i], "");
        result = path != NULL ? cdg_figure_files_add(&files, path, &figure, p->error)
                              : cdg_fail(p->error, CDG_ERROR_MEMORY, "no memory for the report");
        free(path);
    }
    if (result == CDG_OK) result = cdg_figure_files_write(&files, p->error);
    cdg_figure_files_free(&files);
    free(facts.facts);
    free(facts.texts);
    return result;
}

cdg_result cdg_fit_report_write(const cdg_fit_def *def, cdg_fit_model *model, cdg_fit_result *fit,
                                const char *directory, cdg_error *error) {
    report p = {.def = def, .model = model, .result = fit, .error = error};
    cdg_result result = CDG_OK;
    for (size_t d = 0; d < def->setup.data_count && result == CDG_OK; d++) result = chart_data(&p, d);
    if (result == CDG_OK) result = chart_rest(&p);
    if (result == CDG_OK) result = write_table(&p, directory);
    if (result == CDG_OK) result = write_json(&p, directory);
    if (result == CDG_OK) result = write_figures(&p, directory);
    cdg_chart_list_free(&p.charts);
    return result;
}
