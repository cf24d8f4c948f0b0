// Everything a run has over time, and which of it belongs into one chart.
#define _POSIX_C_SOURCE 200809L // fnmatch, strdup
#include "plot/run_columns.h"

#include "base/error.h"
#include "output/disk.h"
#include "scene/suggest.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const energy_names[] = {
#define ENERGY_NAME(name, text) #name,
    CDG_ENERGY_LIST(ENERGY_NAME)
#undef ENERGY_NAME
};
enum { ENERGY_COUNT = sizeof energy_names / sizeof *energy_names, LIST_SIZE = 700 };

// ---- reading

void cdg_run_columns_free(cdg_run_columns *columns) {
    for (size_t i = 0; columns->items != NULL && i < columns->count; i++) free(columns->items[i].name);
    free(columns->items);
    free(columns->energies);
    cdg_probe_table_free(&columns->probes);
    *columns = (cdg_run_columns){0};
}

static cdg_result add_energies(const cdg_run_reader *reader, cdg_run_columns *out, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < ENERGY_COUNT && result == CDG_OK; i++) {
        double *values = out->energies + i * reader->frame_count;
        char name[64];
        snprintf(name, sizeof name, "energy.%s", energy_names[i]);
        cdg_run_column column = {strdup(name), "J", reader->times, values, reader->frame_count, true};
        if (column.name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a run's columns");
        out->items[out->count++] = column;
        result = cdg_run_reader_energy(reader, energy_names[i], values, error);
    }
    return result;
}

static cdg_result add_probes(cdg_run_columns *out, cdg_error *error) {
    for (size_t i = 1; i < out->probes.column_count; i++) {
        const cdg_table_column *from = &out->probes.columns[i];
        cdg_run_column column = {strdup(from->name),    from->unit, out->probes.columns[0].values, from->values,
                                 out->probes.row_count, false};
        if (column.name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a run's columns");
        out->items[out->count++] = column;
    }
    return CDG_OK;
}

cdg_result cdg_run_columns_read(const cdg_run_reader *reader, cdg_run_columns *out, cdg_error *error) {
    *out = (cdg_run_columns){0};
    char *path = cdg_disk_join(reader->directory, "probes.csv", "");
    if (path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a run's columns");
    cdg_result result = CDG_OK;
    if (access(path, F_OK) == 0) result = cdg_probe_table_read(path, &out->probes, error);
    free(path);
    if (result != CDG_OK) return result;
    out->items = calloc(ENERGY_COUNT + out->probes.column_count, sizeof *out->items);
    out->energies = calloc(ENERGY_COUNT * reader->frame_count, sizeof *out->energies);
    if (out->items == NULL || out->energies == NULL) {
        cdg_run_columns_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a run's columns");
    }
    result = add_energies(reader, out, error);
    if (result == CDG_OK) result = add_probes(out, error);
    if (result != CDG_OK) cdg_run_columns_free(out);
    return result;
}

// ---- what a probe's column is

typedef struct column_meaning {
    size_t probe_length; // of the name, bytes that name the probe
    const char *suffix;  // within the name; "" when there is none
    char label[64];      // "position", "reaction force"
} column_meaning;

static void put_label(cdg_probe_kind kind, const char *suffix, const char *unit, char *out, size_t size) {
    static const char *const keys[] = {
#define PROBE_KEY(name, key, text, columns) key,
        CDG_PROBE_LIST(PROBE_KEY)
#undef PROBE_KEY
    };
    const char *quantity = "";
    if (kind == CDG_PROBE_REACTION) quantity = strcmp(unit, "N") == 0 ? " force" : " moment";
    snprintf(out, size, "%s%s", keys[kind], quantity);
    // Numbers without unit that are not of one kind: how many there are, and how deep.
    if (kind == CDG_PROBE_CONTACTS && strcmp(suffix, "deepest") == 0) snprintf(out, size, "depth / radius");
    for (char *c = out; *c != '\0'; c++)
        if (*c == '_') *c = ' ';
}

// Finds the kind of probe that writes columns with this end and unit: "tip_x", "m" is the position of "tip".
static column_meaning find_meaning(const char *name, const char *unit) {
    column_meaning meaning = {strlen(name), "", "value"};
    const char *last = strrchr(name, '_');
    if (last != NULL && strcmp(last, "_peak") == 0 && strcmp(unit, "N") == 0) { // output/run_peaks.h
        meaning.suffix = last + 1;
        meaning.probe_length = (size_t)(last - name);
        snprintf(meaning.label, sizeof meaning.label, "peak force");
        return meaning;
    }
    for (int with_suffix = 1; with_suffix >= 0; with_suffix--) {
        const char *underscore = strrchr(name, '_'), *suffix = with_suffix && underscore != NULL ? underscore + 1 : "";
        if (with_suffix && (underscore == NULL || underscore == name)) continue;
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s%s [%s]", with_suffix ? "_" : "", suffix, unit);
        for (int kind = 0; kind < CDG_PROBE_KIND_COUNT; kind++) {
            for (size_t k = 0; k < cdg_probe_column_count((cdg_probe_kind)kind); k++) {
                char title[128];
                cdg_probe_column_title((cdg_probe_kind)kind, "", k, title, sizeof title);
                if (strcmp(title, wanted) != 0) continue;
                meaning.suffix = suffix;
                if (with_suffix) meaning.probe_length = (size_t)(underscore - name);
                put_label((cdg_probe_kind)kind, suffix, unit, meaning.label, sizeof meaning.label);
                return meaning;
            }
        }
    }
    return meaning;
}

static bool is_all_zero(const cdg_run_column *column) {
    for (size_t i = 0; i < column->count; i++)
        if (column->values[i] != 0) return false;
    return true;
}

static double largest_of(const cdg_run_column *column) {
    double most = 0;
    for (size_t i = 0; i < column->count; i++)
        if (isfinite(column->values[i])) most = fmax(most, fabs(column->values[i]));
    return most;
}

// The largest number of each chart's unit that the run has anywhere, beside which roundings are told from motion.
static void set_scales(const cdg_run_columns *columns, cdg_chart_list *list) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < columns->count; k++)
            if (strcmp(columns->items[k].unit, list->items[i].y.unit) == 0)
                list->items[i].y.scale = fmax(list->items[i].y.scale, largest_of(&columns->items[k]));
}

