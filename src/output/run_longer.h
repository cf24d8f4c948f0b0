// Going on with a run beyond its end: the same scene with a later end, told by overrides that are added to the run's.
#ifndef CDG_OUTPUT_RUN_LONGER_H
#define CDG_OUTPUT_RUN_LONGER_H

#include "output/run_info.h"

enum { CDG_LONGER_COUNT = 3, CDG_LONGER_SIZE = 64 };

// Overrides ("path=value") that make a run end later and keep its steps and outputs where they are.
typedef struct cdg_run_longer {
    char overrides[CDG_LONGER_COUNT][CDG_LONGER_SIZE];
    double end; // s: `until`, or the first output after it
} cdg_run_longer;

// CDG_ERROR_ARGUMENT: `until` (s) is not after the end that the run has.
cdg_result cdg_run_longer_make(const char *directory, const cdg_run_info *info, double until, cdg_run_longer *out,
                               cdg_error *error);

// Whether `now` is `then` with such overrides behind it and nothing else; both are lines. False for equal ones.
bool cdg_run_longer_is(const char *then, const char *now);

#endif
