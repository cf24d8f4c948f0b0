// The arithmetic of real time.
#include "view/stage_clock.h"

static const double picture_interval = 1.0 / 60; // s
static const double late_interval = 1.0 / 30;    // when behind by more than one picture
static const double latest_interval = 1.0 / 20;  // when behind by more than half of what is given up
static const double lag_limit = 0.1;             // s: more is given up
static const double window = 0.5;                // s, over which the ratio is measured

void cdg_clock_start(cdg_stage_clock *clock, double wall, double time) {
    clock->anchor_wall = clock->window_wall = wall;
    clock->anchor_time = clock->window_time = time;
    clock->window_steps = 0;
    clock->is_late = false;
    clock->ratio = 1;
    clock->steps_per_second = 0;
}

double cdg_clock_wanted(const cdg_stage_clock *clock, double wall) {
    return clock->anchor_time + (wall - clock->anchor_wall) * clock->speed;
}

static double lag_of(const cdg_stage_clock *clock, double wall, double time) { // s, wall
    return (cdg_clock_wanted(clock, wall) - time) / clock->speed;
}

void cdg_clock_settle(cdg_stage_clock *clock, double wall, double time, uint64_t steps) {
    clock->window_steps += steps;
    if (lag_of(clock, wall, time) > lag_limit) {
        clock->anchor_wall = wall;
        clock->anchor_time = time;
    }
    double passed = wall - clock->window_wall;
    if (passed < window) return;
    clock->ratio = (time - clock->window_time) / (passed * clock->speed);
    clock->steps_per_second = (double)clock->window_steps / passed;
    clock->is_late = clock->ratio < 0.95;
    clock->window_wall = wall;
    clock->window_time = time;
    clock->window_steps = 0;
}

double cdg_clock_picture_interval(const cdg_stage_clock *clock, double wall, double time) {
    double lag = lag_of(clock, wall, time);
    if (lag > lag_limit / 2 || clock->is_late) return latest_interval;
    return lag > picture_interval ? late_interval : picture_interval;
}
