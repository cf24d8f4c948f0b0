// How long a run is tried before its cost is told, and what the rest of it is taken to cost.
#ifndef CLI_COST_TRIAL_H
#define CLI_COST_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { COST_TRIAL_PARTS = 8 };

// Steps in the order in which they were taken. Costs grow as things come to touch, so that the last quarter of a second
// counts for what is left.
typedef struct cost_trial {
    double seconds; // of processor time, all steps tried
    size_t steps;
    double part_seconds[COST_TRIAL_PARTS]; // the last parts of 1/32 s or one step each, a ring
    size_t part_steps[COST_TRIAL_PARTS];
    size_t part; // the one that is filled
} cost_trial;

void cost_trial_add(cost_trial *trial, double seconds);

// s: what this many further steps take.
double cost_trial_rest(const cost_trial *trial, size_t steps);

// Half a second is tried in any case. A run that seems to take longer is tried for half of that, at most for 3 s: what
// falls or is wound up touches late.
bool cost_trial_goes_on(const cost_trial *trial, size_t steps_left);

#endif
