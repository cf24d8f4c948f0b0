#include "world/step_clock.h"

#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cdg_step_clock_start(cdg_step_clock *clock, uint64_t step_index, unsigned one_in) {
    clock->weight = step_index % one_in == 0 ? one_in : 0;
    if (clock->weight == 0) return;
    memset(clock->tried, 0, sizeof clock->tried);
    clock->mark = now();
}

void cdg_step_clock_lap(cdg_step_clock *clock, cdg_phase phase) {
    if (clock->weight == 0) return;
    double time = now();
    clock->tried[phase] += time - clock->mark;
    clock->mark = time;
}

void cdg_step_clock_round(cdg_step_clock *clock) { clock->rounds += clock->weight; }

void cdg_step_clock_end_try(cdg_step_clock *clock, bool is_kept) {
    if (clock->weight == 0) return;
    for (int k = 0; k < CDG_PHASE_COUNT; k++) {
        *(is_kept ? &clock->seconds[k] : &clock->in_vain) += clock->weight * clock->tried[k];
        clock->tried[k] = 0;
    }
}
