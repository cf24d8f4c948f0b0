// Charts of a sweep.
#include "sweep/sweep_charts.h"

#include "base/error.h"
#include "scene/units.h"
#include "sweep/sweep_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 256, CURVES_MAX = 8 };

double cdg_sweep_axis(const cdg_vary *vary, char *label, size_t label_size, char *unit, size_t unit_size) {
    char text[CDG_VARY_TEXT_SIZE];
    cdg_measure one = {.value = 1};
    const char *last = strrchr(vary->label, '.');
    const char *name = vary->has_label || last == NULL || (last[1] >= '0' && last[1] <= '9') ? vary->label : last + 1;
    snprintf(label, label_size, "%s", name);
    snprintf(unit, unit_size, "1");
    int length = snprintf(text, sizeof text, "1 %s", vary->unit);
    if (vary->unit[0] == '\0' || cdg_measure_parse(text, (size_t)length, &one, NULL) != CDG_OK) return 1;
    if (vary->is_log) { // its ticks take no prefixes: those of the user's unit are the best
        snprintf(unit, unit_size, "%s", vary->unit);
        for (char *c = unit; *c != '\0'; c++)
            if (*c == ' ') *c = '*'; // as run files write it
        return 1;
    }
    for (int i = 1; i < CDG_QUANTITY_COUNT; i++) {
        cdg_dimension d = cdg_quantity_dimension((cdg_quantity)i);
        if (memcmp(&d, &one.dimension, sizeof d) != 0) continue;
        snprintf(unit, unit_size, "%s", cdg_quantity_unit((cdg_quantity)i));
        for (char *c = unit; *c != '\0'; c++)
            if (*c == ' ') *c = '*';
        return one.value;
    }
    snprintf(label, label_size, "%s [%s]", name, vary->unit);
    return 1;
}

// ---- what there is to draw ------------------------------------------------------------------------------------------

typedef struct axis_of {
    size_t index; // of the variable
    const cdg_vary *vary;
    double factor;
    char label[TEXT_SIZE], unit[TEXT_SIZE];
} axis_of;

typedef struct charter {
    const cdg_sweep *sweep;
    const cdg_outcome *outcomes;
    cdg_sweep_charts *out;
    size_t column;
    char *name, *unit; // of the column
    cdg_error *error;
} charter;

static axis_of find_axis(const cdg_sweep *sweep, size_t index) {
    axis_of axis = {.index = index, .vary = &sweep->varies[index]};
    axis.factor = cdg_sweep_axis(axis.vary, axis.label, sizeof axis.label, axis.unit, sizeof axis.unit);
    return axis;
}

static double value_of(const charter *c, size_t index) {
    const cdg_outcome *outcome = &c->outcomes[index];
    return outcome->is_known && !outcome->has_failed ? outcome->values[c->column] : NAN;
}

static double number_of(const charter *c, const axis_of *axis, size_t index) {
    const cdg_design *design = &c->sweep->design;
    return axis->factor * cdg_vary_number(axis->vary, design->values[index * design->vary_count + axis->index]);
}

static bool is_number(const cdg_sweep *sweep, size_t index) { return cdg_vary_is_number(&sweep->varies[index]); }

static size_t count_of(const cdg_sweep *sweep, size_t index) { return cdg_vary_count(&sweep->varies[index]); }

// ---- curves ---------------------------------------------------------------------------------------------------------

static cdg_result begin_chart(charter *c, const axis_of *axis, cdg_chart **chart) {
    char title[2 * TEXT_SIZE + 16];
    snprintf(title, sizeof title, "%s over %s", c->name, axis->label);
    cdg_result result =
        cdg_chart_list_add(&c->out->lines, title, axis->label, axis->unit, c->name, c->unit, chart, c->error);
    if (result == CDG_OK) (*chart)->x.is_log = axis->vary->is_log;
    return result;
}

static int by_x(const void *a, const void *b) {
    const double *first = a, *second = b;
    return first[0] < second[0] ? -1 : first[0] > second[0];
}

// The cases whose other variable (SIZE_MAX: none) has its value number `other_index`, by rising x.
static cdg_result add_curve(charter *c, cdg_chart *chart, const axis_of *axis, size_t other, size_t other_index,
                            const char *name) {
    const cdg_design *design = &c->sweep->design;
    size_t count = 0, room = design->case_count;
    double *pairs = malloc((2 * room + 1) * sizeof *pairs), *xy = malloc((2 * room + 1) * sizeof *xy);
    cdg_result result = CDG_OK;
    if (pairs == NULL || xy == NULL) {
        result = cdg_fail(c->error, CDG_ERROR_MEMORY, "out of memory for a curve");
    } else {
        for (size_t i = 0; i < room; i++) {
            const double *row = design->values + i * design->vary_count;
            if (other != SIZE_MAX && row[other] != cdg_vary_grid(&c->sweep->varies[other], other_index)) continue;
            pairs[2 * count] = number_of(c, axis, i);
            pairs[2 * count++ + 1] = value_of(c, i);
        }
        qsort(pairs, count, 2 * sizeof *pairs, by_x);
        for (size_t i = 0; i < count; i++) xy[i] = pairs[2 * i], xy[room + i] = pairs[2 * i + 1];
        result = cdg_chart_add(chart, name, xy, xy + room, count, c->error);
    }
    free(pairs);
    free(xy);
    return result;
}

