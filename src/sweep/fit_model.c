// Which columns of the data are which probes of the scene, which files share a case, and whose noise is whose.
#include "sweep/fit_noise.h"
#include "sweep/fit_parts.h"

#include "base/error.h"
#include "output/probe_row.h"
#include "rods/rod_model.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- experiments ----------------------------------------------------------------------------------------------------

static bool has_same_sets(const cdg_fit_data *a, const cdg_fit_data *b) {
    bool is_same = a->set_count == b->set_count;
    for (size_t i = 0; is_same && i < a->set_count; i++) is_same = strcmp(a->sets[i], b->sets[i]) == 0;
    return is_same;
}

static void group(cdg_fit_model *m) {
    for (size_t d = 0; d < m->setup.data_count; d++) {
        size_t e = 0;
        while (e < m->experiment_count && !has_same_sets(&m->setup.data[m->experiments[e].first], &m->setup.data[d]))
            e++;
        if (e == m->experiment_count) m->experiments[m->experiment_count++] = (experiment){.first = d};
        m->experiment_of[d] = e;
    }
}

// The scene as the experiment has it, in the middle of all ranges.
static cdg_result read_scene(const cdg_fit_model *m, const experiment *e, cdg_scene **out, cdg_error *error) {
    const cdg_fit_data *data = &m->setup.data[e->first];
    size_t paths = 0, count = 0;
    for (size_t v = 0; v < m->setup.vary_count; v++) paths += m->setup.varies[v].path_count;
    const char **items = malloc((data->set_count + paths + 1) * sizeof *items);
    char(*texts)[CDG_VARY_TEXT_SIZE] = malloc((paths + 1) * sizeof *texts);
    cdg_result result = CDG_OK;
    if (items == NULL || texts == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < data->set_count && result == CDG_OK; i++) items[count++] = data->sets[i];
    size_t text = 0;
    for (size_t v = 0; v < m->setup.vary_count && result == CDG_OK; v++) {
        const cdg_vary *vary = &m->setup.varies[v];
        for (size_t p = 0; p < vary->path_count && result == CDG_OK; p++) {
            if (!cdg_vary_override(vary, p, cdg_vary_at(vary, 0.5), texts[text], CDG_VARY_TEXT_SIZE))
                result = cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.200s' is too long", vary->paths[p]);
            items[count++] = texts[text++];
        }
    }
    cdg_case_def def = {.source = m->setup.source, .overrides = items, .override_count = count};
    if (result == CDG_OK) result = cdg_case_read(&def, out, error);
    free(items);
    free(texts);
    return result;
}

// ---- columns --------------------------------------------------------------------------------------------------------

static cdg_result refuse_column(const cdg_fit_data *data, const cdg_fit_column *column, const cdg_probe_row *row,
                                cdg_error *error) {
    char names[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < row->column_count; i++) {
        int size = (int)strcspn(row->titles[i], " ");
        if (used + (size_t)size + 4 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", used > 0 ? ", " : "", size,
                                     row->titles[i]);
    }
    if (row->column_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: column '%s' matches no probe, because the scene has none; add it under 'probes:'",
                        data->path, column->name);
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s: column '%s' matches no probe of the scene; there are %s. Rename the column, or add a probe",
                    data->path, column->name, names);
}

// The unit of "tip_x [m]" as a dimension.
static bool is_of_unit(const char *title, const cdg_fit_column *column) {
    char text[64];
    const char *open = strchr(title, '[');
    cdg_measure one = {0};
    cdg_error ignored;
    int length = snprintf(text, sizeof text, "1 %.*s", (int)strcspn(open + 1, "]"), open + 1);
    for (int i = 2; i < length; i++)
        if (text[i] == '*') text[i] = ' ';
    if (strcmp(text, "1 1") != 0 && cdg_measure_parse(text, (size_t)length, &one, &ignored) != CDG_OK) return false;
    return one.dimension.m == column->dimension.m && one.dimension.kg == column->dimension.kg &&
           one.dimension.s == column->dimension.s;
}

// The experiment's number for a probe of the scene.
static size_t number_of(experiment *e, size_t index) {
    for (size_t i = 0; i < e->probe_count; i++)
        if (e->probe_indices[i] == index) return i;
    e->probe_indices[e->probe_count] = index;
    return e->probe_count++;
}

