// The little of HDF5 that a run needs: quiet errors, attributes, datasets in one piece whose offset in the file is
// known.
#include "output/hdf5_file.h"

#include "base/regular_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static herr_t keep_description(unsigned n, const H5E_error2_t *entry, void *user) {
    (void)n;
    cdg_hdf5_quiet *quiet = user;
    // The walk goes upward, so the first entry is the innermost; "errno = 28, error message = '...'" stands there.
    if (quiet->reason[0] != '\0' || entry->desc == NULL) return 0;
    const char *marker = "error message = '";
    const char *start = strstr(entry->desc, marker);
    if (start != NULL) {
        start += strlen(marker);
        snprintf(quiet->reason, sizeof quiet->reason, "%.*s", (int)strcspn(start, "'"), start);
    } else {
        snprintf(quiet->reason, sizeof quiet->reason, "%s", entry->desc);
    }
    return 0;
}

// HDF5 calls this at the end of a failed call; any later call, even a good one, empties its stack of errors.
static herr_t keep_reason(hid_t stack, void *user) {
    cdg_hdf5_quiet *quiet = user;
    return quiet->reason[0] != '\0' ? 0 : H5Ewalk2(stack, H5E_WALK_UPWARD, keep_description, quiet);
}

void cdg_hdf5_quiet_begin(cdg_hdf5_quiet *quiet) {
    *quiet = (cdg_hdf5_quiet){0};
    H5Eget_auto2(H5E_DEFAULT, &quiet->function, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, keep_reason, quiet);
}

void cdg_hdf5_quiet_end(const cdg_hdf5_quiet *quiet) {
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data);
}

static hid_t access_properties(void) {
    hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(properties, H5F_LIBVER_V18, H5F_LIBVER_V18);
    H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(properties, 0, 1);
#endif
    return properties;
}

hid_t cdg_hdf5_create(const char *path) {
    hid_t properties = access_properties();
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, properties);
    H5Pclose(properties);
    return file;
}

hid_t cdg_hdf5_open(const char *path) {
    if (cdg_regular_file_check(path, SIZE_MAX, NULL) != CDG_OK) return -1; // HDF5 would wait for a pipe
    hid_t properties = access_properties();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, properties);
    H5Pclose(properties);
    return file;
}

static hid_t text_type(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool put_attribute(hid_t object, const char *name, hid_t type, const void *value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool is_done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) is_done = H5Aclose(attribute) >= 0 && is_done;
    H5Sclose(space);
    return is_done;
}

bool cdg_hdf5_put_text(hid_t object, const char *name, const char *text) {
    hid_t type = text_type(strlen(text) + 1);
    bool is_done = put_attribute(object, name, type, text);
    H5Tclose(type);
    return is_done;
}

bool cdg_hdf5_put_number(hid_t object, const char *name, double value) {
    return put_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

bool cdg_hdf5_put_integer(hid_t object, const char *name, uint64_t value) {
    return put_attribute(object, name, H5T_NATIVE_UINT64, &value);
}

// One value of the given class is there; *stored is its type, to be closed.
static hid_t open_attribute(hid_t object, const char *name, H5T_class_t class, hid_t *stored) {
    if (H5Aexists(object, name) <= 0) return -1;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    hid_t space = H5Aget_space(attribute);
    *stored = H5Aget_type(attribute);
    bool is_right = H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(*stored) == class;
    H5Sclose(space);
    if (is_right) return attribute;
    H5Tclose(*stored);
    H5Aclose(attribute);
    return -1;
}

bool cdg_hdf5_get_text(hid_t object, const char *name, char **out) {
    *out = NULL;
    hid_t stored;
    hid_t attribute = open_attribute(object, name, H5T_STRING, &stored);
    if (attribute < 0) return false;
    size_t size = H5Tget_size(stored);
    // Text of variable length is none of ours, and HDF5 keeps it where it does not notice damage.
    bool is_done = H5Tis_variable_str(stored) == 0 && size > 0;
    if (is_done) {
        *out = calloc(size + 1, 1);
        is_done = *out != NULL && H5Aread(attribute, stored, *out) >= 0;
    }
    H5Tclose(stored);
    H5Aclose(attribute);
    if (!is_done) {
        free(*out);
        *out = NULL;
    }
    return is_done;
}

bool cdg_hdf5_get_word(hid_t object, const char *name, const char *const words[], int count, int *out) {
    char *text = NULL;
    if (!cdg_hdf5_get_text(object, name, &text)) return false;
    int index = 0;
    while (index < count && strcmp(text, words[index]) != 0) index++;
    free(text);
    if (index < count) *out = index;
    return index < count;
}

bool cdg_hdf5_count(hid_t group, uint64_t most, size_t *out) {
    H5G_info_t links;
    if (H5Gget_info(group, &links) < 0 || links.nlinks > most) return false;
    *out = (size_t)links.nlinks;
    return true;
}

bool cdg_hdf5_name(hid_t group, size_t index, char out[CDG_HDF5_NAME_SIZE]) {
    ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_NATIVE, index, out, CDG_HDF5_NAME_SIZE, H5P_DEFAULT);
    return length > 0 && length < CDG_HDF5_NAME_SIZE;
}

