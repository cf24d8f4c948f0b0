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
    int ended;           // ranks that were told that there is nothing left
    double case_seconds; // mean of the jobs so far, by which messages are made long enough
} cdg_ranks;

// Whether a launcher of MPI (mpirun, mpiexec, srun with PMI) has started this process.
bool cdg_ranks_are_launched(void);

// Loads the shared object, from $CORDAGE_MPI or beside the command or the library, and begins.
cdg_result cdg_ranks_begin(cdg_ranks *out, cdg_error *error);
void cdg_ranks_end(cdg_ranks *ranks);

// Rank 0, often: takes in what came, gives jobs to who asks. `size` lines of outcomes go to the hand-out. False: there
// was nothing to do. CDG_ERROR_FORMAT in *result: another rank has another sweep.
bool cdg_ranks_attend(cdg_ranks *ranks, uint64_t fingerprint, cdg_hand_out *hand_out, cdg_result *result,
                      cdg_error *error);
bool cdg_ranks_have_ended(const cdg_ranks *ranks);

// Other ranks: asks for up to `count` jobs, which are malloc'ed, and hands in `lines` (text that may be NULL). False:
// there are none left.
bool cdg_ranks_ask(cdg_ranks *ranks, uint64_t fingerprint, size_t count, const char *lines, size_t size, size_t **jobs,
                   size_t *job_count);

#endif
