// Pictures and films by render/, in a thread of their own.
#include "view/render_job.h"

#include "base/error.h"
#include "output/json.h"
#include "render/render_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void tell(const cdg_render_job *job, const char *type, const char *key, const char *text) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", type);
    cdg_json_text(&json, key, text);
    cdg_json_text(&json, key[0] == 'p' ? "what" : "about", job->is_film ? "film" : "picture");
    cdg_json_end(&json);
    const char *bytes = cdg_json_finish(&json);
    if (bytes != NULL) cdg_board_tell(job->board, cdg_message_create(bytes, json.size, false));
    cdg_json_free(&json);
}

static bool on_progress(void *user, const cdg_render_progress *progress) {
    (void)progress;
    return !((cdg_render_job *)user)->must_end;
}

static void *run(void *user) {
    cdg_render_job *job = user;
    cdg_render_report report;
    cdg_error error;
    cdg_result result = cdg_render_run(job->def, &report, &error);
    if (result == CDG_OK)
        tell(job, "saved", "path", job->output);
    else if (result != CDG_ERROR_INTERRUPTED)
        tell(job, "error", "message", error.message);
    job->is_running = false;
    return NULL;
}

static void join(cdg_render_job *job) {
    if (job->is_started) pthread_join(job->thread, NULL);
    job->is_started = false;
    free(job->def);
    job->def = NULL;
}

// The next name that is free: nothing of the user's is overwritten.
static void choose_name(cdg_render_job *job, const char *directory) {
    do {
        job->count++;
        snprintf(job->output, sizeof job->output, "%s/view-%zu.%s", directory, job->count,
                 job->is_film ? "mp4" : "png");
    } while (access(job->output, F_OK) == 0);
}

static void set_camera(cdg_camera_wish *wish, const cdg_request_camera *camera) {
    if (!camera->is_set) return;
    wish->has_from = wish->has_at = wish->has_up = wish->has_fov = true;
    wish->from = camera->eye;
    wish->at = camera->at;
    wish->up = camera->up;
    wish->fov = camera->fov;
}

bool cdg_render_job_start(cdg_render_job *job, const char *directory, double time, const cdg_request *request,
                          cdg_error *error) {
    if (job->is_running) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "a picture or a film is being drawn; wait for it");
        return false;
    }
    join(job);
    job->def = malloc(sizeof *job->def);
    job->is_film = request->kind == CDG_REQUEST_FILM;
    if (job->def == NULL) return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a picture"), false;
    snprintf(job->run, sizeof job->run, "%s", directory);
    choose_name(job, directory);
    *job->def = cdg_render_def_default();
    job->def->run = job->run;
    job->def->output = job->output;
    job->def->has_time = !job->is_film;
    job->def->time = time;
    job->def->threads = 1; // the simulation wants the others
    job->def->on_progress = on_progress;
    job->def->user = job;
    set_camera(&job->def->camera, &request->camera);
    job->must_end = false;
    job->is_running = true;
    job->is_started = pthread_create(&job->thread, NULL, run, job) == 0;
    if (job->is_started) return true;
    job->is_running = false;
    (void)cdg_fail(error, CDG_ERROR_MEMORY, "a thread for the picture could not be started");
    return false;
}

void cdg_render_job_end(cdg_render_job *job) {
    job->must_end = true;
    join(job);
}
