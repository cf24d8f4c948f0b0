// Measurements to fit a scene to: a table of numbers with units, and above it, in lines that begin with '#', what they
// are. Probes over time (a film of a tip), probes over another probe (a force curve), or points of a rod's centreline.
#ifndef CDG_SWEEP_FIT_DATA_H
#define CDG_SWEEP_FIT_DATA_H

#include "scene/units.h"

typedef enum cdg_fit_kind { CDG_FIT_SERIES, CDG_FIT_SHAPE } cdg_fit_kind;

typedef struct cdg_fit_column {
    char *name; // "tip_z"; of a shape "x", "y" or "z"
    cdg_dimension dimension;
    char *unit;     // as in the file
    double factor;  // SI units in one of them
    double *values; // SI; NAN: not measured
    double *sigmas; // SI, standard deviations; NULL: `sigma` for all
    double sigma;   // SI; 0: not said
} cdg_fit_column;

typedef struct cdg_fit_data {
    char *path;
    cdg_fit_kind kind;
    char *rod;   // shape: whose centreline
    char *over;  // series: the probe column that they are over; NULL: time
    char **sets; // "path=value": what was different in this experiment
    size_t set_count;
    double *times; // s; NULL: at the end of the run
    cdg_fit_column *columns;
    size_t column_count;
    size_t row_count;
} cdg_fit_data;

// Keys of the lines above the table:
//     # shape: cable                        the columns x, y, z are points of this rod, in any order
//     # time: 2 s                           when they were taken, where no column says it; default: at the end
//     # over: tip_z                         the other columns are over this one, not over time
//     # set: simulation.mode=static         what to set in the scene for this experiment; may be repeated
//     # sigma: 0.5 mm                       standard deviation of all columns; or a column tip_z_sigma [mm]
//     ## anything                           a remark
// Errors have the file, the line and a cure. Free *out in any case.
cdg_result cdg_fit_data_read(const char *path, cdg_fit_data *out, cdg_error *error);
cdg_result cdg_fit_data_parse(const char *text, size_t size, const char *path, cdg_fit_data *out, cdg_error *error);
void cdg_fit_data_free(cdg_fit_data *data);

// The column of this name; NULL: there is none.
cdg_fit_column *cdg_fit_data_column(const cdg_fit_data *data, const char *name);

#endif
