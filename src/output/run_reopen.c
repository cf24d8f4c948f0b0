// An interrupted run that goes on: whether its file is that of the scene, how far it came, its last whole checkpoint.
#include "base/error.h"
#include "math/vec3.h"
#include "output/disk.h"
#include "output/run_file_inner.h"
#include "output/run_parts.h"
#include "output/run_ragged.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdg_result read_slot(cdg_run_file *file, int slot, cdg_checkpoint *out, bool *is_whole, cdg_error *error) {
    cdg_result result = cdg_disk_read_at(file->descriptor, file->path, file->slot, file->layout.slot_words * 8,
                                         file->layout.checkpoint[slot], error);
    *is_whole = result == CDG_OK && cdg_checkpoint_decode(file->slot, file->layout.slot_words, out) &&
                out->frame < file->plan->frame_count;
    return result;
}

cdg_result cdg_run_file_read_time(cdg_run_file *file, size_t frame, double *out, cdg_error *error) {
    return cdg_disk_read_at(file->descriptor, file->path, out, sizeof *out, file->layout.time + frame * sizeof *out,
                            error);
}

cdg_result cdg_run_file_count_frames(cdg_run_file *file, size_t *written, cdg_error *error) {
    *written = 0;
    for (size_t i = 0; i < file->layout.frame_count; i++) {
        double time;
        cdg_result result = cdg_run_file_read_time(file, i, &time, error);
        if (result != CDG_OK) return result;
        if (!isfinite(time)) break;
        *written = i + 1;
    }
    return CDG_OK;
}

static cdg_result find_checkpoint(cdg_run_file *file, cdg_error *error) {
    for (int slot = 0; slot < 2; slot++) {
        cdg_checkpoint checkpoint;
        bool is_whole;
        cdg_result result = read_slot(file, slot, &checkpoint, &is_whole, error);
        if (result != CDG_OK) return result;
        if (is_whole && (!file->has_newest || checkpoint.sequence > file->newest.sequence)) {
            file->newest = checkpoint;
            file->newest_slot = slot;
            file->has_newest = true;
        }
    }
    size_t written = 0;
    cdg_result result = cdg_run_file_count_frames(file, &written, error);
    if (result != CDG_OK) return result;
    // Before its first checkpoint a run has one output at most.
    if ((!file->has_newest && written > 1) || (file->has_newest && file->newest.frame >= written)) {
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the run is damaged: it holds %zu outputs but no checkpoint that fits; run the scene anew",
                        file->path, written);
    }
    file->frames_written = file->has_newest ? (size_t)file->newest.frame + 1 : 0;
    return CDG_OK;
}

