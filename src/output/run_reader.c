// Reading a run back. HDF5 tells once where each dataset lies; after that one output is one read at a known offset.
// run_division.c reads rods as one output has them, run_modes.c shows vibrations.
#define _POSIX_C_SOURCE 200809L
#include "output/run_reader.h"

#include "base/error.h"
#include "fields/recomputed.h"
#include "output/common_division.h"
#include "output/disk.h"
#include "output/fiber_reader.h"
#include "output/mode_view.h"
#include "output/run_fibers.h"
#include "output/run_reader_inner.h"
#include "output/run_sets.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cdg_run_reader_close(cdg_run_reader *reader) {
    if (reader == NULL) return;
    struct cdg_run_reader_file *file = reader->file;
    for (size_t i = 0; i < reader->rod_count; i++) {
        free((void *)reader->rods[i].radius);
        free((void *)reader->rods[i].rest_length);
        free((void *)reader->rods[i].sections);
    }
    free(reader->rods);
    cdg_fiber_reader_destroy(reader->fibers);
    free(reader->times);
    free(reader->play);
    free(reader->directory);
    if (file != NULL) {
        if (file->descriptor >= 0) close(file->descriptor);
        for (size_t i = 0; file->divisions != NULL && i < file->layout.rod_count; i++)
            free((void *)file->divisions[i].arc);
        free(file->divisions);
        size_t shape_count = file->layout.rod_count + file->layout.solids.count;
        for (size_t i = 0; file->shapes != NULL && i < shape_count; i++) free(file->shapes[i]);
        free(file->shapes);
        cdg_run_layout_free(&file->layout);
        cdg_run_info_free(&file->info);
        free(file->path);
        free(file);
    }
    free(reader);
}

cdg_result cdg_run_reader_fail_memory(const cdg_run_reader *reader, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for reading the run", reader->file->path);
}

static cdg_result fail_damaged(const cdg_run_reader *reader, const char *rod, const char *what, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: %s of rod '%s'; run the scene anew",
                    reader->file->path, what, rod);
}

cdg_result cdg_run_reader_numbers(const cdg_run_reader *reader, uint64_t offset, size_t count, double *out,
                                  cdg_error *error) {
    return cdg_disk_read_at(reader->file->descriptor, reader->file->path, out, count * sizeof *out, offset, error);
}

// ---- what stays the same about a rod --------------------------------------------------------------------------------

// A rod with outright stiffness may be a circle without thickness.
static bool is_section(cdg_section_kind kind, const double size[2]) {
    bool is_finite = size[0] >= 0 && size[1] >= 0 && isfinite(size[0]) && isfinite(size[1]);
    bool is_round = kind == CDG_SECTION_CIRCLE || (kind == CDG_SECTION_TUBE && size[1] < size[0]);
    return is_finite && (is_round || (kind != CDG_SECTION_TUBE && size[0] > 0 && size[1] > 0));
}

cdg_result cdg_run_reader_take_sections(const cdg_run_reader *reader, const cdg_rod_info *info, const double *radius,
                                        const double *sizes, size_t count, cdg_section *out, cdg_error *error) {
    for (size_t i = 0; i < count; i++) {
        out[i] = sizes != NULL ? cdg_run_section_unpack(info->section_kind, sizes + 2 * i)
                               : (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius[i]};
        if (!(radius[i] >= 0 && isfinite(radius[i]))) return fail_damaged(reader, info->name, "a radius", error);
        if (sizes != NULL && !is_section(info->section_kind, sizes + 2 * i))
            return fail_damaged(reader, info->name, "the sections", error);
    }
    return CDG_OK;
}

