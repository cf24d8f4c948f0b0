// run.h5: outputs and checkpoints written into place. The structure comes from run_layout.c; here are only numbers.
#define _POSIX_C_SOURCE 200809L
#include "output/run_file.h"

#include "base/error.h"
#include "math/vec3.h"
#include "output/disk.h"
#include "output/run_fibers.h"
#include "output/run_layout.h"
#include "output/run_parts.h"
#include "output/run_peaks.h"
#include "output/run_ragged.h"
#include "output/run_sets.h"
#include "output/write_queue.h"
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

// Packing copies what was written; someone who stops a run should not wait longer than about a second for it.
static const double pack_limit_bytes = 1 << 30;
// Room for contacts is sparse and takes no disk; only small files, which are mailed and copied, are made anew for it.
static const double repack_limit_bytes = 1 << 24;
// Making a file anew takes milliseconds, which are most of a short run; less room than this is left in it.
static const double room_worth_bytes = 1 << 16;

enum { COPY_BYTES = 1 << 20 };

// Rods that share datasets are written together, as many as fit into this many numbers, which fit into a cache.
enum { BATCH_NUMBERS = 1 << 16 };

// Outputs of rods that are at least so large are written by a thread beside the next steps (write_queue.h): at most one
// waits, and no more than this.
static const size_t queue_worth_bytes = 1 << 22, queue_most_bytes = 1 << 28;

struct cdg_run_file {
    char *path;
    int descriptor;
    const cdg_scene *scene;
    const cdg_run_plan *plan;
    cdg_run_layout layout;
    size_t frames_written;
    cdg_write_queue *queue;    // NULL: outputs are small, or it could not be made
    uint64_t slot_ticket;      // of the last checkpoint that was handed to it
    double *row;               // all fields of a batch of rods
    size_t row_numbers;        // that fit into it
    double *slot;              // one checkpoint
    cdg_run_contact *contacts; // of an output
    size_t contact_capacity;
    size_t contact_end; // row after the last contact of the last output written
    cdg_run_rows *ends; // of rods whose resolution changes: the rows after those of the last output written
    double *kept;       // numbers of the run's own, of which checkpoints keep a copy
    size_t kept_count;
    cdg_checkpoint newest;
    bool has_newest;
    int newest_slot;
    double last_sync, last_checkpoint; // s, cdg_disk_clock
    double checkpoint_seconds;         // that it took to make the last one, and to write it unless the queue does that
};

_Static_assert((int)CDG_FIELD_COUNT <= (int)CDG_WRITE_PIECES_MAX, "a batch is one job of the queue");
_Static_assert(sizeof(cdg_vec3) == 3 * sizeof(double) && sizeof(cdg_quat) == 4 * sizeof(double),
               "vectors are stored as plain numbers");

// ---- making and freeing ---------------------------------------------------------------------------------------------

