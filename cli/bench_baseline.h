// Figures of an earlier `cordage bench --json`, to compare with.
#ifndef CLI_BENCH_BASELINE_H
#define CLI_BENCH_BASELINE_H

#include <cordage/base.h>

typedef struct bench_baseline bench_baseline;

// CDG_ERROR_IO: the file cannot be read; CDG_ERROR_FORMAT: it does not hold such a document. The message names the
// file.
cdg_result bench_baseline_read(const char *path, bench_baseline **out, cdg_error *error);
void bench_baseline_free(bench_baseline *baseline); // NULL is fine

const char *bench_baseline_processor(const bench_baseline *baseline); // "" when it does not tell

// The median of a row; false: the document does not have it, or in another unit.
bool bench_baseline_find(const bench_baseline *baseline, const char *workload, const char *label, const char *unit,
                         double *median);

// Slower by more than a tenth: less is noise between two runs on a quiet machine.
bool bench_is_regression(double median, double baseline);

#endif