static cdg_result read_sections(const cdg_run_reader *reader, const cdg_run_rod_entry *entry, const double *radius,
                                cdg_section *out, cdg_error *error) {
    size_t count = entry->info.node_count;
    if (entry->section_size == 0)
        return cdg_run_reader_take_sections(reader, &entry->info, radius, NULL, count, out, error);
    double *sizes = malloc(2 * count * sizeof *sizes);
    if (sizes == NULL) return cdg_run_reader_fail_memory(reader, error);
    cdg_result result = cdg_run_reader_numbers(reader, entry->section_size, 2 * count, sizes, error);
    if (result == CDG_OK) result = cdg_run_reader_take_sections(reader, &entry->info, radius, sizes, count, out, error);
    free(sizes);
    return result;
}

cdg_result cdg_run_reader_check_lengths(const cdg_run_reader *reader, const char *rod, const double *rest_length,
                                        size_t count, cdg_error *error) {
    for (size_t i = 0; i < count; i++)
        if (!(rest_length[i] > 0 && isfinite(rest_length[i]))) return fail_damaged(reader, rod, "a rest length", error);
    return CDG_OK;
}

// A rod whose resolution changes, by the nodes that it has at any output.
static cdg_result read_adaptive_rod(cdg_run_reader *reader, size_t index, cdg_error *error) {
    struct cdg_run_reader_file *file = reader->file;
    const cdg_run_rod_entry *entry = &file->layout.rods[index];
    cdg_run_rod *rod = &reader->rods[index];
    cdg_common_division common;
    cdg_result result =
        cdg_common_division_find(entry, reader->frame_count, file->descriptor, file->path, &common, error);
    if (result != CDG_OK) return result;
    double *rest_length = malloc(common.element_count * sizeof *rest_length);
    cdg_section *sections = malloc(common.node_count * sizeof *sections);
    rod->radius = common.radius;
    rod->rest_length = rest_length;
    rod->sections = sections;
    rod->node_count = common.node_count;
    rod->element_count = common.element_count;
    file->divisions[index] = (cdg_division){rod->is_closed, common.element_count, common.arc, {NULL, NULL, NULL}};
    reader->has_adaptive = rod->adapts = true;
    if (rest_length == NULL || sections == NULL) result = cdg_run_reader_fail_memory(reader, error);
    for (size_t i = 0; i < common.element_count && result == CDG_OK; i++)
        rest_length[i] = common.arc[i + 1] - common.arc[i];
    if (result == CDG_OK)
        result = cdg_run_reader_take_sections(reader, &entry->info, common.radius, common.section_size,
                                              common.node_count, sections, error);
    free(common.section_size);
    return result;
}

static cdg_result read_rod(cdg_run_reader *reader, size_t index, cdg_error *error) {
    assert(reader->rods != NULL);
    const cdg_run_rod_entry *entry = &reader->file->layout.rods[index];
    const cdg_rod_info *info = &entry->info;
    bool adapts = entry->adapts;
    double *radius = adapts ? NULL : malloc(info->node_count * sizeof *radius);
    double *rest_length = adapts ? NULL : malloc(info->element_count * sizeof *rest_length);
    cdg_section *sections = adapts ? NULL : malloc(info->node_count * sizeof *sections);
    reader->rods[index] = (cdg_run_rod){
        .name = info->name,
        .model = reader->file->info.rods[index].model,
        .is_closed = info->is_closed,
        .node_count = info->node_count,
        .element_count = info->element_count,
        .length = info->length,
        .mass = info->mass,
        .radius = radius,
        .rest_length = rest_length,
        .sections = sections,
    };
    reader->rod_count = index + 1;
    if (adapts) return read_adaptive_rod(reader, index, error);
    if (radius == NULL || rest_length == NULL || sections == NULL) return cdg_run_reader_fail_memory(reader, error);
    cdg_result result = cdg_run_reader_numbers(reader, entry->radius, info->node_count, radius, error);
    if (result == CDG_OK) {
        result = cdg_run_reader_numbers(reader, entry->rest_length, info->element_count, rest_length, error);
    }
    if (result == CDG_OK)
        result = cdg_run_reader_check_lengths(reader, info->name, rest_length, info->element_count, error);
    if (result == CDG_OK) result = read_sections(reader, entry, radius, sections, error);
    return result;
}