// The stored number may differ in size or byte order, HDF5 converts.
static bool get_value(hid_t object, const char *name, hid_t type, void *value) {
    hid_t stored;
    hid_t attribute = open_attribute(object, name, H5Tget_class(type), &stored);
    if (attribute < 0) return false;
    bool is_done = H5Aread(attribute, type, value) >= 0;
    H5Tclose(stored);
    H5Aclose(attribute);
    return is_done;
}

bool cdg_hdf5_get_number(hid_t object, const char *name, double *out) {
    return get_value(object, name, H5T_NATIVE_DOUBLE, out);
}

bool cdg_hdf5_get_integer(hid_t object, const char *name, uint64_t *out) {
    return get_value(object, name, H5T_NATIVE_UINT64, out);
}

bool cdg_hdf5_read_numbers(hid_t group, const char *name, double *out) {
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    bool is_done = H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Dclose(dataset);
    return is_done;
}

bool cdg_hdf5_create_block(hid_t group, cdg_hdf5_block *block) {
    hsize_t size[CDG_HDF5_RANK_MAX] = {0};
    for (int i = 0; i < block->rank; i++) size[i] = block->size[i];
    hid_t space = H5Screate_simple(block->rank, size, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    // Placed at once and never filled: the file is sparse until the numbers come.
    H5Pset_layout(properties, H5D_CONTIGUOUS);
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    hid_t dataset =
        space < 0 ? -1 : H5Dcreate2(group, block->name, block->type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    bool is_done = dataset >= 0;
    if (is_done) {
        haddr_t offset = H5Dget_offset(dataset);
        is_done = offset != HADDR_UNDEF && cdg_hdf5_put_text(dataset, "units", block->units) &&
                  cdg_hdf5_put_text(dataset, "description", block->description);
        block->offset = offset;
        is_done = H5Dclose(dataset) >= 0 && is_done;
    }
    H5Pclose(properties);
    if (space >= 0) H5Sclose(space);
    return is_done;
}

bool cdg_hdf5_find_block(hid_t group, cdg_hdf5_block *block, uint64_t file_size) {
    if (H5Lexists(group, block->name, H5P_DEFAULT) <= 0) return false;
    hid_t dataset = H5Dopen2(group, block->name, H5P_DEFAULT);
    if (dataset < 0) return false;
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset), properties = H5Dget_create_plist(dataset);
    hsize_t size[H5S_MAX_RANK] = {0};
    bool is_right = H5Tequal(type, block->type) > 0 && H5Pget_layout(properties) == H5D_CONTIGUOUS &&
                    H5Pget_external_count(properties) == 0 && H5Sget_simple_extent_ndims(space) == block->rank &&
                    H5Sget_simple_extent_dims(space, size, NULL) == block->rank;
    uint64_t bytes = H5Tget_size(block->type);
    for (int i = 0; i < block->rank && is_right; i++) {
        if (i == 0 && block->size[0] == 0) block->size[0] = size[0];
        is_right = size[i] == block->size[i] && size[i] > 0 && size[i] <= file_size / bytes;
        bytes *= size[i];
    }
    haddr_t offset = H5Dget_offset(dataset);
    is_right = is_right && offset != HADDR_UNDEF && offset <= file_size && bytes <= file_size - offset;
    block->offset = offset;
    H5Pclose(properties);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
    return is_right;
}
