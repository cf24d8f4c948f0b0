// One division for all outputs of a rod whose resolution changes: it has a node wherever the rod had one at some
// output. Who needs the same nodes at every output reads the rod by it.
#ifndef CDG_OUTPUT_COMMON_DIVISION_H
#define CDG_OUTPUT_COMMON_DIVISION_H

#include "output/run_ragged.h"

typedef struct cdg_common_division {
    size_t node_count, element_count;
    double *arc;          // m, element_count + 1: where elements begin, at rest, and the end
    double *radius;       // m, node_count
    double *section_size; // m, 2 node_count, as run files have it
} cdg_common_division;

// Looks at the first `frame_count` outputs. CDG_ERROR_FORMAT: places that do not rise, or are not within the rod.
cdg_result cdg_common_division_find(const cdg_run_rod_entry *rod, size_t frame_count, int descriptor, const char *path,
                                    cdg_common_division *out, cdg_error *error);
void cdg_common_division_free(cdg_common_division *division);

// The division of one output: arc length where each of its elements begins, and of the end; element_count + 1.
cdg_result cdg_run_ragged_arc(const cdg_run_rod_entry *rod, const cdg_run_rows *rows, int descriptor, const char *path,
                              double *out, cdg_error *error);

#endif
