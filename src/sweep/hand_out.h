// Jobs handed out to whoever is free, and the lines that come back: the one thing that workers share.
#ifndef CDG_SWEEP_HAND_OUT_H
#define CDG_SWEEP_HAND_OUT_H

#include <cordage/base.h>

#include <pthread.h>

typedef struct cdg_line {
    char *text;
    size_t size;
} cdg_line;

typedef struct cdg_hand_out {
    pthread_mutex_t mutex;
    pthread_cond_t has_news;
    const size_t *jobs; // the caller's
    size_t job_count, next;
    bool is_stopped; // nothing is handed out any more
    cdg_line *ready; // came back and was not collected
    size_t ready_count, ready_capacity;
    bool has_no_memory; // a line was lost
} cdg_hand_out;

void cdg_hand_out_begin(cdg_hand_out *out, const size_t *jobs, size_t job_count);
void cdg_hand_out_end(cdg_hand_out *hand_out); // when no worker is left

// All of these may be called from any thread.
bool cdg_hand_out_take(cdg_hand_out *hand_out, size_t *job);             // false: there is none left
void cdg_hand_out_give(cdg_hand_out *hand_out, char *text, size_t size); // takes the malloc'ed line over
void cdg_hand_out_stop(cdg_hand_out *hand_out);
bool cdg_hand_out_is_stopped(cdg_hand_out *hand_out);
bool cdg_hand_out_has_lost(cdg_hand_out *hand_out); // a line, for want of memory
size_t cdg_hand_out_left(cdg_hand_out *hand_out);   // jobs that nobody has taken

// Collects all lines that came back, after waiting for one for at most that long; the caller frees texts and list.
// Returns how many; *out is NULL for none.
size_t cdg_hand_out_collect(cdg_hand_out *hand_out, double seconds, cdg_line **out);

// Workers: threads that take jobs until there are none. `work` returns false to stop its thread.
typedef bool cdg_crew_work(void *user, int worker, size_t job, cdg_hand_out *hand_out);
typedef struct cdg_crew cdg_crew;
cdg_result cdg_crew_start(cdg_hand_out *hand_out, int count, cdg_crew_work *work, void *user, cdg_crew **out,
                          cdg_error *error);
bool cdg_crew_is_busy(cdg_crew *crew);
void cdg_crew_join(cdg_crew *crew); // waits for all; NULL is fine

#endif
