// Sets of rods that are alike: finding them, their datasets, and their members' names.
#define _POSIX_C_SOURCE 200809L
#include "output/run_sets.h"

#include "base/error.h"
#include "output/disk.h"
#include "rods/model_options.h"
#include "rods/rod_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- forming --------------------------------------------------------------------------------------------------------

static bool has_same_options(const cdg_rod_def *a, const cdg_rod_def *b) {
    if (a->model != b->model) return false;
    return cdg_options_are_equal(cdg_rod_model_get(a->model)->options, cdg_rod_def_options(a), cdg_rod_def_options(b));
}

static bool is_alike(const cdg_run_layout *layout, const cdg_scene *scene, size_t a, size_t b) {
    const cdg_rod_info *x = &layout->rods[a].info, *y = &layout->rods[b].info;
    return x->node_count == y->node_count && x->element_count == y->element_count && x->model == y->model &&
           x->is_closed == y->is_closed && x->section_kind == y->section_kind &&
           has_same_options(&scene->rods[a], &scene->rods[b]);
}

// The sets' lists of members, when rods[].set and the counts are known.
static bool list_members(cdg_run_layout *layout) {
    for (size_t s = 0; s < layout->set_count; s++) {
        cdg_run_set *set = &layout->sets[s];
        set->rods = malloc((set->count + 1) * sizeof *set->rods);
        if (set->rods == NULL) return false;
        set->count = 0;
        set->name_size = 1;
    }
    for (size_t i = 0; i < layout->rod_count; i++) {
        cdg_run_rod_entry *rod = &layout->rods[i];
        if (rod->set == 0) continue;
        cdg_run_set *set = &layout->sets[rod->set - 1];
        rod->row = set->count;
        set->rods[set->count++] = i;
        if (strlen(rod->info.name) > set->name_size) set->name_size = strlen(rod->info.name);
    }
    for (size_t i = 0; i < layout->rod_count; i++) {
        cdg_run_rod_entry *rod = &layout->rods[i];
        rod->alike = rod->set > 0 ? layout->sets[rod->set - 1].count : 1;
    }
    return true;
}

static cdg_result fail_memory(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the list of what a run writes");
}

enum { KINDS_MAX = 64 }; // of rods that are looked for; more different ones have a group each

typedef struct rod_kind {
    size_t first, count, set;
} rod_kind;

cdg_result cdg_run_sets_form(cdg_run_layout *layout, const cdg_scene *scene, cdg_error *error) {
    rod_kind kinds[KINDS_MAX];
    size_t kind_count = 0, last = 0;
    for (size_t i = 0; i < layout->rod_count; i++) layout->rods[i].alike = 1;
    if (layout->mode_count > 0 || scene->rod_count != layout->rod_count) return CDG_OK;
    for (size_t i = 0; i < layout->rod_count; i++) {
        size_t k = last;                      // neighbours are mostly alike
        if (layout->rods[i].adapts) continue; // has as many rows as it likes
        if (kind_count == 0 || !is_alike(layout, scene, kinds[k].first, i))
            for (k = 0; k < kind_count && !is_alike(layout, scene, kinds[k].first, i);) k++;
        layout->rods[i].set = 0;
        if (k == KINDS_MAX) continue;
        if (k == kind_count) kinds[kind_count++] = (rod_kind){.first = i};
        kinds[k].count++;
        layout->rods[i].set = k + 1; // the kind, for now
        last = k;
    }
    for (size_t k = 0; k < kind_count; k++)
        if (kinds[k].count >= CDG_RUN_SET_LEAST) kinds[k].set = ++layout->set_count;
    for (size_t i = 0; i < layout->rod_count; i++)
        if (layout->rods[i].set > 0) layout->rods[i].set = kinds[layout->rods[i].set - 1].set;
    layout->sets = calloc(layout->set_count + 1, sizeof *layout->sets);
    if (layout->sets == NULL) return fail_memory(error);
    for (size_t k = 0; k < kind_count; k++)
        if (kinds[k].set > 0) layout->sets[kinds[k].set - 1].count = kinds[k].count;
    return list_members(layout) ? CDG_OK : fail_memory(error);
}

