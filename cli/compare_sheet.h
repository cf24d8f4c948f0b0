// The pictures of a comparison: a row for each variant, a column for each of a few times, all from one place.
#ifndef CLI_COMPARE_SHEET_H
#define CLI_COMPARE_SHEET_H

#include "compare_report.h"

// Writes `path`, a PNG. Variants without a run have no row; a run that ended early has empty places.
// CDG_ERROR_INTERRUPTED when Ctrl-C came. `quiet`: no progress bar.
cdg_result comparison_write_sheet(const comparison *compared, const char *path, int thread_count, bool quiet,
                                  cdg_error *error);

#endif
