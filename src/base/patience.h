// The wish to go on, asked from inside long work: some 20 times a second, by the thread that the work was called on.
#ifndef CDG_BASE_PATIENCE_H
#define CDG_BASE_PATIENCE_H

#include <cordage/base.h>

#include <stdatomic.h>

typedef struct cdg_patience {
    bool (*lasts)(void *user); // NULL: for ever
    void *user;
    double asked;        // s, when
    atomic_bool is_over; // stays so; what work is left then is left undone, and its result thrown away
} cdg_patience;

// Whether to go on; NULL: always. A call costs a look at the clock, so loops call it each some hundred turns.
bool cdg_patience_lasts(cdg_patience *patience);

// In a piece of parallel work: thread 0 is the caller's and asks, the others are told.
static inline bool cdg_patience_lasts_on(cdg_patience *patience, int thread) {
    if (patience == NULL) return true;
    return thread == 0 ? cdg_patience_lasts(patience) : !atomic_load_explicit(&patience->is_over, memory_order_relaxed);
}

// In a loop, with its index.
static inline bool cdg_patience_lasts_at(cdg_patience *patience, size_t index) {
    return (index & 511) != 0 || patience == NULL || cdg_patience_lasts(patience);
}

static inline bool cdg_patience_is_over(const cdg_patience *patience) {
    return patience != NULL && atomic_load_explicit(&patience->is_over, memory_order_relaxed);
}

#endif
