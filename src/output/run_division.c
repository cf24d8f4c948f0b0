// Rods as one output has them: nodes, elements and sections of those whose resolution changes.
#include "base/error.h"
#include "output/common_division.h"
#include "output/run_reader_inner.h"

#include <stdlib.h>
#include <string.h>

static cdg_result check_own(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_error *error) {
    if (frame < reader->frame_count && rod < reader->rod_count) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s: there is no output %zu of rod number %zu; the run has %zu outputs and %zu rods",
                    reader->file->path, frame, rod, reader->frame_count, reader->rod_count);
}

// Fibres and modes have no division of their own.
static bool has_own(const cdg_run_reader *reader, size_t rod) {
    return reader->rods[rod].adapts && reader->file->shapes == NULL;
}

cdg_result cdg_run_reader_counts(const cdg_run_reader *reader, size_t frame, size_t rod, size_t *node_count,
                                 size_t *element_count, cdg_error *error) {
    cdg_result result = check_own(reader, frame, rod, error);
    if (result != CDG_OK) return result;
    cdg_run_rows rows = {.node_count = reader->rods[rod].node_count, .element_count = reader->rods[rod].element_count};
    if (has_own(reader, rod)) result = cdg_run_reader_find_rows(reader, frame, rod, &rows, error);
    *node_count = rows.node_count;
    *element_count = rows.element_count;
    return result;
}

cdg_result cdg_run_reader_read_own(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                   cdg_error *error) {
    cdg_run_rows rows;
    cdg_result result = check_own(reader, frame, rod, error);
    if (result != CDG_OK) return result;
    if (!has_own(reader, rod)) return cdg_run_reader_read(reader, frame, rod, field, out, error);
    result = cdg_run_reader_check_held(reader, field, error);
    if (result == CDG_OK) result = cdg_run_reader_find_rows(reader, frame, rod, &rows, error);
    return result == CDG_OK ? cdg_run_reader_rows(reader, rod, &rows, field, out, error) : result;
}

void cdg_run_division_free(cdg_run_division *division) {
    free(division->arc);
    free(division->radius);
    free(division->rest_length);
    free(division->sections);
    *division = (cdg_run_division){0};
}

cdg_run_rod cdg_run_division_rod(const cdg_run_division *division, const cdg_run_rod *rod) {
    cdg_run_rod own = *rod;
    own.node_count = division->node_count;
    own.element_count = division->element_count;
    own.radius = division->radius;
    own.rest_length = division->rest_length;
    own.sections = division->sections;
    return own;
}

// All outputs have the same.
static void copy_division(const cdg_run_rod *rod, cdg_run_division *out) {
    memcpy(out->radius, rod->radius, rod->node_count * sizeof *out->radius);
    memcpy(out->rest_length, rod->rest_length, rod->element_count * sizeof *out->rest_length);
    memcpy(out->sections, rod->sections, rod->node_count * sizeof *out->sections);
    out->arc[0] = 0;
    for (size_t i = 0; i < rod->element_count; i++) out->arc[i + 1] = out->arc[i] + rod->rest_length[i];
}

static cdg_result read_division(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_division *out,
                                cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    cdg_run_rows rows;
    double *sizes = malloc(2 * out->node_count * sizeof *sizes);
    cdg_result result = sizes != NULL ? cdg_run_reader_find_rows(reader, frame, rod, &rows, error)
                                      : cdg_run_reader_fail_memory(reader, error);
    if (result == CDG_OK && rows.node_count != out->node_count)
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has changed while it was read; try again", file->path);
    if (result == CDG_OK) result = cdg_run_ragged_arc(entry, &rows, file->descriptor, file->path, out->arc, error);
    if (result == CDG_OK)
        result = cdg_run_reader_numbers(reader, entry->radius + rows.first_node * sizeof(double), rows.node_count,
                                        out->radius, error);
    if (result == CDG_OK)
        result = cdg_run_reader_numbers(reader, entry->rest_length + rows.first_element * sizeof(double),
                                        rows.element_count, out->rest_length, error);
    if (result == CDG_OK)
        result = cdg_run_reader_numbers(reader, entry->section_size + 2 * rows.first_node * sizeof(double),
                                        2 * rows.node_count, sizes, error);
    if (result == CDG_OK)
        result = cdg_run_reader_take_sections(reader, &entry->info, out->radius, sizes, rows.node_count, out->sections,
                                              error);
    if (result == CDG_OK)
        result = cdg_run_reader_check_lengths(reader, entry->info.name, out->rest_length, rows.element_count, error);
    free(sizes);
    return result;
}

cdg_result cdg_run_reader_division(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_division *out,
                                   cdg_error *error) {
    *out = (cdg_run_division){0};
    cdg_run_division got = {0};
    cdg_result result = cdg_run_reader_counts(reader, frame, rod, &got.node_count, &got.element_count, error);
    if (result != CDG_OK) return result;
    got.arc = malloc((got.element_count + 1) * sizeof *got.arc);
    got.radius = malloc(got.node_count * sizeof *got.radius);
    got.rest_length = malloc(got.element_count * sizeof *got.rest_length);
    got.sections = malloc(got.node_count * sizeof *got.sections);
    if (got.arc == NULL || got.radius == NULL || got.rest_length == NULL || got.sections == NULL) {
        result = cdg_run_reader_fail_memory(reader, error);
    } else if (has_own(reader, rod)) {
        result = read_division(reader, frame, rod, &got, error);
    } else {
        copy_division(&reader->rods[rod], &got);
    }
    if (result != CDG_OK) cdg_run_division_free(&got);
    *out = got;
    return result;
}

cdg_result cdg_run_reader_sample(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field,
                                 const double *places, size_t count, double *out, cdg_error *error) {
    cdg_run_division division;
    cdg_result result = cdg_run_reader_division(reader, frame, rod, &division, error);
    if (result != CDG_OK) return result;
    double length = division.arc[division.element_count];
    for (size_t i = 0; i < count && result == CDG_OK; i++)
        if (!(places[i] >= -1e-9 * length && places[i] <= length * (1 + 1e-9)))
            result = cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s' has no place at %g m; it is %g m long at rest",
                              reader->rods[rod].name, places[i], length);
    size_t room = CDG_FIELD_COMPONENTS_MAX * (division.node_count + 1);
    double *numbers = malloc(2 * room * sizeof *numbers), *other = numbers + room;
    if (numbers == NULL && result == CDG_OK) result = cdg_run_reader_fail_memory(reader, error);
    bool is_positions = field == CDG_FIELD_positions;
    if (result == CDG_OK) result = cdg_run_reader_read_own(reader, frame, rod, field, numbers, error);
    if (result == CDG_OK && (is_positions || field == CDG_FIELD_frames))
        result = cdg_run_reader_read_own(reader, frame, rod, is_positions ? CDG_FIELD_frames : CDG_FIELD_positions,
                                         other, error);
    const cdg_division own = {reader->rods[rod].is_closed, division.element_count, division.arc, {NULL, NULL, NULL}};
    if (result == CDG_OK) result = cdg_field_at_places(field, &own, numbers, other, places, count, out, error);
    free(numbers);
    cdg_run_division_free(&division);
    return result;
}
