// The data of a chart: owned copies, and what can be said about them before anything is drawn.
#include "plot/chart.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

static double *copy_numbers(const double *numbers, size_t count) {
    double *copy = malloc((count > 0 ? count : 1) * sizeof *copy);
    if (copy != NULL && count > 0) memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

cdg_result cdg_chart_create(const char *title, const char *x_label, const char *x_unit, const char *y_label,
                            const char *y_unit, cdg_chart *out, cdg_error *error) {
    *out = (cdg_chart){.title = copy_text(title),
                       .x = {copy_text(x_label), copy_text(x_unit), false, NAN, NAN, 0},
                       .y = {copy_text(y_label), copy_text(y_unit), false, NAN, NAN, 0}};
    if (out->title == NULL || out->x.label == NULL || out->x.unit == NULL || out->y.label == NULL ||
        out->y.unit == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a chart");
    return CDG_OK;
}

cdg_result cdg_chart_add(cdg_chart *chart, const char *name, const double *x, const double *y, size_t count,
                         cdg_error *error) {
    cdg_series *grown = realloc(chart->series, (chart->series_count + 1) * sizeof *grown);
    if (grown == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a chart");
    chart->series = grown;
    cdg_series *series = &grown[chart->series_count];
    *series =
        (cdg_series){.name = copy_text(name), .x = copy_numbers(x, count), .y = copy_numbers(y, count), .count = count};
    chart->series_count++; // counted before the check, so that freeing finds it
    if (series->name == NULL || series->x == NULL || series->y == NULL) {
        series->count = 0;
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a curve of %zu points", count);
    }
    return CDG_OK;
}

void cdg_chart_free(cdg_chart *chart) {
    for (size_t i = 0; i < chart->series_count; i++) {
        free(chart->series[i].name);
        free(chart->series[i].x);
        free(chart->series[i].y);
    }
    free(chart->series);
    free(chart->title);
    free(chart->x.label);
    free(chart->x.unit);
    free(chart->y.label);
    free(chart->y.unit);
    *chart = (cdg_chart){0};
}

cdg_result cdg_chart_list_add(cdg_chart_list *list, const char *title, const char *x_label, const char *x_unit,
                              const char *y_label, const char *y_unit, cdg_chart **out, cdg_error *error) {
    *out = NULL;
    cdg_chart *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a chart");
    list->items = grown;
    *out = &grown[list->count++];
    return cdg_chart_create(title, x_label, x_unit, y_label, y_unit, *out, error);
}

void cdg_chart_list_free(cdg_chart_list *list) {
    for (size_t i = 0; i < list->count; i++) cdg_chart_free(&list->items[i]);
    free(list->items);
    *list = (cdg_chart_list){0};
}

static bool is_shown(const cdg_axis *axis, double value) { return isfinite(value) && (!axis->is_log || value > 0); }

static bool is_in_range(const cdg_axis *axis, double value) {
    return is_shown(axis, value) && !(value < axis->low) && !(value > axis->high); // true for NaN limits
}

bool cdg_chart_get_bounds(const cdg_chart *chart, cdg_chart_bounds *out) {
    *out = (cdg_chart_bounds){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t s = 0; s < chart->series_count; s++) {
        const cdg_series *series = &chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (!is_in_range(&chart->x, series->x[i]) || !is_shown(&chart->y, series->y[i])) continue;
            out->x_low = fmin(out->x_low, series->x[i]);
            out->x_high = fmax(out->x_high, series->x[i]);
            out->y_low = fmin(out->y_low, series->y[i]);
            out->y_high = fmax(out->y_high, series->y[i]);
        }
    }
    return out->x_low <= out->x_high;
}

cdg_series_facts cdg_chart_get_facts(const cdg_chart *chart, size_t index) {
    const cdg_series *series = &chart->series[index];
    cdg_series_facts facts = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < series->count; i++) {
        double x = series->x[i], y = series->y[i];
        if (!is_in_range(&chart->x, x) || !isfinite(y)) continue;
        if (facts.count++ == 0) facts.first = y;
        facts.last = y;
        if (!(y >= facts.least)) {
            facts.least = y;
            facts.least_at = x;
        }
        if (!(y <= facts.largest)) {
            facts.largest = y;
            facts.largest_at = x;
        }
    }
    return facts;
}
