// Ranks of MPI that share one sweep: rank 0 hands jobs out and keeps the journal, and all of them, itself too, work.
#ifndef CDG_SWEEP_RANKS_H
#define CDG_SWEEP_RANKS_H

#include "sweep/hand_out.h"
#include "sweep/mpi_door.h"

typedef struct cdg_ranks {
    const cdg_mpi_door *door;
    void *library;
    int rank, size;
    // rank 0:
    int ended;           // ranks that have left
    int lost;            // ... of which could not begin
    double case_seconds; // mean of the jobs so far, by which messages are made long enough
    bool are_missing;    // some did not leave when the sweep was stopped: they may be dead, and are not waited for
} cdg_ranks;

// Whether a launcher of MPI (mpirun, mpiexec, srun with PMI) has started this process.
bool cdg_ranks_are_launched(void);

// Loads the shared object, from $CORDAGE_MPI or beside the command or the library, and begins.
cdg_result cdg_ranks_begin(cdg_ranks *out, cdg_error *error);
void cdg_ranks_end(cdg_ranks *ranks);

// Rank 0, often: takes in what came, gives jobs to who asks. Lines of outcomes go to the hand-out. False: there was
// nothing to do. CDG_ERROR_FORMAT in *result: another rank has another sweep.
bool cdg_ranks_attend(cdg_ranks *ranks, uint64_t fingerprint, cdg_hand_out *hand_out, cdg_result *result,
                      cdg_error *error);
bool cdg_ranks_have_ended(const cdg_ranks *ranks);

// Other ranks. Asks for up to `count` jobs (0: none) and hands in lines of outcomes (NULL: none). False: rank 0 is
// gone.
bool cdg_ranks_want(cdg_ranks *ranks, uint64_t fingerprint, size_t count, const char *lines, size_t size);
bool cdg_ranks_leave(cdg_ranks *ranks, bool has_begun); // after the last lines
// The answer to what was asked for, if it has come: the jobs are malloc'ed.
typedef enum cdg_ranks_answer { CDG_RANKS_NOTHING_YET, CDG_RANKS_JOBS, CDG_RANKS_END } cdg_ranks_answer;
cdg_ranks_answer cdg_ranks_hear(cdg_ranks *ranks, size_t **jobs, size_t *job_count);
cdg_ranks_answer cdg_ranks_wait(cdg_ranks *ranks, size_t **jobs, size_t *job_count); // until it comes

#endif