// ---- opening --------------------------------------------------------------------------------------------------------

static cdg_result make_layout(const cdg_run_reader *reader, cdg_error *error) {
    struct cdg_run_reader_file *file = reader->file;
    cdg_run_layout *layout = &file->layout;
    cdg_run_layout_free(layout);
    layout->rods = calloc(file->info.rod_count > 0 ? file->info.rod_count : 1, sizeof *layout->rods);
    if (layout->rods == NULL) return cdg_run_reader_fail_memory(reader, error);
    layout->rod_count = file->info.rod_count;
    for (size_t i = 0; i < layout->rod_count; i++) {
        const cdg_run_info_rod *rod = &file->info.rods[i];
        if (!rod->adapts &&
            (rod->element_count == 0 || rod->node_count - rod->element_count != (rod->is_closed ? 0 : 1))) {
            return fail_damaged(reader, rod->name, "the number of nodes", error);
        }
        layout->rods[i].info = (cdg_rod_info){.name = rod->name,
                                              .is_closed = rod->is_closed,
                                              .node_count = rod->node_count,
                                              .element_count = rod->element_count,
                                              .length = rod->length,
                                              .mass = rod->mass,
                                              .section_kind = CDG_SECTION_CIRCLE};
        if (rod->adapts) {
            layout->rods[i].info.node_count = rod->node_first;
            layout->rods[i].info.element_count = rod->node_first - (rod->is_closed || rod->node_first == 0 ? 0 : 1);
        }
        layout->rods[i].adapts = rod->adapts;
        layout->rods[i].node_capacity = rod->node_capacity;
    }
    cdg_result result = cdg_run_sets_take(layout, &file->info, error);
    return result == CDG_OK ? cdg_run_layout_find_readable(layout, file->path, error) : result;
}