static cdg_result add_column(cdg_chart *chart, const cdg_run_column *column, const char *name, cdg_error *error) {
    return cdg_chart_add(chart, name, column->time, column->values, column->count, error);
}

// ---- overview

static cdg_result add_energy_chart(const cdg_run_columns *columns, cdg_chart_list *out, cdg_error *error) {
    cdg_chart *chart;
    cdg_result result = cdg_chart_list_add(out, "Energy", "time", "s", "energy", "J", &chart, error);
    for (int pass = 0; pass < 2 && result == CDG_OK && (pass == 0 || chart->series_count == 0); pass++) {
        for (size_t i = 0; i < columns->count && result == CDG_OK; i++) {
            const cdg_run_column *column = &columns->items[i];
            const char *name = column->name + strlen("energy.");
            if (!column->is_energy || (pass == 0 && is_all_zero(column))) continue;
            result = add_column(chart, column, name, error);
            if (result == CDG_OK) chart->series[chart->series_count - 1].is_main = strcmp(name, "total") == 0;
        }
    }
    return result;
}

cdg_result cdg_run_columns_overview(const cdg_run_columns *columns, cdg_chart_list *out, cdg_error *error) {
    *out = (cdg_chart_list){0};
    cdg_result result = add_energy_chart(columns, out, error);
    for (size_t i = 0; i < columns->count && result == CDG_OK;) {
        const cdg_run_column *first = &columns->items[i];
        if (first->is_energy) {
            i++;
            continue;
        }
        column_meaning meaning = find_meaning(first->name, first->unit);
        char title[256];
        snprintf(title, sizeof title, "%.*s", (int)meaning.probe_length, first->name);
        cdg_chart *chart;
        result = cdg_chart_list_add(out, title, "time", "s", meaning.label, first->unit, &chart, error);
        for (bool belongs = true; belongs && result == CDG_OK;) { // the columns of a probe stand side by side
            const cdg_run_column *column = &columns->items[i];
            column_meaning here = find_meaning(column->name, column->unit);
            result = add_column(chart, column, here.suffix[0] != '\0' ? here.suffix : column->name, error);
            if (result == CDG_OK && strcmp(meaning.label, "energy") == 0)
                chart->series[chart->series_count - 1].is_main = strcmp(here.suffix, "total") == 0;
            i++;
            if (i == columns->count || here.suffix[0] == '\0') break;
            const cdg_run_column *next = &columns->items[i];
            column_meaning there = find_meaning(next->name, next->unit);
            belongs = strcmp(next->unit, first->unit) == 0 && there.suffix[0] != '\0' &&
                      there.probe_length == meaning.probe_length && strcmp(there.label, meaning.label) == 0 &&
                      strncmp(next->name, first->name, meaning.probe_length) == 0;
        }
    }
    if (result == CDG_OK)
        set_scales(columns, out);
    else
        cdg_chart_list_free(out);
    return result;
}

// ---- chosen columns

static void put_names(const cdg_run_columns *columns, char out[LIST_SIZE]) {
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < columns->count; i++) {
        size_t needed = strlen(columns->items[i].name) + 2;
        if (length + needed + 24 > LIST_SIZE) {
            snprintf(out + length, LIST_SIZE - length, ", and %zu more", columns->count - i);
            return;
        }
        length += (size_t)snprintf(out + length, LIST_SIZE - length, "%s%s", i > 0 ? ", " : "", columns->items[i].name);
    }
}

