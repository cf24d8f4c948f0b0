// Reading a run back. HDF5 tells once where each dataset lies; after that one output is one read at a known offset.
#define _POSIX_C_SOURCE 200809L
#include "output/run_reader.h"

#include "base/error.h"
#include "fields/recomputed.h"
#include "output/disk.h"
#include "output/fiber_reader.h"
#include "output/mode_view.h"
#include "output/run_fibers.h"
#include "output/run_info.h"
#include "output/run_sets.h"

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
    // when a mode is shown
    cdg_vec3 **shapes; // one for each rod
    size_t mode_frame; // the output that it vibrates about
    double mode_factor;
};

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
        for (size_t i = 0; file->shapes != NULL && i < file->layout.rod_count; i++) free(file->shapes[i]);
        free(file->shapes);
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
    if (reader->times == NULL || reader->play == NULL) return fail_memory(reader, error);
    reader->frame_count = count;
    cdg_result result = read_numbers(reader, file->layout.time, count, reader->times, error);
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
        reader->bodies = file->layout.bodies.places;
        reader->body_count = file->layout.bodies.count;
        reader->solids = file->layout.solids.places;
        reader->solid_count = file->layout.solids.count;
        reader->obstacles = file->layout.obstacles.places;
        reader->obstacle_count = file->layout.obstacles.count;
        reader->has_contacts = file->layout.contacts.is_there;
        reader->has_contact_places = file->layout.contacts.has_places;
        reader->is_static = file->layout.is_static;
        reader->mode_count = file->layout.mode_count;
        reader->rods = calloc(file->layout.rod_count > 0 ? file->layout.rod_count : 1, sizeof *reader->rods);
        if (reader->rods == NULL) result = fail_memory(reader, error);
    }
    for (size_t i = 0; i < file->layout.rod_count && result == CDG_OK; i++) result = read_rod(reader, i, error);
    for (int k = 0; k < CDG_FIELD_COUNT && result == CDG_OK && file->layout.rod_count > 0; k++)
        if (file->layout.rods[0].fields[k] == 0) reader->is_recomputed = true;
    if (result != CDG_OK) {
        cdg_run_reader_close(reader);
        return result;
    }
    *out = reader;
    return CDG_OK;
}

// ---- reading --------------------------------------------------------------------------------------------------------

static cdg_result read_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                              cdg_error *error);

// What the file is too old to hold.
static cdg_result recompute(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                            cdg_error *error) {
    const cdg_run_rod *r = &reader->rods[rod];
    cdg_vec3 *positions = malloc(r->node_count * sizeof *positions);
    cdg_quat *frames = malloc(r->element_count * sizeof *frames);
    cdg_result result = positions != NULL && frames != NULL ? CDG_OK : fail_memory(reader, error);
    if (result == CDG_OK) result = read_output(reader, frame, rod, CDG_FIELD_positions, &positions->x, error);
    if (result == CDG_OK) result = read_output(reader, frame, rod, CDG_FIELD_frames, &frames->w, error);
    if (result == CDG_OK) {
        cdg_recomputed_rod shape = {r->is_closed, r->node_count, r->element_count, r->rest_length};
        cdg_field_recompute(field, &shape, positions, frames, out);
    }
    free(positions);
    free(frames);
    return result;
}

static cdg_result read_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                              cdg_error *error) {
    const cdg_run_rod_place *place = &reader->file->layout.rods[rod];
    size_t count = cdg_run_field_row(&place->info, field);
    if (place->fields[field] == 0) return recompute(reader, frame, rod, field, out, error);
    return read_numbers(reader, cdg_run_field_offset(place, field, frame), count, out, error);
}