static bool is_same_file(int descriptor, const char *path) {
    struct stat a, b;
    return fstat(descriptor, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// A run that ends early replaces its file by a shorter one. When that happens between the looks at it, they do not
// belong together, so all are taken again.
static cdg_result look(cdg_run_reader *reader, cdg_error *error) {
    struct cdg_run_reader_file *file = reader->file;
    for (int attempt = 0; attempt < 5; attempt++) {
        if (file->descriptor >= 0) close(file->descriptor);
        cdg_run_info_free(&file->info);
        file->descriptor = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (file->descriptor < 0) {
            return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open: %s", file->path, strerror(errno));
        }
        cdg_result result = cdg_run_info_read(file->path, &file->info, error);
        if (result == CDG_OK) result = make_layout(reader, error);
        if (is_same_file(file->descriptor, file->path)) return result;
    }
    return cdg_fail(error, CDG_ERROR_IO, "%s: the file is being replaced again and again; wait for the run to end",
                    file->path);
}

static void set_play(cdg_run_reader *reader) {
    size_t count = reader->frame_count;
    double low = reader->times[0], high = low;
    bool is_rising = true;
    for (size_t i = 1; i < count; i++) {
        is_rising = is_rising && reader->times[i] >= reader->times[i - 1];
        low = fmin(low, reader->times[i]);
        high = fmax(high, reader->times[i]);
    }
    reader->turns_back = !is_rising;
    for (size_t i = 0; i < count; i++)
        reader->play[i] = is_rising ? reader->times[i] : (high - low) * (double)i / (double)(count - 1);
}

static cdg_result read_times(cdg_run_reader *reader, cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    size_t count = file->info.frame_count;
    if (count == 0) {
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the run has no output yet; wait for its first, or run the scene again", file->path);
    }
    reader->times = malloc(count * sizeof *reader->times);
    reader->play = malloc(count * sizeof *reader->play);
    if (reader->times == NULL || reader->play == NULL) return cdg_run_reader_fail_memory(reader, error);
    reader->frame_count = count;
    cdg_result result = cdg_run_reader_numbers(reader, file->layout.time, count, reader->times, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        // In a run that goes on, outputs are only added; but one that was resumed in this moment writes some again.
        if (!isfinite(reader->times[i])) reader->frame_count = count = i;
    }
    if (result == CDG_OK && count == 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run was started anew; try again", file->path);
    }
    if (result == CDG_OK) set_play(reader);
    return result;
}

cdg_result cdg_run_reader_open(const char *directory, cdg_run_reader **out, cdg_error *error) {
    *out = NULL;
    cdg_run_reader *reader = calloc(1, sizeof *reader);
    struct cdg_run_reader_file *file = calloc(1, sizeof *file);
    if (reader == NULL || file == NULL) {
        free(reader);
        free(file);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for reading the run", directory);
    }
    reader->file = file;
    file->descriptor = -1;
    cdg_result result = cdg_run_info_locate(directory, &reader->directory, &file->path, error);
    if (result == CDG_OK) result = look(reader, error);
    if (result == CDG_OK) result = read_times(reader, error);
    if (result == CDG_OK) {
        reader->title = file->info.title;
        reader->scene_name = file->info.scene_name;
        reader->scene_text = file->info.scene_text;
        reader->overrides = file->info.overrides;
        reader->bodies = file->layout.bodies.entries;
        reader->body_count = file->layout.bodies.count;
        reader->solids = file->layout.solids.entries;
        reader->solid_count = file->layout.solids.count;
        reader->obstacles = file->layout.obstacles.entries;
        reader->obstacle_count = file->layout.obstacles.count;
        reader->has_contacts = file->layout.contacts.is_there;
        reader->has_contact_places = file->layout.contacts.has_places;
        reader->is_static = file->layout.is_static;
        reader->mode_count = file->layout.mode_count;
        reader->rods = calloc(file->layout.rod_count > 0 ? file->layout.rod_count : 1, sizeof *reader->rods);
        file->divisions = calloc(file->layout.rod_count + 1, sizeof *file->divisions);
        if (reader->rods == NULL || file->divisions == NULL) result = cdg_run_reader_fail_memory(reader, error);
    }
    for (size_t i = 0; i < file->layout.rod_count && result == CDG_OK; i++) result = read_rod(reader, i, error);
    if (result == CDG_OK && file->layout.rod_count > 0) reader->left_out = file->layout.rods[0].left_out;
    for (int k = 0; k < CDG_FIELD_COUNT && result == CDG_OK && file->layout.rod_count > 0; k++)
        if (file->layout.rods[0].fields[k] == 0 && cdg_run_has_field(&file->layout.rods[0], (cdg_field)k) &&
            (cdg_field_get((cdg_field)k).traits & CDG_FIELD_DRAWN) == 0)
            reader->is_recomputed = true;
    if (result != CDG_OK) {
        cdg_run_reader_close(reader);
        return result;
    }
    *out = reader;
    return CDG_OK;
}

// ---- reading --------------------------------------------------------------------------------------------------------

bool cdg_run_reader_has(const cdg_run_reader *reader, cdg_field field) {
    cdg_field_set needed = cdg_field_bit(field);
    if (reader->fibers != NULL && field == CDG_FIELD_velocities) needed |= cdg_field_bit(CDG_FIELD_angular_velocities);
    return (reader->left_out & needed) == 0;
}

cdg_result cdg_run_reader_check_held(const cdg_run_reader *reader, cdg_field field, cdg_error *error) {
    if (cdg_run_reader_has(reader, field)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s: the run does not hold '%s', since 'fields' of 'output' in its scene leaves it out; add it "
                    "there and run the scene anew",
                    reader->directory, cdg_field_get(field).name);
}

// What the file is too old to hold.
static cdg_result recompute(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                            cdg_error *error) {
    const cdg_run_rod *r = &reader->rods[rod];
    cdg_vec3 *positions = malloc(r->node_count * sizeof *positions);
    cdg_quat *frames = malloc(r->element_count * sizeof *frames);
    cdg_result result = positions != NULL && frames != NULL ? CDG_OK : cdg_run_reader_fail_memory(reader, error);
    if (result == CDG_OK) result = cdg_run_reader_output(reader, frame, rod, CDG_FIELD_positions, &positions->x, error);
    if (result == CDG_OK) result = cdg_run_reader_output(reader, frame, rod, CDG_FIELD_frames, &frames->w, error);
    if (result == CDG_OK) {
        cdg_recomputed_rod shape = {r->is_closed, r->node_count, r->element_count, r->rest_length};
        cdg_field_recompute(field, &shape, positions, frames, out);
    }
    free(positions);
    free(frames);
    return result;
}

// ---- rods whose resolution changes

cdg_result cdg_run_reader_find_rows(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_rows *out,
                                    cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    cdg_result result = cdg_run_ragged_rows(&file->layout.rods[rod], frame, file->descriptor, file->path, out, error);
    if (result == CDG_OK && out->node_count > reader->rods[rod].node_count)
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has changed since it was opened; try again", file->path);
    return result;
}

cdg_result cdg_run_reader_rows(const cdg_run_reader *reader, size_t rod, const cdg_run_rows *rows, cdg_field field,
                               double *out, cdg_error *error) {
    cdg_field_info info = cdg_field_get(field);
    bool per_node = info.per == CDG_FIELD_PER_NODE;
    size_t first = per_node ? rows->first_node : rows->first_element, width = info.component_count;
    size_t count = per_node ? rows->node_count : rows->element_count;
    uint64_t begin = reader->file->layout.rods[rod].fields[field], offset = begin + first * width * sizeof *out;
    if (begin == 0 || !cdg_run_has_field(&reader->file->layout.rods[rod], field))
        return memset(out, 0, count * width * sizeof *out), CDG_OK;
    return cdg_run_reader_numbers(reader, offset, count * width, out, error);
}

// How far beside its nodes and frames a rod is drawn; 5 numbers a node.
static cdg_result read_beside(const cdg_run_reader *reader, size_t rod, const cdg_run_rows *rows, double *numbers,
                              cdg_drawn_beside *out, cdg_error *error) {
    double *roll = numbers + 3 * rows->node_count, *node_roll = roll + rows->element_count;
    cdg_result result = cdg_run_reader_rows(reader, rod, rows, CDG_FIELD_drawn_shift, numbers, error);
    if (result == CDG_OK) result = cdg_run_reader_rows(reader, rod, rows, CDG_FIELD_drawn_roll, roll, error);
    if (result == CDG_OK) result = cdg_run_reader_rows(reader, rod, rows, CDG_FIELD_drawn_node_roll, node_roll, error);
    *out = (cdg_drawn_beside){(const cdg_vec3 *)(const void *)numbers, roll, node_roll};
    return result;
}

// A field from an output's own nodes or elements to those of all outputs.
static cdg_result resample(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                           cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    cdg_run_rows rows;
    cdg_result result = cdg_run_reader_find_rows(reader, frame, rod, &rows, error);
    if (result != CDG_OK) return result;
    size_t room = rows.node_count + 1;
    double *arc = malloc((1 + 2 * CDG_FIELD_COMPONENTS_MAX + 5) * room * sizeof *arc);
    if (arc == NULL) return cdg_run_reader_fail_memory(reader, error);
    double *numbers = arc + room, *other = numbers + CDG_FIELD_COMPONENTS_MAX * room;
    result = cdg_run_ragged_arc(entry, &rows, file->descriptor, file->path, arc, error);
    if (result == CDG_OK) result = cdg_run_reader_rows(reader, rod, &rows, field, numbers, error);
    bool is_positions = field == CDG_FIELD_positions;
    if (result == CDG_OK && (is_positions || field == CDG_FIELD_frames))
        result = cdg_run_reader_rows(reader, rod, &rows, is_positions ? CDG_FIELD_frames : CDG_FIELD_positions, other,
                                     error);
    cdg_division own = {.is_closed = entry->info.is_closed, .element_count = rows.element_count, .arc = arc};
    if (result == CDG_OK && reader->is_for_pictures)
        result = read_beside(reader, rod, &rows, other + CDG_FIELD_COMPONENTS_MAX * room, &own.beside, error);
    if (result == CDG_OK) result = cdg_field_resample(field, &own, numbers, other, &file->divisions[rod], out, error);
    free(arc);
    return result;
}

cdg_result cdg_run_reader_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                 cdg_error *error) {
    const cdg_run_rod_entry *entry = &reader->file->layout.rods[rod];
    size_t count = cdg_run_field_row(&entry->info, field);
    if (entry->adapts) return resample(reader, frame, rod, field, out, error);
    if (!cdg_run_has_field(entry, field)) return memset(out, 0, count * sizeof *out), CDG_OK;
    if (entry->fields[field] == 0) return recompute(reader, frame, rod, field, out, error);
    uint64_t offset = cdg_run_field_offset(entry, field, frame);
    const struct cdg_run_reader_file *file = reader->file;
    if (entry->is_single) return cdg_disk_read_singles_at(file->descriptor, file->path, out, count, offset, error);
    return cdg_run_reader_numbers(reader, offset, count, out, error);
}

cdg_result cdg_run_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                               cdg_error *error) {
    if (frame >= reader->frame_count || rod >= reader->rod_count || (unsigned)field >= CDG_FIELD_COUNT) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of rod number %zu; the run has %zu outputs and %zu rods",
                        reader->file->path, frame, rod, reader->frame_count, reader->rod_count);
    }
    cdg_result held = cdg_run_reader_check_held(reader, field, error);
    if (held != CDG_OK) return held;
    if (reader->rods[rod].is_fiber) return cdg_fiber_reader_read(reader, frame, rod, field, out, error);
    if (reader->file->shapes != NULL) return cdg_run_reader_mode_output(reader, frame, rod, field, out, error);
    return cdg_run_reader_output(reader, frame, rod, field, out, error);
}

