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

// Writes table.csv, table.h5, charts as .svg and .png, and report.html into the directory.
cdg_result cdg_sweep_report_write(const cdg_sweep *sweep, const cdg_outcome *outcomes,
                                  const cdg_sweep_progress *progress, const char *directory, cdg_sweep_files *files,
                                  cdg_error *error);

#endif
