// A limit to the time of a case.
#define _POSIX_C_SOURCE 200809L
#include "sweep/case_time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char stopped[] = "stopped on request"; // as cases say it (case.c)
static const char late[] = "took more than the ";   // begins the sentence, which a sweep that goes on reads again

double cdg_case_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cdg_case_timer_go_on(void *timer) {
    cdg_case_timer *t = timer;
    if (t->go_on != NULL && !t->go_on(t->user)) return false;
    t->is_late = t->limit > 0 && cdg_case_clock() - t->began > t->limit;
    return !t->is_late;
}

void cdg_case_time_tell(double limit, cdg_case_result *result) {
    char where[200] = "";
    if (strncmp(result->sentence, stopped, sizeof stopped - 1) == 0)
        snprintf(where, sizeof where, ", and was stopped%.150s", result->sentence + sizeof stopped - 1);
    result->code = CDG_ERROR_INTERRUPTED;
    snprintf(result->sentence, sizeof result->sentence,
             "%s%.9g s of processor time that --case-time allows%s; with --resume and a longer --case-time, or none, "
             "it is done again",
             late, limit, where);
}

double cdg_case_time_told(const char *sentence) {
    double limit = 0;
    if (sentence == NULL || strncmp(sentence, late, sizeof late - 1) != 0) return 0;
    return sscanf(sentence + sizeof late - 1, "%lf", &limit) == 1 ? limit : 0;
}
