// A picture or a film that is drawn by ray tracing beside the simulation, one at a time.
#ifndef CDG_VIEW_RENDER_JOB_H
#define CDG_VIEW_RENDER_JOB_H

#include "view/board.h"
#include "view/request.h"

typedef struct cdg_render_job {
    cdg_board *board; // is told when it is done: `saved` or `error`
    pthread_t thread;
    bool is_started; // and not yet joined
    atomic_bool is_running, must_end;
    struct cdg_render_def *def;
    char run[4096], output[4200];
    size_t count; // of files made
    bool is_film;
} cdg_render_job;

// Of the run in `directory`, into it: view-1.png, view-2.mp4, ... False: one is being drawn, or memory.
bool cdg_render_job_start(cdg_render_job *job, const char *directory, double time, const cdg_request *request,
                          cdg_error *error);
void cdg_render_job_end(cdg_render_job *job); // stops and waits; one that was never started is fine

#endif