static cdg_result match_column(const cdg_fit_model *m, size_t d, size_t c, experiment *e, const cdg_probe_row *row,
                               cdg_error *error) {
    const cdg_fit_data *data = &m->setup.data[d];
    const cdg_fit_column *column = &data->columns[c];
    size_t length = strlen(column->name), index = 0;
    for (size_t i = 0; i < row->scene->probe_count; i++) {
        cdg_probe_kind kind = row->scene->probes[i].probe.kind;
        size_t own = cdg_probe_column_count(kind), count = own + cdg_probe_has_peak(kind);
        for (size_t k = 0; k < count; k++, index++) {
            const char *title = row->titles[index];
            if (strcspn(title, " ") != length || memcmp(title, column->name, length) != 0) continue;
            if (!is_of_unit(title, column))
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: column '%s' is in '%s', but the scene's probe is '%s'",
                                data->path, column->name, column->unit, title);
            bool is_peak = k == own;
            m->matches[d][c] = (column_match){index, is_peak ? SIZE_MAX : number_of(e, i), is_peak ? 0 : k};
            if (is_peak) e->is_static = false;
            return CDG_OK;
        }
    }
    return refuse_column(data, column, row, error);
}

static cdg_result match_rod(cdg_fit_model *m, size_t d, const cdg_scene *scene, cdg_error *error) {
    const char *name = m->setup.data[d].rod;
    word_search search = cdg_suggest_begin(name, strlen(name));
    for (size_t i = 0; i < scene->rod_count; i++) {
        if (scene->rods[i].name != NULL && strcmp(scene->rods[i].name, name) == 0) {
            m->rods[d] = i;
            return CDG_OK;
        }
        if (scene->rods[i].name != NULL) cdg_suggest_offer(&search, scene->rods[i].name);
    }
    const char *first = scene->rod_count > 0 && scene->rods[0].name != NULL ? scene->rods[0].name : "none";
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: the scene has no rod '%s'; %s '%s'", m->setup.data[d].path, name,
                    search.best != NULL ? "did you mean" : "the first is", search.best != NULL ? search.best : first);
}

// Gradients are those of single equilibria; side forces that they do not know are none.
static bool has_gradients(const cdg_scene *scene) {
    bool is_known = scene->mode == SCENE_STATIC && scene->statics.imperfection == 0 && scene->weld_count == 0;
    return is_known && cdg_rod_model_get(scene->model)->statics.path != NULL;
}

