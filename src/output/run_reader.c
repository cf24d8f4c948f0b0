// Reading a run back. HDF5 tells once where each dataset lies; after that one output is one read at a known offset.
#define _POSIX_C_SOURCE 200809L
#include "output/run_reader.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/run_info.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cdg_run_reader_file {
    int descriptor;
    char *path;
    cdg_run_info info; // owns names and texts
    cdg_run_layout layout;
};

static const cdg_run_field_info fields[] = {
#define FIELD(field, per_what, components, units_text, text)                                                           \
    {.name = #field, .units = (units_text), .description = (text), .per = (per_what), .component_count = (components)},
    CDG_RUN_ROD_LIST(FIELD)
#undef FIELD
};

cdg_run_field_info cdg_run_field_get(cdg_run_field field) { return fields[field]; }

bool cdg_run_field_find(const char *name, cdg_run_field *out) {
    for (int i = 0; i < CDG_RUN_FIELD_COUNT; i++) {
        if (strcmp(fields[i].name, name) != 0) continue;
        *out = (cdg_run_field)i;
        return true;
    }
    return false;
}

static uint64_t field_offset(const cdg_run_rod_place *place, cdg_run_field field) {
    const uint64_t offsets[] = {
#define OFFSET(name, per, components, units, text) place->name,
        CDG_RUN_ROD_LIST(OFFSET)
#undef OFFSET
    };
    return offsets[field];
}

void cdg_run_reader_close(cdg_run_reader *reader) {
    if (reader == NULL) return;
    struct cdg_run_reader_file *file = reader->file;
    for (size_t i = 0; i < reader->rod_count; i++) {
        free((void *)reader->rods[i].radius);
        free((void *)reader->rods[i].rest_length);
        free((void *)reader->rods[i].sections);
    }
    free(reader->rods);
    free(reader->times);
    free(reader->directory);
    if (file != NULL) {
        if (file->descriptor >= 0) close(file->descriptor);
        cdg_run_layout_free(&file->layout);
        cdg_run_info_free(&file->info);
        free(file->path);
        free(file);
    }
    free(reader);
}

static cdg_result fail_memory(const cdg_run_reader *reader, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for reading the run", reader->file->path);
}

static cdg_result fail_damaged(const cdg_run_reader *reader, const char *rod, const char *what, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: %s of rod '%s'; run the scene anew",
                    reader->file->path, what, rod);
}

