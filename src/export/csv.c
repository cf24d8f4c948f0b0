// Tidy tables: one line a node and output in NAME_nodes.csv, one line an element and output in NAME_elements.csv, and
// of runs with deformable solids NAME_solid_nodes.csv and NAME_tetrahedra.csv (solids_csv.h).
// RFC 4180 with a heading that gives units as probes.csv does; 17 digits, so that reading gives the same bits.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "export/format.h"
#include "export/solids_csv.h"
#include "output/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROD_TABLES = 2, TABLES = 4 }; // of rods by cdg_field_per, then of solids by cdg_solid_per

typedef struct csv_state {
    cdg_whole_file files[TABLES]; // those that are not asked for stay empty
    double *values[CDG_FIELD_COUNT];
    cdg_bytes text;
} csv_state;

static const char *const table_names[2] = {[CDG_FIELD_PER_NODE] = "node", [CDG_FIELD_PER_ELEMENT] = "element"};

static const char *const file_names[TABLES] = {"nodes", "elements", "solid_nodes", "tetrahedra"};

static bool has_table(const cdg_export *export, int table) {
    return table < ROD_TABLES ? export->reader->rod_count > 0 : export->reader->solid_count > 0;
}

static void put_column(cdg_bytes *text, const cdg_field_info *field, size_t component) {
    const char *letters = cdg_field_letters(field);
    int letter_count = field->component_count > 1 ? 1 : 0;
    cdg_bytes_print(text, ",%s%.*s [%s]", field->column, letter_count, letters + (letter_count ? component : 0),
                    field->units);
}

// Whether a table has a column of the field.
static bool has_columns(const cdg_export *export, cdg_field field, cdg_field_per per) {
    return cdg_field_get(field).per == per && cdg_export_has_field(export, field);
}

static void put_heading(const cdg_export *export, cdg_bytes *text, cdg_field_per per) {
    cdg_bytes_print(text, "time [s],output,rod,%s", table_names[per]);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        cdg_field_info field = cdg_field_get((cdg_field)i);
        if (!has_columns(export, (cdg_field)i, per)) continue;
        for (size_t k = 0; k < field.component_count; k++) put_column(text, &field, k);
    }
    cdg_bytes_print(text, per == CDG_FIELD_PER_NODE ? ",radius [m]" : ",rest_length [m]");
    cdg_bytes_print(text, export->reader->has_adaptive ? ",arc_length [m]\n" : "\n");
}

static double csv_estimate(const cdg_export *export) {
    double numbers = 0; // some 20 bytes each; the columns before and after the fields count as five
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        const cdg_run_rod *rod = &export->reader->rods[i];
        numbers += 5 * (double)(rod->node_count + rod->element_count);
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            cdg_field_info field = cdg_field_get((cdg_field)k);
            size_t entries = field.per == CDG_FIELD_PER_NODE ? rod->node_count : rod->element_count;
            numbers += (double)(entries * field.component_count);
        }
    }
    numbers += cdg_solids_csv_numbers(export->reader);
    return 20 * numbers * (double)export->frame_count;
}

static cdg_result open_table(cdg_export *export, csv_state *state, int table, size_t index, cdg_error *error) {
    cdg_bytes path = {0};
    cdg_bytes_print(&path, "%s_%s.csv", export->stem, file_names[table]);
    cdg_bytes_append(&path, "", 1);
    cdg_result result = path.has_failed ? cdg_export_fail_memory(export, error)
                                        : cdg_export_set_main_file(export, index, (const char *)path.data, error);
    cdg_bytes_free(&path);
    if (result == CDG_OK) result = cdg_whole_file_begin(export->main_files[index], &state->files[table], error);
    return result;
}

static cdg_result csv_begin(cdg_export *export, cdg_error *error) {
    csv_state *state = calloc(1, sizeof *state);
    export->state = state;
    if (state == NULL) return cdg_export_fail_memory(export, error);
    size_t room = cdg_export_largest_field(export);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        state->values[i] = malloc(room * sizeof *state->values[i]);
        if (state->values[i] == NULL) return cdg_export_fail_memory(export, error);
    }
    cdg_result result = CDG_OK;
    size_t index = 0;
    for (int table = 0; table < TABLES && result == CDG_OK; table++)
        if (has_table(export, table)) result = open_table(export, state, table, index++, error);
    if (result != CDG_OK) return result;
    export->has_begun = true;
    for (int table = 0; table < TABLES && result == CDG_OK; table++) {
        if (!has_table(export, table)) continue;
        if (table < ROD_TABLES)
            put_heading(export, &state->text, (cdg_field_per)table);
        else
            cdg_solids_csv_heading(&state->text, (cdg_solid_per)(table - ROD_TABLES));
        result = cdg_export_put_bytes(export, &state->files[table], &state->text, error);
    }
    return result;
}

