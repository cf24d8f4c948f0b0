// Rigid bodies in run.h5: structure, shapes, and how they move from output to output.
#include "output/run_bodies.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "output/run_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_run_bodies_make(const cdg_world *world, cdg_run_bodies *out, cdg_error *error) {
    *out = (cdg_run_bodies){.count = cdg_world_body_count(world)};
    if (out->count == 0) return CDG_OK;
    out->entries = calloc(out->count, sizeof *out->entries);
    if (out->entries == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's bodies");
    for (size_t i = 0; i < out->count; i++) {
        out->entries[i].id = cdg_world_body_at(world, i);
        cdg_result result = cdg_body_get_info(world, out->entries[i].id, &out->entries[i].info);
        if (result != CDG_OK) {
            cdg_run_bodies_free(out);
            return cdg_fail(error, result, "body number %zu of the scene cannot be read", i + 1);
        }
    }
    return CDG_OK;
}

cdg_result cdg_run_bodies_copy(const cdg_run_bodies *from, cdg_run_bodies *out, cdg_error *error) {
    *out = (cdg_run_bodies){0};
    if (from->count == 0) return CDG_OK;
    out->entries = cdg_run_copy_entries(from->entries, from->count, sizeof *out->entries);
    if (out->entries == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's bodies");
    out->count = from->count;
    return CDG_OK;
}

void cdg_run_bodies_free(cdg_run_bodies *bodies) {
    for (size_t i = 0; i < bodies->count && bodies->owns_info; i++) {
        free((void *)(uintptr_t)bodies->entries[i].info.name);
        cdg_run_shape_free(&bodies->entries[i].info.shape);
    }
    free(bodies->entries);
    *bodies = (cdg_run_bodies){0};
}

double cdg_run_bodies_numbers(const cdg_run_bodies *bodies, size_t frame_count) {
    double each = 0, sum = 0;
#define COUNT_COMPONENTS(name, components, units, text) each += (components);
    CDG_RUN_BODY_LIST(COUNT_COMPONENTS)
#undef COUNT_COMPONENTS
    for (size_t i = 0; i < bodies->count; i++) sum += cdg_run_shape_numbers(&bodies->entries[i].info.shape);
    return sum + each * (double)frame_count * (double)bodies->count;
}

// ---- structure ------------------------------------------------------------------------------------------------------

// Numbers that describe a shape, each with its name; kg and m. Those that a kind does not use are there all the same.
typedef struct shape_number {
    const char *name;
    double *value;
} shape_number;

enum { SHAPE_NUMBERS = 9 };

static void list_numbers(cdg_body_info *info, shape_number out[SHAPE_NUMBERS]) {
    const shape_number list[SHAPE_NUMBERS] = {
        {"mass", &info->mass},           {"radius", &info->shape.radius}, {"length", &info->shape.length},
        {"size_x", &info->shape.size.x}, {"size_y", &info->shape.size.y}, {"size_z", &info->shape.size.z},
        {"center_x", &info->center.x},   {"center_y", &info->center.y},   {"center_z", &info->center.z}};
    memcpy(out, list, sizeof list);
}

static bool put_shape(hid_t group, cdg_body_info info) {
    shape_number numbers[SHAPE_NUMBERS];
    list_numbers(&info, numbers);
    bool is_done = cdg_hdf5_put_text(group, "kind", cdg_run_shape_kinds[info.shape.kind]) &&
                   cdg_hdf5_put_integer(group, "is_fixed", info.is_fixed);
    for (int i = 0; i < SHAPE_NUMBERS && is_done; i++)
        is_done = cdg_hdf5_put_number(group, numbers[i].name, *numbers[i].value);
    return is_done;
}

static bool visit_entry(cdg_run_body_entry *entry, hid_t group, cdg_run_visit visit, size_t frame_count,
                        uint64_t file_size) {
#define VISIT(field, components, units_text, text)                                                                     \
    {                                                                                                                  \
        cdg_hdf5_block block = {.name = #field,                                                                        \
                                .type = H5T_NATIVE_DOUBLE,                                                             \
                                .rank = 2,                                                                             \
                                .size = {frame_count, (components)},                                                   \
                                .units = (units_text),                                                                 \
                                .description = (text)};                                                                \
        if (!visit(group, &block, file_size)) return false;                                                            \
        entry->field = block.offset;                                                                                   \
    }
    CDG_RUN_BODY_LIST(VISIT)
#undef VISIT
    return cdg_run_shape_visit(entry->mesh, &entry->info.shape, group, visit, file_size);
}

static const char *name_of(const void *list, size_t number) {
    return ((const cdg_run_bodies *)list)->entries[number].info.name;
}

static bool put(const void *list, size_t number, hid_t group) {
    return put_shape(group, ((const cdg_run_bodies *)list)->entries[number].info);
}

static bool visit_one(void *list, size_t number, hid_t group, cdg_run_visit visit, const cdg_run_extent *extent) {
    cdg_run_body_entry *entry = &((cdg_run_bodies *)list)->entries[number];
    return visit_entry(entry, group, visit, extent->frame_count, extent->file_size);
}

// ---- reading --------------------------------------------------------------------------------------------------------

// Sizes are those of a shape, whatever a damaged file says.
static bool is_sensible(const cdg_body_info *info) {
    if (info->shape.kind < CDG_SHAPE_SPHERE) return false;
    bool is_finite = isfinite(info->shape.radius) && isfinite(info->shape.length) && isfinite(info->shape.size.x) &&
                     isfinite(info->shape.size.y) && isfinite(info->shape.size.z);
    return is_finite && info->shape.radius >= 0 && info->shape.length >= 0;
}

static bool read_body(void *list, size_t number, const char *name, hid_t group, const cdg_run_extent *extent) {
    cdg_run_body_entry entry = {0};
    shape_number numbers[SHAPE_NUMBERS];
    list_numbers(&entry.info, numbers);
    uint64_t is_fixed = 0;
    int kind = 0;
    bool is_good = cdg_hdf5_get_word(group, "kind", cdg_run_shape_kinds, CDG_SHAPE_MESH + 1, &kind) &&
                   cdg_hdf5_get_integer(group, "is_fixed", &is_fixed);
    entry.info.shape.kind = (cdg_shape_kind)kind;
    for (int i = 0; i < SHAPE_NUMBERS && is_good; i++)
        is_good = cdg_hdf5_get_number(group, numbers[i].name, numbers[i].value);
    is_good = is_good && is_sensible(&entry.info) &&
              visit_entry(&entry, group, cdg_hdf5_find_block, extent->frame_count, extent->file_size);
    entry.info.name = is_good ? cdg_run_copy_name(name) : NULL;
    if (entry.info.name == NULL) return false;
    entry.info.is_fixed = is_fixed != 0;
    is_good = cdg_run_shape_read(entry.mesh, &entry.info.shape, extent->file_size, extent->path);
    ((cdg_run_bodies *)list)->entries[number] = entry; // whose memory is freed in any case
    return is_good;
}

static bool reserve(void *list, size_t count) {
    cdg_run_bodies *bodies = list;
    bodies->entries = calloc(count, sizeof *bodies->entries);
    bodies->count = bodies->entries != NULL ? count : 0;
    return bodies->entries != NULL;
}

static const cdg_run_kind bodies_kind = {"bodies", name_of, put, visit_one, reserve, read_body};

bool cdg_run_bodies_create(cdg_run_bodies *bodies, int64_t file, size_t frame_count) {
    return cdg_run_kind_create(&bodies_kind, bodies, bodies->count, file, frame_count);
}

bool cdg_run_bodies_find(cdg_run_bodies *bodies, int64_t file, size_t frame_count, uint64_t file_size) {
    return cdg_run_kind_find(&bodies_kind, bodies, bodies->count, file, (cdg_run_extent){frame_count, file_size, NULL});
}

bool cdg_run_bodies_discover(cdg_run_bodies *out, int64_t file, size_t frame_count, uint64_t file_size,
                             const char *path) {
    *out = (cdg_run_bodies){.owns_info = true};
    return cdg_run_kind_discover(&bodies_kind, out, file, (cdg_run_extent){frame_count, file_size, path});
}

cdg_result cdg_run_bodies_read_pose(const cdg_run_bodies *bodies, size_t body, size_t frame, int descriptor,
                                    const char *path, cdg_vec3 *position, cdg_quat *orientation, cdg_error *error) {
    const cdg_run_body_entry *entry = &bodies->entries[body];
    return cdg_run_pose_read(entry->position, entry->orientation, frame, descriptor, path, position, orientation,
                             error);
}

// ---- writing --------------------------------------------------------------------------------------------------------

cdg_result cdg_run_bodies_write_shapes(const cdg_run_bodies *bodies, int descriptor, const char *path,
                                       cdg_error *error) {
    for (size_t i = 0; i < bodies->count; i++) {
        const cdg_run_body_entry *entry = &bodies->entries[i];
        cdg_result result = cdg_run_shape_write(entry->mesh, &entry->info.shape, descriptor, path, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result cdg_run_bodies_write_frame(const cdg_run_bodies *bodies, const cdg_world *world, size_t frame,
                                      int descriptor, const char *path, cdg_error *error) {
    for (size_t i = 0; i < bodies->count; i++) {
        const cdg_run_body_entry *entry = &bodies->entries[i];
        cdg_body_state now;
        cdg_result result = cdg_body_get_state(world, entry->id, &now);
        if (result != CDG_OK) return cdg_fail(error, result, "body '%s' cannot be read", entry->info.name);
#define WRITE(field, components, units, text)                                                                          \
    result = cdg_disk_write_at(descriptor, path, &now.field, sizeof now.field,                                         \
                               entry->field + (uint64_t)frame * sizeof now.field, error);                              \
    if (result != CDG_OK) return result;
        CDG_RUN_BODY_LIST(WRITE)
#undef WRITE
    }
    return CDG_OK;
}
