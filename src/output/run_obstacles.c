// Obstacles in run.h5: structure, shapes, and where they are at each output.
#include "output/run_obstacles.h"

#include "base/error.h"
#include "math/vec3.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "output/run_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_run_obstacles_make(const cdg_world *world, cdg_run_obstacles *out, cdg_error *error) {
    *out = (cdg_run_obstacles){.count = cdg_world_obstacle_count(world)};
    if (out->count == 0) return CDG_OK;
    out->entries = calloc(out->count, sizeof *out->entries);
    if (out->entries == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's obstacles");
    for (size_t i = 0; i < out->count; i++) {
        out->entries[i].id = cdg_world_obstacle_at(world, i);
        cdg_result result = cdg_obstacle_get_info(world, out->entries[i].id, &out->entries[i].info);
        if (result != CDG_OK) {
            cdg_run_obstacles_free(out);
            return cdg_fail(error, result, "obstacle number %zu of the scene cannot be read", i + 1);
        }
    }
    return CDG_OK;
}

cdg_result cdg_run_obstacles_copy(const cdg_run_obstacles *from, cdg_run_obstacles *out, cdg_error *error) {
    *out = (cdg_run_obstacles){0};
    if (from->count == 0) return CDG_OK;
    out->entries = cdg_run_copy_entries(from->entries, from->count, sizeof *out->entries);
    if (out->entries == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's obstacles");
    out->count = from->count;
    return CDG_OK;
}

void cdg_run_obstacles_free(cdg_run_obstacles *obstacles) {
    for (size_t i = 0; i < obstacles->count && obstacles->owns_info; i++) {
        free((void *)(uintptr_t)obstacles->entries[i].info.name);
        cdg_run_shape_free(&obstacles->entries[i].info.shape);
    }
    free(obstacles->entries);
    *obstacles = (cdg_run_obstacles){0};
}

double cdg_run_obstacles_numbers(const cdg_run_obstacles *obstacles, size_t frame_count) {
    double sum = 7 * (double)frame_count * (double)obstacles->count;
    for (size_t i = 0; i < obstacles->count; i++) sum += cdg_run_shape_numbers(&obstacles->entries[i].info.shape);
    return sum;
}

// ---- structure ------------------------------------------------------------------------------------------------------

static const char *const normal_names[3] = {"normal_x", "normal_y", "normal_z"};
static const char *const size_names[3] = {"size_x", "size_y", "size_z"};

static bool put_vector(hid_t group, const char *const names[3], cdg_vec3 v) {
    return cdg_hdf5_put_number(group, names[0], v.x) && cdg_hdf5_put_number(group, names[1], v.y) &&
           cdg_hdf5_put_number(group, names[2], v.z);
}

// Lengths in m. What the kind does not use is not there.
static bool put_shape(hid_t group, const cdg_obstacle_info *info) {
    bool is_done = cdg_hdf5_put_text(group, "kind", cdg_run_shape_kinds[info->shape.kind]) &&
                   cdg_hdf5_put_number(group, "friction", info->friction) &&
                   cdg_hdf5_put_integer(group, "is_moving", info->is_moving);
    if (!is_done) return false;
    switch (info->shape.kind) {
    case CDG_SHAPE_PLANE:
        return put_vector(group, normal_names, info->shape.normal) &&
               cdg_hdf5_put_number(group, "offset", info->shape.offset);
    case CDG_SHAPE_BOX: return put_vector(group, size_names, info->shape.size);
    case CDG_SHAPE_CAPSULE:
    case CDG_SHAPE_CYLINDER:
        return cdg_hdf5_put_number(group, "radius", info->shape.radius) &&
               cdg_hdf5_put_number(group, "length", info->shape.length);
    case CDG_SHAPE_SPHERE: return cdg_hdf5_put_number(group, "radius", info->shape.radius);
    case CDG_SHAPE_MESH: return cdg_hdf5_put_integer(group, "is_surface", info->shape.is_surface);
    default: break;
    }
    return true;
}

static bool visit_entry(cdg_run_obstacle_entry *entry, hid_t group, cdg_run_visit visit, size_t frame_count,
                        uint64_t file_size) {
    cdg_hdf5_block position = {.name = "position",
                               .type = H5T_NATIVE_DOUBLE,
                               .rank = 2,
                               .size = {frame_count, 3},
                               .units = "m",
                               .description = "where the obstacle's origin is, world axes"};
    cdg_hdf5_block orientation = {.name = "orientation",
                                  .type = H5T_NATIVE_DOUBLE,
                                  .rank = 2,
                                  .size = {frame_count, 4},
                                  .units = "1",
                                  .description = "how it is turned, unit quaternion w x y z"};
    if (!visit(group, &position, file_size) || !visit(group, &orientation, file_size)) return false;
    entry->position = position.offset;
    entry->orientation = orientation.offset;
    return cdg_run_shape_visit(entry->mesh, &entry->info.shape, group, visit, file_size);
}

static const char *name_of(const void *list, size_t number) {
    return ((const cdg_run_obstacles *)list)->entries[number].info.name;
}

static bool put(const void *list, size_t number, hid_t group) {
    return put_shape(group, &((const cdg_run_obstacles *)list)->entries[number].info);
}

static bool visit_one(void *list, size_t number, hid_t group, cdg_run_visit visit, const cdg_run_extent *extent) {
    cdg_run_obstacle_entry *entry = &((cdg_run_obstacles *)list)->entries[number];
    return visit_entry(entry, group, visit, extent->frame_count, extent->file_size);
}

// ---- reading --------------------------------------------------------------------------------------------------------

static bool get_vector(hid_t group, const char *const names[3], cdg_vec3 *v) {
    return cdg_hdf5_get_number(group, names[0], &v->x) && cdg_hdf5_get_number(group, names[1], &v->y) &&
           cdg_hdf5_get_number(group, names[2], &v->z);
}

static bool is_length(double value) { return isfinite(value) && value >= 0; }

// Sizes are those of a shape, whatever a damaged file says.
static bool get_sizes(hid_t group, cdg_obstacle_info *info) {
    uint64_t is_surface = 0;
    switch (info->shape.kind) {
    case CDG_SHAPE_PLANE:
        return get_vector(group, normal_names, &info->shape.normal) &&
               cdg_hdf5_get_number(group, "offset", &info->shape.offset) && isfinite(info->shape.offset) &&
               fabs(vec3_norm(info->shape.normal) - 1) < 1e-6;
    case CDG_SHAPE_BOX:
        return get_vector(group, size_names, &info->shape.size) && is_length(info->shape.size.x) &&
               is_length(info->shape.size.y) && is_length(info->shape.size.z);
    case CDG_SHAPE_CAPSULE:
    case CDG_SHAPE_CYLINDER:
        return cdg_hdf5_get_number(group, "radius", &info->shape.radius) &&
               cdg_hdf5_get_number(group, "length", &info->shape.length) && is_length(info->shape.radius) &&
               is_length(info->shape.length);
    case CDG_SHAPE_SPHERE:
        return cdg_hdf5_get_number(group, "radius", &info->shape.radius) && is_length(info->shape.radius);
    case CDG_SHAPE_MESH:
        if (!cdg_hdf5_get_integer(group, "is_surface", &is_surface)) return false;
        info->shape.is_surface = is_surface != 0;
        return true;
    default: break;
    }
    return false;
}

static bool get_shape(hid_t group, cdg_obstacle_info *info) {
    uint64_t is_moving = 0;
    int kind;
    if (!cdg_hdf5_get_word(group, "kind", cdg_run_shape_kinds, CDG_SHAPE_MESH + 1, &kind)) return false;
    info->shape.kind = (cdg_shape_kind)kind;
    bool is_good = cdg_hdf5_get_number(group, "friction", &info->friction) &&
                   cdg_hdf5_get_integer(group, "is_moving", &is_moving) && get_sizes(group, info);
    info->is_moving = is_moving != 0;
    return is_good;
}

static bool read_obstacle(void *list, size_t number, const char *name, hid_t group, const cdg_run_extent *extent) {
    cdg_run_obstacle_entry entry = {0};
    bool is_good = get_shape(group, &entry.info) &&
                   visit_entry(&entry, group, cdg_hdf5_find_block, extent->frame_count, extent->file_size);
    entry.info.name = is_good ? cdg_run_copy_name(name) : NULL;
    if (entry.info.name == NULL) return false;
    is_good = cdg_run_shape_read(entry.mesh, &entry.info.shape, extent->file_size, extent->path);
    ((cdg_run_obstacles *)list)->entries[number] = entry; // whose memory is freed in any case
    return is_good;
}

static bool reserve(void *list, size_t count) {
    cdg_run_obstacles *obstacles = list;
    obstacles->entries = calloc(count, sizeof *obstacles->entries);
    obstacles->count = obstacles->entries != NULL ? count : 0;
    return obstacles->entries != NULL;
}

static const cdg_run_kind obstacles_kind = {"obstacles", name_of, put, visit_one, reserve, read_obstacle};

bool cdg_run_obstacles_create(cdg_run_obstacles *obstacles, int64_t file, size_t frame_count) {
    return cdg_run_kind_create(&obstacles_kind, obstacles, obstacles->count, file, frame_count);
}

bool cdg_run_obstacles_find(cdg_run_obstacles *obstacles, int64_t file, size_t frame_count, uint64_t file_size) {
    return cdg_run_kind_find(&obstacles_kind, obstacles, obstacles->count, file,
                             (cdg_run_extent){frame_count, file_size, NULL});
}

bool cdg_run_obstacles_discover(cdg_run_obstacles *out, int64_t file, size_t frame_count, uint64_t file_size,
                                const char *path) {
    *out = (cdg_run_obstacles){.owns_info = true};
    return cdg_run_kind_discover(&obstacles_kind, out, file, (cdg_run_extent){frame_count, file_size, path});
}

cdg_result cdg_run_obstacles_read_pose(const cdg_run_obstacles *obstacles, size_t obstacle, size_t frame,
                                       int descriptor, const char *path, cdg_vec3 *position, cdg_quat *orientation,
                                       cdg_error *error) {
    const cdg_run_obstacle_entry *entry = &obstacles->entries[obstacle];
    return cdg_run_pose_read(entry->position, entry->orientation, frame, descriptor, path, position, orientation,
                             error);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

cdg_result cdg_run_obstacles_write_shapes(const cdg_run_obstacles *obstacles, int descriptor, const char *path,
                                          cdg_error *error) {
    for (size_t i = 0; i < obstacles->count; i++) {
        const cdg_run_obstacle_entry *entry = &obstacles->entries[i];
        cdg_result result = cdg_run_shape_write(entry->mesh, &entry->info.shape, descriptor, path, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result cdg_run_obstacles_write_frame(const cdg_run_obstacles *obstacles, const cdg_world *world, size_t frame,
                                         int descriptor, const char *path, cdg_error *error) {
    for (size_t i = 0; i < obstacles->count; i++) {
        const cdg_run_obstacle_entry *entry = &obstacles->entries[i];
        cdg_vec3 position;
        cdg_quat orientation;
        cdg_result result = cdg_obstacle_get_pose(world, entry->id, &position, &orientation);
        if (result != CDG_OK) return cdg_fail(error, result, "obstacle '%s' cannot be read", entry->info.name);
        result = cdg_disk_write_at(descriptor, path, &position, sizeof position,
                                   entry->position + (uint64_t)frame * sizeof position, error);
        if (result == CDG_OK)
            result = cdg_disk_write_at(descriptor, path, &orientation, sizeof orientation,
                                       entry->orientation + (uint64_t)frame * sizeof orientation, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
