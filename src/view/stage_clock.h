// When to step and when to draw: the arithmetic of real time, apart from threads.
#ifndef CDG_VIEW_STAGE_CLOCK_H
#define CDG_VIEW_STAGE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cdg_stage_clock {
    double speed;                    // simulated seconds a second
    double anchor_wall, anchor_time; // simulated time was anchor_time then
    double last_picture;             // s, wall
    bool is_late;
    double window_wall, window_time; // where the window of `ratio` began
    uint64_t window_steps;
    double ratio; // simulated time that passed against what should have, in the last window
    double steps_per_second;
} cdg_stage_clock;

void cdg_clock_start(cdg_stage_clock *clock, double wall, double time); // begins to run, or again after a pause
double cdg_clock_wanted(const cdg_stage_clock *clock, double wall);     // simulated time that should be reached
// After stepping: how late it is. What is too late to be made good is given up: slow motion.
void cdg_clock_settle(cdg_stage_clock *clock, double wall, double time, uint64_t steps);
double cdg_clock_picture_interval(const cdg_stage_clock *clock, double wall, double time); // s, wall

#endif
