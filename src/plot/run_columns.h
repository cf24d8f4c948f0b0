// Everything a run has over time, as named columns, and charts of them.
#ifndef CDG_PLOT_RUN_COLUMNS_H
#define CDG_PLOT_RUN_COLUMNS_H

#include "output/probe_table.h"
#include "output/run_reader.h"
#include "plot/chart.h"

typedef struct cdg_run_column {
    char *name;       // "energy.total", "tip_x"
    const char *unit; // SI
    const double *time, *values;
    size_t count;
    bool is_energy;
} cdg_run_column;

typedef struct cdg_run_columns {
    cdg_run_column *items; // energies first, then probes as in the file
    size_t count;
    double *energies; // owned
    cdg_probe_table probes;
} cdg_run_columns;

// Reads energies and probes. The reader must outlive the columns. A run without a probes.csv has energies only.
cdg_result cdg_run_columns_read(const cdg_run_reader *reader, cdg_run_columns *out, cdg_error *error);
void cdg_run_columns_free(cdg_run_columns *columns);

// The charts that show a run at a glance: energies, then one for each probe and unit. Energies that are zero all the
// time are left out when others are not.
cdg_result cdg_run_columns_overview(const cdg_run_columns *columns, cdg_chart_list *out, cdg_error *error);

// Charts of the columns that comma-separated patterns ('*', '?', '[...]') name, in that order, one chart a unit.
// CDG_ERROR_ARGUMENT: a pattern matches nothing; the message lists what there is.
cdg_result cdg_run_columns_choose(const cdg_run_columns *columns, const char *patterns, cdg_chart_list *out,
                                  cdg_error *error);

#endif