cdg_result cdg_run_sets_take(cdg_run_layout *layout, const cdg_run_info *info, cdg_error *error) {
    layout->sets = calloc(info->set_count + 1, sizeof *layout->sets);
    if (layout->sets == NULL) return fail_memory(error);
    layout->set_count = info->set_count;
    for (size_t i = 0; i < layout->rod_count; i++) {
        layout->rods[i].set = info->rods[i].set;
        layout->rods[i].alike = 1;
        if (info->rods[i].set > 0) layout->sets[info->rods[i].set - 1].count++;
    }
    return list_members(layout) ? CDG_OK : fail_memory(error);
}

cdg_result cdg_run_sets_copy(const cdg_run_layout *from, cdg_run_layout *to, cdg_error *error) {
    to->sets = calloc(from->set_count + 1, sizeof *to->sets);
    to->set_count = to->sets != NULL ? from->set_count : 0;
    for (size_t s = 0; s < to->set_count; s++) to->sets[s].count = from->sets[s].count;
    return to->sets != NULL && list_members(to) ? CDG_OK : fail_memory(error);
}

void cdg_run_sets_free(cdg_run_layout *layout) {
    for (size_t s = 0; s < layout->set_count; s++) free(layout->sets[s].rods);
    free(layout->sets);
    layout->sets = NULL;
    layout->set_count = 0;
}

// ---- datasets -------------------------------------------------------------------------------------------------------

static hid_t text_type(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

static bool visit_list(hid_t group, cdg_block_visit *visit, uint64_t file_size, const char *name, hid_t type,
                       size_t count, const char *units, const char *text, uint64_t *offset) {
    cdg_hdf5_block block = {
        .name = name, .type = type, .rank = 1, .size = {count}, .units = units, .description = text};
    if (!visit(group, &block, file_size)) return false;
    *offset = block.offset;
    return true;
}

static bool visit_members(cdg_run_set *set, hid_t group, cdg_block_visit *visit, uint64_t file_size) {
    hid_t text = text_type(set->name_size);
    bool is_done =
        visit_list(group, visit, file_size, "names", text, set->count, "1", "names of the rods", &set->names) &&
        visit_list(group, visit, file_size, "places", H5T_NATIVE_UINT64, set->count, "1",
                   "numbers of the rods in the run, from 0", &set->indices) &&
        visit_list(group, visit, file_size, "length", H5T_NATIVE_DOUBLE, set->count, "m", "lengths of the rods",
                   &set->lengths) &&
        visit_list(group, visit, file_size, "mass", H5T_NATIVE_DOUBLE, set->count, "kg", "masses of the rods",
                   &set->masses);
    H5Tclose(text);
    return is_done;
}

static cdg_hdf5_block field_block(const cdg_run_layout *layout, const cdg_run_set *set, cdg_field field) {
    cdg_field_info info = cdg_field_get(field);
    size_t entries = cdg_run_row(&layout->rods[set->rods[0]].info, info.per, 1);
    return (cdg_hdf5_block){.name = info.name,
                            .type = layout->rods[set->rods[0]].is_single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
                            .rank = info.component_count > 1 ? 4 : 3,
                            .size = {layout->frame_count, set->count, entries, info.component_count},
                            .units = info.units,
                            .description = info.description,
                            .is_optional = (info.traits & CDG_FIELD_LATER) != 0};
}

bool cdg_run_set_visit(cdg_run_layout *layout, size_t index, hid_t group, cdg_block_visit *visit, uint64_t file_size,
                       const char **culprit) {
    cdg_run_set *set = &layout->sets[index];
    const cdg_rod_info *info = &layout->rods[set->rods[0]].info;
    *culprit = "names";
    if (!visit_members(set, group, visit, file_size)) return false;
    for (int f = 0; f < CDG_FIELD_COUNT; f++) {
        cdg_hdf5_block block = field_block(layout, set, (cdg_field)f);
        size_t row = cdg_run_field_row(info, (cdg_field)f) * cdg_run_number_size(&layout->rods[set->rods[0]]);
        if (!cdg_run_has_field(&layout->rods[set->rods[0]], (cdg_field)f)) continue;
        *culprit = block.name;
        if (!visit(group, &block, file_size)) return false;
        for (size_t i = 0; i < set->count; i++)
            layout->rods[set->rods[i]].fields[f] = block.offset > 0 ? block.offset + i * row : 0;
    }
    cdg_hdf5_block block;
#define VISIT(dataset, per, components, units_text, text)                                                              \
    block = (cdg_hdf5_block){.name = #dataset,                                                                         \
                             .type = H5T_NATIVE_DOUBLE,                                                                \
                             .rank = (components) > 1 ? 3 : 2,                                                         \
                             .size = {set->count, cdg_run_row(info, per, 1), (components)},                            \
                             .units = units_text,                                                                      \
                             .description = text};                                                                     \
    *culprit = #dataset;                                                                                               \
    if (!visit(group, &block, file_size)) return false;                                                                \
    for (size_t i = 0; i < set->count; i++)                                                                            \
        layout->rods[set->rods[i]].dataset = block.offset + i * cdg_run_row(info, per, components) * sizeof(double);
    CDG_RUN_ROD_CONSTANT_LIST(VISIT)
#undef VISIT
    return true;
}

static cdg_result write_set(const cdg_run_layout *layout, const cdg_run_set *set, char *names, double *numbers,
                            int descriptor, const char *path, cdg_error *error) {
    memset(names, 0, set->count * set->name_size);
    double *lengths = numbers, *masses = numbers + set->count;
    uint64_t *indices = (uint64_t *)(void *)(numbers + 2 * set->count);
    for (size_t i = 0; i < set->count; i++) {
        const cdg_rod_info *info = &layout->rods[set->rods[i]].info;
        memcpy(names + i * set->name_size, info->name, strlen(info->name));
        lengths[i] = info->length, masses[i] = info->mass, indices[i] = set->rods[i];
    }
    size_t bytes = set->count * sizeof(double);
    cdg_result result = cdg_disk_write_at(descriptor, path, names, set->count * set->name_size, set->names, error);
    if (result == CDG_OK) result = cdg_disk_write_at(descriptor, path, lengths, bytes, set->lengths, error);
    if (result == CDG_OK) result = cdg_disk_write_at(descriptor, path, masses, bytes, set->masses, error);
    if (result == CDG_OK) result = cdg_disk_write_at(descriptor, path, indices, bytes, set->indices, error);
    return result;
}

cdg_result cdg_run_sets_write(const cdg_run_layout *layout, int descriptor, const char *path, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t s = 0; s < layout->set_count && result == CDG_OK; s++) {
        const cdg_run_set *set = &layout->sets[s];
        char *names = malloc(set->count * set->name_size);
        double *numbers = malloc(3 * set->count * sizeof *numbers);
        result = names != NULL && numbers != NULL ? write_set(layout, set, names, numbers, descriptor, path, error)
                                                  : fail_memory(error);
        free(names);
        free(numbers);
    }
    return result;
}

