// Vibrations of a run: frequencies and shapes as they are stored, and a reader that shows one as if it were a run.
#include "base/error.h"
#include "output/mode_view.h"
#include "output/run_reader_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_run_reader_mode_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field,
                                      double *out, cdg_error *error) {
    const struct cdg_run_reader_file *file = reader->file;
    const cdg_run_rod *r = &reader->rods[rod];
    double factor = file->mode_factor * cdg_mode_view_phase(frame);
    cdg_result result = cdg_run_reader_output(reader, file->mode_frame, rod, field, out, error);
    if (result != CDG_OK) return result;
    if (field == CDG_FIELD_velocities || field == CDG_FIELD_angular_velocities) {
        size_t count = cdg_run_field_row(&file->layout.rods[rod].info, field);
        memset(out, 0, count * sizeof *out);
    } else if (field == CDG_FIELD_positions) {
        cdg_mode_view_move(file->shapes[rod], factor, r->node_count, r->element_count, (cdg_vec3 *)(void *)out, NULL);
    } else if (field == CDG_FIELD_frames) {
        cdg_vec3 *nodes = malloc(r->node_count * sizeof *nodes);
        if (nodes == NULL) return cdg_run_reader_fail_memory(reader, error);
        result = cdg_run_reader_output(reader, file->mode_frame, rod, CDG_FIELD_positions, &nodes->x, error);
        if (result == CDG_OK)
            cdg_mode_view_move(file->shapes[rod], factor, r->node_count, r->element_count, nodes,
                               (cdg_quat *)(void *)out);
        free(nodes);
    }
    return result;
}

cdg_result cdg_run_reader_modes(const cdg_run_reader *reader, size_t rod, double *frequencies, cdg_vec3 *shapes,
                                cdg_error *error) {
    const cdg_run_layout *layout = &reader->file->layout;
    if (rod >= layout->rod_count || layout->mode_count == 0) { // fibres have none of their own
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there are no modes of rod number %zu; 'modes: 4' in the scene's simulation finds some",
                        reader->file->path, rod + 1);
    }
    const cdg_run_rod_entry *entry = &layout->rods[rod];
    cdg_result result = cdg_run_reader_numbers(reader, entry->mode_frequencies, layout->mode_count, frequencies, error);
    if (result != CDG_OK || shapes == NULL) return result;
    return cdg_run_reader_numbers(reader, entry->mode_shapes, 3 * layout->mode_count * entry->info.node_count,
                                  &shapes->x, error);
}

cdg_result cdg_run_reader_solid_modes(const cdg_run_reader *reader, size_t solid, double *frequencies, cdg_vec3 *shapes,
                                      cdg_error *error) {
    const cdg_run_solids *solids = &reader->file->layout.solids;
    if (solid >= solids->count || solids->mode_count == 0 || solids->entries[solid].mode_frequencies == 0) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: there are no modes of solid number %zu; 'modes: 4' in the scene's simulation finds some",
                        reader->file->path, solid + 1);
    }
    const cdg_run_solid_entry *entry = &solids->entries[solid];
    cdg_result result = cdg_run_reader_numbers(reader, entry->mode_frequencies, solids->mode_count, frequencies, error);
    if (result != CDG_OK || shapes == NULL) return result;
    return cdg_run_reader_numbers(reader, entry->mode_shapes, 3 * solids->mode_count * entry->node_count, &shapes->x,
                                  error);
}

// A mode of a rod whose resolution changes, from the nodes of the start to those of all outputs.
static cdg_result spread_shape(const cdg_run_reader *reader, size_t rod, const cdg_vec3 *shape, cdg_vec3 *out,
                               cdg_error *error) {
    cdg_run_division start;
    cdg_result result = cdg_run_reader_division(reader, 0, rod, &start, error);
    if (result != CDG_OK) return result;
    const cdg_division from = {reader->rods[rod].is_closed, start.element_count, start.arc, {NULL, NULL, NULL}};
    result = cdg_field_resample(CDG_FIELD_velocities, &from, &shape->x, NULL, &reader->file->divisions[rod], &out->x,
                                error); // moves are vectors of nodes, as velocities are
    cdg_run_division_free(&start);
    return result;
}

