// Cases at points, and what they lack against the data. Files with the same settings share their cases.
#include "sweep/fit_parts.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "output/probe_row.h"
#include "sweep/case_gradient.h"
#include "sweep/fit_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double relative_step = 1e-3; // of differences: of a value, or of a range through zero

// ---- one case -------------------------------------------------------------------------------------------------------

typedef struct shape_rows { // of one file
    size_t node_count, row_count, capacity;
    bool is_closed;
    cdg_vec3 *nodes; // row_count * node_count, or the last row
    cdg_vec3 *rates; // vary_count * node_count for each of those
} shape_rows;

typedef struct outcome {
    cdg_fit_model *model;
    size_t experiment;
    const double *point; // shares
    bool wants_rates;
    double *values; // in units
    char (*texts)[CDG_VARY_TEXT_SIZE];
    const char **overrides;
    size_t override_count, own_count; // own: the file's, before what varies
    cdg_case_result result;
    shape_rows *shapes; // of each file
    double *rates;      // row_count * vary_count * column_count, in SI per share
    size_t rate_rows;   // there is room for
    double *block;      // of one gradient
    cdg_probe *probes;
} outcome;

static void free_outcome(outcome *o) {
    for (size_t d = 0; o->shapes != NULL && d < o->model->setup.data_count; d++) {
        free(o->shapes[d].nodes);
        free(o->shapes[d].rates);
    }
    free(o->shapes);
    free(o->values);
    free(o->texts);
    free(o->overrides);
    free(o->rates);
    free(o->block);
    free(o->probes);
    cdg_case_result_free(&o->result);
    *o = (outcome){0};
}

static bool is_shape_of(const outcome *o, size_t d) {
    const cdg_fit_model *m = o->model;
    return m->experiment_of[d] == o->experiment && m->setup.data[d].kind == CDG_FIT_SHAPE;
}

// d(value in units)/d(share).
static double unit_rate(const cdg_vary *vary, double value) {
    return vary->is_log ? value * log(vary->high / vary->low) : vary->high - vary->low;
}

// Room for one more row of a shape; without times the last row is all.
static cdg_result reserve_shape(outcome *o, size_t d, cdg_error *error) {
    shape_rows *s = &o->shapes[d];
    if (o->model->setup.data[d].times == NULL && s->capacity > 0) {
        s->row_count = 0;
        return CDG_OK;
    }
    if (s->row_count < s->capacity) return CDG_OK;
    size_t capacity = s->capacity > 0 ? 2 * s->capacity : 1;
    cdg_vec3 *nodes = realloc(s->nodes, capacity * s->node_count * sizeof *nodes);
    if (nodes != NULL) s->nodes = nodes;
    size_t rates = o->wants_rates ? capacity * s->node_count * o->model->setup.vary_count : 0;
    cdg_vec3 *more = rates > 0 ? realloc(s->rates, rates * sizeof *more) : s->rates;
    if (rates > 0 && more != NULL) s->rates = more;
    if (nodes == NULL || (rates > 0 && more == NULL)) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    s->capacity = capacity;
    return CDG_OK;
}

static cdg_result keep_shapes(outcome *o, cdg_world *world, cdg_error *error) {
    for (size_t d = 0; d < o->model->setup.data_count; d++) {
        if (!is_shape_of(o, d)) continue;
        cdg_rod_id rod = cdg_world_rod_at(world, o->model->rods[d]);
        cdg_rod_info info;
        shape_rows *s = &o->shapes[d];
        cdg_result result = cdg_rod_get_info(world, rod, &info);
        if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(world));
        s->node_count = info.node_count;
        s->is_closed = info.is_closed;
        result = reserve_shape(o, d, error);
        if (result != CDG_OK) return result;
        cdg_rod_positions(world, rod, s->nodes + s->row_count * s->node_count);
        s->row_count++;
    }
    return CDG_OK;
}