// ---- reading --------------------------------------------------------------------------------------------------------

// Members of one set, as the file has them.
typedef struct stored_set {
    size_t count, name_size;
    char *names, *model;
    uint64_t *indices, is_closed;
    double *length, *mass;
    hsize_t nodes[CDG_HDF5_RANK_MAX], elements[CDG_HDF5_RANK_MAX];
} stored_set;

static bool read_list(hid_t group, const char *name, hid_t type, size_t count, void *out) {
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    hid_t space = H5Dget_space(dataset);
    bool is_done = H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
                   H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Dclose(dataset);
    return is_done;
}

// Number and bytes of the names, within what the file can hold.
static bool measure_names(hid_t group, uint64_t file_size, size_t *count, size_t *size) {
    hid_t dataset = H5Lexists(group, "names", H5P_DEFAULT) > 0 ? H5Dopen2(group, "names", H5P_DEFAULT) : -1;
    if (dataset < 0) return false;
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    *size = H5Tget_size(type);
    bool is_right = H5Sget_simple_extent_ndims(space) == 1 && H5Tget_class(type) == H5T_STRING &&
                    H5Tis_variable_str(type) == 0 && points > 0 && *size > 0 && (uint64_t)points <= file_size / *size &&
                    *size < CDG_HDF5_NAME_SIZE;
    *count = is_right ? (size_t)points : 0;
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
    return is_right;
}

