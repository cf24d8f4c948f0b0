// Deformable solids in run.h5: meshes, and how they move and strain from output to output.
#define _POSIX_C_SOURCE 200809L
#include "output/run_solids.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "output/run_groups.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cdg_result cdg_run_solids_make(const cdg_world *world, cdg_run_solids *out, cdg_error *error) {
    *out = (cdg_run_solids){.count = cdg_world_solid_count(world)};
    if (out->count == 0) return CDG_OK;
    out->entries = calloc(out->count, sizeof *out->entries);
    if (out->entries == NULL) {
        *out = (cdg_run_solids){0};
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's solids");
    }
    for (size_t i = 0; i < out->count; i++) {
        cdg_run_solid_entry *entry = &out->entries[i];
        cdg_solid_info info = {0};
        entry->id = cdg_world_solid_at(world, i);
        cdg_solid_get_info(world, entry->id, &info);
        entry->name = info.name;
        entry->node_count = info.node_count;
        entry->tetrahedron_count = info.tetrahedron_count;
        entry->surface_count = info.surface_count;
        entry->tetrahedra = info.tetrahedra;
        entry->surface = info.surface;
        entry->mass = info.mass;
    }
    return CDG_OK;
}

cdg_result cdg_run_solids_copy(const cdg_run_solids *from, cdg_run_solids *out, cdg_error *error) {
    *out = (cdg_run_solids){0};
    if (from->count == 0) return CDG_OK;
    out->entries = cdg_run_copy_entries(from->entries, from->count, sizeof *out->entries);
    if (out->entries == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's solids");
    out->count = from->count;
    out->mode_count = from->mode_count;
    return CDG_OK;
}

void cdg_run_solids_free(cdg_run_solids *solids) {
    for (size_t i = 0; i < solids->count && solids->owns_meshes; i++) {
        free((void *)(uintptr_t)solids->entries[i].name);
        free((void *)(uintptr_t)solids->entries[i].tetrahedra);
        free((void *)(uintptr_t)solids->entries[i].surface);
    }
    free(solids->entries);
    *solids = (cdg_run_solids){0};
}

double cdg_run_solids_numbers(const cdg_run_solids *solids, size_t frame_count) {
    double sum = 0;
    for (size_t i = 0; i < solids->count; i++) {
        const cdg_run_solid_entry *p = &solids->entries[i];
        sum += 4 * (double)p->tetrahedron_count + 3 * (double)p->surface_count;
        sum += (double)solids->mode_count * (1 + 3 * (double)p->node_count);
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++)
            sum += (double)frame_count * (double)cdg_run_solid_numbers(p, (cdg_solid_field)f);
    }
    return sum;
}

// ---- structure ------------------------------------------------------------------------------------------------------

static bool visit_block(hid_t group, cdg_run_visit visit, uint64_t file_size, cdg_hdf5_block block, uint64_t *offset) {
    if (!visit(group, &block, file_size)) return false;
    *offset = block.offset;
    return true;
}

static bool visit_field(cdg_run_solid_entry *p, cdg_solid_field field, hid_t group, cdg_run_visit visit, size_t frames,
                        uint64_t file_size) {
    cdg_solid_field_info info = cdg_solid_field_get(field);
    cdg_hdf5_block block = {
        .name = info.name,
        .type = H5T_NATIVE_DOUBLE,
        .rank = info.component_count > 1 ? 3 : 2,
        .size = {frames, cdg_solid_field_entries(&info, p->node_count, p->tetrahedron_count), info.component_count},
        .units = info.units,
        .description = info.description};
    return visit_block(group, visit, file_size, block, &p->fields[field]);
}

