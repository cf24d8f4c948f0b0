// A dynamic case in parts, for who steps many of them at once (lanes.c): open, then step the world oneself, then close.
#ifndef CDG_SWEEP_CASE_PARTS_H
#define CDG_SWEEP_CASE_PARTS_H

#include "output/run_plan.h"
#include "sweep/case.h"

typedef struct cdg_case_runner cdg_case_runner;

// Reads and builds; the first row is kept. On failure *runner is NULL and *out tells why. `def` and `out` must outlive
// the runner.
cdg_result cdg_case_open(const cdg_case_def *def, cdg_case_result *out, cdg_case_runner **runner);
cdg_world *cdg_case_world(cdg_case_runner *runner);
const cdg_run_plan *cdg_case_plan(const cdg_case_runner *runner);
void cdg_case_stepped(cdg_case_runner *runner, const cdg_step_report *report); // after each step
cdg_result cdg_case_keep(cdg_case_runner *runner, cdg_error *error);           // at each output: a row
// Fills the result and frees the runner (NULL is fine). `error` says why `result` is not CDG_OK.
cdg_result cdg_case_close(cdg_case_runner *runner, cdg_result result, cdg_error *error);

#endif