cdg_result cdg_run_reader_find_fibers(const cdg_run_reader *reader, const size_t *node_counts, cdg_run_fibers **out,
                                      size_t *count, cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    return cdg_run_fibers_read(file->path, file->descriptor, node_counts, file->layout.rod_count, out, count, error);
}

cdg_result cdg_run_reader_body(const cdg_run_reader *reader, size_t frame, size_t body, cdg_vec3 *position,
                               cdg_quat *orientation, cdg_error *error) {
    if (frame >= reader->frame_count || body >= reader->body_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of body number %zu; the run has %zu outputs and %zu bodies",
                        reader->file->path, frame, body, reader->frame_count, reader->body_count);
    const struct cdg_run_reader_file *file = reader->file;
    if (file->shapes != NULL) frame = file->mode_frame; // only rods and solids swing
    return cdg_run_bodies_read_pose(&file->layout.bodies, body, frame, file->descriptor, file->path, position,
                                    orientation, error);
}

cdg_result cdg_run_reader_solid(const cdg_run_reader *reader, size_t frame, size_t solid, cdg_solid_field field,
                                double *out, cdg_error *error) {
    if (frame >= reader->frame_count || solid >= reader->solid_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of solid number %zu; the run has %zu outputs and %zu solids",
                        reader->file->path, frame, solid, reader->frame_count, reader->solid_count);
    const struct cdg_run_reader_file *file = reader->file;
    const double factor = file->shapes != NULL ? file->mode_factor * cdg_mode_view_phase(frame) : 0;
    if (file->shapes != NULL) frame = file->mode_frame;
    cdg_result result =
        cdg_run_solids_read(&file->layout.solids, solid, frame, field, file->descriptor, file->path, out, error);
    if (result == CDG_OK && file->shapes != NULL && field == CDG_SOLID_FIELD_positions)
        cdg_mode_view_move(file->shapes[file->layout.rod_count + solid], factor, reader->solids[solid].node_count, 0,
                           (cdg_vec3 *)(void *)out, NULL);
    return result;
}