static cdg_result refuse_pattern(const cdg_run_columns *columns, const char *pattern, cdg_error *error) {
    char list[LIST_SIZE];
    put_names(columns, list);
    word_search search = cdg_suggest_begin(pattern, strlen(pattern));
    for (size_t i = 0; i < columns->count; i++) cdg_suggest_offer(&search, columns->items[i].name);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "the run has no column '%.80s'%s%s%s: %s", pattern,
                    search.best != NULL ? "; did you mean '" : "", search.best != NULL ? search.best : "",
                    search.best != NULL ? "'? There are" : "; there are", list);
}

// The chart of the unit, made when the first column of that unit comes. Numbers without a unit share a chart only when
// they are the same thing: a count of contacts and their depth do not.
static cdg_result chart_for(cdg_chart_list *list, const cdg_run_column *column, cdg_chart **out, cdg_error *error) {
    column_meaning meaning = find_meaning(column->name, column->unit);
    for (size_t i = 0; i < list->count; i++) {
        *out = &list->items[i];
        bool is_number = strcmp(column->unit, "1") == 0;
        if (strcmp((*out)->y.unit, column->unit) == 0 && (!is_number || strcmp((*out)->y.label, meaning.label) == 0))
            return CDG_OK;
    }
    return cdg_chart_list_add(list, "", "time", "s", meaning.label, column->unit, out, error);
}

// A chart of one curve is labelled by its name, one of several by what they all are.
static cdg_result label_chart(cdg_chart *chart, const cdg_run_columns *columns, cdg_error *error) {
    char label[128] = "";
    bool is_common = true;
    for (size_t s = 0; s < chart->series_count; s++) {
        for (size_t i = 0; i < columns->count; i++) {
            const cdg_run_column *column = &columns->items[i];
            if (strcmp(column->name, chart->series[s].name) != 0) continue;
            column_meaning meaning = find_meaning(column->name, column->unit);
            const char *here = column->is_energy ? "energy" : meaning.label;
            if (s == 0) snprintf(label, sizeof label, "%s", here);
            is_common = is_common && strcmp(label, here) == 0;
        }
    }
    if (chart->series_count == 1) snprintf(label, sizeof label, "%.100s", chart->series[0].name);
    char *copy = strdup(is_common ? label : "value");
    if (copy == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a chart");
    free(chart->y.label);
    chart->y.label = copy;
    return CDG_OK;
}

static bool has_series(const cdg_chart *chart, const char *name) {
    for (size_t i = 0; i < chart->series_count; i++)
        if (strcmp(chart->series[i].name, name) == 0) return true;
    return false;
}

// Kinds of energy that the run does not have need no curve, unless they are asked for by their name.
static bool is_idle(const cdg_run_columns *columns, const cdg_run_column *column, const char *pattern) {
    if (!column->is_energy || !is_all_zero(column) || strcmp(pattern, column->name) == 0) return false;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->items[i].is_energy && !is_all_zero(&columns->items[i])) return true;
    return false;
}

static cdg_result choose_one(const cdg_run_columns *columns, const char *pattern, cdg_chart_list *out,
                             cdg_error *error) {
    bool was_found = false;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < columns->count && result == CDG_OK; i++) {
        const cdg_run_column *column = &columns->items[i];
        if (fnmatch(pattern, column->name, 0) != 0 || is_idle(columns, column, pattern)) continue;
        was_found = true;
        cdg_chart *chart;
        result = chart_for(out, column, &chart, error);
        if (result != CDG_OK || has_series(chart, column->name)) continue; // two patterns may name the same
        result = add_column(chart, column, column->name, error);
        if (result == CDG_OK)
            chart->series[chart->series_count - 1].is_main = strcmp(column->name, "energy.total") == 0;
    }
    return result == CDG_OK && !was_found ? refuse_pattern(columns, pattern, error) : result;
}

cdg_result cdg_run_columns_choose(const cdg_run_columns *columns, const char *patterns, cdg_chart_list *out,
                                  cdg_error *error) {
    *out = (cdg_chart_list){0};
    char *copy = strdup(patterns), *rest = NULL;
    if (copy == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a chart");
    cdg_result result = CDG_OK;
    for (char *pattern = strtok_r(copy, ", ", &rest); pattern != NULL && result == CDG_OK;
         pattern = strtok_r(NULL, ", ", &rest))
        result = choose_one(columns, pattern, out, error);
    free(copy);
    if (result == CDG_OK && out->count == 0)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "no column was named; write names separated by commas");
    for (size_t i = 0; i < out->count && result == CDG_OK; i++) result = label_chart(&out->items[i], columns, error);
    if (result == CDG_OK)
        set_scales(columns, out);
    else
        cdg_chart_list_free(out);
    return result;
}