static cdg_result read_shapes(cdg_run_reader *reader, size_t mode, cdg_vec3 **shapes, cdg_error *error) {
    cdg_result result = CDG_OK;
    double *frequencies = malloc(reader->mode_count * sizeof *frequencies);
    if (frequencies == NULL) return cdg_run_reader_fail_memory(reader, error);
    for (size_t i = 0; i < reader->file->layout.rod_count && result == CDG_OK; i++) {
        size_t nodes = reader->file->layout.rods[i].info.node_count;
        cdg_vec3 *all = malloc(reader->mode_count * nodes * sizeof *all);
        shapes[i] = malloc(reader->rods[i].node_count * sizeof **shapes);
        if (all == NULL || shapes[i] == NULL) {
            result = cdg_run_reader_fail_memory(reader, error);
        } else {
            result = cdg_run_reader_modes(reader, i, frequencies, all, error);
            if (result == CDG_OK && isnan(frequencies[mode - 1]))
                result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run ended before its modes were found",
                                  reader->file->path);
            const cdg_vec3 *shape = all + (mode - 1) * nodes;
            if (result == CDG_OK && reader->rods[i].adapts)
                result = spread_shape(reader, i, shape, shapes[i], error);
            else if (result == CDG_OK)
                memcpy(shapes[i], shape, nodes * sizeof *all);
        }
        free(all);
    }
    free(frequencies);
    return result;
}

static cdg_result read_solid_shape(cdg_run_reader *reader, size_t solid, size_t mode, cdg_vec3 **shape,
                                   cdg_error *error) {
    size_t nodes = reader->solids[solid].node_count;
    double *frequencies = malloc(reader->mode_count * sizeof *frequencies);
    cdg_vec3 *all = malloc(reader->mode_count * nodes * sizeof *all);
    *shape = malloc(nodes * sizeof **shape);
    cdg_result result = frequencies == NULL || all == NULL || *shape == NULL
                            ? cdg_run_reader_fail_memory(reader, error)
                            : cdg_run_reader_solid_modes(reader, solid, frequencies, all, error);
    if (result == CDG_OK && isnan(frequencies[mode - 1]))
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run ended before its modes were found", reader->file->path);
    if (result == CDG_OK) memcpy(*shape, all + (mode - 1) * nodes, nodes * sizeof *all);
    free(frequencies);
    free(all);
    return result;
}

// The longest side of the box around a solid at the output that it vibrates about, m.
static double extent_of(const cdg_run_reader *reader, size_t frame, size_t solid) {
    size_t nodes = reader->solids[solid].node_count;
    cdg_vec3 *at = malloc((nodes + 1) * sizeof *at), low = {INFINITY, INFINITY, INFINITY}, high = {0, 0, 0};
    cdg_error ignored;
    double extent = 0;
    if (at != NULL &&
        cdg_run_reader_solid(reader, frame, solid, CDG_SOLID_FIELD_positions, &at->x, &ignored) == CDG_OK) {
        high = vec3_scale(-1, low);
        for (size_t i = 0; i < nodes; i++) {
            low = (cdg_vec3){fmin(low.x, at[i].x), fmin(low.y, at[i].y), fmin(low.z, at[i].z)};
            high = (cdg_vec3){fmax(high.x, at[i].x), fmax(high.y, at[i].y), fmax(high.z, at[i].z)};
        }
        extent = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    }
    free(at);
    return extent;
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
    size_t shape_count = rod_count + reader->solid_count;
    size_t mode_frame = reader->is_static ? reader->frame_count - 1 : 0;
    double *times = malloc(CDG_MODE_VIEW_FRAMES * sizeof *times);
    size_t *node_counts = malloc((shape_count + 1) * sizeof *node_counts);
    cdg_vec3 **shapes = calloc(shape_count + 1, sizeof *shapes);
    bool has_memory = times != NULL && node_counts != NULL && shapes != NULL;
    cdg_result result =
        has_memory ? read_shapes(reader, mode, shapes, error) : cdg_run_reader_fail_memory(reader, error);
    for (size_t i = 0; i < reader->solid_count && result == CDG_OK; i++)
        result = read_solid_shape(reader, i, mode, &shapes[rod_count + i], error);
    if (!has_memory || result != CDG_OK) {
        for (size_t i = 0; shapes != NULL && i < shape_count; i++) free(shapes[i]);
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
    for (size_t i = 0; i < reader->solid_count; i++) {
        node_counts[rod_count + i] = reader->solids[i].node_count;
        longest = fmax(longest, extent_of(reader, mode_frame, i));
    }
    file->mode_factor = cdg_mode_view_factor((const cdg_vec3 *const *)shapes, node_counts, shape_count,
                                             amplitude > 0 ? amplitude : longest / 10);
    file->mode_frame = mode_frame;
    file->shapes = shapes;
    free(node_counts);
    double *play = realloc(reader->play, CDG_MODE_VIEW_FRAMES * sizeof *play);
    if (play == NULL) {
        free(times);
        return cdg_run_reader_fail_memory(reader, error);
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
