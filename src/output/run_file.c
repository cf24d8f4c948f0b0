// run.h5: outputs and checkpoints written into place. The structure comes from run_layout.c; here are only numbers.
// run_resize.c makes the file anew with another room, run_reopen.c goes on with one that was interrupted.
#define _POSIX_C_SOURCE 200809L
#include "output/run_file.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/run_fibers.h"
#include "output/run_file_inner.h"
#include "output/run_parts.h"
#include "output/run_peaks.h"
#include "output/run_ragged.h"
#include "output/run_sets.h"
#include "world/world.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Waiting for the device takes from milliseconds to seconds; a power cut may cost this much of a run.
static const double sync_interval = 5; // s

// States up to this size are saved with every output: writing 1 MiB into the kernel takes a fraction of a millisecond.
static const size_t frequent_checkpoint_bytes = 1 << 20;
static const double checkpoint_interval = 1; // s, for larger states
static const double checkpoint_share = 0.02; // of the time at most, for those that take long to make and to write

// Rods that share datasets are written together, as many as fit into this many numbers: for pieces below some hundred
// kilobytes the kernel takes up to twice as long per byte.
enum { BATCH_NUMBERS = 1 << 19 };

// Outputs of rods that are at least so large are written by a thread beside the next steps (write_queue.h): at most one
// waits, and no more than this.
static const size_t queue_worth_bytes = 1 << 22, queue_most_bytes = 1 << 29;

_Static_assert((int)CDG_FIELD_COUNT <= (int)CDG_WRITE_PIECES_MAX, "a batch is one job of the queue");
_Static_assert(sizeof(cdg_vec3) == 3 * sizeof(double) && sizeof(cdg_quat) == 4 * sizeof(double),
               "vectors are stored as plain numbers");

// ---- making and freeing ---------------------------------------------------------------------------------------------

void cdg_run_file_free(cdg_run_file *file) {
    if (file == NULL) return;
    cdg_write_queue_destroy(file->queue);
    if (file->descriptor >= 0) close(file->descriptor);
    cdg_run_layout_free(&file->layout);
    free(file->row);
    free(file->scratch);
    free(file->slot);
    free(file->contacts);
    free(file->ends);
    free(file->path);
    free(file);
}

// In one output of a rod.
static size_t rod_numbers(const cdg_run_rod_entry *rod) {
    if (rod->adapts) return rod->node_capacity * cdg_run_ragged_row();
    size_t numbers = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++) numbers += cdg_run_field_row(&rod->info, (cdg_field)k);
    return numbers;
}

// Rods whose numbers lie side by side in every dataset: one, or some of a set. Those whose resolution changes are none.
typedef struct rod_batch {
    const size_t *rods;
    size_t count;
} rod_batch;

typedef cdg_result batch_action(cdg_run_file *file, rod_batch batch, void *user, cdg_error *error);

static cdg_result for_each_batch(cdg_run_file *file, batch_action *action, void *user, cdg_error *error) {
    const cdg_run_layout *layout = &file->layout;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < layout->rod_count && result == CDG_OK; i++)
        if (layout->rods[i].set == 0 && !layout->rods[i].adapts) result = action(file, (rod_batch){&i, 1}, user, error);
    for (size_t s = 0; s < layout->set_count; s++) {
        const cdg_run_set *set = &layout->sets[s];
        size_t fitting = BATCH_NUMBERS / rod_numbers(&layout->rods[set->rods[0]]), most = fitting > 1 ? fitting : 1;
        for (size_t i = 0; i < set->count && result == CDG_OK; i += most) {
            size_t left = set->count - i;
            result = action(file, (rod_batch){set->rods + i, left < most ? left : most}, user, error);
        }
    }
    return result;
}

// Numbers of the largest batch, and of what else is written by way of its buffer.
static size_t largest_batch(const cdg_run_layout *layout) {
    size_t longest = 1 << 12;
    for (size_t i = 0; i < layout->rod_count; i++) {
        const cdg_run_rod_entry *rod = &layout->rods[i];
        size_t numbers = rod_numbers(rod), fitting = BATCH_NUMBERS / numbers;
        if (rod->set > 0 && fitting > 1) numbers *= fitting < rod->alike ? fitting : rod->alike;
        if (numbers > longest) longest = numbers;
    }
    return longest;
}

