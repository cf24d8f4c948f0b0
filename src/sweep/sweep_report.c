// What a sweep leaves behind.
#include "sweep/sweep_report.h"

#include "base/error.h"
#include "output/disk.h"
#include "sweep/sweep_table.h"

#include <stdlib.h>

void cdg_sweep_files_free(cdg_sweep_files *files) {
    for (size_t i = 0; i < files->count; i++) free(files->paths[i]);
    files->count = 0;
}

// The name of a file that is about to be written; NULL without memory.
static char *name_file(cdg_sweep_files *files, const char *directory, const char *name) {
    char *path = cdg_disk_join(directory, name, "");
    if (path != NULL && files->count < CDG_SWEEP_FILES_MAX) files->paths[files->count++] = path;
    return path;
}

static cdg_result write_tables(const cdg_sweep *sweep, const cdg_outcome *outcomes, const char *directory,
                               cdg_sweep_files *files, cdg_error *error) {
    cdg_sweep_table table;
    cdg_result result = cdg_sweep_table_make(sweep, outcomes, &table, error);
    if (result != CDG_OK) return result;
    char *csv = name_file(files, directory, "table.csv"), *hdf5 = name_file(files, directory, "table.h5");
    result = csv != NULL && hdf5 != NULL ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) result = cdg_table_file_write_csv(&table.file, csv, error);
    if (result == CDG_OK) result = cdg_table_file_write_hdf5(&table.file, hdf5, error);
    cdg_sweep_table_free(&table);
    return result;
}

cdg_result cdg_sweep_report_write(const cdg_sweep *sweep, const cdg_outcome *outcomes,
                                  const cdg_sweep_progress *progress, const char *directory, cdg_sweep_files *files,
                                  cdg_error *error) {
    (void)progress;
    return write_tables(sweep, outcomes, directory, files, error);
}