static bool visit_entry(cdg_run_solid_entry *p, hid_t group, cdg_run_visit visit, size_t frames, uint64_t file_size) {
    cdg_hdf5_block tetrahedra = {.name = "tetrahedra",
                                 .type = H5T_NATIVE_UINT64,
                                 .rank = 2,
                                 .size = {p->tetrahedron_count, 4},
                                 .units = "1",
                                 .description = "nodes of each tetrahedron"};
    cdg_hdf5_block surface = {.name = "surface",
                              .type = H5T_NATIVE_UINT64,
                              .rank = 2,
                              .size = {p->surface_count, 3},
                              .units = "1",
                              .description = "nodes of each triangle of the surface, counter-clockwise from outside"};
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++)
        if (!visit_field(p, (cdg_solid_field)f, group, visit, frames, file_size)) return false;
    return visit_block(group, visit, file_size, tetrahedra, &p->tetrahedra_offset) &&
           visit_block(group, visit, file_size, surface, &p->surface_offset);
}

static bool visit_modes(cdg_run_solid_entry *p, size_t mode_count, hid_t group, cdg_run_visit visit,
                        uint64_t file_size) {
    cdg_hdf5_block frequencies, shapes;
    cdg_run_mode_blocks(mode_count, p->node_count, "1", "moves of the nodes in each mode, world axes, the largest 1",
                        &frequencies, &shapes);
    return mode_count == 0 || (visit_block(group, visit, file_size, frequencies, &p->mode_frequencies) &&
                               visit_block(group, visit, file_size, shapes, &p->mode_shapes));
}

static const char *name_of(const void *list, size_t number) {
    return ((const cdg_run_solids *)list)->entries[number].name;
}

static bool put(const void *list, size_t number, hid_t group) {
    const cdg_run_solid_entry *p = &((const cdg_run_solids *)list)->entries[number];
    return cdg_hdf5_put_integer(group, "node_count", p->node_count) &&
           cdg_hdf5_put_integer(group, "tetrahedron_count", p->tetrahedron_count) &&
           cdg_hdf5_put_integer(group, "surface_count", p->surface_count) &&
           cdg_hdf5_put_number(group, "mass", p->mass);
}

static bool visit_one(void *list, size_t number, hid_t group, cdg_run_visit visit, const cdg_run_extent *extent) {
    const cdg_run_solids *solids = list;
    cdg_run_solid_entry *entry = &solids->entries[number];
    return visit_entry(entry, group, visit, extent->frame_count, extent->file_size) &&
           visit_modes(entry, solids->mode_count, group, visit, extent->file_size);
}

// ---- reading --------------------------------------------------------------------------------------------------------

// Numbers of nodes, `each` to a cell, of a file that may be damaged. NULL: they do not fit.
static uint32_t *read_cells(int descriptor, const char *path, uint64_t offset, size_t count, size_t each,
                            size_t node_count) {
    uint64_t *wide = malloc((count * each + 1) * sizeof *wide);
    uint32_t *cells = malloc((count * each + 1) * sizeof *cells);
    cdg_error error;
    bool is_good = wide != NULL && cells != NULL &&
                   cdg_disk_read_at(descriptor, path, wide, count * each * sizeof *wide, offset, &error) == CDG_OK;
    for (size_t i = 0; i < count * each && is_good; i++) {
        is_good = wide[i] < node_count;
        cells[i] = (uint32_t)wide[i];
    }
    free(wide);
    if (is_good) return cells;
    free(cells);
    return NULL;
}

// How many vibrations a file holds; as many of each solid.
static size_t count_modes(hid_t group, uint64_t file_size) {
    cdg_hdf5_block block = {.name = "mode_frequencies", .type = H5T_NATIVE_DOUBLE, .rank = 1}; // size[0] is found
    if (H5Lexists(group, block.name, H5P_DEFAULT) <= 0) return 0;
    return cdg_hdf5_find_block(group, &block, file_size) ? (size_t)block.size[0] : 0;
}

