// Where the time of a run went, in numbers and in words.
#ifndef CDG_OUTPUT_RUN_TIMES_H
#define CDG_OUTPUT_RUN_TIMES_H

#include "output/json.h"

#include <cordage/run.h>

enum { CDG_TIMES_SIZE = 256, CDG_TIME_ADVICE_SIZE = 256 };

cdg_run_times cdg_run_times_of(const cdg_world *world, double output);

// "62 % contact (3.1 rounds a step), 30 % rods", largest first, without what is below a hundredth; false and "" when
// there is nothing to tell.
bool cdg_run_times_text(const cdg_run_summary *summary, char out[CDG_TIMES_SIZE]);
// What would make the run quicker; false and "" for short runs, and where no part takes most of it.
bool cdg_run_times_advice(const cdg_run_summary *summary, char out[CDG_TIME_ADVICE_SIZE]);

void cdg_run_times_write(cdg_json *json, const cdg_run_times *times);

#endif
