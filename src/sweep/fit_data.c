// Reading measurements: keys, headings with units, rows.
#include "sweep/fit_data.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "scene/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 256 * 1024 * 1024, COLUMNS_MAX = 256, CELL_SIZE = 256 };

typedef struct text_span {
    const char *at;
    size_t size;
} text_span;

typedef struct reader {
    const char *rest, *end;
    int line;
    char separator;
    double time;           // s, of the key; NAN: none
    char sigma[CELL_SIZE]; // of the key; "": none
    size_t capacity;       // rows
    cdg_fit_data *out;
    cdg_error *error;
} reader;

// ---- text -----------------------------------------------------------------------------------------------------------

static text_span trim(text_span s) {
    while (s.size > 0 && isspace((unsigned char)s.at[0])) s.at++, s.size--;
    while (s.size > 0 && isspace((unsigned char)s.at[s.size - 1])) s.size--;
    bool is_quoted = s.size >= 2 && s.at[0] == '"' && s.at[s.size - 1] == '"';
    return is_quoted ? (text_span){s.at + 1, s.size - 2} : s;
}

static char *copy(text_span s) {
    char *out = malloc(s.size + 1);
    if (out == NULL) return NULL;
    memcpy(out, s.at, s.size);
    out[s.size] = '\0';
    return out;
}

static bool equals(text_span s, const char *word) { return strlen(word) == s.size && memcmp(s.at, word, s.size) == 0; }

static cdg_result no_memory(reader *r) {
    return cdg_fail(r->error, CDG_ERROR_MEMORY, "%s: out of memory", r->out->path);
}

static bool next_line(reader *r, text_span *out) {
    if (r->rest >= r->end) return false;
    const char *stop = memchr(r->rest, '\n', (size_t)(r->end - r->rest));
    const char *end = stop != NULL ? stop : r->end;
    text_span line = {r->rest, (size_t)(end - r->rest)}; // blanks at its ends go; tabs at its start divide cells
    while (line.size > 0 && isspace((unsigned char)line.at[line.size - 1])) line.size--;
    while (line.size > 0 && line.at[0] == ' ') line.at++, line.size--;
    *out = line;
    r->rest = stop != NULL ? stop + 1 : r->end;
    r->line++;
    return true;
}

// The cells of a line; more than there is room for are counted.
static size_t split(const reader *r, text_span line, text_span *cells, size_t room) {
    size_t count = 0;
    for (;;) {
        const char *stop = memchr(line.at, r->separator, line.size);
        size_t length = stop != NULL ? (size_t)(stop - line.at) : line.size;
        if (count < room) cells[count] = trim((text_span){line.at, length});
        count++;
        if (stop == NULL) return count;
        line = (text_span){stop + 1, line.size - length - 1};
    }
}

// ---- keys -----------------------------------------------------------------------------------------------------------

static const char *const key_names[] = {"shape", "time", "over", "set", "sigma"};
enum { KEYS = sizeof key_names / sizeof *key_names };

static cdg_result refuse_key(reader *r, text_span key) {
    word_search search = cdg_suggest_begin(key.at, key.size);
    for (size_t i = 0; i < KEYS; i++) cdg_suggest_offer(&search, key_names[i]);
    char hint[64] = "";
    if (search.best != NULL) snprintf(hint, sizeof hint, "; did you mean '%s'?", search.best);
    return cdg_fail(r->error, CDG_ERROR_FORMAT,
                    "%s:%d: '%.*s' is no key%s Keys are shape, time, over, set and sigma; begin remarks with '##'",
                    r->out->path, r->line, (int)key.size, key.at, hint[0] != '\0' ? hint : ".");
}

static cdg_result keep_text(reader *r, char **where, text_span key, text_span value) {
    if (*where != NULL)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: '%.*s' is said twice", r->out->path, r->line, (int)key.size,
                        key.at);
    *where = copy(value);
    return *where != NULL ? CDG_OK : no_memory(r);
}