static bool read_solid(void *list, size_t number, const char *name, hid_t group, const cdg_run_extent *extent) {
    uint64_t nodes = 0, tetrahedra = 0, surface = 0, most = extent->file_size / 8;
    const char *path = extent->path;
    cdg_run_solid_entry p = {0};
    bool is_good = cdg_hdf5_get_integer(group, "node_count", &nodes) &&
                   cdg_hdf5_get_integer(group, "tetrahedron_count", &tetrahedra) &&
                   cdg_hdf5_get_integer(group, "surface_count", &surface) &&
                   cdg_hdf5_get_number(group, "mass", &p.mass) && nodes < most && tetrahedra < most && surface < most &&
                   nodes < UINT32_MAX;
    p.node_count = (size_t)nodes, p.tetrahedron_count = (size_t)tetrahedra, p.surface_count = (size_t)surface;
    is_good = is_good && visit_entry(&p, group, cdg_hdf5_find_block, extent->frame_count, extent->file_size);
    cdg_run_solids *solids = list;
    if (is_good && solids->mode_count == 0) solids->mode_count = count_modes(group, extent->file_size);
    is_good = is_good && visit_modes(&p, solids->mode_count, group, cdg_hdf5_find_block, extent->file_size);
    int descriptor = is_good ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor < 0) return false;
    p.name = cdg_run_copy_name(name);
    p.tetrahedra =
        (const uint32_t(*)[4])read_cells(descriptor, path, p.tetrahedra_offset, p.tetrahedron_count, 4, p.node_count);
    p.surface = (const uint32_t(*)[3])read_cells(descriptor, path, p.surface_offset, p.surface_count, 3, p.node_count);
    close(descriptor);
    solids->entries[number] = p; // whose memory is freed in any case
    return p.name != NULL && p.tetrahedra != NULL && p.surface != NULL;
}

static bool reserve(void *list, size_t count) {
    cdg_run_solids *solids = list;
    solids->entries = calloc(count, sizeof *solids->entries);
    solids->count = solids->entries != NULL ? count : 0;
    return solids->entries != NULL;
}

static const cdg_run_kind solids_kind = {"solids", name_of, put, visit_one, reserve, read_solid};

bool cdg_run_solids_create(cdg_run_solids *solids, int64_t file, size_t frame_count) {
    return cdg_run_kind_create(&solids_kind, solids, solids->count, file, frame_count);
}

bool cdg_run_solids_find(cdg_run_solids *solids, int64_t file, size_t frame_count, uint64_t file_size) {
    return cdg_run_kind_find(&solids_kind, solids, solids->count, file, (cdg_run_extent){frame_count, file_size, NULL});
}

bool cdg_run_solids_discover(cdg_run_solids *out, int64_t file, size_t frame_count, uint64_t file_size,
                             const char *path) {
    *out = (cdg_run_solids){.owns_meshes = true};
    return cdg_run_kind_discover(&solids_kind, out, file, (cdg_run_extent){frame_count, file_size, path});
}

cdg_result cdg_run_solids_read(const cdg_run_solids *solids, size_t solid, size_t frame, cdg_solid_field field,
                               int descriptor, const char *path, double *out, cdg_error *error) {
    const cdg_run_solid_entry *p = &solids->entries[solid];
    size_t bytes = cdg_run_solid_numbers(p, field) * sizeof *out;
    return cdg_disk_read_at(descriptor, path, out, bytes, p->fields[field] + (uint64_t)frame * bytes, error);
}

// ---- writing --------------------------------------------------------------------------------------------------------

static cdg_result write_cells(const uint32_t *cells, size_t count, uint64_t offset, int descriptor, const char *path,
                              cdg_error *error) {
    uint64_t *wide = malloc((count + 1) * sizeof *wide);
    if (wide == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < count; i++) wide[i] = cells[i];
    cdg_result result = cdg_disk_write_at(descriptor, path, wide, count * sizeof *wide, offset, error);
    free(wide);
    return result;
}