cdg_result cdg_run_reader_obstacle(const cdg_run_reader *reader, size_t frame, size_t obstacle, cdg_vec3 *position,
                                   cdg_quat *orientation, cdg_error *error) {
    if (frame >= reader->frame_count || obstacle >= reader->obstacle_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of obstacle number %zu; the run has %zu outputs and %zu obstacles",
                        reader->file->path, frame, obstacle, reader->frame_count, reader->obstacle_count);
    const struct cdg_run_reader_file *file = reader->file;
    if (file->shapes != NULL) frame = file->mode_frame;
    return cdg_run_obstacles_read_pose(&file->layout.obstacles, obstacle, frame, file->descriptor, file->path, position,
                                       orientation, error);
}

static cdg_result contact_range(const cdg_run_reader *reader, size_t frame, size_t *first, size_t *count,
                                cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    if (frame >= reader->frame_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: there is no output %zu; the run has %zu", file->path, frame,
                        reader->frame_count);
    *first = *count = 0;
    if (!file->layout.contacts.is_there || file->shapes != NULL) return CDG_OK; // a vibration touches nothing
    return cdg_run_contacts_range(&file->layout.contacts, frame, file->descriptor, file->path, first, count, error);
}

cdg_result cdg_run_reader_contact_count(const cdg_run_reader *reader, size_t frame, size_t *out, cdg_error *error) {
    size_t first;
    return contact_range(reader, frame, &first, out, error);
}

