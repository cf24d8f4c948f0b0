// Rods that are alike share datasets: one HDF5 group for all strands of a head of hair instead of one for each.
#ifndef CDG_OUTPUT_RUN_SETS_H
#define CDG_OUTPUT_RUN_SETS_H

#include "output/hdf5_file.h"
#include "output/run_info.h"
#include "output/run_layout.h"

// The group that holds the sets, which are called 0, 1, ...
#define CDG_RUN_SETS_GROUP "rod_sets"

// Fewer rods than this have a group each, which is easier to read.
enum { CDG_RUN_SET_LEAST = 64 };

// What is done with each dataset: made, or found.
typedef bool cdg_block_visit(hid_t group, cdg_hdf5_block *block, uint64_t file_size);

// Puts rods with the same model, options, number of elements and kind of section into sets. Rods whose modes are stored
// stay by themselves, and so do those whose resolution changes.
cdg_result cdg_run_sets_form(cdg_run_layout *layout, const cdg_scene *scene, cdg_error *error);
// The sets that a file has, for reading.
cdg_result cdg_run_sets_take(cdg_run_layout *layout, const cdg_run_info *info, cdg_error *error);
cdg_result cdg_run_sets_copy(const cdg_run_layout *from, cdg_run_layout *to, cdg_error *error);
void cdg_run_sets_free(cdg_run_layout *layout);

// Visits the datasets of a set in its group and notes where each member's numbers lie.
bool cdg_run_set_visit(cdg_run_layout *layout, size_t set, hid_t group, cdg_block_visit *visit, uint64_t file_size,
                       const char **culprit);
// Names, indices, lengths and masses of all sets into a file just made.
cdg_result cdg_run_sets_write(const cdg_run_layout *layout, int descriptor, const char *path, cdg_error *error);

// How many rods the sets of a file have; false: damaged.
bool cdg_run_sets_count(hid_t file, uint64_t file_size, size_t *out);
// Enters them into info->rods, by their indices.
bool cdg_run_sets_read(hid_t file, cdg_run_info *info);

#endif