cdg_result cdg_run_solids_write_meshes(const cdg_run_solids *solids, int descriptor, const char *path,
                                       cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < solids->count && result == CDG_OK; i++) {
        const cdg_run_solid_entry *p = &solids->entries[i];
        result = write_cells(p->tetrahedra[0], 4 * p->tetrahedron_count, p->tetrahedra_offset, descriptor, path, error);
        if (result == CDG_OK)
            result = write_cells(p->surface[0], 3 * p->surface_count, p->surface_offset, descriptor, path, error);
    }
    return result;
}

cdg_result cdg_run_solids_clear_modes(const cdg_run_solids *solids, int descriptor, const char *path,
                                      cdg_error *error) {
    const double nothing = NAN;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < solids->count * solids->mode_count && result == CDG_OK; i++) {
        uint64_t first = solids->entries[i / solids->mode_count].mode_frequencies;
        result = cdg_disk_write_at(descriptor, path, &nothing, sizeof nothing,
                                   first + i % solids->mode_count * sizeof nothing, error);
    }
    return result;
}

cdg_result cdg_run_solids_write_modes(const cdg_run_solids *solids, size_t solid, const double *frequencies,
                                      const cdg_vec3 *shapes, int descriptor, const char *path, cdg_error *error) {
    const cdg_run_solid_entry *p = &solids->entries[solid];
    cdg_result result = cdg_disk_write_at(descriptor, path, shapes, solids->mode_count * p->node_count * sizeof *shapes,
                                          p->mode_shapes, error);
    if (result != CDG_OK) return result;
    return cdg_disk_write_at(descriptor, path, frequencies, solids->mode_count * sizeof *frequencies,
                             p->mode_frequencies, error);
}

static void interleave(const double *const from[3], size_t count, double *out) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[3 * i + (size_t)k] = from[k][i];
}

static cdg_result measure(const cdg_world *world, const cdg_run_solid_entry *p, cdg_solid_field field, double *out) {
    cdg_solid_view view;
    cdg_result result = cdg_solid_get_view(world, p->id, &view);
    if (result != CDG_OK) return result;
    switch (field) {
    case CDG_SOLID_FIELD_positions: interleave(view.position, p->node_count, out); break;
    case CDG_SOLID_FIELD_velocities: interleave(view.velocity, p->node_count, out); break;
    case CDG_SOLID_FIELD_stress: return cdg_solid_stress(world, p->id, out, NULL);
    case CDG_SOLID_FIELD_strain: return cdg_solid_stress(world, p->id, NULL, out);
    case CDG_SOLID_FIELD_COUNT: break;
    }
    return CDG_OK;
}

static cdg_result write_one(const cdg_run_solid_entry *p, const cdg_world *world, size_t frame, int descriptor,
                            const char *path, double *row, cdg_error *error) {
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
        size_t bytes = cdg_run_solid_numbers(p, (cdg_solid_field)f) * sizeof *row;
        cdg_result result = measure(world, p, (cdg_solid_field)f, row);
        if (result != CDG_OK) return cdg_fail(error, result, "solid '%s' cannot be read", p->name);
        result = cdg_disk_write_at(descriptor, path, row, bytes, p->fields[f] + (uint64_t)frame * bytes, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

static size_t row_of(const cdg_run_solid_entry *p) {
    size_t most = 1;
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
        size_t count = cdg_run_solid_numbers(p, (cdg_solid_field)f);
        if (count > most) most = count;
    }
    return most;
}

cdg_result cdg_run_solids_write_frame(const cdg_run_solids *solids, const cdg_world *world, size_t frame,
                                      int descriptor, const char *path, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < solids->count && result == CDG_OK; i++) {
        double *row = malloc(row_of(&solids->entries[i]) * sizeof *row);
        result = row != NULL ? write_one(&solids->entries[i], world, frame, descriptor, path, row, error)
                             : cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
        free(row);
    }
    return result;
}