cdg_result cdg_run_file_make(const char *path, const cdg_scene *scene, const cdg_world *world, const cdg_run_plan *plan,
                             cdg_run_file **out, cdg_error *error) {
    size_t kept_count = CDG_PEAK_NUMBERS * cdg_run_peaks_count(scene);
    *out = NULL;
    cdg_run_file *file = calloc(1, sizeof *file);
    if (file == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    file->descriptor = -1;
    file->scene = scene;
    file->plan = plan;
    file->last_sync = cdg_disk_clock();
    cdg_result result =
        cdg_run_layout_make(world, plan->frame_count, cdg_checkpoint_words(world) + kept_count, &file->layout, error);
    if (result != CDG_OK) {
        cdg_run_file_free(file);
        return result;
    }
    file->layout.mode_count = file->layout.solids.mode_count = scene->mode_count;
    file->layout.is_static = scene->mode == SCENE_STATIC;
    for (size_t i = 0; i < file->layout.rod_count; i++)
        cdg_run_set_form(&file->layout.rods[i], scene->left_out, scene->precision == SCENE_SINGLE);
    result = cdg_run_sets_form(&file->layout, scene, error);
    if (result != CDG_OK) {
        cdg_run_file_free(file);
        return result;
    }
    file->row_numbers = largest_batch(&file->layout);
    file->row = malloc(file->row_numbers * sizeof *file->row);
    for (size_t i = 0; i < file->layout.rod_count && scene->precision == SCENE_SINGLE; i++)
        if (file->layout.rods[i].is_single && rod_numbers(&file->layout.rods[i]) > file->scratch_numbers)
            file->scratch_numbers = rod_numbers(&file->layout.rods[i]);
    file->scratch = malloc(((size_t)world->thread_count * file->scratch_numbers + 1) * sizeof *file->scratch);
    file->slot = malloc(file->layout.slot_words * sizeof *file->slot);
    file->path = strdup(path);
    file->ends = calloc(file->layout.rod_count + 1, sizeof *file->ends);
    if (file->row == NULL || file->scratch == NULL || file->slot == NULL || file->path == NULL || file->ends == NULL) {
        cdg_run_file_free(file);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    *out = file;
    return CDG_OK;
}

cdg_result cdg_run_file_erase_times(int descriptor, const char *path, const cdg_run_layout *layout, size_t first,
                                    size_t last, cdg_error *error) {
    double nans[512];
    for (size_t i = 0; i < 512; i++) nans[i] = NAN;
    cdg_result result = CDG_OK;
    while (first < last && result == CDG_OK) {
        size_t count = last - first < 512 ? last - first : 512;
        result = cdg_disk_write_at(descriptor, path, nans, count * sizeof(double),
                                   layout->time + first * sizeof(double), error);
        first += count;
    }
    return result;
}

cdg_result cdg_run_file_open_descriptor(const char *path, int *descriptor, cdg_error *error) {
    *descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (*descriptor < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open for writing: %s", path, strerror(errno));
    return CDG_OK;
}

cdg_result cdg_run_file_make_new(const cdg_run_file *file, cdg_run_layout *layout, char **name, int *descriptor,
                                 cdg_error *error) {
    *descriptor = -1;
    *name = cdg_disk_new_name(file->path);
    if (*name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    cdg_result result = cdg_run_layout_create(layout, *name, file->scene, file->plan, error);
    if (result == CDG_OK) result = cdg_run_file_open_descriptor(*name, descriptor, error);
    if (result == CDG_OK) result = cdg_run_file_erase_times(*descriptor, *name, layout, 0, layout->frame_count, error);
    if (result == CDG_OK) result = cdg_run_fibers_write(file->scene, layout->fibers, *descriptor, *name, error);
    if (result == CDG_OK) result = cdg_run_sets_write(layout, *descriptor, *name, error);
    const double nothing = NAN;
    for (size_t i = 0; i < layout->rod_count * layout->mode_count && result == CDG_OK; i++) {
        uint64_t offset =
            layout->rods[i / layout->mode_count].mode_frequencies + i % layout->mode_count * sizeof nothing;
        result = cdg_disk_write_at(*descriptor, *name, &nothing, sizeof nothing, offset, error);
    }
    if (result == CDG_OK) result = cdg_run_solids_clear_modes(&layout->solids, *descriptor, *name, error);
    return result;
}

typedef struct constants_request {
    const cdg_world *world;
    int descriptor;
} constants_request;

static cdg_result write_batch_constants(cdg_run_file *file, rod_batch batch, void *user, cdg_error *error) {
    const constants_request *request = user;
    const cdg_run_rod_entry *rods = file->layout.rods, *first = &rods[batch.rods[0]];
    cdg_result result = CDG_OK;
    size_t row;
#define WRITE_CONSTANT(dataset, per, components, units, text)                                                          \
    row = cdg_run_row(&first->info, per, components);                                                                  \
    for (size_t i = 0; i < batch.count && result == CDG_OK; i++)                                                       \
        result = cdg_run_part_read(request->world, &rods[batch.rods[i]], cdg_run_read_##dataset, per, components,      \
                                   file->row + i * row);                                                               \
    if (result != CDG_OK) return cdg_fail(error, result, "rod '%s' cannot be read", first->info.name);                 \
    result = cdg_disk_write_at(request->descriptor, file->path, file->row, batch.count * row * sizeof(double),         \
                               first->dataset, error);                                                                 \
    if (result != CDG_OK) return result;
    CDG_RUN_ROD_CONSTANT_LIST(WRITE_CONSTANT)
#undef WRITE_CONSTANT
    return CDG_OK;
}

static cdg_result write_constants(cdg_run_file *file, int descriptor, const cdg_world *world, cdg_error *error) {
    constants_request request = {world, descriptor};
    cdg_result result = for_each_batch(file, write_batch_constants, &request, error);
    if (result != CDG_OK) return result;
    result = cdg_run_obstacles_write_shapes(&file->layout.obstacles, descriptor, file->path, error);
    if (result != CDG_OK) return result;
    result = cdg_run_bodies_write_shapes(&file->layout.bodies, descriptor, file->path, error);
    if (result != CDG_OK) return result;
    return cdg_run_solids_write_meshes(&file->layout.solids, descriptor, file->path, error);
}

cdg_result cdg_run_file_stage(const char *path, const cdg_scene *scene, const cdg_world *world,
                              const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error) {
    cdg_run_file *file = NULL;
    *out = NULL;
    cdg_result result = cdg_run_file_make(path, scene, world, plan, &file, error);
    if (result != CDG_OK) return result;
    assert(file != NULL);
    char *name = NULL;
    result = cdg_run_file_make_new(file, &file->layout, &name, &file->descriptor, error);
    if (result == CDG_OK) result = write_constants(file, file->descriptor, world, error);
    if (result != CDG_OK) {
        if (name != NULL) unlink(name);
        cdg_run_file_free(file);
        file = NULL;
    }
    free(name);
    *out = file;
    return result;
}

cdg_result cdg_run_file_install(cdg_run_file *file, cdg_error *error) {
    return cdg_disk_install_new(file->path, error);
}

void cdg_run_file_discard(cdg_run_file *file) {
    if (file == NULL) return;
    cdg_disk_discard_new(file->path);
    cdg_run_file_free(file);
}

cdg_result cdg_run_file_finish(cdg_run_file *file, cdg_error *error) {
    return file->queue != NULL ? cdg_write_queue_wait(file->queue, UINT64_MAX, error) : CDG_OK;
}

cdg_result cdg_run_file_sync(cdg_run_file *file, cdg_error *error) {
    cdg_result result = cdg_run_file_finish(file, error);
    return result == CDG_OK ? cdg_disk_sync(file->descriptor, file->path, error) : result;
}

void cdg_run_file_keep(cdg_run_file *file, double *numbers, size_t count) {
    assert(count <= file->layout.slot_words);
    file->kept = numbers;
    file->kept_count = count;
}

bool cdg_run_file_has_checkpoint(const cdg_run_file *file) { return file->has_newest; }

// ---- writing --------------------------------------------------------------------------------------------------------

typedef struct frame_request {
    const cdg_world *world;
    size_t frame;
} frame_request;

static cdg_result write_batch(cdg_run_file *file, rod_batch batch, void *user, cdg_error *error) {
    const frame_request *request = user;
    const cdg_run_rod_entry *rods = file->layout.rods, *first = &rods[batch.rods[0]];
    cdg_run_parts_measure m = {.world = request->world, .parts = rods, .indices = batch.rods, .count = batch.count};
    if (first->is_single) m.scratch = file->scratch, m.scratch_numbers = file->scratch_numbers;
    char *buffer = file->queue != NULL ? cdg_write_queue_take(file->queue) : (char *)file->row, *at = buffer;
    if (at == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        if (!cdg_run_has_field(first, (cdg_field)k)) continue;
        m.rows[k] = cdg_run_field_row(&first->info, (cdg_field)k);
        m.begin[k] = at;
        at += batch.count * m.rows[k] * cdg_run_number_size(first);
    }
    cdg_result result = cdg_run_parts_measure_all(&m);
    cdg_write_piece pieces[CDG_FIELD_COUNT];
    size_t count = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        if (m.begin[k] != NULL)
            pieces[count++] = (cdg_write_piece){m.begin[k], batch.count * m.rows[k] * cdg_run_number_size(first),
                                                cdg_run_field_offset(first, (cdg_field)k, request->frame)};
    if (result != CDG_OK) count = 0; // the buffer goes back
    if (file->queue != NULL) cdg_write_queue_put(file->queue, file->descriptor, buffer, pieces, count);
    if (result != CDG_OK) return cdg_fail(error, result, "rod '%s' cannot be read", first->info.name);
    for (size_t k = 0; k < count && file->queue == NULL && result == CDG_OK; k++)
        result =
            cdg_disk_write_at(file->descriptor, file->path, pieces[k].data, pieces[k].size, pieces[k].offset, error);
    return result;
}

// Before the first output: from here on, outputs that take long to write are written beside the next steps.
static void make_queue(cdg_run_file *file) {
    size_t bytes = 0;
    for (size_t i = 0; i < file->layout.rod_count; i++) {
        const cdg_run_rod_entry *rod = &file->layout.rods[i];
        for (int k = 0; k < CDG_FIELD_COUNT && !rod->adapts; k++)
            if (cdg_run_has_field(rod, (cdg_field)k))
                bytes += cdg_run_field_row(&rod->info, (cdg_field)k) * cdg_run_number_size(rod);
    }
    if (bytes < queue_worth_bytes || file->queue != NULL) return;
    size_t buffer = file->row_numbers * sizeof(double), most = bytes < queue_most_bytes ? bytes : queue_most_bytes;
    file->queue = cdg_write_queue_create(file->path, buffer, most / buffer + 2);
}

// Has the file system find room for the output's large datasets at once.
static void reserve_sets(cdg_run_file *file, size_t frame) {
    for (size_t s = 0; s < file->layout.set_count && file->queue != NULL; s++) {
        const cdg_run_set *set = &file->layout.sets[s];
        const cdg_run_rod_entry *first = &file->layout.rods[set->rods[0]];
        cdg_write_piece pieces[CDG_FIELD_COUNT];
        size_t count = 0;
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            size_t bytes = set->count * cdg_run_field_row(&first->info, (cdg_field)k) * cdg_run_number_size(first);
            if (cdg_run_has_field(first, (cdg_field)k))
                pieces[count++] = (cdg_write_piece){NULL, bytes, cdg_run_field_offset(first, (cdg_field)k, frame)};
        }
        cdg_write_queue_put_room(file->queue, file->descriptor, pieces, count);
    }
}

static cdg_result write_number(cdg_run_file *file, size_t frame, double value, uint64_t offset, cdg_error *error) {
    return cdg_disk_write_at(file->descriptor, file->path, &value, sizeof value,
                             offset + (uint64_t)frame * sizeof value, error);
}

// Rods whose resolution changes.
static cdg_result write_ragged(cdg_run_file *file, size_t frame, const cdg_world *world, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < file->layout.rod_count && result == CDG_OK; i++) {
        if (!file->layout.rods[i].adapts) continue;
        size_t end = file->ends[i].first_node + cdg_run_part_span(world, &file->layout.rods[i]).node_count;
        if (end > file->layout.rods[i].room) {
            cdg_run_room room = {
                .frames = file->layout.frame_count, .contacts = file->layout.contacts.room, .rod = i, .rows = 2 * end};
            result = cdg_run_file_resize(file, room, error);
        }
        if (result == CDG_OK)
            result = cdg_run_ragged_write(&file->layout.rods[i], world, frame, &file->ends[i], file->row,
                                          file->descriptor, file->path, error);
    }
    return result;
}

static cdg_result write_contacts(cdg_run_file *file, size_t frame, const cdg_world *world, cdg_error *error) {
    size_t count = cdg_world_contact_count(world), end = file->contact_end + count;
    if (count > file->contact_capacity) {
        cdg_run_contact *grown = realloc(file->contacts, 2 * count * sizeof *grown);
        if (grown == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
        file->contacts = grown;
        file->contact_capacity = 2 * count;
    }
    cdg_result result = CDG_OK;
    if (end > file->layout.contacts.room) {
        cdg_run_room room = {.frames = file->layout.frame_count, .contacts = 2 * end};
        result = cdg_run_file_resize(file, room, error);
    }
    if (result == CDG_OK) result = cdg_run_contacts_list(world, file->contacts, count);
    if (result != CDG_OK) return result;
    cdg_run_parts_place_contacts(world, &file->layout, file->contacts, count);
    result = cdg_run_contacts_write_frame(&file->layout.contacts, frame, file->contact_end, file->contacts, count,
                                          cdg_world_deepest_contact(world), file->descriptor, file->path, error);
    if (result == CDG_OK) file->contact_end = end;
    return result;
}

cdg_result cdg_run_file_write_frame(cdg_run_file *file, size_t frame, const cdg_world *world, const cdg_energy *energy,
                                    cdg_error *error) {
    if (frame >= file->layout.frame_count) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: there is no room for output %zu", file->path, frame);
    }
    make_queue(file);
    cdg_result result = file->queue != NULL ? cdg_write_queue_failure(file->queue, error) : CDG_OK;
    frame_request request = {world, frame};
    if (result == CDG_OK) reserve_sets(file, frame);
    if (result == CDG_OK) result = for_each_batch(file, write_batch, &request, error);
    if (result == CDG_OK) result = write_ragged(file, frame, world, error);
    if (result == CDG_OK) {
        result =
            cdg_run_obstacles_write_frame(&file->layout.obstacles, world, frame, file->descriptor, file->path, error);
    }
    if (result == CDG_OK) {
        result = cdg_run_bodies_write_frame(&file->layout.bodies, world, frame, file->descriptor, file->path, error);
    }
    if (result == CDG_OK) {
        result = cdg_run_solids_write_frame(&file->layout.solids, world, frame, file->descriptor, file->path, error);
    }
#define WRITE_ENERGY(name, text)                                                                                       \
    if (result == CDG_OK) result = write_number(file, frame, energy->name, file->layout.energy_##name, error);
    CDG_ENERGY_LIST(WRITE_ENERGY)
#undef WRITE_ENERGY
    if (result == CDG_OK && file->layout.contacts.is_there) result = write_contacts(file, frame, world, error);
    // The time, which says that the output is there, comes after all of it.
    if (result == CDG_OK && file->queue != NULL)
        cdg_write_queue_put_number(file->queue, file->descriptor, cdg_world_time(world),
                                   file->layout.time + (uint64_t)frame * sizeof(double));
    else if (result == CDG_OK)
        result = write_number(file, frame, cdg_world_time(world), file->layout.time, error);
    if (result != CDG_OK) return result;
    if (frame >= file->frames_written) file->frames_written = frame + 1;

    double now = cdg_disk_clock();
    if (now - file->last_sync >= sync_interval) {
        if (file->queue != NULL)
            cdg_write_queue_put_sync(file->queue, file->descriptor);
        else
            result = cdg_disk_sync(file->descriptor, file->path, error);
        file->last_sync = cdg_disk_clock();
    }
    return result;
}

cdg_result cdg_run_file_write_static(cdg_run_file *file, size_t frame, double lowest_eigenvalue, double residual,
                                     cdg_error *error) {
    assert(file->layout.is_static);
    cdg_result result = write_number(file, frame, lowest_eigenvalue, file->layout.static_lowest_eigenvalue, error);
    if (result == CDG_OK) result = write_number(file, frame, residual, file->layout.static_residual, error);
    return result;
}

cdg_result cdg_run_file_write_modes(cdg_run_file *file, size_t rod, const double *frequencies, const cdg_vec3 *shapes,
                                    cdg_error *error) {
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    size_t count = file->layout.mode_count;
    cdg_result result = cdg_disk_write_at(file->descriptor, file->path, shapes,
                                          count * entry->info.node_count * sizeof *shapes, entry->mode_shapes, error);
    if (result != CDG_OK) return result;
    return cdg_disk_write_at(file->descriptor, file->path, frequencies, count * sizeof *frequencies,
                             entry->mode_frequencies, error);
}

cdg_result cdg_run_file_write_solid_modes(cdg_run_file *file, size_t solid, const double *frequencies,
                                          const cdg_vec3 *shapes, cdg_error *error) {
    return cdg_run_solids_write_modes(&file->layout.solids, solid, frequencies, shapes, file->descriptor, file->path,
                                      error);
}

size_t cdg_run_file_frames(cdg_run_file *file) {
    size_t written = file->frames_written;
    if (cdg_run_file_finish(file, NULL) != CDG_OK) (void)cdg_run_file_count_frames(file, &written, NULL);
    return written;
}

bool cdg_run_file_wants_checkpoint(const cdg_run_file *file) {
    if (!file->has_newest || file->layout.slot_words * sizeof(double) <= frequent_checkpoint_bytes) return true;
    double writing = file->queue != NULL ? cdg_write_queue_seconds(file->queue, file->slot_ticket) : 0;
    if (writing < 0) return false; // the last one is still on its way
    return cdg_disk_clock() - file->last_checkpoint >=
           fmax(checkpoint_interval, (file->checkpoint_seconds + writing) / checkpoint_share);
}

cdg_result cdg_run_file_write_checkpoint(cdg_run_file *file, size_t frame, const cdg_run_tally *tally,
                                         const cdg_world *world, cdg_error *error) {
    cdg_checkpoint checkpoint = {
        .sequence = file->has_newest ? file->newest.sequence + 1 : 1,
        .frame = frame,
        .step = cdg_world_step_index(world),
        .tally = *tally,
        .extra = file->kept,
        .extra_count = file->kept_count,
    };
    int slot = file->has_newest ? 1 - file->newest_slot : 0;
    double began = cdg_disk_clock();
    cdg_result result = file->queue != NULL ? cdg_write_queue_wait(file->queue, file->slot_ticket, error) : CDG_OK;
    if (result != CDG_OK) return result;
    result = cdg_checkpoint_encode(&checkpoint, world, file->slot, file->layout.slot_words);
    if (result != CDG_OK) return cdg_fail(error, result, "%s: the state cannot be saved", file->path);
    cdg_write_piece piece = {file->slot, file->layout.slot_words * sizeof(double), file->layout.checkpoint[slot]};
    if (file->queue != NULL)
        file->slot_ticket = cdg_write_queue_put(file->queue, file->descriptor, NULL, &piece, 1);
    else
        result = cdg_disk_write_at(file->descriptor, file->path, piece.data, piece.size, piece.offset, error);
    if (result != CDG_OK) return result;
    file->newest = checkpoint;
    file->newest_slot = slot;
    file->has_newest = true;
    file->last_checkpoint = cdg_disk_clock();
    file->checkpoint_seconds = file->last_checkpoint - began;
    return CDG_OK;
}

cdg_result cdg_run_file_close(cdg_run_file *file, bool should_pack, cdg_error *error) {
    if (file == NULL) return CDG_OK;
    cdg_result result = cdg_run_file_sync(file, error);
    if (should_pack && result == CDG_OK) cdg_run_file_pack(file);
    if (close(file->descriptor) != 0 && result == CDG_OK) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    }
    file->descriptor = -1;
    cdg_run_file_free(file);
    return result;
}
