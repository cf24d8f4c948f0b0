// A run that is read: what run_reader.c, run_division.c and run_modes.c share.
#ifndef CDG_OUTPUT_RUN_READER_INNER_H
#define CDG_OUTPUT_RUN_READER_INNER_H

#include "fields/resampled.h"
#include "output/run_info.h"
#include "output/run_layout.h"
#include "output/run_ragged.h"
#include "output/run_reader.h"

struct cdg_run_reader_file {
    int descriptor;
    char *path;
    cdg_run_info info; // owns names and texts
    cdg_run_layout layout;
    cdg_division *divisions; // of rods whose resolution changes, as `rods` shows them
    // when a mode is shown
    cdg_vec3 **shapes; // one for each rod, then for each solid
    size_t mode_frame; // the output that it vibrates about
    double mode_factor;
};

// ---- run_reader.c

cdg_result cdg_run_reader_fail_memory(const cdg_run_reader *reader, cdg_error *error);
cdg_result cdg_run_reader_numbers(const cdg_run_reader *reader, uint64_t offset, size_t count, double *out,
                                  cdg_error *error);
// Sizes as the file has them; NULL: it is older, and sections are circles.
cdg_result cdg_run_reader_take_sections(const cdg_run_reader *reader, const cdg_rod_info *info, const double *radius,
                                        const double *sizes, size_t count, cdg_section *out, cdg_error *error);
cdg_result cdg_run_reader_check_lengths(const cdg_run_reader *reader, const char *rod, const double *rest_length,
                                        size_t count, cdg_error *error);
cdg_result cdg_run_reader_check_held(const cdg_run_reader *reader, cdg_field field, cdg_error *error);
// A field of an output, on the rod's division for all outputs.
cdg_result cdg_run_reader_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                 cdg_error *error);
// Of a rod whose resolution changes: where an output's nodes and elements lie, and a field of those.
cdg_result cdg_run_reader_find_rows(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_rows *out,
                                    cdg_error *error);
cdg_result cdg_run_reader_rows(const cdg_run_reader *reader, size_t rod, const cdg_run_rows *rows, cdg_field field,
                               double *out, cdg_error *error);

// ---- run_modes.c

// A swing about one output: only shapes move, what they carry stays as it is there.
cdg_result cdg_run_reader_mode_output(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field,
                                      double *out, cdg_error *error);

#endif
