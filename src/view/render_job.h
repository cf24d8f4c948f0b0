// A picture or a film that is drawn by ray tracing beside the simulation, one at a time.
#ifndef CDG_VIEW_RENDER_JOB_H
#define CDG_VIEW_RENDER_JOB_H

#include "view/board.h"
#include "view/request.h"

struct cdg_scene;

// What is drawn.
typedef struct cdg_render_source {
    const char *run;         // directory of a run
    struct cdg_scene *scene; // is run into that directory first, and destroyed; NULL: the run is there
    bool is_passing;         // the run is removed once the picture is there
    const char *output;      // the file's name without number and extension: "run/view", "cable-view"
    double time;             // s, of a picture
} cdg_render_source;

typedef struct cdg_render_job {
    cdg_board *board; // is told when it is done: `saved` or `error`
    struct cdg_scene *scene;
    bool is_passing;
    pthread_t thread;
    bool is_started; // and not yet joined
    atomic_bool is_running, must_end;
    struct cdg_render_def *def;
    char run[4096], output[4200];
    size_t count; // of files made
    bool is_film;
} cdg_render_job;

// Into view-1.png, view-2.mp4, ... False: one is being drawn, or memory; the source's scene is destroyed then, too.
bool cdg_render_job_start(cdg_render_job *job, const cdg_render_source *source, const cdg_request *request,
                          cdg_error *error);
void cdg_render_job_end(cdg_render_job *job); // stops and waits; one that was never started is fine

#endif