static cdg_result match(cdg_fit_model *m, experiment *e, size_t number, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_probe_row row = {0};
    cdg_result result = read_scene(m, e, &scene, error);
    if (result == CDG_OK) result = cdg_probe_row_make(scene, NULL, &row, error);
    if (result == CDG_OK) {
        e->is_static = has_gradients(scene);
        e->column_count = row.column_count;
        e->probe_indices = calloc(scene->probe_count + 1, sizeof *e->probe_indices);
        if (e->probe_indices == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    }
    for (size_t d = 0; d < m->setup.data_count && result == CDG_OK; d++) {
        const cdg_fit_data *data = &m->setup.data[d];
        if (m->experiment_of[d] != number) continue;
        if (data->over != NULL) e->is_static = false;
        if (data->kind == CDG_FIT_SHAPE) result = match_rod(m, d, scene, error);
        for (size_t c = 0; data->kind == CDG_FIT_SERIES && c < data->column_count && result == CDG_OK; c++)
            result = match_column(m, d, c, e, &row, error);
    }
    cdg_probe_row_free(&row);
    cdg_scene_destroy(scene);
    return result;
}

// ---- residuals ------------------------------------------------------------------------------------------------------

static bool counts(const cdg_fit_data *data, size_t column, size_t row) {
    if (data->over != NULL && strcmp(data->columns[column].name, data->over) == 0) return false;
    return !isnan(data->columns[column].values[row]);
}

static void add_residual(cdg_fit_model *m, size_t d, size_t c, size_t row) {
    const cdg_fit_column *column = &m->setup.data[d].columns[c];
    m->residuals[m->residual_count++] = (cdg_fit_residual){
        .data = d,
        .column = c,
        .row = row,
        .noise = m->noise_count,
        .measured = column->values[row],
        .sigma = column->sigmas != NULL ? column->sigmas[row] : column->sigma,
    };
}

// Points of a shape are of one noise, and each may move along the curve; a column of a series has its own, unless it
// has few measurements (fit_noise.h).
static void list_residuals(cdg_fit_model *m) {
    for (size_t d = 0; d < m->setup.data_count; d++) {
        const cdg_fit_data *data = &m->setup.data[d];
        m->first_residual[d] = m->residual_count;
        if (data->kind == CDG_FIT_SHAPE) {
            for (size_t row = 0; row < data->row_count; row++)
                for (size_t c = 0; c < data->column_count; c++) add_residual(m, d, c, row);
            m->freedom += data->row_count * (data->column_count - 1);
            m->noise_count++;
            continue;
        }
        for (size_t c = 0; c < data->column_count; c++) {
            size_t before = m->residual_count;
            for (size_t row = 0; row < data->row_count; row++)
                if (counts(data, c, row)) add_residual(m, d, c, row);
            m->freedom += m->residual_count - before;
            m->noise_count += m->residual_count > before;
        }
    }
    m->first_residual[m->setup.data_count] = m->residual_count;
}

// ---- making ---------------------------------------------------------------------------------------------------------

static bool make_room(cdg_fit_model *m) {
    size_t count = m->setup.data_count, numbers = 0;
    m->experiments = calloc(count + 1, sizeof *m->experiments);
    m->experiment_of = calloc(count + 1, sizeof *m->experiment_of);
    m->matches = calloc(count + 1, sizeof *m->matches);
    m->rods = calloc(count + 1, sizeof *m->rods);
    m->first_residual = calloc(count + 1, sizeof *m->first_residual);
    bool has_room = m->experiments && m->experiment_of && m->matches && m->rods && m->first_residual;
    for (size_t d = 0; d < count && has_room; d++) {
        numbers += m->setup.data[d].row_count * m->setup.data[d].column_count;
        m->matches[d] = calloc(m->setup.data[d].column_count + 1, sizeof **m->matches);
        has_room = m->matches[d] != NULL;
    }
    m->residuals = calloc(numbers + 1, sizeof *m->residuals);
    return has_room && m->residuals != NULL;
}

cdg_result cdg_fit_model_make(const cdg_fit_setup *setup, cdg_fit_model **out, cdg_error *error) {
    cdg_fit_model *m = calloc(1, sizeof *m);
    *out = m;
    if (m == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    m->setup = *setup;
    cdg_result result = make_room(m) ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) group(m);
    for (size_t e = 0; e < m->experiment_count && result == CDG_OK; e++)
        result = match(m, &m->experiments[e], e, error);
    if (result == CDG_OK) list_residuals(m);
    if (result == CDG_OK && !cdg_fit_share_noises(&m->setup, m->residuals, m->residual_count, &m->noise_count))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) return CDG_OK;
    cdg_fit_model_destroy(m);
    *out = NULL;
    return result;
}

void cdg_fit_model_destroy(cdg_fit_model *m) {
    if (m == NULL) return;
    for (size_t d = 0; m->matches != NULL && d < m->setup.data_count; d++) free(m->matches[d]);
    for (size_t e = 0; e < m->experiment_count; e++) free(m->experiments[e].probe_indices);
    free(m->experiments);
    free(m->experiment_of);
    free(m->matches);
    free(m->rods);
    free(m->residuals);
    free(m->first_residual);
    free(m);
}

size_t cdg_fit_model_residual_count(const cdg_fit_model *m) { return m->residual_count; }
const cdg_fit_residual *cdg_fit_model_residuals(const cdg_fit_model *m) { return m->residuals; }
size_t cdg_fit_model_noise_count(const cdg_fit_model *m) { return m->noise_count; }
size_t cdg_fit_model_freedom(const cdg_fit_model *m) { return m->freedom; }
size_t cdg_fit_model_case_count(const cdg_fit_model *m) { return atomic_load(&m->case_count); }
bool cdg_fit_model_has_exact(const cdg_fit_model *m) { return m->has_exact; }
bool cdg_fit_model_is_exact(const cdg_fit_model *m) { return !atomic_load(&m->has_differences); }