// All probes whose rates are needed: those of columns, then every node of the shapes.
static size_t fill_probes(outcome *o, const cdg_scene *scene, cdg_world *world, cdg_probe *out, cdg_error *error) {
    const experiment *e = &o->model->experiments[o->experiment];
    cdg_probe_row row;
    size_t count = 0;
    if (cdg_probe_row_make(scene, world, &row, error) != CDG_OK) return SIZE_MAX;
    for (size_t i = 0; i < e->probe_count; i++, count++)
        if (out != NULL) out[count] = row.probes[e->probe_indices[i]];
    cdg_probe_row_free(&row);
    for (size_t d = 0; d < o->model->setup.data_count; d++)
        for (size_t i = 0; is_shape_of(o, d) && i < o->shapes[d].node_count; i++, count++)
            if (out != NULL)
                out[count] = (cdg_probe){.kind = CDG_PROBE_POSITION,
                                         .place = cdg_rod_node(cdg_world_rod_at(world, o->model->rods[d]), i)};
    return count;
}

static cdg_result reserve_rates(outcome *o, size_t row, cdg_error *error) {
    const experiment *e = &o->model->experiments[o->experiment];
    if (row < o->rate_rows) return CDG_OK;
    size_t rows = o->rate_rows > 0 ? 2 * o->rate_rows : 4;
    if (rows <= row) rows = row + 1; // where only the last row counts it is the first that comes here
    double *rates = realloc(o->rates, (rows * o->model->setup.vary_count * e->column_count + 1) * sizeof *rates);
    if (rates == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    o->rates = rates;
    o->rate_rows = rows;
    return CDG_OK;
}

// Puts the rates of one gradient where the row's numbers are.
static void spread_rates(outcome *o, size_t row, size_t probe_count) {
    const cdg_fit_model *m = o->model;
    const experiment *e = &m->experiments[o->experiment];
    for (size_t v = 0; v < m->setup.vary_count; v++) {
        const double *rates = o->block + v * probe_count * CDG_PROBE_COLUMNS_MAX;
        double factor = unit_rate(&m->setup.varies[v], o->values[v]);
        size_t node_probe = e->probe_count;
        for (size_t d = 0; d < m->setup.data_count; d++) {
            if (m->experiment_of[d] != o->experiment) continue;
            for (size_t c = 0; m->setup.data[d].kind == CDG_FIT_SERIES && c < m->setup.data[d].column_count; c++) {
                column_match match = m->matches[d][c];
                o->rates[(row * m->setup.vary_count + v) * e->column_count + match.index] =
                    factor * rates[match.probe * CDG_PROBE_COLUMNS_MAX + match.component];
            }
            shape_rows *s = &o->shapes[d];
            if (!is_shape_of(o, d)) continue;
            for (size_t i = 0; i < s->node_count; i++, node_probe++) {
                const double *at = rates + node_probe * CDG_PROBE_COLUMNS_MAX;
                s->rates[((s->row_count - 1) * m->setup.vary_count + v) * s->node_count + i] =
                    vec3(factor * at[0], factor * at[1], factor * at[2]);
            }
        }
    }
}

static cdg_result keep_rates(outcome *o, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    const cdg_fit_model *m = o->model;
    size_t row = o->result.row_count - 1, count = fill_probes(o, scene, world, NULL, error);
    if (count == SIZE_MAX) return CDG_ERROR_MEMORY;
    if (o->probes == NULL) {
        o->probes = calloc(count + 1, sizeof *o->probes);
        o->block = calloc(count * m->setup.vary_count * CDG_PROBE_COLUMNS_MAX + 1, sizeof *o->block);
    }
    if (o->probes == NULL || o->block == NULL || reserve_rates(o, row, error) != CDG_OK)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (fill_probes(o, scene, world, o->probes, error) == SIZE_MAX) return CDG_ERROR_MEMORY;
    cdg_case_gradient def = {.source = m->setup.source,
                             .overrides = o->overrides,
                             .override_count = o->own_count,
                             .varies = m->setup.varies,
                             .vary_count = m->setup.vary_count,
                             .values = o->values};
    cdg_result result = cdg_case_gradient_find(&def, world, o->probes, count, o->block, NULL, error);
    if (result == CDG_OK) spread_rates(o, row, count);
    return result;
}

// Where no data are at times only the last row counts, which is known where the scene says its end.
static bool counts(const outcome *o, const cdg_scene *scene, const cdg_world *world) {
    for (size_t d = 0; d < o->model->setup.data_count; d++)
        if (o->model->experiment_of[d] == o->experiment && o->model->setup.data[d].times != NULL) return true;
    return cdg_world_time(world) >= scene->duration * (1 - 1e-9);
}

static cdg_result on_row(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    outcome *o = user;
    cdg_result result = keep_shapes(o, world, error);
    if (result != CDG_OK || !o->wants_rates || !counts(o, scene, world)) return result;
    return keep_rates(o, scene, world, error);
}

static bool go_on(void *user) {
    const outcome *o = user;
    const cdg_fit_setup *s = &o->model->setup;
    return s->go_on == NULL || s->go_on(s->user);
}

static bool write_overrides(outcome *o) {
    const cdg_fit_model *m = o->model;
    const cdg_fit_data *data = &m->setup.data[m->experiments[o->experiment].first];
    size_t paths = 0, text = 0;
    for (size_t v = 0; v < m->setup.vary_count; v++) paths += m->setup.varies[v].path_count;
    o->values = malloc((m->setup.vary_count + 1) * sizeof *o->values);
    o->texts = malloc((paths + 1) * sizeof *o->texts);
    o->overrides = malloc((data->set_count + paths + 1) * sizeof *o->overrides);
    o->shapes = calloc(m->setup.data_count + 1, sizeof *o->shapes);
    if (o->values == NULL || o->texts == NULL || o->overrides == NULL || o->shapes == NULL) return false;
    for (size_t i = 0; i < data->set_count; i++) o->overrides[o->override_count++] = data->sets[i];
    o->own_count = o->override_count;
    for (size_t v = 0; v < m->setup.vary_count; v++) {
        o->values[v] = cdg_vary_at(&m->setup.varies[v], o->point[v]);
        for (size_t p = 0; p < m->setup.varies[v].path_count; p++) {
            if (!cdg_vary_override(&m->setup.varies[v], p, o->values[v], o->texts[text], CDG_VARY_TEXT_SIZE))
                return false;
            o->overrides[o->override_count++] = o->texts[text++];
        }
    }
    return true;
}

// Runs the case; free the outcome in any case.
static cdg_result run(outcome *o) {
    cdg_fit_model *m = o->model;
    if (!write_overrides(o)) {
        snprintf(o->result.sentence, sizeof o->result.sentence, "out of memory, or a path is too long");
        return o->result.code = CDG_ERROR_MEMORY;
    }
    cdg_case_def def = {.source = m->setup.source,
                        .overrides = o->overrides,
                        .override_count = o->override_count,
                        .thread_count = 1,
                        .go_on = go_on,
                        .on_row = on_row,
                        .user = o};
    atomic_fetch_add(&m->case_count, 1);
    return cdg_case_run(&def, &o->result);
}

// ---- residuals of a case --------------------------------------------------------------------------------------------

static double axis_of(cdg_vec3 v, const char *name) { return name[0] == 'x' ? v.x : name[0] == 'y' ? v.y : v.z; }

static void compare_series(const outcome *o, size_t d, double *residuals, double *rates) {
    const cdg_fit_model *m = o->model;
    const cdg_fit_data *data = &m->setup.data[d];
    size_t columns = o->result.column_count, n = m->residual_count;
    for (size_t i = m->first_residual[d]; i < m->first_residual[d + 1]; i++) {
        const cdg_fit_residual *r = &m->residuals[i];
        double weights[4] = {1}, sum = -r->measured;
        size_t used = 1, first = o->result.row_count - 1, index = m->matches[d][r->column].index;
        if (data->times != NULL)
            first = cdg_row_weights(o->result.times, o->result.row_count, data->times[r->row], weights, &used);
        for (size_t k = 0; k < used; k++) sum += weights[k] * o->result.series[(first + k) * columns + index];
        residuals[i] = sum;
        for (size_t v = 0; rates != NULL && v < m->setup.vary_count; v++) {
            rates[v * n + i] = 0;
            for (size_t k = 0; k < used; k++)
                rates[v * n + i] += weights[k] * o->rates[((first + k) * m->setup.vary_count + v) * columns + index];
        }
    }
}

// A curve over another column: between the first two rows that have the value in between, by their neighbours where
// those go on in the same direction; beyond all of them straight on from the nearest end.
static double value_over(const double *over, const double *values, size_t stride, size_t count, double where) {
    double x[4], y[4], sum = 0, weights[4];
    if (count == 1) return values[0];
    size_t low = SIZE_MAX;
    for (size_t k = 0; k + 1 < count && low == SIZE_MAX; k++)
        if ((over[k * stride] - where) * (over[(k + 1) * stride] - where) <= 0) low = k;
    if (low == SIZE_MAX) low = fabs(over[0] - where) < fabs(over[(count - 1) * stride] - where) ? 0 : count - 2;
    double sign = over[(low + 1) * stride] >= over[low * stride] ? 1 : -1;
    size_t first = low, last = low + 1;
    if (low > 0 && sign * (over[low * stride] - over[(low - 1) * stride]) > 0) first--;
    if (last + 1 < count && sign * (over[(last + 1) * stride] - over[last * stride]) > 0) last++;
    size_t used, rows = last - first + 1;
    for (size_t k = 0; k < rows; k++) x[k] = sign * over[(first + k) * stride], y[k] = values[(first + k) * stride];
    if (!(x[rows - 1] > x[0])) return y[0];
    size_t start = cdg_row_weights(x, rows, sign * where, weights, &used);
    for (size_t k = 0; k < used; k++) sum += weights[k] * y[start + k];
    return sum;
}

static void compare_over(const outcome *o, size_t d, double *residuals) {
    const cdg_fit_model *m = o->model;
    const cdg_fit_data *data = &m->setup.data[d];
    const cdg_fit_column *over = cdg_fit_data_column(data, data->over);
    size_t over_index = m->matches[d][over - data->columns].index, columns = o->result.column_count;
    for (size_t i = m->first_residual[d]; i < m->first_residual[d + 1]; i++) {
        const cdg_fit_residual *r = &m->residuals[i];
        residuals[i] = value_over(o->result.series + over_index, o->result.series + m->matches[d][r->column].index,
                                  columns, o->result.row_count, over->values[r->row]) -
                       r->measured;
    }
}

// Nodes, and rates of them, at the time of a row of the data.
static void nodes_at(const outcome *o, size_t d, size_t row, cdg_vec3 *nodes, cdg_vec3 *rates) {
    const cdg_fit_model *m = o->model;
    const shape_rows *s = &o->shapes[d];
    const double *times = m->setup.data[d].times;
    double weights[4] = {1};
    size_t used = 1, first = 0, n = s->node_count, varies = m->setup.vary_count;
    if (times != NULL) first = cdg_row_weights(o->result.times, s->row_count, times[row], weights, &used);
    for (size_t i = 0; i < n; i++) {
        nodes[i] = vec3(0, 0, 0);
        for (size_t k = 0; k < used; k++) nodes[i] = vec3_mad(nodes[i], weights[k], s->nodes[(first + k) * n + i]);
    }
    for (size_t i = 0; rates != NULL && i < n * varies; i++) {
        rates[i] = vec3(0, 0, 0);
        for (size_t k = 0; k < used; k++)
            rates[i] = vec3_mad(rates[i], weights[k], s->rates[(first + k) * n * varies + i]);
    }
}

// From each point to the curve. A point may be anywhere along it, so a curve that only slides along itself changes
// nothing: rates count across it, and at ends whole.
static bool compare_shape(const outcome *o, size_t d, double *residuals, double *rates) {
    const cdg_fit_model *m = o->model;
    const cdg_fit_data *data = &m->setup.data[d];
    size_t nodes_count = o->shapes[d].node_count, varies = m->setup.vary_count, n = m->residual_count;
    cdg_vec3 *nodes = malloc((nodes_count * (1 + varies) + 1) * sizeof *nodes), *node_rates = nodes + nodes_count;
    if (nodes == NULL) return false;
    bool is_seen[3] = {false, false, false};
    for (size_t c = 0; c < data->column_count; c++) is_seen[data->columns[c].name[0] - 'x'] = true;
    for (size_t row = 0; row < data->row_count; row++) {
        if (row == 0 || (data->times != NULL && data->times[row] != data->times[row - 1]))
            nodes_at(o, d, row, nodes, rates != NULL ? node_rates : NULL);
        cdg_vec3 point = {0, 0, 0};
        double *to[3] = {&point.x, &point.y, &point.z};
        for (size_t c = 0; c < data->column_count; c++)
            *to[data->columns[c].name[0] - 'x'] = data->columns[c].values[row];
        cdg_curve_foot foot = cdg_curve_foot_find(nodes, nodes_count, o->shapes[d].is_closed, is_seen, point);
        size_t first = m->first_residual[d] + row * data->column_count;
        for (size_t c = 0; c < data->column_count; c++)
            residuals[first + c] = axis_of(foot.at, data->columns[c].name) - data->columns[c].values[row];
        for (size_t v = 0; rates != NULL && v < varies; v++) {
            cdg_vec3 rate = {0, 0, 0};
            for (int k = 0; k < 4; k++)
                rate = vec3_mad(rate, foot.weights[k], node_rates[v * nodes_count + foot.nodes[k]]);
            rate = vec3(is_seen[0] ? rate.x : 0, is_seen[1] ? rate.y : 0, is_seen[2] ? rate.z : 0);
            if (!foot.is_end) rate = vec3_mad(rate, -vec3_dot(rate, foot.tangent), foot.tangent);
            for (size_t c = 0; c < data->column_count; c++)
                rates[v * n + first + c] = axis_of(rate, data->columns[c].name);
        }
    }
    free(nodes);
    return true;
}

// Rows rise in time and reach as far as the data.
static bool covers(const outcome *o, size_t d, char *sentence) {
    const cdg_fit_data *data = &o->model->setup.data[d];
    const cdg_case_result *r = &o->result;
    for (size_t k = 0; data->times != NULL && k + 1 < r->row_count; k++)
        if (!(r->times[k + 1] > r->times[k])) {
            snprintf(
                sentence, CDG_MESSAGE_SIZE,
                "%.300s: time does not rise along the path (path: arc_length), so that rows at times mean nothing; "
                "use 'over', or path: stable",
                data->path);
            return false;
        }
    double last = r->times[r->row_count - 1], slack = 1e-6 * last + 1e-12;
    for (size_t i = 0; data->times != NULL && i < data->row_count; i++)
        if (data->times[i] > last + slack || data->times[i] < r->times[0] - slack) {
            snprintf(
                sentence, CDG_MESSAGE_SIZE,
                "%.300s: row %zu is at %g s, but the run is from %g s to %g s; set 'simulation.duration', or leave "
                "the row out",
                data->path, i + 1, data->times[i], r->times[0], last);
            return false;
        }
    return true;
}

static bool compare(const outcome *o, double *residuals, double *rates, char *sentence) {
    const cdg_fit_model *m = o->model;
    snprintf(sentence, CDG_MESSAGE_SIZE, "a probe is not a number where there is data");
    for (size_t d = 0; d < m->setup.data_count; d++) {
        if (m->experiment_of[d] != o->experiment) continue;
        if (!covers(o, d, sentence)) return false;
        if (m->setup.data[d].kind == CDG_FIT_SHAPE) {
            if (!compare_shape(o, d, residuals, rates)) return false;
        } else if (m->setup.data[d].over != NULL) {
            compare_over(o, d, residuals);
        } else {
            compare_series(o, d, residuals, rates);
        }
        for (size_t i = m->first_residual[d]; i < m->first_residual[d + 1]; i++)
            if (!isfinite(residuals[i])) return false;
    }
    sentence[0] = '\0';
    return true;
}

// ---- many cases -----------------------------------------------------------------------------------------------------

typedef struct task {
    const double *point;
    size_t experiment;
    double *residuals, *rates; // of all data; only those of the experiment are written. rates: NULL or wanted
    cdg_result result;
    char sentence[CDG_MESSAGE_SIZE];
} task;

typedef struct batch {
    cdg_fit_model *model;
    task *tasks;
} batch;

static void do_task(void *user, size_t index, int thread) {
    const batch *b = user;
    task *t = &b->tasks[index];
    (void)thread;
    outcome o = {.model = b->model, .experiment = t->experiment, .point = t->point, .wants_rates = t->rates != NULL};
    t->result = run(&o);
    snprintf(t->sentence, sizeof t->sentence, "%s", o.result.sentence);
    if (t->result == CDG_OK && !compare(&o, t->residuals, t->rates, t->sentence)) t->result = CDG_ERROR_ARGUMENT;
    free_outcome(&o);
}

static void do_tasks(cdg_fit_model *m, task *tasks, size_t count) {
    batch b = {m, tasks};
    int threads = m->setup.thread_count > 0 ? m->setup.thread_count : cdg_parallel_default_threads();
    cdg_parallel_for(count, threads, do_task, &b);
}

void cdg_fit_model_evaluate(cdg_fit_model *m, size_t count, const double *points, double *residuals, bool *is_good,
                            cdg_error *error) {
    size_t experiments = m->experiment_count;
    task *tasks = calloc(count * experiments + 1, sizeof *tasks);
    for (size_t i = 0; i < count; i++) is_good[i] = tasks != NULL;
    if (tasks == NULL) {
        cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
        return;
    }
    for (size_t i = 0; i < count * experiments; i++)
        tasks[i] = (task){.point = points + i / experiments * m->setup.vary_count,
                          .experiment = i % experiments,
                          .residuals = residuals + i / experiments * m->residual_count};
    do_tasks(m, tasks, count * experiments);
    bool has_failed = false;
    for (size_t i = 0; i < count * experiments; i++) {
        if (tasks[i].result == CDG_OK) continue;
        is_good[i / experiments] = false;
        if (!has_failed) cdg_fail(error, tasks[i].result, "%s", tasks[i].sentence);
        has_failed = true;
    }
    free(tasks);
}

// Places of a difference around a share, within the range.
static void step_around(const cdg_vary *vary, double share, double *low, double *high) {
    double step = vary->is_log ? relative_step / log(vary->high / vary->low) : relative_step;
    step = fmin(step, 0.25);
    *low = fmax(0, share - step);
    *high = fmin(1, share + step);
}

// Differences for one experiment, whose rates are then in `out`.
static cdg_result take_differences(cdg_fit_model *m, size_t e, const double *point, double *out, cdg_error *error) {
    size_t varies = m->setup.vary_count, n = m->residual_count;
    double *points = malloc(2 * varies * (varies + n) * sizeof *points + 8), *residuals = points + 2 * varies * varies;
    task *tasks = calloc(2 * varies + 1, sizeof *tasks);
    cdg_result result = CDG_OK;
    if (points == NULL || tasks == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < 2 * varies && result == CDG_OK; i++) {
        double *p = points + i * varies, low, high;
        memcpy(p, point, varies * sizeof *p);
        step_around(&m->setup.varies[i / 2], point[i / 2], &low, &high);
        p[i / 2] = i % 2 == 0 ? low : high;
        tasks[i] = (task){.point = p, .experiment = e, .residuals = residuals + i * n};
    }
    if (result == CDG_OK) do_tasks(m, tasks, 2 * varies);
    atomic_store(&m->has_differences, true);
    for (size_t i = 0; i < 2 * varies && result == CDG_OK; i++)
        if (tasks[i].result != CDG_OK)
            result = cdg_fail(error, tasks[i].result, "near '%s' = %g %s: %.900s", m->setup.varies[i / 2].label,
                              cdg_vary_at(&m->setup.varies[i / 2], point[i / 2]), m->setup.varies[i / 2].unit,
                              tasks[i].sentence);
    for (size_t v = 0; v < varies && result == CDG_OK; v++) {
        double low = points[2 * v * varies + v], high = points[(2 * v + 1) * varies + v];
        for (size_t d = 0; d < m->setup.data_count; d++) {
            if (m->experiment_of[d] != e) continue;
            for (size_t i = m->first_residual[d]; i < m->first_residual[d + 1]; i++)
                out[v * n + i] = (residuals[(2 * v + 1) * n + i] - residuals[2 * v * n + i]) / (high - low);
        }
    }
    free(points);
    free(tasks);
    return result;
}

static bool takes_gradients(const cdg_fit_model *m, size_t e) {
    return m->experiments[e].is_static && !m->setup.is_by_differences;
}

cdg_result cdg_fit_model_differentiate(cdg_fit_model *m, const double *point, double *out, cdg_error *error) {
    task *tasks = calloc(m->experiment_count + 1, sizeof *tasks);
    double *residuals = malloc((m->residual_count + 1) * sizeof *residuals);
    size_t count = 0;
    cdg_result result = CDG_OK;
    if (tasks == NULL || residuals == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t e = 0; e < m->experiment_count && result == CDG_OK; e++)
        if (takes_gradients(m, e))
            tasks[count++] = (task){.point = point, .experiment = e, .residuals = residuals, .rates = out};
    if (result == CDG_OK) do_tasks(m, tasks, count);
    size_t next = 0;
    for (size_t e = 0; e < m->experiment_count && result == CDG_OK; e++) {
        bool is_done = takes_gradients(m, e) && tasks[next++].result == CDG_OK;
        m->has_exact = m->has_exact || is_done;
        if (!is_done) result = take_differences(m, e, point, out, error);
    }
    free(tasks);
    free(residuals);
    return result;
}

cdg_result cdg_fit_model_curves(cdg_fit_model *m, const double *point, size_t d, cdg_fit_curves *out,
                                cdg_error *error) {
    *out = (cdg_fit_curves){0};
    const cdg_fit_data *data = &m->setup.data[d];
    outcome o = {.model = m, .experiment = m->experiment_of[d], .point = point};
    cdg_result result = run(&o);
    if (result != CDG_OK) cdg_fail(error, result, "%s", o.result.sentence);
    if (result == CDG_OK && data->kind == CDG_FIT_SHAPE) {
        out->node_count = o.shapes[d].node_count;
        out->is_closed = o.shapes[d].is_closed;
        out->nodes = malloc((out->node_count + 1) * sizeof *out->nodes);
        if (out->nodes != NULL) nodes_at(&o, d, 0, out->nodes, NULL);
    } else if (result == CDG_OK) {
        out->row_count = o.result.row_count;
        out->column_count = o.result.column_count;
        out->times = o.result.times, o.result.times = NULL;
        out->series = o.result.series, o.result.series = NULL;
        out->columns = malloc((data->column_count + 1) * sizeof *out->columns);
        for (size_t c = 0; out->columns != NULL && c < data->column_count; c++)
            out->columns[c] = m->matches[d][c].index;
    }
    if (result == CDG_OK && out->nodes == NULL && out->columns == NULL)
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    free_outcome(&o);
    return result;
}

void cdg_fit_curves_free(cdg_fit_curves *curves) {
    free(curves->times);
    free(curves->series);
    free(curves->columns);
    free(curves->nodes);
    *curves = (cdg_fit_curves){0};
}
