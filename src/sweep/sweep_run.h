// Running a sweep: cases on threads, on processes or on ranks of MPI, a journal, and nothing done twice.
#ifndef CDG_SWEEP_SWEEP_RUN_H
#define CDG_SWEEP_SWEEP_RUN_H

#include "sweep/ranks.h"
#include "sweep/sweep.h"

typedef struct cdg_sweep_progress {
    size_t case_count, done, failed, doubtful; // `done` counts the others, too
    size_t done_before;                        // by whoever began the sweep
    double elapsed;                            // s
} cdg_sweep_progress;

// The command to start again as a worker: it serves with cdg_sweep_serve.
typedef struct cdg_sweep_command {
    const char *path;
    char *const *arguments, *const *environment;
} cdg_sweep_command;

typedef struct cdg_sweep_run_def {
    const cdg_sweep *sweep;
    const char *directory; // made if absent; holds journal.txt
    bool resume, force;    // go on with what is there; begin anew in spite of it
    int thread_count;      // cases at a time; 0: all cores
    int process_count;     // > 0: in so many processes instead, each case in one
    const cdg_sweep_command *command;
    cdg_ranks *ranks; // NULL: MPI is not used
    // Called now and then, and when a case has ended; false stops.
    bool (*on_progress)(void *user, const cdg_sweep_progress *progress);
    void (*on_note)(void *user, const char *sentence);
    cdg_sweep_go_on *go_on; // asked by running cases, from any thread
    void *user;
} cdg_sweep_run_def;

// Fills `outcomes` (case_count, zeroed). CDG_ERROR_INTERRUPTED: stopped, can be resumed. Ranks other than 0 only work,
// and have no outcomes.
cdg_result cdg_sweep_run(const cdg_sweep_run_def *def, cdg_outcome *outcomes, cdg_sweep_progress *progress,
                         cdg_error *error);

// Rank 0 that cannot begin: the others wait for an answer, and get one each.
void cdg_sweep_dismiss(cdg_ranks *ranks);

// A worker's life: jobs from the parent's socket until it is gone.
void cdg_sweep_serve(const cdg_sweep *sweep, cdg_sweep_go_on *go_on, void *user);

#endif
