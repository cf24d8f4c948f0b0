// probes.csv read back (RFC 4180, with a heading). Numbers are read without regard to the locale.
#include "output/probe_table.h"

#include "base/error.h"
#include "output/disk.h"
#include "scene/units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 1 << 20 };

void cdg_probe_table_free(cdg_probe_table *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].unit);
        free(table->columns[i].values);
    }
    free(table->columns);
    *table = (cdg_probe_table){0};
}

static char *copy_part(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

// "name [unit]" into its parts; `field` is terminated.
static bool split_heading(const char *field, cdg_table_column *out) {
    size_t length = strlen(field);
    const char *bracket = strrchr(field, '[');
    bool has_unit = bracket != NULL && bracket > field && field[length - 1] == ']';
    size_t name_length = has_unit ? (size_t)(bracket - field) : length;
    while (name_length > 0 && field[name_length - 1] == ' ') name_length--;
    out->name = copy_part(field, name_length);
    out->unit = has_unit ? copy_part(bracket + 1, length - (size_t)(bracket - field) - 2) : copy_part("1", 1);
    return out->name != NULL && out->unit != NULL;
}

// Takes one field of a heading off *rest, unquoted in place; NULL when there is none left.
static char *next_field(char **rest) {
    char *at = *rest, *field = at, *to = at;
    if (at == NULL) return NULL;
    bool is_quoted = *at == '"';
    if (is_quoted) at++;
    while (*at != '\0' && (is_quoted || *at != ',')) {
        if (is_quoted && *at == '"') {
            at++;
            if (*at != '"') {
                is_quoted = false;
                continue;
            }
        }
        *to++ = *at++;
    }
    *rest = *at == ',' ? at + 1 : NULL;
    *to = '\0';
    return field;
}

static cdg_result read_heading(char *line, const char *path, cdg_probe_table *out, cdg_error *error) {
    size_t room = 1;
    for (const char *c = line; *c != '\0'; c++) room += *c == ',';
    if (room > COLUMNS_MAX) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: %zu columns are too many", path, room);
    out->columns = calloc(room, sizeof *out->columns);
    if (out->columns == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    char *rest = line;
    for (char *field; (field = next_field(&rest)) != NULL;) {
        if (!split_heading(field, &out->columns[out->column_count++]))
            return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    assert(out->columns[0].name != NULL); // even an empty line has one field
    if (strcmp(out->columns[0].name, "time") != 0)
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the first column is not the time; is this a run's probes.csv?",
                        path);
    return CDG_OK;
}

static bool read_number(const char *text, size_t length, double *out) {
    if (length == 3 && memcmp(text, "nan", 3) == 0) {
        *out = NAN;
        return true;
    }
    bool is_negative = length > 0 && text[0] == '-';
    if (length == 3U + is_negative && memcmp(text + is_negative, "inf", 3) == 0) {
        *out = is_negative ? -INFINITY : INFINITY;
        return true;
    }
    return cdg_number_parse(text, length, out);
}

static cdg_result read_row(const char *line, size_t number, size_t row, const char *path, cdg_probe_table *out,
                           cdg_error *error) {
    const char *at = line;
    for (size_t i = 0; i < out->column_count; i++) {
        size_t length = strcspn(at, ",");
        bool is_last = i + 1 == out->column_count;
        if ((at[length] == '\0') != is_last)
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s:%zu: expected %zu numbers; run the scene again", path, number,
                            out->column_count);
        if (!read_number(at, length, &out->columns[i].values[row]))
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s:%zu: '%.*s' is not a number; run the scene again", path,
                            number, (int)(length < 40 ? length : 40), at);
        at += length + 1;
    }
    return CDG_OK;
}

cdg_result cdg_probe_table_parse(char *text, size_t size, const char *path, cdg_probe_table *out, cdg_error *error) {
    *out = (cdg_probe_table){0};
    if (memchr(text, '\0', size) != NULL)
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a table of numbers as text", path);
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    if (lines == 0) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file has no heading; run the scene again", path);
    cdg_result result = CDG_OK;
    char *line = text;
    for (size_t number = 1; number <= lines && result == CDG_OK; number++) {
        char *end = strchr(line, '\n');
        if (end == NULL) break; // counted above, so there is one
        *end = '\0';
        if (end > line && end[-1] == '\r') end[-1] = '\0';
        if (number == 1) {
            result = read_heading(line, path, out, error);
            for (size_t i = 0; i < out->column_count && result == CDG_OK; i++) {
                out->columns[i].values = malloc(lines * sizeof(double));
                if (out->columns[i].values == NULL)
                    result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
            }
        } else {
            result = read_row(line, number, out->row_count, path, out, error);
            out->row_count++;
        }
        line = end + 1;
    }
    if (result != CDG_OK) cdg_probe_table_free(out);
    return result;
}

cdg_result cdg_probe_table_read(const char *path, cdg_probe_table *out, cdg_error *error) {
    char *text;
    size_t size;
    *out = (cdg_probe_table){0};
    cdg_result result = cdg_disk_read_file(path, (size_t)1 << 32, &text, &size, error);
    if (result != CDG_OK) return result;
    result = cdg_probe_table_parse(text, size, path, out, error);
    free(text);
    return result;
}
