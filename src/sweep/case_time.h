// How long a case may take, of processor time, so that one without an end is a row of the table and not the end of it.
#ifndef CDG_SWEEP_CASE_TIME_H
#define CDG_SWEEP_CASE_TIME_H

#include "sweep/sweep.h"

double cdg_case_clock(void); // s of processor time of this thread

// Stands in front of a case's go_on: asked after every step or equilibrium.
typedef struct cdg_case_timer {
    double limit; // s; 0: none
    double began; // by cdg_case_clock
    cdg_sweep_go_on *go_on;
    void *user;
    bool is_late; // it was the limit that stopped the case
} cdg_case_timer;

bool cdg_case_timer_go_on(void *timer);

// The case was late: its result becomes a failure that says so.
void cdg_case_time_tell(double limit, cdg_case_result *result);
// The limit that a sentence of a case names; 0: the case has failed for another reason.
double cdg_case_time_told(const char *sentence);

#endif
