// Rods whose resolution changes: their datasets, and rows of outputs written and found at known offsets.
#include "output/run_ragged.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/run_parts.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

// ---- room -----------------------------------------------------------------------------------------------------------

void cdg_run_ragged_make(cdg_run_rod_entry *rod, const cdg_world *world, size_t frame_count) {
    const cdg_rod *of = cdg_world_get_rod(world, rod->id);
    rod->adapts = of != NULL && of->adapt != NULL;
    if (!rod->adapts) return;
    rod->node_capacity = rod->is_part ? (rod->part.count << of->adapt->options.levels) + 1 : of->node_capacity;
    size_t each = 2 * of->node_count < rod->node_capacity ? 2 * of->node_count : rod->node_capacity;
    rod->room = frame_count * each + 1;
}

size_t cdg_run_ragged_row(void) {
    size_t numbers = 1; // arc length
    for (int k = 0; k < CDG_FIELD_COUNT; k++) numbers += cdg_field_get((cdg_field)k).component_count;
#define ADD(name, per, components, units, text) numbers += (components);
    CDG_RUN_ROD_CONSTANT_LIST(ADD)
#undef ADD
    return numbers;
}

double cdg_run_ragged_numbers(const cdg_run_rod_entry *rod, size_t frame_count) {
    return (double)rod->room * (double)cdg_run_ragged_row() + 2 * ((double)frame_count + 1);
}

// ---- datasets -------------------------------------------------------------------------------------------------------

static bool visit_rows(cdg_run_rod_entry *rod, hid_t group, cdg_block_visit *visit, uint64_t file_size,
                       const char *name, size_t components, const char *units, const char *text, bool is_optional,
                       uint64_t *offset, const char **culprit) {
    cdg_hdf5_block block = {.name = name,
                            .type = H5T_NATIVE_DOUBLE,
                            .rank = components > 1 ? 2 : 1,
                            .size = {rod->room, components},
                            .units = units,
                            .description = text,
                            .is_optional = is_optional};
    *culprit = name;
    if (!visit(group, &block, file_size)) return false;
    if (block.offset > 0) rod->room = (size_t)block.size[0]; // it is there
    *offset = block.offset;
    return true;
}

static bool visit_offsets(hid_t group, cdg_block_visit *visit, uint64_t file_size, const char *name, size_t count,
                          const char *text, uint64_t *offset, const char **culprit) {
    cdg_hdf5_block block = {
        .name = name, .type = H5T_NATIVE_UINT64, .rank = 1, .size = {count}, .units = "1", .description = text};
    *culprit = name;
    if (!visit(group, &block, file_size)) return false;
    *offset = block.offset;
    return true;
}

bool cdg_run_ragged_visit(cdg_run_rod_entry *rod, hid_t group, cdg_block_visit *visit, size_t frame_count,
                          uint64_t file_size, const char **culprit) {
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        cdg_field_info field = cdg_field_get((cdg_field)k);
        if (!cdg_run_has_field(rod, (cdg_field)k)) continue;
        if (!visit_rows(rod, group, visit, file_size, field.name, field.component_count, field.units, field.description,
                        (field.traits & CDG_FIELD_DRAWN) != 0, &rod->fields[k], culprit))
            return false;
    }
#define VISIT(dataset, per, components, units_text, text)                                                              \
    if (!visit_rows(rod, group, visit, file_size, #dataset, components, units_text, text, false, &rod->dataset,        \
                    culprit))                                                                                          \
        return false;
    CDG_RUN_ROD_CONSTANT_LIST(VISIT)
#undef VISIT
    return visit_rows(rod, group, visit, file_size, "arc_length", 1, "m",
                      "where the nodes are in the material: length at rest from the rod's start", false,
                      &rod->arc_length, culprit) &&
           visit_offsets(group, visit, file_size, "node_offsets", frame_count + 1,
                         "output t has rows node_offsets[t] to node_offsets[t + 1] - 1 of the datasets of nodes",
                         &rod->node_offsets, culprit) &&
           visit_offsets(group, visit, file_size, "element_offsets", frame_count + 1,
                         "the same of the datasets of elements", &rod->element_offsets, culprit);
}

// ---- writing --------------------------------------------------------------------------------------------------------

cdg_result cdg_run_read_radius(const cdg_world *world, cdg_rod_id id, double *out) {
    return cdg_rod_radii(world, id, out);
}

cdg_result cdg_run_read_rest_length(const cdg_world *world, cdg_rod_id id, double *out) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    memcpy(out, rod->rest_length, rod->element_count * sizeof *out);
    return CDG_OK;
}

cdg_result cdg_run_read_section_size(const cdg_world *world, cdg_rod_id id, double *out) {
    size_t count = cdg_world_get_rod(world, id)->node_count;
    cdg_section *sections = malloc(count * sizeof *sections);
    if (sections == NULL) return CDG_ERROR_MEMORY;
    cdg_result result = cdg_rod_sections(world, id, sections);
    for (size_t i = 0; i < count && result == CDG_OK; i++) cdg_run_section_pack(&sections[i], out + 2 * i);
    free(sections);
    return result;
}

typedef struct row_writer {
    const cdg_run_rows *rows;
    int descriptor;
    const char *path;
    cdg_error *error;
} row_writer;

