// What is in a run directory, read with HDF5 alone: it needs neither the scene nor a world.
#define _POSIX_C_SOURCE 200809L
#include "output/run_info.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "output/run_layout.h"
#include "output/run_sets.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void cdg_run_info_free(cdg_run_info *info) {
    for (size_t i = 0; i < info->rod_count; i++) {
        free(info->rods[i].name);
        free(info->rods[i].model);
    }
    free(info->rods);
    char *texts[] = {info->version,    info->title,     info->model,    info->scene_name,
                     info->scene_text, info->overrides, info->settings, info->step_reason};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) free(texts[i]);
    *info = (cdg_run_info){0};
}

// Sizes of a dataset; 0 when there is none of this rank.
static size_t dataset_size(hid_t group, const char *name, int rank, hsize_t size[CDG_HDF5_RANK_MAX]) {
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0) return 0;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return 0;
    hid_t space = H5Dget_space(dataset);
    bool is_right = H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank;
    H5Sclose(space);
    H5Dclose(dataset);
    return is_right ? (size_t)size[0] : 0;
}

// One number of a one-dimensional dataset.
static bool read_number(hid_t group, const char *name, size_t index, double *out) {
    hsize_t size[CDG_HDF5_RANK_MAX] = {0}, start = index, one = 1;
    if (index >= dataset_size(group, name, 1, size)) return false;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(dataset),
          memory = H5Screate_simple(1, &one, NULL);
    bool is_done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL) >= 0 &&
                   H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    return is_done;
}

