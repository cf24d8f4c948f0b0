// How far the mesher is: phases with times, and the user's wish to go on.
#ifndef CDG_MESHING_PROGRESS_H
#define CDG_MESHING_PROGRESS_H

#include <cordage/meshing.h>

#include <time.h>

typedef struct cdg_progress {
    cdg_mesher_progress callback; // NULL: none
    void *user;
    cdg_mesher_phase phase;
    double began; // s
    double share; // of the whole, done when the phase began
    double seconds[CDG_MESHER_PHASE_COUNT];
} cdg_progress;

static inline double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Enters a phase, `share` of the whole being done; false: stop.
static inline bool progress_enter(cdg_progress *progress, cdg_mesher_phase phase, double share) {
    double now = progress_clock();
    progress->seconds[progress->phase] += now - progress->began;
    progress->began = now;
    progress->phase = phase;
    progress->share = share;
    return progress->callback == NULL || progress->callback(progress->user, share);
}

// Asked from inside a phase.
static inline bool progress_goes_on(void *user) {
    const cdg_progress *progress = user;
    return progress->callback == NULL || progress->callback(progress->user, progress->share);
}

#endif