static cdg_result write_rows(const row_writer *to, const double *numbers, cdg_field_per per, size_t components,
                             uint64_t offset) {
    size_t first = per == CDG_FIELD_PER_NODE ? to->rows->first_node : to->rows->first_element;
    size_t count = per == CDG_FIELD_PER_NODE ? to->rows->node_count : to->rows->element_count;
    size_t row = components * sizeof *numbers;
    return cdg_disk_write_at(to->descriptor, to->path, numbers, count * row, offset + first * row, to->error);
}

static cdg_result write_fields(const cdg_run_rod_entry *rod, const cdg_world *world, const row_writer *to,
                               double *numbers) {
    double *out[CDG_FIELD_COUNT], *at = numbers;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        out[k] = cdg_run_has_field(rod, (cdg_field)k) ? at : NULL;
        at += to->rows->node_count * cdg_field_get((cdg_field)k).component_count;
    }
    cdg_result result = cdg_run_part_measure(world, rod, out);
    if (result != CDG_OK) return cdg_fail(to->error, result, "rod '%s' cannot be read", rod->info.name);
    for (int k = 0; k < CDG_FIELD_COUNT && result == CDG_OK; k++) {
        cdg_field_info field = cdg_field_get((cdg_field)k);
        if (out[k] == NULL) continue;
        result = write_rows(to, out[k], field.per, field.component_count, rod->fields[k]);
    }
    return result;
}

static cdg_result read_arc(const cdg_world *world, cdg_rod_id id, double *out) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    memcpy(out, rod->adapt->arc, rod->node_count * sizeof *out);
    return CDG_OK;
}

static double whole_length(const cdg_world *world, const cdg_run_rod_entry *rod) {
    return cdg_world_get_rod(world, cdg_run_part_span(world, rod).rod)->length;
}

static cdg_result write_constants(const cdg_run_rod_entry *rod, const cdg_world *world, const row_writer *to,
                                  double *numbers) {
    cdg_result result;
#define WRITE(dataset, per, components, units, text)                                                                   \
    result = cdg_run_part_read(world, rod, cdg_run_read_##dataset, per, components, numbers);                          \
    if (result != CDG_OK) return cdg_fail(to->error, result, "rod '%s' cannot be read", rod->info.name);               \
    result = write_rows(to, numbers, per, components, rod->dataset);                                                   \
    if (result != CDG_OK) return result;
    CDG_RUN_ROD_CONSTANT_LIST(WRITE)
#undef WRITE
    result = cdg_run_part_read(world, rod, read_arc, CDG_FIELD_PER_NODE, 1, numbers);
    if (result != CDG_OK) return cdg_fail(to->error, result, "rod '%s' cannot be read", rod->info.name);
    double first = numbers[0]; // of a part, from its own start
    for (size_t i = 0; i < to->rows->node_count && rod->is_part; i++) {
        numbers[i] -= first;
        if (i > 0 && numbers[i] <= 0) numbers[i] += whole_length(world, rod);
    }
    return write_rows(to, numbers, CDG_FIELD_PER_NODE, 1, rod->arc_length);
}

cdg_result cdg_run_ragged_write(const cdg_run_rod_entry *rod, const cdg_world *world, size_t frame, cdg_run_rows *from,
                                double *numbers, int descriptor, const char *path, cdg_error *error) {
    cdg_cut_span span = cdg_run_part_span(world, rod);
    from->node_count = span.node_count;
    from->element_count = span.element_count;
    row_writer to = {from, descriptor, path, error};
    cdg_result result = write_fields(rod, world, &to, numbers);
    if (result == CDG_OK) result = write_constants(rod, world, &to, numbers);
    if (result != CDG_OK) return result;
    *from = (cdg_run_rows){.first_node = from->first_node + from->node_count,
                           .first_element = from->first_element + from->element_count};
    const uint64_t ends[2] = {from->first_node, from->first_element};
    uint64_t offset = (frame + 1) * sizeof *ends;
    result = cdg_disk_write_at(descriptor, path, &ends[0], sizeof *ends, rod->node_offsets + offset, error);
    if (result != CDG_OK) return result;
    return cdg_disk_write_at(descriptor, path, &ends[1], sizeof *ends, rod->element_offsets + offset, error);
}

// ---- reading --------------------------------------------------------------------------------------------------------

cdg_result cdg_run_ragged_rows(const cdg_run_rod_entry *rod, size_t frame, int descriptor, const char *path,
                               cdg_run_rows *out, cdg_error *error) {
    uint64_t node[2], element[2], offset = frame * sizeof *node;
    cdg_result result = cdg_disk_read_at(descriptor, path, node, sizeof node, rod->node_offsets + offset, error);
    if (result == CDG_OK)
        result = cdg_disk_read_at(descriptor, path, element, sizeof element, rod->element_offsets + offset, error);
    if (result != CDG_OK) return result;
    bool is_inside = node[0] < node[1] && node[1] <= rod->room && element[0] < element[1] && element[1] <= rod->room;
    if (!is_inside || node[1] - node[0] != element[1] - element[0] + (rod->info.is_closed ? 0 : 1) ||
        node[1] - node[0] > rod->node_capacity || element[1] - element[0] < (rod->info.is_closed ? 3 : 1))
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: rows of rod '%s' at output %zu", path,
                        rod->info.name, frame);
    *out = (cdg_run_rows){.first_node = (size_t)node[0],
                          .node_count = (size_t)(node[1] - node[0]),
                          .first_element = (size_t)element[0],
                          .element_count = (size_t)(element[1] - element[0])};
    return CDG_OK;
}
