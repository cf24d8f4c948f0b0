// A run file that is made anew with another room: larger when contacts or rods whose resolution changes have used it
// up, or when a packed run goes on; smaller when a run ends before its time. What is there is copied.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "output/disk.h"
#include "output/run_file_inner.h"
#include "output/run_groups.h"
#include "output/run_ragged.h"
#include "output/run_sets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Packing copies what was written; someone who stops a run should not wait longer than about a second for it.
static const double pack_limit_bytes = 1 << 30;
// Room for contacts is sparse and takes no disk; only small files, which are mailed and copied, are made anew for it.
static const double repack_limit_bytes = 1 << 24;
// Making a file anew takes milliseconds, which are most of a short run; less room than this is left in it.
static const double room_worth_bytes = 1 << 16;

enum { COPY_BYTES = 1 << 20 };

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

// Bytes of so many outputs in a dataset.
static size_t field_bytes(const cdg_run_file *file, size_t rod, int field, size_t frames) {
    const cdg_run_rod_entry *entry = &file->layout.rods[rod];
    cdg_field_info info = cdg_field_get((cdg_field)field);
    if (entry->adapts) return ragged_rows(file, rod, info.per) * info.component_count * sizeof(double);
    return frames * entry->alike * cdg_run_field_row(&entry->info, (cdg_field)field) * cdg_run_number_size(entry);
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
#define COPY_BYTES_OF(source, target, bytes)                                                                           \
    if (result == CDG_OK)                                                                                              \
        result = copy_bytes(file->descriptor, source, descriptor, target, bytes, buffer, file->path, error);
#define COPY(source, target, numbers) COPY_BYTES_OF(source, target, (uint64_t)(numbers)*8)
    for (size_t i = 0; i < from->rod_count; i++) {
        const cdg_run_rod_entry *a = &from->rods[i], *b = &to->rods[i];
        if (a->row > 0) continue; // copied with the first of its set
        if (a->adapts) {
            COPY(a->node_offsets, b->node_offsets, frames + 1)
            COPY(a->element_offsets, b->element_offsets, frames + 1)
            COPY(a->arc_length, b->arc_length, file->ends[i].first_node)
        }
        for (int k = 0; k < CDG_FIELD_COUNT; k++)
            if (cdg_run_has_field(a, (cdg_field)k))
                COPY_BYTES_OF(a->fields[k], b->fields[k], field_bytes(file, i, k, frames))
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
        COPY(a->mesh[0], b->mesh[0], 3 * a->info.shape.mesh.point_count)
        COPY(a->mesh[1], b->mesh[1], 3 * a->info.shape.mesh.triangle_count)
    }
    for (size_t i = 0; i < from->bodies.count; i++) {
        const cdg_run_body_entry *a = &from->bodies.entries[i], *b = &to->bodies.entries[i];
#define COPY_BODY(name, components, units, text) COPY(a->name, b->name, (components)*frames)
        CDG_RUN_BODY_LIST(COPY_BODY)
#undef COPY_BODY
        COPY(a->mesh[0], b->mesh[0], 3 * a->info.shape.mesh.point_count)
        COPY(a->mesh[1], b->mesh[1], 3 * a->info.shape.mesh.triangle_count)
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
#undef COPY_BYTES_OF
    free(buffer);
    return result;
}

static void set_rod_room(const cdg_run_file *file, const cdg_run_room *room, size_t rod, cdg_run_rod_entry *out) {
    size_t written = file->ends[rod].first_node, coming = room->frames - file->frames_written;
    if (!out->adapts) return;
    if (room->others == CDG_ROWS_FIT) out->room = written > 0 ? written : 1;
    if (room->others == CDG_ROWS_FOR_ALL) out->room = written + coming * out->info.node_count + 1;
    if (room->rows > 0 && room->rod == rod) out->room = room->rows;
}

// The file's layout with that room, and lists of its own; on failure there is none.
static cdg_result copy_layout(const cdg_run_file *file, const cdg_run_room *room, cdg_run_layout *out,
                              cdg_error *error) {
    const cdg_run_layout *from = &file->layout;
    *out = *from;
    out->frame_count = room->frames;
    out->contacts.room = room->contacts;
    out->fibers = NULL;
    out->sets = NULL, out->set_count = 0;
    out->obstacles = (cdg_run_obstacles){0}, out->bodies = (cdg_run_bodies){0}, out->solids = (cdg_run_solids){0};
    out->rods = cdg_run_copy_entries(from->rods, from->rod_count, sizeof *out->rods);
    cdg_result result = CDG_OK;
    if (out->rods == NULL) result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", file->path);
    for (size_t i = 0; i < out->rod_count && result == CDG_OK; i++) set_rod_room(file, room, i, &out->rods[i]);
    if (result == CDG_OK) result = cdg_run_sets_copy(from, out, error);
    if (result == CDG_OK) result = cdg_run_obstacles_copy(&from->obstacles, &out->obstacles, error);
    if (result == CDG_OK) result = cdg_run_bodies_copy(&from->bodies, &out->bodies, error);
    if (result == CDG_OK) result = cdg_run_solids_copy(&from->solids, &out->solids, error);
    if (result != CDG_OK) cdg_run_layout_free(out);
    return result;
}

cdg_result cdg_run_file_resize(cdg_run_file *file, cdg_run_room room, cdg_error *error) {
    cdg_run_layout layout;
    cdg_result result = cdg_run_file_finish(file, error);
    if (result == CDG_OK) result = copy_layout(file, &room, &layout, error);
    if (result != CDG_OK) return result;
    size_t kept = file->layout.frame_count < room.frames ? file->layout.frame_count : room.frames;
    char *name = NULL;
    int descriptor = -1;
    result = cdg_run_file_make_new(file, &layout, &name, &descriptor, error);
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

void cdg_run_file_pack(cdg_run_file *file) {
    size_t written = file->frames_written > 0 ? file->frames_written : 1;
    cdg_run_room room = {.frames = written, .contacts = file->layout.contacts.room, .others = CDG_ROWS_FIT};
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
        (void)cdg_run_file_resize(file, room, NULL);
}