static bool read_energy(hid_t file, size_t index, cdg_energy *out) {
    hid_t group = H5Gopen2(file, "energy", H5P_DEFAULT);
    if (group < 0) return false;
    bool is_done = true;
    // older files have no energy of changed resolution: there was none
#define READ_ENERGY(name, text)                                                                                        \
    if (strcmp(#name, "adapted") == 0 && H5Lexists(group, #name, H5P_DEFAULT) <= 0)                                    \
        out->name = 0;                                                                                                 \
    else                                                                                                               \
        is_done = is_done && read_number(group, #name, index, &out->name);
    CDG_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
    H5Gclose(group);
    return is_done;
}

static bool read_attributes(hid_t file, cdg_run_info *info) {
    uint64_t planned = 0;
    bool is_done =
        cdg_hdf5_get_text(file, "version", &info->version) && cdg_hdf5_get_text(file, "title", &info->title) &&
        cdg_hdf5_get_text(file, "model", &info->model) && cdg_hdf5_get_text(file, "scene_name", &info->scene_name) &&
        cdg_hdf5_get_text(file, "scene", &info->scene_text) && cdg_hdf5_get_text(file, "overrides", &info->overrides) &&
        cdg_hdf5_get_text(file, "settings", &info->settings) &&
        cdg_hdf5_get_text(file, "step_reason", &info->step_reason) && cdg_hdf5_get_number(file, "step", &info->step) &&
        cdg_hdf5_get_number(file, "output_every", &info->output_every) &&
        cdg_hdf5_get_number(file, "end_time", &info->end_time) &&
        cdg_hdf5_get_integer(file, "steps_per_output", &info->steps_per_output) &&
        cdg_hdf5_get_integer(file, "outputs_planned", &planned);
    info->frames_planned = (size_t)planned;
    return is_done;
}

static bool read_frames(hid_t file, cdg_run_info *info) {
    hsize_t size[CDG_HDF5_RANK_MAX] = {0};
    size_t room = dataset_size(file, "time", 1, size);
    if (room == 0) return false;
    info->time_start = info->time_end = NAN;
#define NO_ENERGY(name, text) info->energy_start.name = info->energy_end.name = NAN;
    CDG_ENERGY_LIST(NO_ENERGY)
#undef NO_ENERGY
    // Written outputs come first, so the last one is found by halving.
    size_t low = 0, high = room;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double time;
        if (!read_number(file, "time", middle, &time)) return false;
        if (isfinite(time)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    info->frame_count = low;
    info->is_finished = low == info->frames_planned;
    if (low == 0) return true;
    return read_number(file, "time", 0, &info->time_start) && read_number(file, "time", low - 1, &info->time_end) &&
           read_energy(file, 0, &info->energy_start) && read_energy(file, low - 1, &info->energy_end);
}

// Of the outputs written.
static bool read_contacts(hid_t file, cdg_run_info *info) {
    if (H5Lexists(file, "contacts", H5P_DEFAULT) <= 0) return true;
    info->has_contacts = true;
    hid_t group = H5Gopen2(file, "contacts", H5P_DEFAULT);
    if (group < 0) return false;
    hsize_t size[CDG_HDF5_RANK_MAX] = {0};
    size_t room = dataset_size(group, "count", 1, size);
    bool is_done = room >= info->frame_count;
    double *numbers = is_done ? malloc((room + 1) * sizeof *numbers) : NULL;
    is_done = numbers != NULL && dataset_size(group, "deepest", 1, size) == room &&
              cdg_hdf5_read_numbers(group, "count", numbers);
    for (size_t i = 0; i < info->frame_count && is_done; i++) {
        info->contacts_end = numbers[i];
        info->contacts_most = fmax(info->contacts_most, numbers[i]);
    }
    is_done = is_done && cdg_hdf5_read_numbers(group, "deepest", numbers);
    for (size_t i = 0; i < info->frame_count && is_done; i++) info->deepest = fmax(info->deepest, numbers[i]);
    free(numbers);
    H5Gclose(group);
    return is_done;
}

// Counts of a rod whose resolution changes, at the outputs written. Offsets that fall, or more nodes than the file says
// there can be, are damage.
static bool read_counts(hid_t group, size_t frame_count, cdg_run_info_rod *rod) {
    hsize_t size[CDG_HDF5_RANK_MAX] = {0};
    uint64_t capacity = 0;
    size_t room = dataset_size(group, "node_offsets", 1, size);
    double *offsets = room > frame_count ? malloc(room * sizeof *offsets) : NULL;
    bool is_done = offsets != NULL && cdg_hdf5_get_integer(group, "node_capacity", &capacity) &&
                   cdg_hdf5_read_numbers(group, "node_offsets", offsets);
    rod->adapts = true;
    rod->node_capacity = (size_t)capacity;
    rod->node_least = frame_count > 0 ? SIZE_MAX : 0;
    for (size_t i = 0; i < frame_count && is_done; i++) {
        double count = offsets[i + 1] - offsets[i];
        is_done = count >= 2 && count <= (double)capacity;
        rod->node_count = is_done ? (size_t)count : 0;
        if (i == 0) rod->node_first = rod->node_count;
        rod->node_mean += count / (double)frame_count;
        if (rod->node_count < rod->node_least) rod->node_least = rod->node_count;
        if (rod->node_count > rod->node_most) rod->node_most = rod->node_count;
    }
    rod->element_count = rod->node_count > 0 && !rod->is_closed ? rod->node_count - 1 : rod->node_count;
    free(offsets);
    return is_done;
}

static bool read_rod(hid_t parent, const char *name, cdg_run_info *info) {
    hid_t group = H5Gopen2(parent, name, H5P_DEFAULT);
    if (group < 0) return false;
    uint64_t index = 0, is_closed = 0;
    cdg_run_info_rod rod = {0};
    hsize_t nodes[CDG_HDF5_RANK_MAX] = {0}, elements[CDG_HDF5_RANK_MAX] = {0};
    bool is_done = cdg_hdf5_get_integer(group, "place", &index) && index < info->rod_count &&
                   info->rods[index].name == NULL && cdg_hdf5_get_integer(group, "is_closed", &is_closed) &&
                   cdg_hdf5_get_number(group, "length", &rod.length) && cdg_hdf5_get_number(group, "mass", &rod.mass) &&
                   cdg_hdf5_get_text(group, "model", &rod.model);
    rod.is_closed = is_closed != 0;
    if (is_done && H5Lexists(group, "node_offsets", H5P_DEFAULT) > 0) {
        is_done = read_counts(group, info->frame_count, &rod);
    } else {
        is_done =
            is_done && dataset_size(group, "positions", 3, nodes) > 0 && dataset_size(group, "frames", 3, elements) > 0;
        rod.node_count = (size_t)nodes[1];
        rod.element_count = (size_t)elements[1];
    }
    if (is_done) rod.name = strdup(name);
    if (rod.name != NULL) {
        info->rods[index] = rod;
    } else {
        free(rod.model);
    }
    H5Gclose(group);
    return rod.name != NULL;
}

static bool read_rods(hid_t file, cdg_run_info *info) {
    hid_t parent = H5Gopen2(file, "rods", H5P_DEFAULT);
    if (parent < 0) return false;
    // A rod takes some hundred bytes of the file at least.
    size_t single_count = 0, shared_count = 0;
    bool is_done = cdg_hdf5_count(parent, info->run_size / 100, &single_count) &&
                   cdg_run_sets_count(file, info->run_size, &shared_count);
    if (is_done) {
        info->rod_count = single_count + shared_count;
        info->rods = calloc(info->rod_count > 0 ? info->rod_count : 1, sizeof *info->rods);
        if (info->rods == NULL) {
            info->rod_count = 0;
            is_done = false;
        }
    }
    for (size_t i = 0; is_done && i < single_count; i++) {
        char name[CDG_HDF5_NAME_SIZE];
        is_done = cdg_hdf5_name(parent, i, name) && read_rod(parent, name, info);
    }
    is_done = is_done && cdg_run_sets_read(file, info);
    H5Gclose(parent);
    return is_done;
}

static cdg_result read_file(hid_t file, const char *path, cdg_run_info *out, cdg_error *error) {
    char *format = NULL;
    bool is_run = cdg_hdf5_get_text(file, "format", &format) && strcmp(format, CDG_RUN_FORMAT) == 0;
    free(format);
    if (!is_run) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: this HDF5 file is not a run of cordage", path);
    uint64_t version = 0;
    if (!cdg_hdf5_get_integer(file, "format_version", &version) || version < 1 || version > CDG_RUN_FORMAT_VERSION) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has format %llu; this cordage reads formats 1 to %d",
                        path, (unsigned long long)version, CDG_RUN_FORMAT_VERSION);
    }
    const char *damaged = !read_attributes(file, out) ? "its attributes"
                          : !read_frames(file, out)   ? "its outputs"
                          : !read_rods(file, out)     ? "its rods"
                          : !read_contacts(file, out) ? "its contacts"
                                                      : NULL;
    if (damaged != NULL) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: %s", path, damaged);
    return CDG_OK;
}

static uint64_t size_of(const char *directory, const char *name) {
    char *path = cdg_disk_join(directory, name, "");
    struct stat status;
    uint64_t size = path != NULL && stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    free(path);
    return size;
}

cdg_result cdg_run_info_locate(const char *run, char **directory, char **path, cdg_error *error) {
    *directory = *path = NULL;
    struct stat status;
    bool is_file = stat(run, &status) == 0 && S_ISREG(status.st_mode);
    if (is_file) {
        const char *slash = strrchr(run, '/');
        *path = strdup(run);
        // "/run.h5" lies in "/"
        *directory = slash == NULL ? strdup(".") : strndup(run, slash > run ? (size_t)(slash - run) : 1);
    } else {
        *path = cdg_disk_join(run, "run.h5", "");
        *directory = strdup(run);
    }
    cdg_result result = CDG_OK;
    if (*path == NULL || *directory == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", run);
    } else if (stat(*path, &status) != 0) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: there is no run here: %s", *path, strerror(errno));
    }
    if (result != CDG_OK) {
        free(*path);
        free(*directory);
        *path = *directory = NULL;
    }
    return result;
}

static cdg_result read_directory(const char *directory, const char *path, cdg_run_info *out, cdg_error *error) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: there is no run here: %s", path, strerror(errno));
    }
    out->run_size = (uint64_t)status.st_size;
    out->run_used = (uint64_t)status.st_blocks * 512;
    out->probes_size = size_of(directory, "probes.csv");
    out->summary_size = size_of(directory, "summary.json");

    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = S_ISREG(status.st_mode) ? cdg_hdf5_open(path) : -1;
    cdg_result result;
    if (file < 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a whole run file: %s", path,
                          quiet.reason[0] != '\0' ? quiet.reason : "a regular file is needed");
    } else {
        result = read_file(file, path, out, error);
        H5Fclose(file);
    }
    cdg_hdf5_quiet_end(&quiet);
    if (result != CDG_OK) cdg_run_info_free(out);
    return result;
}

