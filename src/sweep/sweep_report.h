// What a sweep leaves: its table as CSV and HDF5, charts, and one page with all of it.
#ifndef CDG_SWEEP_SWEEP_REPORT_H
#define CDG_SWEEP_SWEEP_REPORT_H

#include "sweep/sweep_run.h"

enum { CDG_SWEEP_FILES_MAX = 64 };
typedef struct cdg_sweep_files {
    char *paths[CDG_SWEEP_FILES_MAX];
    size_t count;
} cdg_sweep_files;

void cdg_sweep_files_free(cdg_sweep_files *files);

// What went wrong, each sentence once.
typedef struct cdg_sweep_problem {
    const char *sentence; // the outcome's
    size_t first, count;  // cases
    bool has_failed;      // else doubtful
} cdg_sweep_problem;
// In the order of the first cases; returns how many, at most `most`.
size_t cdg_sweep_problems(const cdg_outcome *outcomes, size_t count, cdg_sweep_problem *out, size_t most);

// Writes table.csv, table.h5, charts as .svg and .png, and report.html into the directory.
cdg_result cdg_sweep_report_write(const cdg_sweep *sweep, const cdg_outcome *outcomes,
                                  const cdg_sweep_progress *progress, const char *directory, cdg_sweep_files *files,
                                  cdg_error *error);

#endif