// Points alone: a gap behind each.
static cdg_result add_points(charter *c, cdg_chart *chart, const axis_of *axis) {
    size_t count = c->sweep->design.case_count;
    double *x = malloc((2 * count + 1) * sizeof *x), *y = malloc((2 * count + 1) * sizeof *y);
    cdg_result result = CDG_OK;
    if (x == NULL || y == NULL) {
        result = cdg_fail(c->error, CDG_ERROR_MEMORY, "out of memory for %zu points", count);
    } else {
        for (size_t i = 0; i < count; i++) {
            x[2 * i] = x[2 * i + 1] = number_of(c, axis, i);
            y[2 * i] = value_of(c, i);
            y[2 * i + 1] = NAN;
        }
        result = cdg_chart_add(chart, c->name, x, y, 2 * count, c->error);
    }
    free(x);
    free(y);
    return result;
}

// "E = 2 MPa", or the word itself.
static void name_curve(const cdg_sweep *sweep, size_t other, size_t index, char *out, size_t size) {
    const cdg_vary *vary = &sweep->varies[other];
    double value = cdg_vary_grid(vary, index);
    if (cdg_vary_is_number(vary)) {
        snprintf(out, size, "%.4g%s%s", cdg_vary_number(vary, value), vary->unit[0] != '\0' ? " " : "", vary->unit);
    } else {
        cdg_vary_text(vary, value, out, size);
    }
}

// Over variable `along`, one curve for some of the values of `other`, evenly chosen when they are many.
static cdg_result draw_curves(charter *c, size_t along, size_t other) {
    axis_of axis = find_axis(c->sweep, along);
    cdg_chart *chart = NULL;
    cdg_result result = begin_chart(c, &axis, &chart);
    size_t values = other == SIZE_MAX ? 1 : count_of(c->sweep, other),
           curves = values < CURVES_MAX ? values : CURVES_MAX;
    for (size_t i = 0; i < curves && result == CDG_OK; i++) {
        char name[TEXT_SIZE];
        size_t index = curves > 1 ? i * (values - 1) / (curves - 1) : 0;
        snprintf(name, sizeof name, "%s", c->name);
        if (other != SIZE_MAX) name_curve(c->sweep, other, index, name, sizeof name);
        result = add_curve(c, chart, &axis, other, index, name);
    }
    if (result == CDG_OK && other != SIZE_MAX) chart->is_sequence = is_number(c->sweep, other);
    return result;
}

// Points at the edges of what is sampled are not cut in half by the axes.
static void show_whole_range(cdg_chart *chart, const axis_of *axis) {
    if (axis->vary->kind != CDG_VARY_RANGE) return;
    double low = axis->factor * fmin(axis->vary->low, axis->vary->high);
    double high = axis->factor * fmax(axis->vary->low, axis->vary->high), air = 0.02 * (high - low);
    chart->x.low = axis->vary->is_log ? low * pow(low / high, 0.02) : low - air;
    chart->x.high = axis->vary->is_log ? high * pow(high / low, 0.02) : high + air;
}

static cdg_result draw_points(charter *c) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < c->sweep->vary_count && result == CDG_OK; i++) {
        if (!is_number(c->sweep, i)) continue;
        axis_of axis = find_axis(c->sweep, i);
        cdg_chart *chart = NULL;
        result = begin_chart(c, &axis, &chart);
        if (result == CDG_OK) show_whole_range(chart, &axis);
        if (result == CDG_OK) result = add_points(c, chart, &axis);
    }
    return result;
}

// ---- heat maps ------------------------------------------------------------------------------------------------------

