// What the probes of a scene say at one moment, as a row of numbers: the columns of probes.csv, and of tables of cases.
#ifndef CDG_OUTPUT_PROBE_ROW_H
#define CDG_OUTPUT_PROBE_ROW_H

#include "output/run_peaks.h"

typedef struct cdg_probe_row {
    const cdg_scene *scene;
    cdg_probe *probes; // with handles of the world
    size_t column_count;
    char **titles; // "tip_x [m]"; a force has a last one, "hook_peak [N]"
} cdg_probe_row;

// Columns only, when `world` is NULL. The scene must outlive the row.
cdg_result cdg_probe_row_make(const cdg_scene *scene, const cdg_world *world, cdg_probe_row *out, cdg_error *error);
void cdg_probe_row_free(cdg_probe_row *row);

// One number a column. Peaks are those since the row before; without `peaks` (NULL), what there is now.
cdg_result cdg_probe_row_measure(const cdg_probe_row *row, const cdg_world *world, const cdg_run_peaks *peaks,
                                 double *out, cdg_error *error);

#endif
