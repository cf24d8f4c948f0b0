// Rods whose resolution changes, in a run file: each dataset has the rows of all outputs one after the other, as many
// as the rod had nodes or elements then. Those of output t are rows offsets[t] to offsets[t + 1] - 1.
//
// Rows are sparse room to grow; when it is used up the file is made anew (run_resize.c).
#ifndef CDG_OUTPUT_RUN_RAGGED_H
#define CDG_OUTPUT_RUN_RAGGED_H

#include "output/run_sets.h"

// The rows of one output.
typedef struct cdg_run_rows {
    size_t first_node, node_count;
    size_t first_element, element_count;
} cdg_run_rows;

// What a world's rod is in a run file: whether its resolution changes, and room for it. Sets `adapts` and what belongs
// to it.
void cdg_run_ragged_make(cdg_run_rod_entry *rod, const cdg_world *world, size_t frame_count);

// Numbers (8 bytes) of all its datasets.
double cdg_run_ragged_numbers(const cdg_run_rod_entry *rod, size_t frame_count);
// In one row of a node and the element after it.
size_t cdg_run_ragged_row(void);

// Visits its datasets in its group. With `room` 0 the file tells how many rows there are.
bool cdg_run_ragged_visit(cdg_run_rod_entry *rod, hid_t group, cdg_block_visit *visit, size_t frame_count,
                          uint64_t file_size, const char **culprit);

// Numbers that stay the same while the resolution does, as the rod has them now.
#define CDG_RUN_READ_CONSTANT(name, per, components, units, text)                                                      \
    cdg_result cdg_run_read_##name(const cdg_world *world, cdg_rod_id id, double *out);
CDG_RUN_ROD_CONSTANT_LIST(CDG_RUN_READ_CONSTANT)
#undef CDG_RUN_READ_CONSTANT

// Writes the rod as it is now to rows from `from`'s first ones on, which must fit; *from is set to the rows after
// them. `numbers` has room for node_capacity rows.
cdg_result cdg_run_ragged_write(const cdg_run_rod_entry *rod, const cdg_world *world, size_t frame, cdg_run_rows *from,
                                double *numbers, int descriptor, const char *path, cdg_error *error);
// The rows of an output that was written; CDG_ERROR_FORMAT where they cannot be true.
cdg_result cdg_run_ragged_rows(const cdg_run_rod_entry *rod, size_t frame, int descriptor, const char *path,
                               cdg_run_rows *out, cdg_error *error);

#endif
