// Things of one kind in run.h5 (run_groups.h).
#include "output/run_groups.h"

#include <stdlib.h>
#include <string.h>

bool cdg_run_kind_create(const cdg_run_kind *kind, void *list, size_t count, int64_t file, size_t frame_count) {
    if (count == 0) return true;
    cdg_run_extent extent = {.frame_count = frame_count};
    hid_t parent = H5Gcreate2(file, kind->parent, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_done = parent >= 0;
    for (size_t i = 0; i < count && is_done; i++) {
        hid_t group = H5Gcreate2(parent, kind->name(list, i), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        is_done = group >= 0 && kind->put(list, i, group) && cdg_hdf5_put_integer(group, "place", i) &&
                  kind->visit(list, i, group, cdg_run_create_block, &extent);
        if (group >= 0) is_done = H5Gclose(group) >= 0 && is_done;
    }
    if (parent >= 0) is_done = H5Gclose(parent) >= 0 && is_done;
    return is_done;
}

bool cdg_run_kind_find(const cdg_run_kind *kind, void *list, size_t count, int64_t file, cdg_run_extent extent) {
    if (count == 0) return true;
    hid_t parent = H5Gopen2(file, kind->parent, H5P_DEFAULT);
    bool is_found = parent >= 0;
    for (size_t i = 0; i < count && is_found; i++) {
        hid_t group = H5Gopen2(parent, kind->name(list, i), H5P_DEFAULT);
        is_found = group >= 0 && kind->visit(list, i, group, cdg_hdf5_find_block, &extent);
        if (group >= 0) H5Gclose(group);
    }
    if (parent >= 0) H5Gclose(parent);
    return is_found;
}

static bool read_one(const cdg_run_kind *kind, void *list, hid_t parent, size_t index, size_t count,
                     const cdg_run_extent *extent) {
    char name[CDG_HDF5_NAME_SIZE];
    if (!cdg_hdf5_name(parent, index, name)) return false;
    hid_t group = H5Gopen2(parent, name, H5P_DEFAULT);
    uint64_t number = 0;
    bool is_good = group >= 0 && cdg_hdf5_get_integer(group, "place", &number) && number < count &&
                   kind->name(list, (size_t)number) == NULL && kind->read(list, (size_t)number, name, group, extent);
    if (group >= 0) H5Gclose(group);
    return is_good;
}

bool cdg_run_kind_discover(const cdg_run_kind *kind, void *list, int64_t file, cdg_run_extent extent) {
    if (H5Lexists(file, kind->parent, H5P_DEFAULT) <= 0) return true;
    hid_t parent = H5Gopen2(file, kind->parent, H5P_DEFAULT);
    size_t count = 0;
    // A thing takes some hundred bytes of the file at least.
    bool is_good = parent >= 0 && cdg_hdf5_count(parent, extent.file_size / 100, &count);
    if (is_good && count > 0) is_good = kind->reserve(list, count);
    for (size_t i = 0; i < count && is_good; i++) is_good = read_one(kind, list, parent, i, count, &extent);
    if (parent >= 0) H5Gclose(parent);
    return is_good;
}

char *cdg_run_copy_name(const char *name) { return cdg_run_copy_entries(name, strlen(name) + 1, 1); }

void *cdg_run_copy_entries(const void *entries, size_t count, size_t size) {
    void *copy = malloc(count * size + 1); // of nothing, too
    if (copy != NULL && count > 0) memcpy(copy, entries, count * size);
    return copy;
}

void cdg_run_mode_blocks(size_t mode_count, size_t node_count, const char *units, const char *text,
                         cdg_hdf5_block *frequencies, cdg_hdf5_block *shapes) {
    *frequencies = (cdg_hdf5_block){.name = "mode_frequencies",
                                    .type = H5T_NATIVE_DOUBLE,
                                    .rank = 1,
                                    .size = {mode_count},
                                    .units = "Hz",
                                    .description = "natural frequencies; negative: a motion that grows at the rate of "
                                                   "2 pi |frequency|; NaN: not found yet"};
    *shapes = (cdg_hdf5_block){.name = "mode_shapes",
                               .type = H5T_NATIVE_DOUBLE,
                               .rank = 3,
                               .size = {mode_count, node_count, 3},
                               .units = units,
                               .description = text};
}
