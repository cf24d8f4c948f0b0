// The table of a sweep: a row a case, what varied, what came out, and why a case failed.
#ifndef CDG_SWEEP_SWEEP_TABLE_H
#define CDG_SWEEP_SWEEP_TABLE_H

#include "output/table_file.h"
#include "sweep/sweep.h"

typedef struct cdg_sweep_table {
    cdg_table_file file;
    cdg_table_file_column *columns;
    double *numbers;    // all columns of numbers
    const char **texts; // all columns of texts
    char **own;         // texts and names that were made
    size_t own_count;
} cdg_sweep_table;

// Columns: case, each variable, each column of probes, outcome ("done", "doubtful", "failed", "missing"), reason. Times
// are not in it: it is the same whoever did the cases.
cdg_result cdg_sweep_table_make(const cdg_sweep *sweep, const cdg_outcome *outcomes, cdg_sweep_table *out,
                                cdg_error *error);
void cdg_sweep_table_free(cdg_sweep_table *table);

// "tip_z [m]" as name and unit, malloc'ed.
bool cdg_title_split(const char *title, char **name, char **unit);

#endif