static cdg_result add_set(reader *r, text_span value) {
    if (memchr(value.at, '=', value.size) == NULL)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: write 'set: PATH=VALUE', as in set: simulation.mode=static",
                        r->out->path, r->line);
    char **sets = realloc(r->out->sets, (r->out->set_count + 1) * sizeof *sets);
    if (sets == NULL) return no_memory(r);
    r->out->sets = sets;
    if ((sets[r->out->set_count] = copy(value)) == NULL) return no_memory(r);
    r->out->set_count++;
    return CDG_OK;
}

static cdg_result read_time_key(reader *r, text_span value) {
    cdg_measure time;
    cdg_error cause = {0};
    cdg_result result = cdg_measure_parse(value.at, value.size, &time, &cause);
    if (result == CDG_OK && time.has_unit && cdg_measure_fits(&time, CDG_TIME)) {
        r->time = time.value;
        return CDG_OK;
    }
    return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: 'time: %.*s' is no time; write one with its unit, as 2 s",
                    r->out->path, r->line, (int)value.size, value.at);
}

static cdg_result read_key(reader *r, text_span line) {
    text_span rest = trim((text_span){line.at + 1, line.size - 1});
    const char *colon = memchr(rest.at, ':', rest.size);
    text_span key = {rest.at, colon != NULL ? (size_t)(colon - rest.at) : rest.size};
    bool is_word = colon != NULL && key.size > 0;
    for (size_t i = 0; i < key.size; i++) is_word = is_word && (islower((unsigned char)key.at[i]) || key.at[i] == '_');
    if (line.size > 1 && line.at[1] == '#') return CDG_OK;
    if (!is_word) return CDG_OK; // a sentence
    text_span value = trim((text_span){colon + 1, rest.size - key.size - 1});
    bool is_known = false;
    for (size_t i = 0; i < KEYS; i++) is_known = is_known || equals(key, key_names[i]);
    if (!is_known) return refuse_key(r, key);
    if (value.size == 0)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: nothing stands after '%.*s:'", r->out->path, r->line,
                        (int)key.size, key.at);
    if (equals(key, "shape")) return keep_text(r, &r->out->rod, key, value);
    if (equals(key, "over")) return keep_text(r, &r->out->over, key, value);
    if (equals(key, "set")) return add_set(r, value);
    if (equals(key, "time")) return read_time_key(r, value);
    snprintf(r->sigma, sizeof r->sigma, "%.*s", (int)value.size, value.at);
    return CDG_OK;
}

// ---- headings -------------------------------------------------------------------------------------------------------

static cdg_result refuse_unit(reader *r, text_span name, const char *why) {
    return cdg_fail(
        r->error, CDG_ERROR_FORMAT,
        "%s:%d: column '%.*s' %s; write the unit in brackets, as in 'tip_z [mm]', 'time [s]' or, for a plain "
        "number, 'count [1]'",
        r->out->path, r->line, (int)name.size, name.at, why);
}

// "N*m" is written "N m" in scenes.
static bool read_unit(text_span unit, cdg_measure *out) {
    char text[CELL_SIZE];
    cdg_error ignored;
    if (unit.size == 0 || unit.size > CELL_SIZE - 8) return false;
    if (equals(unit, "1")) {
        *out = (cdg_measure){.value = 1};
        return true;
    }
    int length = snprintf(text, sizeof text, "1 %.*s", (int)unit.size, unit.at);
    for (int i = 2; i < length; i++)
        if (text[i] == '*') text[i] = ' ';
    return cdg_measure_parse(text, (size_t)length, out, &ignored) == CDG_OK && out->has_unit;
}

static cdg_result read_heading(reader *r, text_span cell, cdg_fit_column *out) {
    const char *open = memchr(cell.at, '[', cell.size);
    text_span name = trim((text_span){cell.at, open != NULL ? (size_t)(open - cell.at) : cell.size});
    if (name.size == 0)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: a column has no name", r->out->path, r->line);
    if (open == NULL || cell.at[cell.size - 1] != ']') return refuse_unit(r, name, "has no unit");
    text_span unit = trim((text_span){open + 1, cell.size - (size_t)(open - cell.at) - 2});
    cdg_measure one;
    if (!read_unit(unit, &one)) return refuse_unit(r, name, "has a unit that is not known");
    out->factor = one.value;
    out->dimension = one.dimension;
    out->name = copy(name);
    out->unit = copy(unit);
    return out->name != NULL && out->unit != NULL ? CDG_OK : no_memory(r);
}