// A swing about one output: only shapes move, what they carry stays as it is there.
static cdg_result read_mode(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                            cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    const cdg_run_rod *r = &reader->rods[rod];
    double factor = file->mode_factor * cdg_mode_view_phase(frame);
    cdg_result result = read_output(reader, file->mode_frame, rod, field, out, error);
    if (result != CDG_OK) return result;
    if (field == CDG_FIELD_velocities || field == CDG_FIELD_angular_velocities) {
        size_t count = cdg_run_field_row(&file->layout.rods[rod].info, field);
        memset(out, 0, count * sizeof *out);
    } else if (field == CDG_FIELD_positions) {
        cdg_mode_view_move(file->shapes[rod], factor, r->node_count, r->element_count, (cdg_vec3 *)(void *)out, NULL);
    } else if (field == CDG_FIELD_frames) {
        cdg_vec3 *nodes = malloc(r->node_count * sizeof *nodes);
        if (nodes == NULL) return fail_memory(reader, error);
        result = read_output(reader, file->mode_frame, rod, CDG_FIELD_positions, &nodes->x, error);
        if (result == CDG_OK)
            cdg_mode_view_move(file->shapes[rod], factor, r->node_count, r->element_count, nodes,
                               (cdg_quat *)(void *)out);
        free(nodes);
    }
    return result;
}

cdg_result cdg_run_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                               cdg_error *error) {
    if (frame >= reader->frame_count || rod >= reader->rod_count || (unsigned)field >= CDG_FIELD_COUNT) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of rod number %zu; the run has %zu outputs and %zu rods",
                        reader->file->path, frame, rod, reader->frame_count, reader->rod_count);
    }
    if (reader->rods[rod].is_fiber) return cdg_fiber_reader_read(reader, frame, rod, field, out, error);
    if (reader->file->shapes != NULL) return read_mode(reader, frame, rod, field, out, error);
    return read_output(reader, frame, rod, field, out, error);
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
    if (file->shapes != NULL) frame = file->mode_frame; // only rods swing
    return cdg_run_bodies_read_pose(&file->layout.bodies, body, frame, file->descriptor, file->path, position,
                                    orientation, error);
}

cdg_result cdg_run_reader_solid(const cdg_run_reader *reader, size_t frame, size_t solid, cdg_vec3 *positions,
                                double *stress, cdg_error *error) {
    if (frame >= reader->frame_count || solid >= reader->solid_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there is no output %zu of solid number %zu; the run has %zu outputs and %zu solids",
                        reader->file->path, frame, solid, reader->frame_count, reader->solid_count);
    const struct cdg_run_reader_file *file = reader->file;
    if (file->shapes != NULL) frame = file->mode_frame;
    return cdg_run_solids_read(&file->layout.solids, solid, frame, file->descriptor, file->path, positions, stress,
                               error);
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
        return read_numbers(reader, reader->file->layout.energy_##member, reader->frame_count, out, error);            \
    }
    CDG_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
#define NAME_ENERGY(member, text) " " #member
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no energy '%s'; there are:" CDG_ENERGY_LIST(NAME_ENERGY),
                    name);
#undef NAME_ENERGY
}

cdg_result cdg_run_reader_modes(const cdg_run_reader *reader, size_t rod, double *frequencies, cdg_vec3 *shapes,
                                cdg_error *error) {
    const cdg_run_layout *layout = &reader->file->layout;
    if (rod >= layout->rod_count || layout->mode_count == 0) { // fibres have none of their own
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there are no modes of rod number %zu; 'modes: 4' in the scene's simulation finds some",
                        reader->file->path, rod + 1);
    }
    const cdg_run_rod_place *place = &layout->rods[rod];
    cdg_result result = read_numbers(reader, place->mode_frequencies, layout->mode_count, frequencies, error);
    if (result != CDG_OK || shapes == NULL) return result;
    return read_numbers(reader, place->mode_shapes, 3 * layout->mode_count * place->info.node_count, &shapes->x, error);
}