static void put_number(cdg_bytes *text, double value) {
    char number[CDG_NUMBER_SIZE + 1] = ",";
    cdg_bytes_append(text, number, 1 + cdg_number_exact(value, number + 1));
}

static void put_lines(const cdg_export *export, const cdg_run_rod *rod, cdg_field_per per, size_t frame) {
    csv_state *state = export->state;
    double time = cdg_export_time(export, frame), arc_length = 0;
    size_t output = cdg_export_output(export, frame);
    size_t count = per == CDG_FIELD_PER_NODE ? rod->node_count : rod->element_count;
    const double *constant = per == CDG_FIELD_PER_NODE ? rod->radius : rod->rest_length;
    char time_text[CDG_NUMBER_SIZE];
    cdg_number_exact(time, time_text);
    bool is_quoted = strpbrk(rod->name, ",\"\r\n") != NULL; // never, in files that cordage wrote
    static const char *const doubled[] = {"\"\""};
    for (size_t entry = 0; entry < count; entry++) {
        cdg_bytes_print(&state->text, "%s,%zu,%s", time_text, output, is_quoted ? "\"" : "");
        cdg_bytes_escaped(&state->text, rod->name, "\"", doubled);
        cdg_bytes_print(&state->text, "%s,%zu", is_quoted ? "\"" : "", entry);
        for (int i = 0; i < CDG_FIELD_COUNT; i++) {
            size_t width = cdg_field_get((cdg_field)i).component_count;
            if (!has_columns(export, (cdg_field)i, per)) continue;
            for (size_t k = 0; k < width; k++) put_number(&state->text, state->values[i][entry * width + k]);
        }
        put_number(&state->text, constant[entry]);
        if (export->reader->has_adaptive) { // of the node, or of the element's middle
            double length = entry < rod->element_count ? rod->rest_length[entry] : 0;
            put_number(&state->text, per == CDG_FIELD_PER_NODE ? arc_length : arc_length + length / 2);
            arc_length += length;
        }
        cdg_bytes_append(&state->text, "\n", 1);
    }
}

static cdg_result csv_write(cdg_export *export, size_t pass, size_t frame, cdg_error *error) {
    (void)pass;
    csv_state *state = export->state;
    cdg_result result = CDG_OK;
    for (size_t rod = 0; rod < export->reader->rod_count && result == CDG_OK; rod++) {
        cdg_run_division memory;
        cdg_run_rod own;
        result = cdg_export_own_rod(export, frame, rod, &memory, &own, error);
        for (int i = 0; i < CDG_FIELD_COUNT && result == CDG_OK; i++)
            if (cdg_export_has_field(export, (cdg_field)i))
                result = cdg_export_read_own(export, frame, rod, (cdg_field)i, state->values[i], error);
        for (int per = 0; per < 2 && result == CDG_OK; per++) {
            put_lines(export, &own, (cdg_field_per)per, frame);
            result = cdg_export_put_bytes(export, &state->files[per], &state->text, error);
        }
        cdg_run_division_free(&memory);
    }
    for (size_t solid = 0; solid < export->reader->solid_count && result == CDG_OK; solid++)
        for (int table = ROD_TABLES; table < TABLES && result == CDG_OK; table++) {
            result = cdg_solids_csv_lines(&state->text, export->reader, cdg_export_output(export, frame), solid,
                                          (cdg_solid_per)(table - ROD_TABLES), error);
            if (result == CDG_OK) result = cdg_export_put_bytes(export, &state->files[table], &state->text, error);
        }
    return result;
}

static cdg_result csv_end(cdg_export *export, cdg_error *error) {
    csv_state *state = export->state;
    for (int table = 0; table < TABLES; table++) { // all are known to be whole before any is put in place
        if (has_table(export, table) && fflush(state->files[table].stream) != 0)
            return cdg_whole_file_end(&state->files[table], error);
    }
    for (int table = 0; table < TABLES; table++) {
        if (!has_table(export, table)) continue;
        cdg_result result = cdg_whole_file_end(&state->files[table], error);
        if (result != CDG_OK) return result;
        export->file_count++;
    }
    return CDG_OK;
}

static void csv_release(cdg_export *export) {
    csv_state *state = export->state;
    if (state == NULL) return;
    for (int table = 0; table < TABLES; table++) cdg_whole_file_abandon(&state->files[table]);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) free(state->values[i]);
    cdg_bytes_free(&state->text);
    free(state);
    export->state = NULL;
}

const cdg_export_operations cdg_export_csv = {.large = 2e9,
                                              .has_fields = true,
                                              .estimate = csv_estimate,
                                              .begin = csv_begin,
                                              .write = csv_write,
                                              .end = csv_end,
                                              .release = csv_release};
