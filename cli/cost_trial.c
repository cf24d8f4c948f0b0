#include "cost_trial.h"

#include <math.h>

void cost_trial_add(cost_trial *trial, double seconds) {
    const double part = 1.0 / 32; // s
    trial->seconds += seconds;
    trial->steps++;
    trial->part_seconds[trial->part] += seconds;
    trial->part_steps[trial->part]++;
    if (trial->part_seconds[trial->part] < part) return;
    trial->part = (trial->part + 1) % COST_TRIAL_PARTS;
    trial->part_seconds[trial->part] = 0;
    trial->part_steps[trial->part] = 0;
}

double cost_trial_rest(const cost_trial *trial, size_t steps) {
    double seconds = 0;
    size_t count = 0;
    for (int i = 0; i < COST_TRIAL_PARTS; i++) seconds += trial->part_seconds[i], count += trial->part_steps[i];
    return count > 0 ? (double)steps * seconds / (double)count : 0;
}

bool cost_trial_goes_on(const cost_trial *trial, size_t steps_left) {
    const double least = 0.5, most = 3, share = 0.5; // s, s, of the run
    double whole = trial->seconds + cost_trial_rest(trial, steps_left);
    return steps_left > 0 && trial->seconds < fmin(most, fmax(least, share * whole));
}
