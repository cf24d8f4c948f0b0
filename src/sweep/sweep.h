// A sweep: a scene, what varies, which cases there are and what is kept of each; and doing one of its jobs.
#ifndef CDG_SWEEP_SWEEP_H
#define CDG_SWEEP_SWEEP_H

#include "sweep/design.h"
#include "sweep/outcome.h"
#include "sweep/readout.h"

typedef struct cdg_sweep {
    cdg_case_source source; // text, name, overrides: the caller's
    cdg_vary *varies;       // owned, as is all below
    size_t vary_count;
    cdg_design_kind kind;
    size_t samples;
    uint64_t seed;
    cdg_readout readout;
    bool wants_lanes;    // step alike cases together, where the scene allows (lanes.h)
    bool wants_gradient; // columns with rates of the others (sweep_gradient.h)
    double case_time;    // s of processor time that a case may take (case_time.h); 0: any. Not in the fingerprint
    char *runs;          // directory in which each case keeps its run; NULL: nothing is kept
    // Made by cdg_sweep_prepare:
    cdg_design design;
    uint64_t fingerprint; // of everything that decides the cases and their numbers
    size_t job_size;      // cases that are done together: a job has the cases job_size * job and following
    size_t job_count;
    size_t gradient_count;       // columns that are rates, the last ones
    char note[CDG_MESSAGE_SIZE]; // why lanes that were wanted are not used; ""
    // What the scene warns of at a place that varies, which may mean nothing to it: a material of no rod; ""
    char warning[CDG_MESSAGE_SIZE];
} cdg_sweep;

// Adds one variable from text (vary.h).
cdg_result cdg_sweep_vary(cdg_sweep *sweep, const char *text, cdg_error *error);
// Makes the cases and finds the columns. A scene that is refused with the values of the first, the middle and the last
// case, or in itself, is CDG_ERROR_SCENE with the sentence.
cdg_result cdg_sweep_prepare(cdg_sweep *sweep, cdg_error *error);
void cdg_sweep_free(cdg_sweep *sweep);

// Asked often while a case runs; false stops it.
typedef bool cdg_sweep_go_on(void *user);
// Does one case and writes its line (outcome.h), malloc'ed; NULL: stopped on request, or no memory.
char *cdg_sweep_do_case(const cdg_sweep *sweep, size_t index, cdg_sweep_go_on *go_on, void *user, size_t *size);
// The line of a case that somebody else has run.
char *cdg_sweep_write_line(const cdg_sweep *sweep, size_t index, const cdg_case_result *result, double seconds,
                           size_t *size);
// The same for all cases of a job, each line to `give`, which takes it over. False: stopped.
bool cdg_sweep_do_job(const cdg_sweep *sweep, size_t job, cdg_sweep_go_on *go_on, void *user,
                      void (*give)(void *target, char *line, size_t size), void *target);
// The cases of a job: *first and the number of them.
size_t cdg_sweep_cases_of(const cdg_sweep *sweep, size_t job, size_t *first);

#endif