static cdg_result read_headings(reader *r, text_span line) {
    text_span cells[COLUMNS_MAX];
    r->separator = memchr(line.at, ';', line.size) != NULL    ? ';'
                   : memchr(line.at, '\t', line.size) != NULL ? '\t'
                                                              : ',';
    size_t count = split(r, line, cells, COLUMNS_MAX);
    if (count > COLUMNS_MAX)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: more than %d columns", r->out->path, r->line, COLUMNS_MAX);
    double ignored;
    if (cdg_number_parse(cells[0].at, cells[0].size, &ignored))
        return cdg_fail(r->error, CDG_ERROR_FORMAT,
                        "%s:%d: numbers stand where headings should; write names and units above them, as 'time [s], "
                        "tip_z [mm]'",
                        r->out->path, r->line);
    r->out->columns = calloc(count, sizeof *r->out->columns);
    if (r->out->columns == NULL) return no_memory(r);
    for (size_t i = 0; i < count; i++) {
        cdg_result result = read_heading(r, cells[i], &r->out->columns[i]);
        r->out->column_count = i + 1;
        if (result != CDG_OK) return result;
        for (size_t j = 0; j < i; j++)
            if (strcmp(r->out->columns[j].name, r->out->columns[i].name) == 0)
                return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: there are two columns '%s'", r->out->path, r->line,
                                r->out->columns[i].name);
    }
    return CDG_OK;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static cdg_result reserve(reader *r) {
    if (r->out->row_count < r->capacity) return CDG_OK;
    size_t capacity = r->capacity > 0 ? 2 * r->capacity : 64;
    for (size_t i = 0; i < r->out->column_count; i++) {
        double *values = realloc(r->out->columns[i].values, capacity * sizeof *values);
        if (values == NULL) return no_memory(r);
        r->out->columns[i].values = values;
    }
    r->capacity = capacity;
    return CDG_OK;
}

static cdg_result refuse_cell(const reader *r, text_span cell, const char *column) {
    bool has_comma = memchr(cell.at, ',', cell.size) != NULL;
    return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: '%.*s' under '%s' is no number; %s", r->out->path, r->line,
                    (int)(cell.size < 80 ? cell.size : 80), cell.at, column,
                    has_comma ? "write decimals behind a point, as in 0.5"
                              : "leave the place empty where nothing was measured");
}

static cdg_result read_row(reader *r, text_span line) {
    text_span cells[COLUMNS_MAX];
    size_t count = split(r, line, cells, COLUMNS_MAX);
    if (count != r->out->column_count)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s:%d: %zu numbers under %zu headings", r->out->path, r->line,
                        count, r->out->column_count);
    cdg_result result = reserve(r);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        double value = NAN;
        if (cells[i].size > 0 && !equals(cells[i], "nan") && !equals(cells[i], "NaN") &&
            !cdg_number_parse(cells[i].at, cells[i].size, &value))
            return refuse_cell(r, cells[i], r->out->columns[i].name);
        r->out->columns[i].values[r->out->row_count] = value * r->out->columns[i].factor;
    }
    if (result == CDG_OK) r->out->row_count++;
    return result;
}

// ---- what the columns are -------------------------------------------------------------------------------------------

static void free_column(cdg_fit_column *c) {
    free(c->name);
    free(c->unit);
    free(c->values);
    free(c->sigmas);
}

static void drop_column(cdg_fit_data *d, size_t index) {
    free_column(&d->columns[index]);
    d->column_count--;
    memmove(d->columns + index, d->columns + index + 1, (d->column_count - index) * sizeof *d->columns);
}

cdg_fit_column *cdg_fit_data_column(const cdg_fit_data *data, const char *name) {
    for (size_t i = 0; i < data->column_count; i++)
        if (strcmp(data->columns[i].name, name) == 0) return &data->columns[i];
    return NULL;
}

static bool is_same(cdg_dimension a, cdg_dimension b) { return a.m == b.m && a.kg == b.kg && a.s == b.s; }