static cdg_result read_numbers(const cdg_run_reader *reader, uint64_t offset, size_t count, double *out,
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

static cdg_result read_sections(const cdg_run_reader *reader, const cdg_run_rod_place *place, const double *radius,
                                cdg_section *out, cdg_error *error) {
    size_t count = place->info.node_count;
    if (place->section_size == 0) { // older files
        for (size_t i = 0; i < count; i++) out[i] = (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius[i]};
        return CDG_OK;
    }
    double *sizes = malloc(2 * count * sizeof *sizes);
    if (sizes == NULL) return fail_memory(reader, error);
    cdg_result result = read_numbers(reader, place->section_size, 2 * count, sizes, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        out[i] = cdg_run_section_unpack(place->info.section_kind, sizes + 2 * i);
        if (!is_section(place->info.section_kind, sizes + 2 * i)) {
            result = fail_damaged(reader, place->info.name, "the sections", error);
        }
    }
    free(sizes);
    return result;
}

static cdg_result read_rod(cdg_run_reader *reader, size_t index, cdg_error *error) {
    assert(reader->rods != NULL);
    const cdg_run_rod_place *place = &reader->file->layout.rods[index];
    const cdg_rod_info *info = &place->info;
    double *radius = malloc(info->node_count * sizeof *radius);
    double *rest_length = malloc(info->element_count * sizeof *rest_length);
    cdg_section *sections = malloc(info->node_count * sizeof *sections);
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
    if (radius == NULL || rest_length == NULL || sections == NULL) return fail_memory(reader, error);
    cdg_result result = read_numbers(reader, place->radius, info->node_count, radius, error);
    if (result == CDG_OK) {
        result = read_numbers(reader, place->rest_length, info->element_count, rest_length, error);
    }
    for (size_t i = 0; i < info->node_count && result == CDG_OK; i++) {
        if (!(radius[i] >= 0 && isfinite(radius[i]))) result = fail_damaged(reader, info->name, "a radius", error);
    }
    for (size_t i = 0; i < info->element_count && result == CDG_OK; i++) {
        if (!(rest_length[i] > 0 && isfinite(rest_length[i]))) {
            result = fail_damaged(reader, info->name, "a rest length", error);
        }
    }
    if (result == CDG_OK) result = read_sections(reader, place, radius, sections, error);
    return result;
}

// ---- opening --------------------------------------------------------------------------------------------------------

static cdg_result make_layout(const cdg_run_reader *reader, cdg_error *error) {
    struct cdg_run_reader_file *file = reader->file;
    cdg_run_layout *layout = &file->layout;
    cdg_run_layout_free(layout);
    layout->rods = calloc(file->info.rod_count > 0 ? file->info.rod_count : 1, sizeof *layout->rods);
    if (layout->rods == NULL) return fail_memory(reader, error);
    layout->rod_count = file->info.rod_count;
    for (size_t i = 0; i < layout->rod_count; i++) {
        const cdg_run_info_rod *rod = &file->info.rods[i];
        if (rod->element_count == 0 || rod->node_count - rod->element_count != (rod->is_closed ? 0 : 1)) {
            return fail_damaged(reader, rod->name, "the number of nodes", error);
        }
        layout->rods[i].info = (cdg_rod_info){.name = rod->name,
                                              .is_closed = rod->is_closed,
                                              .node_count = rod->node_count,
                                              .element_count = rod->element_count,
                                              .length = rod->length,
                                              .mass = rod->mass,
                                              .section_kind = CDG_SECTION_CIRCLE};
    }
    return cdg_run_layout_find_readable(layout, file->path, error);
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
        file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
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

static cdg_result read_times(cdg_run_reader *reader, cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    size_t count = file->info.frame_count;
    if (count == 0) {
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the run has no output yet; wait for its first, or run the scene again", file->path);
    }
    reader->times = malloc(count * sizeof *reader->times);
    if (reader->times == NULL) return fail_memory(reader, error);
    reader->frame_count = count;
    cdg_result result = read_numbers(reader, file->layout.time, count, reader->times, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        // In a run that goes on, outputs are only added; but one that was resumed in this moment writes some again.
        if (!isfinite(reader->times[i])) reader->frame_count = count = i;
    }
    if (result == CDG_OK && count == 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run was started anew; try again", file->path);
    }
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
        reader->rods = calloc(file->layout.rod_count > 0 ? file->layout.rod_count : 1, sizeof *reader->rods);
        if (reader->rods == NULL) result = fail_memory(reader, error);
    }
    for (size_t i = 0; i < file->layout.rod_count && result == CDG_OK; i++) result = read_rod(reader, i, error);
    if (result != CDG_OK) {
        cdg_run_reader_close(reader);
        return result;
    }
    *out = reader;
    return CDG_OK;
}

// ---- reading --------------------------------------------------------------------------------------------------------

cdg_result cdg_run_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_field field, double *out,
                               cdg_error *error) {
    if (frame >= reader->frame_count || rod >= reader->rod_count || (unsigned)field >= CDG_RUN_FIELD_COUNT) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of rod number %zu; the run has %zu outputs and %zu rods",
                        reader->file->path, frame, rod, reader->frame_count, reader->rod_count);
    }
    const cdg_run_rod_place *place = &reader->file->layout.rods[rod];
    size_t count = cdg_run_row(&place->info, fields[field].per, fields[field].component_count);
    return read_numbers(reader, field_offset(place, field) + (uint64_t)frame * count * sizeof *out, count, out, error);
}

cdg_result cdg_run_reader_energy(const cdg_run_reader *reader, const char *name, double *out, cdg_error *error) {
#define READ_ENERGY(member, text)                                                                                      \
    if (strcmp(name, #member) == 0) {                                                                                  \
        return read_numbers(reader, reader->file->layout.energy_##member, reader->frame_count, out, error);            \
    }
    CDG_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
#define NAME_ENERGY(member, text) " " #member
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no energy '%s'; there are:" CDG_ENERGY_LIST(NAME_ENERGY),
                    name);
#undef NAME_ENERGY
}

size_t cdg_run_reader_nearest_frame(const cdg_run_reader *reader, double time) {
    size_t best = 0;
    for (size_t i = 1; i < reader->frame_count; i++) {
        if (fabs(reader->times[i] - time) < fabs(reader->times[best] - time)) best = i;
    }
    return best;
}