static cdg_result read_shapes(cdg_run_reader *reader, size_t mode, cdg_vec3 **shapes, cdg_error *error) {
    cdg_result result = CDG_OK;
    double *frequencies = malloc(reader->mode_count * sizeof *frequencies);
    if (frequencies == NULL) return fail_memory(reader, error);
    for (size_t i = 0; i < reader->file->layout.rod_count && result == CDG_OK; i++) {
        size_t nodes = reader->rods[i].node_count;
        cdg_vec3 *all = malloc(reader->mode_count * nodes * sizeof *all);
        shapes[i] = malloc(nodes * sizeof **shapes);
        if (all == NULL || shapes[i] == NULL) {
            result = fail_memory(reader, error);
        } else {
            result = cdg_run_reader_modes(reader, i, frequencies, all, error);
            if (result == CDG_OK && isnan(frequencies[mode - 1]))
                result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run ended before its modes were found",
                                  reader->file->path);
            if (result == CDG_OK) memcpy(shapes[i], all + (mode - 1) * nodes, nodes * sizeof *all);
        }
        free(all);
    }
    free(frequencies);
    return result;
}

cdg_result cdg_run_reader_show_mode(cdg_run_reader *reader, size_t mode, double amplitude, cdg_error *error) {
    struct cdg_run_reader_file *file = reader->file;
    if (reader->mode_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: the run has no modes; write 'modes: 4' into the scene's simulation and run it",
                        file->path);
    if (mode < 1 || mode > reader->mode_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: there is no mode %zu; the run has modes 1 to %zu", file->path,
                        mode, reader->mode_count);
    size_t rod_count = file->layout.rod_count; // without fibres, which follow their guides
    double *times = malloc(CDG_MODE_VIEW_FRAMES * sizeof *times);
    size_t *node_counts = malloc((rod_count + 1) * sizeof *node_counts);
    cdg_vec3 **shapes = calloc(rod_count + 1, sizeof *shapes);
    bool has_memory = times != NULL && node_counts != NULL && shapes != NULL;
    cdg_result result = has_memory ? read_shapes(reader, mode, shapes, error) : fail_memory(reader, error);
    if (!has_memory || result != CDG_OK) {
        for (size_t i = 0; shapes != NULL && i < rod_count; i++) free(shapes[i]);
        free(shapes);
        free(node_counts);
        free(times);
        return result;
    }
    double longest = 0;
    for (size_t i = 0; i < rod_count; i++) {
        node_counts[i] = reader->rods[i].node_count;
        longest = fmax(longest, reader->rods[i].length);
    }
    file->mode_factor = cdg_mode_view_factor((const cdg_vec3 *const *)shapes, node_counts, rod_count,
                                             amplitude > 0 ? amplitude : longest / 10);
    file->mode_frame = reader->is_static ? reader->frame_count - 1 : 0;
    file->shapes = shapes;
    free(node_counts);
    double *play = realloc(reader->play, CDG_MODE_VIEW_FRAMES * sizeof *play);
    if (play == NULL) {
        free(times);
        return fail_memory(reader, error);
    }
    for (size_t i = 0; i < CDG_MODE_VIEW_FRAMES; i++) times[i] = play[i] = (double)i / (CDG_MODE_VIEW_FRAMES - 1);
    free(reader->times);
    reader->times = times;
    reader->play = play;
    reader->frame_count = CDG_MODE_VIEW_FRAMES;
    reader->turns_back = false;
    reader->is_static = true; // nothing has a velocity
    return CDG_OK;
}

cdg_result cdg_run_reader_stability(const cdg_run_reader *reader, double *out, cdg_error *error) {
    if (!reader->file->layout.is_static || reader->file->shapes != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: this run is not static", reader->file->path);
    return read_numbers(reader, reader->file->layout.static_lowest_eigenvalue, reader->frame_count, out, error);
}

size_t cdg_run_reader_nearest_frame(const cdg_run_reader *reader, double time) {
    size_t best = 0;
    for (size_t i = 1; i < reader->frame_count; i++) {
        if (fabs(reader->times[i] - time) < fabs(reader->times[best] - time)) best = i;
    }
    return best;
}