// The scene text may be the same while a file it names, say a centreline, has changed. Compared to roundings and not
// to the bit, because another machine may compute the same shape a little differently.
static cdg_result check_start(cdg_run_file *file, const cdg_world *world, cdg_error *error) {
    for (size_t i = 0; i < file->layout.rod_count && file->frames_written > 0; i++) {
        const cdg_run_rod_entry *rod = &file->layout.rods[i];
        size_t nodes = rod->info.node_count;
        cdg_run_rows rows = {.node_count = nodes};
        if (rod->adapts) {
            cdg_result found = cdg_run_ragged_rows(rod, 0, file->descriptor, file->path, &rows, error);
            if (found != CDG_OK) return found;
        }
        // one that starts at its finest was made coarser, which moves its nodes, when a step was chosen for it; this
        // world has the step given, and waits for its first step with that (run_longer.c)
        if (rod->adapts && rows.node_count < nodes) continue;
        if (rows.node_count != nodes)
            return cdg_fail(error, CDG_ERROR_FORMAT,
                            "%s: rod '%s' began with %zu nodes and would now with %zu; run the scene anew", file->path,
                            rod->info.name, rows.node_count, nodes);
        cdg_vec3 *now = malloc(nodes * sizeof *now);
        if (now == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
        cdg_result result = cdg_run_part_positions(world, rod, now);
        if (result == CDG_OK) {
            uint64_t offset = rod->fields[CDG_FIELD_positions];
            result =
                rod->is_single
                    ? cdg_disk_read_singles_at(file->descriptor, file->path, file->row, 3 * nodes, offset, error)
                    : cdg_disk_read_at(file->descriptor, file->path, file->row, nodes * sizeof *now, offset, error);
        }
        for (size_t k = 0; k < nodes && result == CDG_OK; k++) {
            cdg_vec3 then = vec3(file->row[3 * k], file->row[3 * k + 1], file->row[3 * k + 2]);
            if (!(vec3_distance(then, now[k]) <=
                  (rod->is_single ? 1e-6 : 1e-9) * (rod->info.length + vec3_norm(then)))) {
                result = cdg_fail(error, CDG_ERROR_FORMAT,
                                  "%s: rod '%s' began at another place than it does now (node %zu); has a file changed "
                                  "that the scene refers to? Run the scene anew",
                                  file->path, rod->info.name, k);
            }
        }
        free(now);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// Where the contacts, and the rows of rods whose resolution changes, of the outputs up to `frame` end.
static cdg_result find_ends(cdg_run_file *file, size_t frame, cdg_error *error) {
    for (size_t i = 0; i < file->layout.rod_count; i++) {
        const cdg_run_rod_entry *rod = &file->layout.rods[i];
        cdg_run_rows rows;
        if (!rod->adapts) continue;
        cdg_result result = cdg_run_ragged_rows(rod, frame, file->descriptor, file->path, &rows, error);
        if (result != CDG_OK) return result;
        file->ends[i] = (cdg_run_rows){.first_node = rows.first_node + rows.node_count,
                                       .first_element = rows.first_element + rows.element_count};
    }
    file->contact_end = 0;
    if (!file->layout.contacts.is_there) return CDG_OK;
    size_t first = 0, count = 0;
    cdg_result result =
        cdg_run_contacts_range(&file->layout.contacts, frame, file->descriptor, file->path, &first, &count, error);
    file->contact_end = first + count;
    return result;
}

cdg_result cdg_run_file_reopen(const char *path, const cdg_scene *scene, const cdg_world *world,
                               const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error) {
    cdg_run_file *file = NULL;
    *out = NULL;
    cdg_result result = cdg_run_file_make(path, scene, world, plan, &file, error);
    if (result != CDG_OK) return result;
    assert(file != NULL);
    size_t contact_room = file->layout.contacts.room; // as for a new run
    result = cdg_run_layout_find(&file->layout, path, scene, plan, error);
    if (result == CDG_OK && file->layout.frame_count > plan->frame_count) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has more outputs than planned; run the scene anew", path);
    }
    if (result == CDG_OK) result = cdg_run_file_open_descriptor(path, &file->descriptor, error);
    if (result == CDG_OK) result = find_checkpoint(file, error);
    if (result == CDG_OK) result = check_start(file, world, error);
    if (result == CDG_OK && file->frames_written > 0) {
        result = find_ends(file, file->frames_written - 1, error);
    }
    if (result == CDG_OK && file->layout.frame_count < plan->frame_count) {
        size_t least = file->contact_end + 1;
        cdg_run_room room = {plan->frame_count, contact_room > least ? contact_room : least,
                             .others = CDG_ROWS_FOR_ALL};
        result = cdg_run_file_resize(file, room, error);
    }
    if (result != CDG_OK) {
        cdg_run_file_free(file);
        file = NULL;
    }
    *out = file;
    return result;
}

cdg_result cdg_run_file_read_checkpoint(cdg_run_file *file, cdg_world *world, size_t *frame, cdg_run_tally *tally,
                                        cdg_error *error) {
    cdg_checkpoint checkpoint;
    bool is_whole = false;
    cdg_result result = CDG_OK;
    if (file->has_newest) result = read_slot(file, file->newest_slot, &checkpoint, &is_whole, error);
    if (result != CDG_OK) return result;
    if (!is_whole || !cdg_checkpoint_load(file->slot, world)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the checkpoint does not fit the scene; run it anew", file->path);
    }
    if (checkpoint.extra_count < file->kept_count)
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the checkpoint does not fit the scene; run it anew", file->path);
    if (file->kept_count > 0) memcpy(file->kept, checkpoint.extra, file->kept_count * sizeof *file->kept);
    *frame = (size_t)checkpoint.frame;
    *tally = checkpoint.tally;
    file->frames_written = *frame + 1;
    result = find_ends(file, *frame, error);
    if (result != CDG_OK) return result;
    return cdg_run_file_erase_times(file->descriptor, file->path, &file->layout, file->frames_written,
                                    file->layout.frame_count, error);
}