static cdg_result take_times(reader *r) {
    cdg_fit_data *d = r->out;
    cdg_fit_column *c = cdg_fit_data_column(d, "time");
    if (c == NULL) c = cdg_fit_data_column(d, "t");
    if (c != NULL) {
        if (!is_same(c->dimension, cdg_quantity_dimension(CDG_TIME)))
            return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: column '%s' is in '%s', which is no time", d->path,
                            c->name, c->unit);
        for (size_t i = 0; i < d->row_count; i++)
            if (isnan(c->values[i]))
                return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: row %zu has no time", d->path, i + 1);
        d->times = c->values;
        c->values = NULL;
        drop_column(d, (size_t)(c - d->columns));
    } else if (!isnan(r->time)) {
        d->times = malloc((d->row_count + 1) * sizeof *d->times);
        if (d->times == NULL) return no_memory(r);
        for (size_t i = 0; i < d->row_count; i++) d->times[i] = r->time;
    }
    return CDG_OK;
}

// Columns "NAME_sigma", or "sigma" of a shape, become those of NAME.
static cdg_result take_sigmas(reader *r) {
    cdg_fit_data *d = r->out;
    for (size_t i = 0; i < d->column_count; i++) {
        cdg_fit_column *c = &d->columns[i];
        size_t length = strlen(c->name);
        bool is_all = strcmp(c->name, "sigma") == 0;
        if (!is_all && (length < 7 || strcmp(c->name + length - 6, "_sigma") != 0)) continue;
        bool is_used = false;
        for (size_t k = 0; k < d->column_count; k++) {
            cdg_fit_column *to = &d->columns[k];
            bool is_its =
                is_all ? k != i : strlen(to->name) == length - 6 && memcmp(to->name, c->name, length - 6) == 0;
            if (!is_its) continue;
            if (!is_same(to->dimension, c->dimension))
                return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: '%s' is in '%s', which does not go with '%s [%s]'",
                                d->path, c->name, c->unit, to->name, to->unit);
            to->sigmas = malloc((d->row_count + 1) * sizeof *to->sigmas);
            if (to->sigmas == NULL) return no_memory(r);
            memcpy(to->sigmas, c->values, d->row_count * sizeof *to->sigmas);
            is_used = true;
            for (size_t n = 0; n < d->row_count; n++)
                if (!(c->values[n] > 0))
                    return cdg_fail(
                        r->error, CDG_ERROR_FORMAT,
                        "%s: '%s' is not above zero in row %zu; leave a measurement empty that does not count", d->path,
                        c->name, n + 1);
        }
        if (!is_used) return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: there is no column for '%s'", d->path, c->name);
        drop_column(d, i--);
    }
    if (r->sigma[0] == '\0') return CDG_OK;
    for (size_t i = 0; i < d->column_count; i++) {
        cdg_measure sigma;
        cdg_error cause = {0};
        cdg_fit_column *c = &d->columns[i];
        if (d->over != NULL && strcmp(c->name, d->over) == 0) continue;
        bool is_read = cdg_measure_parse(r->sigma, strlen(r->sigma), &sigma, &cause) == CDG_OK;
        if (!is_read || !(sigma.value > 0) || !is_same(sigma.dimension, c->dimension))
            return cdg_fail(r->error, CDG_ERROR_FORMAT,
                            "%s: 'sigma: %s' does not go with column '%s [%s]'; write a number above zero with such a "
                            "unit, or give columns of different kinds their own '%s_sigma [%s]'",
                            d->path, r->sigma, c->name, c->unit, c->name, c->unit);
        c->sigma = sigma.value;
    }
    return CDG_OK;
}

static cdg_result check_shape(reader *r) {
    cdg_fit_data *d = r->out;
    d->kind = CDG_FIT_SHAPE;
    for (size_t i = 0; i < d->column_count; i++) {
        const cdg_fit_column *c = &d->columns[i];
        if (strcmp(c->name, "x") != 0 && strcmp(c->name, "y") != 0 && strcmp(c->name, "z") != 0)
            return cdg_fail(
                r->error, CDG_ERROR_FORMAT,
                "%s: a shape has the columns x, y and z (two of them, or all), time and sigma, and not '%s'", d->path,
                c->name);
        if (!is_same(c->dimension, cdg_quantity_dimension(CDG_LENGTH)))
            return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: column '%s' is in '%s', which is no length", d->path,
                            c->name, c->unit);
    }
    if (d->column_count < 2)
        return cdg_fail(r->error, CDG_ERROR_FORMAT,
                        "%s: a shape needs two of the columns x [m], y [m] and z [m], or all", d->path);
    for (size_t i = 0; i < d->row_count; i++)
        for (size_t c = 0; c < d->column_count; c++)
            if (isnan(d->columns[c].values[i]))
                return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: point %zu has no '%s'", d->path, i + 1,
                                d->columns[c].name);
    return CDG_OK;
}

