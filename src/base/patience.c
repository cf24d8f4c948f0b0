// Asking by the clock, so that whoever is asked need not be quick.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "base/patience.h"

#include <time.h>

static const double pause = 0.05; // s between two questions

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cdg_patience_lasts(cdg_patience *patience) {
    if (patience == NULL || patience->lasts == NULL) return true;
    if (cdg_patience_is_over(patience)) return false;
    double now = seconds();
    if (now - patience->asked < pause) return true;
    patience->asked = now;
    if (patience->lasts(patience->user)) return true;
    atomic_store_explicit(&patience->is_over, true, memory_order_relaxed);
    return false;
}