cdg_result cdg_run_info_read(const char *directory, cdg_run_info *out, cdg_error *error) {
    *out = (cdg_run_info){0};
    char *where = NULL, *path = NULL;
    cdg_result result = cdg_run_info_locate(directory, &where, &path, error);
    if (result == CDG_OK) result = read_directory(where, path, out, error);
    free(where);
    free(path);
    return result;
}

static void write_energy(cdg_json *json, const char *key, const cdg_energy *energy) {
    cdg_json_begin_object(json, key);
#define WRITE_ENERGY(name, text) cdg_json_number(json, #name, energy->name);
    CDG_ENERGY_LIST(WRITE_ENERGY)
#undef WRITE_ENERGY
    cdg_json_end(json);
}

void cdg_run_info_write_json(cdg_json *json, const char *key, const cdg_run_info *info) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "version", info->version);
    cdg_json_text(json, "title", info->title);
    cdg_json_text(json, "scene", info->scene_name);
    cdg_json_text(json, "overrides", info->overrides);
    cdg_json_text(json, "model", info->model);
    cdg_json_boolean(json, "finished", info->is_finished);
    cdg_json_integer(json, "outputs", info->frame_count);
    cdg_json_integer(json, "outputs_planned", info->frames_planned);
    cdg_json_number(json, "output_every", info->output_every);
    cdg_json_number(json, "time_start", info->time_start);
    cdg_json_number(json, "time_end", info->time_end);
    cdg_json_number(json, "end_time", info->end_time);
    cdg_json_number(json, "step", info->step);
    cdg_json_text(json, "step_reason", info->step_reason);
    cdg_json_integer(json, "steps_per_output", info->steps_per_output);
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; i < info->rod_count; i++) {
        const cdg_run_info_rod *rod = &info->rods[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rod->name);
        cdg_json_text(json, "model", rod->model);
        cdg_json_boolean(json, "closed", rod->is_closed);
        cdg_json_integer(json, "nodes", rod->node_count);
        cdg_json_integer(json, "elements", rod->element_count);
        if (rod->adapts) {
            cdg_json_integer(json, "nodes_least", rod->node_least);
            cdg_json_integer(json, "nodes_most", rod->node_most);
            cdg_json_number(json, "nodes_mean", rod->node_mean);
        }
        cdg_json_number(json, "length", rod->length);
        cdg_json_number(json, "mass", rod->mass);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    if (info->has_contacts) {
        cdg_json_begin_object(json, "contacts");
        cdg_json_number(json, "last", info->contacts_end);
        cdg_json_number(json, "most", info->contacts_most);
        cdg_json_number(json, "deepest", info->deepest);
        cdg_json_end(json);
    } else {
        cdg_json_null(json, "contacts");
    }
    write_energy(json, "energy_start", &info->energy_start);
    write_energy(json, "energy_end", &info->energy_end);
    cdg_json_begin_object(json, "bytes");
    cdg_json_integer(json, "run", info->run_size);
    cdg_json_integer(json, "run_on_disk", info->run_used);
    cdg_json_integer(json, "probes", info->probes_size);
    cdg_json_integer(json, "summary", info->summary_size);
    cdg_json_end(json);
    cdg_json_end(json);
}