static cdg_result check_series(reader *r) {
    cdg_fit_data *d = r->out;
    if (d->column_count == (d->over != NULL ? 1 : 0))
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: there is nothing to compare with; add a column of a probe",
                        d->path);
    if (d->over == NULL) {
        if (d->times != NULL || d->row_count == 1) return CDG_OK;
        return cdg_fail(r->error, CDG_ERROR_FORMAT,
                        "%s: %zu rows, but no column 'time [s]'; add one, or a line '# over: COLUMN' for curves over "
                        "another column, or '# shape: ROD' for points of a rod",
                        d->path, d->row_count);
    }
    const cdg_fit_column *over = cdg_fit_data_column(d, d->over);
    if (over == NULL)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: there is no column '%s', as 'over' says", d->path, d->over);
    if (d->times != NULL)
        return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: rows are over '%s' or over time, not both; leave one out",
                        d->path, d->over);
    for (size_t i = 0; i < d->row_count; i++)
        if (isnan(over->values[i]))
            return cdg_fail(r->error, CDG_ERROR_FORMAT, "%s: row %zu has no '%s'", d->path, i + 1, d->over);
    return CDG_OK;
}

// ---- all ------------------------------------------------------------------------------------------------------------

// Messages quote what stands there, and a terminal obeys what is no text. Latin letters in single bytes, as old
// spreadsheets write them, are fine.
static size_t find_control(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) return i;
    }
    return SIZE_MAX;
}

cdg_result cdg_fit_data_parse(const char *text, size_t size, const char *path, cdg_fit_data *out, cdg_error *error) {
    *out = (cdg_fit_data){0};
    reader r = {.rest = text, .end = text + size, .time = NAN, .out = out, .error = error};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r.rest += 3;
    text_span line;
    cdg_result result = CDG_OK;
    out->path = copy((text_span){path, strlen(path)});
    if (out->path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    size_t control = find_control(text, size);
    if (control != SIZE_MAX)
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: this is no table of text: byte %zu is the control character %d; save it as CSV in UTF-8",
                        path, control, text[control]);
    while (result == CDG_OK && next_line(&r, &line)) {
        if (line.size == 0) continue;
        if (line.at[0] == '#')
            result = read_key(&r, line);
        else if (out->columns == NULL)
            result = read_headings(&r, line);
        else
            result = read_row(&r, line);
    }
    if (result == CDG_OK && out->row_count == 0)
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: there are no rows of numbers", path);
    if (result == CDG_OK && out->rod != NULL && out->over != NULL)
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'shape' and 'over' do not go together", path);
    if (result == CDG_OK) result = take_times(&r);
    if (result == CDG_OK) result = take_sigmas(&r);
    if (result == CDG_OK) result = out->rod != NULL ? check_shape(&r) : check_series(&r);
    return result;
}

cdg_result cdg_fit_data_read(const char *path, cdg_fit_data *out, cdg_error *error) {
    cdg_file_bytes bytes = {0};
    *out = (cdg_fit_data){0};
    cdg_result result = cdg_regular_file_read(path, BYTES_MAX, &bytes.data, &bytes.size, error);
    if (result == CDG_OK) result = cdg_fit_data_parse(bytes.data, bytes.size, path, out, error);
    free(bytes.data);
    return result;
}

void cdg_fit_data_free(cdg_fit_data *data) {
    for (size_t i = 0; i < data->column_count; i++) free_column(&data->columns[i]);
    for (size_t i = 0; i < data->set_count; i++) free(data->sets[i]);
    free(data->columns);
    free(data->sets);
    free(data->times);
    free(data->path);
    free(data->rod);
    free(data->over);
    *data = (cdg_fit_data){0};
}