cdg_result cdg_run_reader_contacts(const cdg_run_reader *reader, size_t frame, cdg_run_contact *out, size_t capacity,
                                   cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    size_t first, count;
    cdg_result result = contact_range(reader, frame, &first, &count, error);
    if (result != CDG_OK || count == 0) return result;
    if (!file->layout.contacts.has_places)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: the run was made before cordage stored the places of contacts; run the scene anew",
                        file->path);
    return cdg_run_contacts_read(&file->layout.contacts, first, count < capacity ? count : capacity, file->descriptor,
                                 file->path, out, error);
}

cdg_result cdg_run_reader_energy(const cdg_run_reader *reader, const char *name, double *out, cdg_error *error) {
    if (reader->file->shapes != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: a mode has no energies", reader->file->path);
#define READ_ENERGY(member, text)                                                                                      \
    if (strcmp(name, #member) == 0) {                                                                                  \
        uint64_t offset = reader->file->layout.energy_##member; /* 0: an older file, in which nothing adapted */       \
        if (offset == 0) return memset(out, 0, reader->frame_count * sizeof *out), CDG_OK;                             \
        return cdg_run_reader_numbers(reader, offset, reader->frame_count, out, error);                                \
    }
    CDG_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
#define NAME_ENERGY(member, text) " " #member
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no energy '%s'; there are:" CDG_ENERGY_LIST(NAME_ENERGY),
                    name);
#undef NAME_ENERGY
}

cdg_result cdg_run_reader_stability(const cdg_run_reader *reader, double *out, cdg_error *error) {
    if (!reader->file->layout.is_static || reader->file->shapes != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: this run is not static", reader->file->path);
    return cdg_run_reader_numbers(reader, reader->file->layout.static_lowest_eigenvalue, reader->frame_count, out,
                                  error);
}

size_t cdg_run_reader_nearest_frame(const cdg_run_reader *reader, double time) {
    size_t best = 0;
    for (size_t i = 1; i < reader->frame_count; i++) {
        if (fabs(reader->times[i] - time) < fabs(reader->times[best] - time)) best = i;
    }
    return best;
}
