// Charts of what a rod is like along its length at chosen times.
#ifndef CDG_PLOT_ALONG_ROD_H
#define CDG_PLOT_ALONG_ROD_H

#include "output/run_reader.h"
#include "plot/chart.h"

// One chart for each rod that a name or pattern fits, each field of the comma-separated list and each component of a
// field that is named without one; one curve a time. A field is what output/field_view.h knows ("tension", "moment.1",
// "speed", "strain"), "radius" or "rest_length". Horizontally the arc length at rest. Times outside of the run, and
// what is not there, are CDG_ERROR_ARGUMENT; the message lists what there is.
cdg_result cdg_along_rod_charts(const cdg_run_reader *reader, const char *rods, const char *fields, const double *times,
                                size_t time_count, cdg_chart_list *out, cdg_error *error);

#endif
