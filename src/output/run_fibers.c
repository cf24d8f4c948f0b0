// The groups /fibers/NAME of run.h5: made and written with the file, found and read with it. As for rods, HDF5 only
// places the datasets; the numbers are read and written at their offsets.
#define _POSIX_C_SOURCE 200809L
#include "output/run_fibers.h"

#include "base/error.h"
#include "math/vec3.h"
#include "output/disk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
#define FIBER_ENUM(name, type, rank, a, b, c, units, text) FIBER_##name,
    CDG_RUN_FIBER_LIST(FIBER_ENUM)
#undef FIBER_ENUM
        FIBER_BLOCKS
};

static void describe(size_t fibers, size_t nodes, cdg_hdf5_block out[FIBER_BLOCKS]) {
    const uint64_t F = fibers, N = nodes;
#define FIBER_BLOCK(member, type_, rank_, a, b, c, units_, text)                                                       \
    out[FIBER_##member] = (cdg_hdf5_block){                                                                            \
        .name = #member, .type = type_, .rank = rank_, .size = {a, b, c}, .units = units_, .description = text};
    CDG_RUN_FIBER_LIST(FIBER_BLOCK)
#undef FIBER_BLOCK
}

static size_t numbers_of(const cdg_hdf5_block *block) {
    size_t count = 1;
    for (int i = 0; i < block->rank; i++) count *= (size_t)block->size[i];
    return count;
}

// ---- writing --------------------------------------------------------------------------------------------------------

double cdg_run_fibers_bytes(const cdg_scene *scene) {
    double bytes = 0;
    for (size_t i = 0; i < scene->strands_count; i++) {
        cdg_hdf5_block blocks[FIBER_BLOCKS];
        describe(scene->strands[i]->fibers.fiber_count, scene->strands[i]->fibers.node_count, blocks);
        for (int k = 0; k < FIBER_BLOCKS; k++) bytes += 8 * (double)numbers_of(&blocks[k]);
    }
    return bytes;
}

static bool create_group(hid_t parent, const cdg_strands *strands, cdg_run_fiber_entry *entry) {
    cdg_hdf5_block blocks[FIBER_BLOCKS];
    describe(strands->fibers.fiber_count, strands->fibers.node_count, blocks);
    hid_t group = H5Gcreate2(parent, strands->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return false;
    bool is_done = cdg_hdf5_put_number(group, "radius", strands->fibers.radius) &&
                   cdg_hdf5_put_integer(group, "nodes", strands->fibers.node_count);
    for (int k = 0; k < FIBER_BLOCKS; k++) is_done = is_done && cdg_hdf5_create_block(group, &blocks[k]);
#define KEEP_OFFSET(name, type, rank, a, b, c, units, text) entry->name = blocks[FIBER_##name].offset;
    CDG_RUN_FIBER_LIST(KEEP_OFFSET)
#undef KEEP_OFFSET
    return H5Gclose(group) >= 0 && is_done;
}

bool cdg_run_fibers_create(hid_t file, const cdg_scene *scene, cdg_run_fiber_entry *entries) {
    hid_t parent = -1;
    bool is_done = true;
    for (size_t i = 0; i < scene->strands_count && is_done; i++) {
        if (scene->strands[i]->fibers.fiber_count == 0) continue;
        if (parent < 0) parent = H5Gcreate2(file, "fibers", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        is_done = parent >= 0 && create_group(parent, scene->strands[i], &entries[i]);
    }
    if (parent >= 0) is_done = H5Gclose(parent) >= 0 && is_done;
    return is_done;
}

cdg_result cdg_run_fibers_write(const cdg_scene *scene, const cdg_run_fiber_entry *entries, int descriptor,
                                const char *path, cdg_error *error) {
    size_t first = scene->rod_count;
    for (size_t i = 0; i < scene->strands_count; i++) first -= scene->strands[i]->rod_count;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < scene->strands_count && result == CDG_OK; first += scene->strands[i++]->rod_count) {
        const cdg_fibers *fibers = &scene->strands[i]->fibers;
        if (fibers->fiber_count == 0) continue;
        cdg_hdf5_block blocks[FIBER_BLOCKS];
        describe(fibers->fiber_count, fibers->node_count, blocks);
        size_t guide_numbers = numbers_of(&blocks[FIBER_guides]);
        uint64_t *guides = malloc(guide_numbers * sizeof *guides);
        if (guides == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
        for (size_t k = 0; k < guide_numbers; k++)
            guides[k] = first + fibers->guides[k / CDG_FIBER_GUIDES][k % CDG_FIBER_GUIDES];
        const struct {
            const void *numbers;
            uint64_t offset;
        } parts[FIBER_BLOCKS] = {[FIBER_guides] = {guides, entries[i].guides},
                                 [FIBER_weights] = {fibers->weights, entries[i].weights},
                                 [FIBER_roots] = {fibers->roots, entries[i].roots},
                                 [FIBER_lengths] = {fibers->lengths, entries[i].lengths},
                                 [FIBER_spread] = {fibers->spread, entries[i].spread},
                                 [FIBER_offsets] = {fibers->offsets, entries[i].offsets}};
        for (int k = 0; k < FIBER_BLOCKS && result == CDG_OK; k++)
            result = cdg_disk_write_at(descriptor, path, parts[k].numbers, 8 * numbers_of(&blocks[k]), parts[k].offset,
                                       error);
        free(guides);
    }
    return result;
}

// ---- reading --------------------------------------------------------------------------------------------------------

static cdg_result fail_damaged(const char *path, const char *name, const char *what, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: %s of fibres '%s'; run the scene anew", path,
                    what, name);
}

static bool are_finite(const void *array, size_t count) {
    const double *numbers = array;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

// Turns indices of rods into numbers of guides, which are the rods from the first index to the last.
static const char *set_guides(cdg_run_fibers *out, const uint64_t *indices, uint32_t (*guides)[CDG_FIBER_GUIDES],
                              const size_t *node_counts, size_t rod_count) {
    cdg_fibers *fibers = &out->fibers;
    size_t count = fibers->fiber_count * CDG_FIBER_GUIDES;
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < count; i++) {
        if (indices[i] < first) first = indices[i];
        if (indices[i] > last) last = indices[i];
    }
    if (last >= rod_count) return "a guide";
    for (uint64_t rod = first; rod <= last; rod++)
        if (node_counts[rod] != fibers->node_count) return "the number of nodes";
    for (size_t i = 0; i < count; i++)
        guides[i / CDG_FIBER_GUIDES][i % CDG_FIBER_GUIDES] = (uint32_t)(indices[i] - first);
    out->first_guide = (size_t)first;
    fibers->guide_count = (size_t)(last - first + 1);
    fibers->guides = (const uint32_t(*)[CDG_FIBER_GUIDES])guides;
    return NULL;
}

// What is wrong with the numbers; NULL: nothing.
static const char *find_fault(const cdg_fibers *fibers) {
    size_t count = fibers->fiber_count;
    if (!(fibers->radius >= 0 && isfinite(fibers->radius))) return "the radius";
    if (!are_finite(fibers->weights, 3 * count)) return "a weight";
    if (!are_finite(fibers->roots, 3 * count)) return "a root";
    if (!are_finite(fibers->spread, fibers->node_count)) return "the spread";
    if (!are_finite(fibers->offsets, 3 * count * fibers->node_count)) return "an offset";
    for (size_t i = 0; i < count; i++)
        if (!(fibers->lengths[i] > 0 && fibers->lengths[i] <= 1)) return "a length";
    return NULL;
}

static cdg_result read_numbers(const cdg_hdf5_block blocks[FIBER_BLOCKS], cdg_run_fibers *out, int descriptor,
                               const char *path, const size_t *node_counts, size_t rod_count, cdg_error *error) {
    size_t fibers = out->fibers.fiber_count, at[FIBER_BLOCKS], total = 0;
    for (int k = 0; k < FIBER_BLOCKS; k++) at[k] = total, total += numbers_of(&blocks[k]);
    // numbers of guides stand behind everything else
    double *memory = malloc(8 * total + fibers * CDG_FIBER_GUIDES * sizeof(uint32_t));
    out->memory = memory;
    if (memory == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for %zu fibres", path, fibers);
    for (int k = 0; k < FIBER_BLOCKS; k++) {
        cdg_result result =
            cdg_disk_read_at(descriptor, path, memory + at[k], 8 * numbers_of(&blocks[k]), blocks[k].offset, error);
        if (result != CDG_OK) return result;
    }
    out->fibers.weights = (const double(*)[CDG_FIBER_GUIDES])(void *)(memory + at[FIBER_weights]);
    out->fibers.roots = (const cdg_vec3 *)(void *)(memory + at[FIBER_roots]);
    out->fibers.lengths = memory + at[FIBER_lengths];
    out->fibers.spread = memory + at[FIBER_spread];
    out->fibers.offsets = (const cdg_vec3 *)(void *)(memory + at[FIBER_offsets]);
    const char *fault = set_guides(out, (const uint64_t *)(void *)(memory + at[FIBER_guides]),
                                   (uint32_t(*)[CDG_FIBER_GUIDES])(void *)(memory + total), node_counts, rod_count);
    if (fault == NULL) fault = find_fault(&out->fibers);
    return fault != NULL ? fail_damaged(path, out->name, fault, error) : CDG_OK;
}

static bool find_group(hid_t parent, cdg_run_fibers *out, uint64_t file_size, cdg_hdf5_block blocks[FIBER_BLOCKS]) {
    hid_t group = H5Gopen2(parent, out->name, H5P_DEFAULT);
    if (group < 0) return false;
    uint64_t nodes = 0;
    bool is_found = cdg_hdf5_get_number(group, "radius", &out->fibers.radius) &&
                    cdg_hdf5_get_integer(group, "nodes", &nodes) && nodes >= 2 && nodes <= file_size / 8;
    if (is_found) { // the number of fibres is what the first dataset says
        describe(0, (size_t)nodes, blocks);
        is_found = cdg_hdf5_find_block(group, &blocks[FIBER_guides], file_size);
        size_t count = (size_t)blocks[FIBER_guides].size[0];
        out->fibers.fiber_count = count;
        out->fibers.node_count = (size_t)nodes;
        describe(count, (size_t)nodes, blocks);
    }
    for (int k = 0; k < FIBER_BLOCKS; k++) is_found = is_found && cdg_hdf5_find_block(group, &blocks[k], file_size);
    H5Gclose(group);
    return is_found;
}

static cdg_result read_groups(hid_t parent, const char *path, uint64_t file_size, int descriptor,
                              const size_t *node_counts, size_t rod_count, cdg_run_fibers *out, size_t count,
                              cdg_error *error) {
    for (size_t i = 0; i < count; i++) {
        char name[CDG_HDF5_NAME_SIZE];
        bool has_name = cdg_hdf5_name(parent, i, name);
        out[i].name = strdup(has_name ? name : "?");
        if (out[i].name == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
        cdg_hdf5_block blocks[FIBER_BLOCKS];
        if (!has_name || !find_group(parent, &out[i], file_size, blocks))
            return fail_damaged(path, out[i].name, "a dataset", error);
        cdg_result result = read_numbers(blocks, &out[i], descriptor, path, node_counts, rod_count, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result cdg_run_fibers_read(const char *path, int descriptor, const size_t *node_counts, size_t rod_count,
                               cdg_run_fibers **out, size_t *count, cdg_error *error) {
    *out = NULL;
    *count = 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot be looked at", path);
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = cdg_hdf5_open(path);
    cdg_result result =
        file >= 0 ? CDG_OK : cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a whole run file", path);
    if (result == CDG_OK && H5Lexists(file, "fibers", H5P_DEFAULT) > 0) {
        hid_t parent = H5Gopen2(file, "fibers", H5P_DEFAULT);
        size_t group_count = 0;
        bool is_good = parent >= 0 && cdg_hdf5_count(parent, rod_count, &group_count);
        *out = is_good ? calloc(group_count + 1, sizeof **out) : NULL;
        *count = *out != NULL ? group_count : 0;
        result = *out != NULL ? read_groups(parent, path, (uint64_t)status.st_size, descriptor, node_counts, rod_count,
                                            *out, *count, error)
                              : fail_damaged(path, "all", "the list", error);
        if (parent >= 0) H5Gclose(parent);
    }
    if (file >= 0) H5Fclose(file);
    cdg_hdf5_quiet_end(&quiet);
    if (result != CDG_OK) {
        cdg_run_fibers_free(*out, *count);
        *out = NULL;
        *count = 0;
    }
    return result;
}

void cdg_run_fibers_free(cdg_run_fibers *groups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(groups[i].name);
        free(groups[i].memory);
    }
    free(groups);
}