static void free_file(cdg_run_file *file) {
    if (file == NULL) return;
    cdg_write_queue_destroy(file->queue);
    if (file->descriptor >= 0) close(file->descriptor);
    cdg_run_layout_free(&file->layout);
    free(file->row);
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

static cdg_result make_file(const char *path, const cdg_scene *scene, const cdg_world *world, const cdg_run_plan *plan,
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
        free_file(file);
        return result;
    }
    file->layout.mode_count = file->layout.solids.mode_count = scene->mode_count;
    file->layout.is_static = scene->mode == SCENE_STATIC;
    for (size_t i = 0; i < file->layout.rod_count; i++) file->layout.rods[i].left_out = scene->left_out;
    result = cdg_run_sets_form(&file->layout, scene, error);
    if (result != CDG_OK) {
        free_file(file);
        return result;
    }
    size_t longest = BATCH_NUMBERS;
    for (size_t i = 0; i < file->layout.rod_count; i++) {
        size_t numbers = rod_numbers(&file->layout.rods[i]);
        if (numbers > longest) longest = numbers;
    }
    file->row = malloc(longest * sizeof *file->row);
    file->row_numbers = longest;
    file->slot = malloc(file->layout.slot_words * sizeof *file->slot);
    file->path = strdup(path);
    file->ends = calloc(file->layout.rod_count + 1, sizeof *file->ends);
    if (file->row == NULL || file->slot == NULL || file->path == NULL || file->ends == NULL) {
        free_file(file);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    *out = file;
    return CDG_OK;
}

// Marks outputs first .. last - 1 as not written.
static cdg_result erase_times(int descriptor, const char *path, const cdg_run_layout *layout, size_t first, size_t last,
                              cdg_error *error) {
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

static cdg_result open_descriptor(const char *path, int *descriptor, cdg_error *error) {
    *descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (*descriptor < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open for writing: %s", path, strerror(errno));
    return CDG_OK;
}

// A file of the given layout under path + ".new", times erased, open for writing. *name is malloc'ed.
static cdg_result make_new(const cdg_run_file *file, cdg_run_layout *layout, char **name, int *descriptor,
                           cdg_error *error) {
    *descriptor = -1;
    *name = cdg_disk_new_name(file->path);
    if (*name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    cdg_result result = cdg_run_layout_create(layout, *name, file->scene, file->plan, error);
    if (result == CDG_OK) result = open_descriptor(*name, descriptor, error);
    if (result == CDG_OK) result = erase_times(*descriptor, *name, layout, 0, layout->frame_count, error);
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
    cdg_result result = make_file(path, scene, world, plan, &file, error);
    if (result != CDG_OK) return result;
    assert(file != NULL);
    char *name = NULL;
    result = make_new(file, &file->layout, &name, &file->descriptor, error);
    if (result == CDG_OK) result = write_constants(file, file->descriptor, world, error);
    if (result != CDG_OK) {
        if (name != NULL) unlink(name);
        free_file(file);
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
    free_file(file);
}

// All that was handed over is in the file.
static cdg_result finish_writing(cdg_run_file *file, cdg_error *error) {
    return file->queue != NULL ? cdg_write_queue_wait(file->queue, UINT64_MAX, error) : CDG_OK;
}

cdg_result cdg_run_file_sync(cdg_run_file *file, cdg_error *error) {
    cdg_result result = finish_writing(file, error);
    return result == CDG_OK ? cdg_disk_sync(file->descriptor, file->path, error) : result;
}

// ---- packing and unpacking ------------------------------------------------------------------------------------------

static cdg_result copy_bytes(int from, uint64_t from_offset, int to, uint64_t to_offset, uint64_t size, char *buffer,
                             const char *path, cdg_error *error) {
    cdg_result result = CDG_OK;
    while (size > 0 && result == CDG_OK) {
        size_t part = size < COPY_BYTES ? (size_t)size : COPY_BYTES;
        result = cdg_disk_read_at(from, path, buffer, part, from_offset, error);
        if (result == CDG_OK) result = cdg_disk_write_at(to, path, buffer, part, to_offset, error);
        from_offset += part;
        to_offset += part;
        size -= part;
    }
    return result;
}

// Rows of a rod whose resolution changes, of all outputs.
static size_t ragged_rows(const cdg_run_file *file, size_t rod, cdg_field_per per) {
    return per == CDG_FIELD_PER_NODE ? file->ends[rod].first_node : file->ends[rod].first_element;
}

// Numbers of so many outputs in a dataset.
static size_t field_numbers(const cdg_run_file *file, size_t rod, int field, size_t frames) {
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    cdg_field_info info = cdg_field_get((cdg_field)field);
    if (entry->adapts) return ragged_rows(file, rod, info.per) * info.component_count;
    return frames * entry->alike * cdg_run_field_row(&entry->info, (cdg_field)field);
}

static size_t constant_numbers(const cdg_run_file *file, size_t rod, cdg_field_per per, size_t components) {
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    if (entry->adapts) return ragged_rows(file, rod, per) * components;
    return entry->alike * cdg_run_row(&entry->info, per, components);
}

static cdg_result copy_all(const cdg_run_file *file, const cdg_run_layout *to, int descriptor, size_t frames,
                           cdg_error *error) {
    char *buffer = malloc(COPY_BYTES);
    if (buffer == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    const cdg_run_layout *from = &file->layout;
    cdg_result result = CDG_OK;
#define COPY(source, target, numbers)                                                                                  \
    if (result == CDG_OK) {                                                                                            \
        result = copy_bytes(file->descriptor, source, descriptor, target, (uint64_t)(numbers)*8, buffer, file->path,   \
                            error);                                                                                    \
    }
    for (size_t i = 0; i < from->rod_count; i++) {
        const cdg_run_rod_entry *a = &from->rods[i], *b = &to->rods[i];
        if (a->row > 0) continue; // copied with the first of its set
        if (a->adapts) {
            COPY(a->node_offsets, b->node_offsets, frames + 1)
            COPY(a->element_offsets, b->element_offsets, frames + 1)
            COPY(a->arc_length, b->arc_length, file->ends[i].first_node)
        }
        for (int k = 0; k < CDG_FIELD_COUNT; k++)
            if (cdg_run_has_field(a, (cdg_field)k)) COPY(a->fields[k], b->fields[k], field_numbers(file, i, k, frames))
#define COPY_CONSTANT(name, per, components, units, text)                                                              \
    COPY(a->name, b->name, constant_numbers(file, i, per, components))
        CDG_RUN_ROD_CONSTANT_LIST(COPY_CONSTANT)
#undef COPY_CONSTANT
        if (from->mode_count == 0) continue;
        COPY(a->mode_frequencies, b->mode_frequencies, from->mode_count)
        COPY(a->mode_shapes, b->mode_shapes, from->mode_count * a->info.node_count * 3)
    }
    for (size_t i = 0; i < from->obstacles.count; i++) {
        const cdg_run_obstacle_entry *a = &from->obstacles.entries[i], *b = &to->obstacles.entries[i];
        COPY(a->position, b->position, 3 * frames)
        COPY(a->orientation, b->orientation, 4 * frames)
        COPY(a->vertices, b->vertices, 3 * a->info.shape.mesh.point_count)
        COPY(a->triangles, b->triangles, 3 * a->info.shape.mesh.triangle_count)
    }
    for (size_t i = 0; i < from->bodies.count; i++) {
        const cdg_run_body_entry *a = &from->bodies.entries[i], *b = &to->bodies.entries[i];
#define COPY_BODY(name, components, units, text) COPY(a->name, b->name, (components)*frames)
        CDG_RUN_BODY_LIST(COPY_BODY)
#undef COPY_BODY
        COPY(a->vertices, b->vertices, 3 * a->info.shape.mesh.point_count)
        COPY(a->triangles, b->triangles, 3 * a->info.shape.mesh.triangle_count)
    }
    for (size_t i = 0; i < from->solids.count; i++) {
        const cdg_run_solid_entry *a = &from->solids.entries[i], *b = &to->solids.entries[i];
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++)
            COPY(a->fields[f], b->fields[f], frames * cdg_run_solid_numbers(a, (cdg_solid_field)f))
        COPY(a->tetrahedra_offset, b->tetrahedra_offset, 4 * a->tetrahedron_count)
        COPY(a->surface_offset, b->surface_offset, 3 * a->surface_count)
        if (from->solids.mode_count == 0) continue;
        COPY(a->mode_frequencies, b->mode_frequencies, from->solids.mode_count)
        COPY(a->mode_shapes, b->mode_shapes, from->solids.mode_count * a->node_count * 3)
    }
#define COPY_STATIC(name, units, text)                                                                                 \
    if (from->is_static) COPY(from->static_##name, to->static_##name, frames)
    CDG_RUN_STATIC_LIST(COPY_STATIC)
#undef COPY_STATIC
#define COPY_ENERGY(name, text) COPY(from->energy_##name, to->energy_##name, frames)
    CDG_ENERGY_LIST(COPY_ENERGY)
#undef COPY_ENERGY
    if (from->contacts.is_there) {
        COPY(from->contacts.count, to->contacts.count, frames)
        COPY(from->contacts.deepest, to->contacts.deepest, frames)
        COPY(from->contacts.first, to->contacts.first, frames)
#define COPY_CONTACTS(name, numbers, units, text)                                                                      \
    COPY(from->contacts.name, to->contacts.name, file->contact_end *(numbers))
        CDG_RUN_CONTACT_LIST(COPY_CONTACTS)
#undef COPY_CONTACTS
    }
    for (int i = 0; i < 2; i++) COPY(from->checkpoint[i], to->checkpoint[i], from->slot_words)
    COPY(from->time, to->time, frames)
#undef COPY
    free(buffer);
    return result;
}

// What a file has room for.
typedef struct run_room {
    size_t frames, contacts;
    size_t rod, rows; // of that rod, and ...
    enum {
        ROWS_STAY,
        ROWS_FIT,
        ROWS_FOR_ALL
    } others; // ... of those whose resolution changes: just what is written,
              // or what outputs to come may need
} run_room;

static void set_rod_room(const cdg_run_file *file, const run_room *room, size_t rod, cdg_run_rod_entry *out) {
    size_t written = file->ends[rod].first_node, coming = room->frames - file->frames_written;
    if (!out->adapts) return;
    if (room->others == ROWS_FIT) out->room = written > 0 ? written : 1;
    if (room->others == ROWS_FOR_ALL) out->room = written + coming * out->info.node_count + 1;
    if (room->rows > 0 && room->rod == rod) out->room = room->rows;
}

// Rewrites the file with that room; on failure everything is as it was.
static cdg_result resize(cdg_run_file *file, run_room room, cdg_error *error) {
    cdg_result finished = finish_writing(file, error);
    if (finished != CDG_OK) return finished;
    size_t frame_count = room.frames;
    cdg_run_layout layout = file->layout;
    layout.frame_count = frame_count;
    layout.contacts.room = room.contacts;
    layout.fibers = NULL;
    layout.rods = malloc((layout.rod_count > 0 ? layout.rod_count : 1) * sizeof *layout.rods);
    if (layout.rods == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    memcpy(layout.rods, file->layout.rods, layout.rod_count * sizeof *layout.rods);
    for (size_t i = 0; i < layout.rod_count; i++) set_rod_room(file, &room, i, &layout.rods[i]);
    cdg_result copied = cdg_run_sets_copy(&file->layout, &layout, error);
    if (copied != CDG_OK) {
        cdg_run_sets_free(&layout);
        free(layout.rods);
        return copied;
    }
    copied = cdg_run_obstacles_copy(&file->layout.obstacles, &layout.obstacles, error);
    if (copied == CDG_OK) {
        copied = cdg_run_bodies_copy(&file->layout.bodies, &layout.bodies, error);
        if (copied == CDG_OK) copied = cdg_run_solids_copy(&file->layout.solids, &layout.solids, error);
        if (copied != CDG_OK) cdg_run_obstacles_free(&layout.obstacles), cdg_run_bodies_free(&layout.bodies);
    }
    if (copied != CDG_OK) {
        cdg_run_sets_free(&layout);
        free(layout.rods);
        return copied;
    }

    size_t kept = file->layout.frame_count < frame_count ? file->layout.frame_count : frame_count;
    char *name = NULL;
    int descriptor = -1;
    cdg_result result = make_new(file, &layout, &name, &descriptor, error);
    if (result == CDG_OK) result = copy_all(file, &layout, descriptor, kept, error);
    if (result == CDG_OK) result = cdg_disk_sync(descriptor, name, error);
    if (result == CDG_OK) result = cdg_disk_replace(name, file->path, error);
    if (result == CDG_OK) {
        close(file->descriptor);
        file->descriptor = descriptor;
        cdg_run_layout_free(&file->layout);
        file->layout = layout;
    } else {
        if (descriptor >= 0) close(descriptor);
        if (name != NULL) unlink(name);
        cdg_run_layout_free(&layout);
    }
    free(name);
    return result;
}

// ---- reopening ------------------------------------------------------------------------------------------------------

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

// Outputs 0 .. written - 1 have a time.
static cdg_result count_frames(cdg_run_file *file, size_t *written, cdg_error *error) {
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
    cdg_result result = count_frames(file, &written, error);
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
            result = cdg_disk_read_at(file->descriptor, file->path, file->row, nodes * sizeof *now,
                                      rod->fields[CDG_FIELD_positions], error);
        }
        for (size_t k = 0; k < nodes && result == CDG_OK; k++) {
            cdg_vec3 then = vec3(file->row[3 * k], file->row[3 * k + 1], file->row[3 * k + 2]);
            if (!(vec3_distance(then, now[k]) <= 1e-9 * (rod->info.length + vec3_norm(then)))) {
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
    cdg_result result = make_file(path, scene, world, plan, &file, error);
    if (result != CDG_OK) return result;
    assert(file != NULL);
    size_t contact_room = file->layout.contacts.room; // as for a new run
    result = cdg_run_layout_find(&file->layout, path, scene, plan, error);
    if (result == CDG_OK && file->layout.frame_count > plan->frame_count) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has more outputs than planned; run the scene anew", path);
    }
    if (result == CDG_OK) result = open_descriptor(path, &file->descriptor, error);
    if (result == CDG_OK) result = find_checkpoint(file, error);
    if (result == CDG_OK) result = check_start(file, world, error);
    if (result == CDG_OK && file->frames_written > 0) {
        result = find_ends(file, file->frames_written - 1, error);
    }
    if (result == CDG_OK && file->layout.frame_count < plan->frame_count) {
        size_t least = file->contact_end + 1;
        run_room room = {plan->frame_count, contact_room > least ? contact_room : least, .others = ROWS_FOR_ALL};
        result = resize(file, room, error);
    }
    if (result != CDG_OK) {
        free_file(file);
        file = NULL;
    }
    *out = file;
    return result;
}

void cdg_run_file_keep(cdg_run_file *file, double *numbers, size_t count) {
    assert(count <= file->layout.slot_words);
    file->kept = numbers;
    file->kept_count = count;
}

bool cdg_run_file_has_checkpoint(const cdg_run_file *file) { return file->has_newest; }

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
    return erase_times(file->descriptor, file->path, &file->layout, file->frames_written, file->layout.frame_count,
                       error);
}

// ---- writing --------------------------------------------------------------------------------------------------------

typedef struct frame_request {
    const cdg_world *world;
    size_t frame;
} frame_request;

static cdg_result write_batch(cdg_run_file *file, rod_batch batch, void *user, cdg_error *error) {
    const frame_request *request = user;
    const cdg_run_rod_entry *rods = file->layout.rods, *first = &rods[batch.rods[0]];
    cdg_run_parts_measure m = {.world = request->world, .parts = rods, .indices = batch.rods, .count = batch.count};
    double *buffer = file->queue != NULL ? cdg_write_queue_take(file->queue) : file->row, *at = buffer;
    if (at == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        if (!cdg_run_has_field(first, (cdg_field)k)) continue;
        m.rows[k] = cdg_run_field_row(&first->info, (cdg_field)k);
        m.begin[k] = at;
        at += batch.count * m.rows[k];
    }
    cdg_result result = cdg_run_parts_measure_all(&m);
    cdg_write_piece pieces[CDG_FIELD_COUNT];
    size_t count = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        if (m.begin[k] != NULL)
            pieces[count++] = (cdg_write_piece){m.begin[k], batch.count * m.rows[k] * sizeof(double),
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
                bytes += cdg_run_field_row(&rod->info, (cdg_field)k) * sizeof(double);
    }
    if (bytes < queue_worth_bytes || file->queue != NULL) return;
    size_t buffer = file->row_numbers * sizeof(double), most = bytes < queue_most_bytes ? bytes : queue_most_bytes;
    file->queue = cdg_write_queue_create(file->path, buffer, most / buffer + 2);
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
            run_room room = {
                .frames = file->layout.frame_count, .contacts = file->layout.contacts.room, .rod = i, .rows = 2 * end};
            result = resize(file, room, error);
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
        run_room room = {.frames = file->layout.frame_count, .contacts = 2 * end};
        result = resize(file, room, error);
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
    if (finish_writing(file, NULL) != CDG_OK) (void)count_frames(file, &written, NULL);
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

// Gives back the room of outputs that were not reached, and of contacts and rows of rods that did not come.
static void pack(cdg_run_file *file) {
    size_t written = file->frames_written > 0 ? file->frames_written : 1;
    run_room room = {.frames = written, .contacts = file->layout.contacts.room, .others = ROWS_FIT};
    if (file->layout.contacts.has_places) room.contacts = file->contact_end > 0 ? file->contact_end : 1;
    cdg_run_layout packed = file->layout;
    packed.frame_count = written;
    packed.contacts.room = room.contacts;
    double bytes = cdg_run_layout_bytes(&packed);
    double saved = cdg_run_layout_bytes(&file->layout) - bytes;
    for (size_t i = 0; i < packed.rod_count; i++) {
        cdg_run_rod_entry rod = packed.rods[i];
        set_rod_room(file, &room, i, &rod);
        double less = rod.adapts ? 8 * (double)((packed.rods[i].room - rod.room) * cdg_run_ragged_row()) : 0;
        bytes -= less;
        saved += less;
    }
    bool is_short = written < file->layout.frame_count, is_roomy = saved >= room_worth_bytes;
    // A failure to pack leaves the valid file alone, so it is not a failure of the run.
    if ((is_short && bytes <= pack_limit_bytes) || (is_roomy && bytes <= repack_limit_bytes))
        (void)resize(file, room, NULL);
}

cdg_result cdg_run_file_close(cdg_run_file *file, bool should_pack, cdg_error *error) {
    if (file == NULL) return CDG_OK;
    cdg_result result = cdg_run_file_sync(file, error);
    if (should_pack && result == CDG_OK) pack(file);
    if (close(file->descriptor) != 0 && result == CDG_OK) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    }
    file->descriptor = -1;
    free_file(file);
    return result;
}