static char *copy_text(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static double *grid_values(const axis_of *axis, size_t count) {
    double *values = malloc((count + 1) * sizeof *values);
    for (size_t i = 0; values != NULL && i < count; i++)
        values[i] = axis->factor * cdg_vary_number(axis->vary, cdg_vary_grid(axis->vary, i));
    return values;
}

static bool is_monotonic(const double *values, size_t count) {
    bool rises = true, falls = true;
    for (size_t i = 1; i < count; i++) {
        rises = rises && values[i] > values[i - 1];
        falls = falls && values[i] < values[i - 1];
    }
    return rises || falls;
}

// Variables 0 and 1 of a grid with two of them: case i is at row i / count1, column i % count1.
static cdg_result draw_map(charter *c) {
    cdg_sweep_map *grown = realloc(c->out->maps, (c->out->map_count + 1) * sizeof *grown);
    if (grown == NULL) return cdg_fail(c->error, CDG_ERROR_MEMORY, "out of memory for a heat map");
    c->out->maps = grown;
    cdg_sweep_map *m = &grown[c->out->map_count++];
    *m = (cdg_sweep_map){0};
    axis_of up = find_axis(c->sweep, 0), across = find_axis(c->sweep, 1);
    size_t rows = count_of(c->sweep, 0), columns = count_of(c->sweep, 1), cells = rows * columns;
    char title[3 * TEXT_SIZE];
    snprintf(title, sizeof title, "%s over %s and %s", c->name, across.label, up.label);
    const char *const texts[] = {title, across.label, across.unit, up.label, up.unit, c->unit, c->name};
    bool has_memory = true;
    for (size_t i = 0; i < CDG_SWEEP_MAP_TEXTS; i++)
        has_memory = (m->texts[i] = copy_text(texts[i])) != NULL && has_memory;
    m->numbers[0] = grid_values(&across, columns);
    m->numbers[1] = grid_values(&up, rows);
    m->numbers[2] = malloc((cells + 1) * sizeof(double));
    for (size_t i = 0; i < 3; i++) has_memory = has_memory && m->numbers[i] != NULL;
    if (!has_memory) return cdg_fail(c->error, CDG_ERROR_MEMORY, "out of memory for a heat map");
    for (size_t i = 0; i < cells; i++) m->numbers[2][i] = value_of(c, i);
    m->map = (cdg_heat_map){.title = m->texts[0],
                            .x = {.label = m->texts[1], .unit = m->texts[2], .is_log = across.vary->is_log},
                            .y = {.label = m->texts[3], .unit = m->texts[4], .is_log = up.vary->is_log},
                            .label = m->texts[6],
                            .unit = m->texts[5],
                            .xs = m->numbers[0],
                            .ys = m->numbers[1],
                            .x_count = columns,
                            .y_count = rows,
                            .values = m->numbers[2]};
    if (is_monotonic(m->numbers[0], columns) && is_monotonic(m->numbers[1], rows)) return CDG_OK;
    c->out->map_count--; // a list in no order has no neighbours
    for (size_t i = 0; i < CDG_SWEEP_MAP_TEXTS; i++) free(m->texts[i]);
    for (size_t i = 0; i < 3; i++) free(m->numbers[i]);
    return CDG_OK;
}

// ---- all ------------------------------------------------------------------------------------------------------------

// More cells than a picture can show take minutes and hundreds of megabytes; curves show every value.
enum { MAP_CELLS_MAX = 100000 };

static bool makes_map(const cdg_sweep *sweep) {
    size_t rows = count_of(sweep, 0), columns = count_of(sweep, 1);
    return rows > 1 && columns > 1 && columns <= MAP_CELLS_MAX / rows;
}

static cdg_result draw_column(charter *c) {
    const cdg_sweep *sweep = c->sweep;
    size_t count = sweep->vary_count;
    bool is_grid = sweep->kind == CDG_DESIGN_GRID;
    if (is_grid && count == 1 && is_number(sweep, 0)) return draw_curves(c, 0, SIZE_MAX);
    if (!is_grid || count != 2) return draw_points(c);
    bool first = is_number(sweep, 0), second = is_number(sweep, 1);
    if (!first && !second) return CDG_OK;
    cdg_result result = first && second && makes_map(sweep) ? draw_map(c) : CDG_OK;
    bool is_along_first = first && (!second || count_of(sweep, 0) > count_of(sweep, 1));
    return result == CDG_OK ? draw_curves(c, is_along_first ? 0 : 1, is_along_first ? 1 : 0) : result;
}

cdg_result cdg_sweep_charts_make(const cdg_sweep *sweep, const cdg_outcome *outcomes, cdg_sweep_charts *out,
                                 cdg_error *error) {
    *out = (cdg_sweep_charts){0};
    cdg_result result = CDG_OK;
    size_t columns = sweep->readout.column_count;
    if (columns > CDG_SWEEP_CHART_COLUMNS) out->left_out = columns - CDG_SWEEP_CHART_COLUMNS;
    for (size_t i = 0; i < columns - out->left_out && result == CDG_OK; i++) {
        charter c = {.sweep = sweep, .outcomes = outcomes, .out = out, .column = i, .error = error};
        result = cdg_title_split(sweep->readout.titles[i], &c.name, &c.unit)
                     ? draw_column(&c)
                     : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for charts");
        free(c.name);
        free(c.unit);
    }
    return result;
}

void cdg_sweep_charts_free(cdg_sweep_charts *charts) {
    for (size_t i = 0; i < charts->map_count; i++) {
        for (size_t k = 0; k < CDG_SWEEP_MAP_TEXTS; k++) free(charts->maps[i].texts[k]);
        for (size_t k = 0; k < 3; k++) free(charts->maps[i].numbers[k]);
    }
    free(charts->maps);
    cdg_chart_list_free(&charts->lines);
    *charts = (cdg_sweep_charts){0};
}