static bool read_shape(hid_t group, const char *name, hsize_t size[CDG_HDF5_RANK_MAX]) {
    hid_t dataset = H5Lexists(group, name, H5P_DEFAULT) > 0 ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
    if (dataset < 0) return false;
    hid_t space = H5Dget_space(dataset);
    bool is_right = H5Sget_simple_extent_ndims(space) == 4 && H5Sget_simple_extent_dims(space, size, NULL) == 4;
    H5Sclose(space);
    H5Dclose(dataset);
    return is_right;
}

static bool read_set(hid_t group, stored_set *set) {
    set->names = calloc(set->count, set->name_size + 1);
    set->indices = calloc(set->count, sizeof *set->indices);
    set->length = calloc(set->count, sizeof *set->length);
    set->mass = calloc(set->count, sizeof *set->mass);
    if (set->names == NULL || set->indices == NULL || set->length == NULL || set->mass == NULL) return false;
    hid_t text = text_type(set->name_size);
    bool is_done = read_list(group, "names", text, set->count, set->names);
    H5Tclose(text);
    return is_done && read_list(group, "places", H5T_NATIVE_UINT64, set->count, set->indices) &&
           read_list(group, "length", H5T_NATIVE_DOUBLE, set->count, set->length) &&
           read_list(group, "mass", H5T_NATIVE_DOUBLE, set->count, set->mass) &&
           cdg_hdf5_get_integer(group, "is_closed", &set->is_closed) &&
           cdg_hdf5_get_text(group, "model", &set->model) && read_shape(group, "positions", set->nodes) &&
           read_shape(group, "frames", set->elements);
}

static bool enter_set(const stored_set *set, size_t number, cdg_run_info *info) {
    for (size_t i = 0; i < set->count; i++) {
        uint64_t index = set->indices[i];
        if (index >= info->rod_count || info->rods[index].name != NULL) return false;
        if (i > 0 && index <= set->indices[i - 1]) return false;
        cdg_run_info_rod *rod = &info->rods[index];
        *rod = (cdg_run_info_rod){.name = strndup(set->names + i * set->name_size, set->name_size),
                                  .model = strdup(set->model),
                                  .is_closed = set->is_closed != 0,
                                  .node_count = (size_t)set->nodes[2],
                                  .element_count = (size_t)set->elements[2],
                                  .length = set->length[i],
                                  .mass = set->mass[i],
                                  .set = number + 1};
        if (rod->name == NULL || rod->model == NULL) return false;
    }
    return true;
}

static hid_t open_set(hid_t sets, size_t number) {
    char name[24];
    snprintf(name, sizeof name, "%zu", number);
    return H5Lexists(sets, name, H5P_DEFAULT) > 0 ? H5Gopen2(sets, name, H5P_DEFAULT) : -1;
}

bool cdg_run_sets_count(hid_t file, uint64_t file_size, size_t *out) {
    *out = 0;
    if (H5Lexists(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT) <= 0) return true;
    hid_t sets = H5Gopen2(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT);
    size_t set_count = 0;
    bool is_done = sets >= 0 && cdg_hdf5_count(sets, KINDS_MAX, &set_count);
    for (size_t s = 0; s < set_count && is_done; s++) {
        size_t count = 0, size = 0;
        hid_t group = open_set(sets, s);
        is_done = group >= 0 && measure_names(group, file_size, &count, &size);
        *out += count;
        if (group >= 0) H5Gclose(group);
    }
    if (sets >= 0) H5Gclose(sets);
    return is_done;
}

bool cdg_run_sets_read(hid_t file, cdg_run_info *info) {
    if (H5Lexists(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT) <= 0) return true;
    hid_t sets = H5Gopen2(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT);
    bool is_done = sets >= 0 && cdg_hdf5_count(sets, KINDS_MAX, &info->set_count);
    for (size_t s = 0; is_done && s < info->set_count; s++) {
        stored_set set = {0};
        hid_t group = open_set(sets, s);
        is_done = group >= 0 && measure_names(group, info->run_size, &set.count, &set.name_size) &&
                  read_set(group, &set) && enter_set(&set, s, info);
        if (group >= 0) H5Gclose(group);
        free(set.names);
        free(set.model);
        free(set.indices);
        free(set.length);
        free(set.mass);
    }
    if (sets >= 0) H5Gclose(sets);
    return is_done;
}
