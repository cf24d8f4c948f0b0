// Pictures and films by render/, in a thread of their own.
#include "view/render_job.h"

#include "base/error.h"
#include "output/json.h"
#include "render/render_run.h"
#include "scene/scene.h"

#include <cordage/run.h>

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

static bool on_step(void *user, const cdg_run_progress *progress) {
    (void)progress;
    return !((cdg_render_job *)user)->must_end;
}

static cdg_result simulate(cdg_render_job *job, cdg_error *error) {
    cdg_run_summary summary;
    cdg_run_def def = {
        .scene = job->scene, .directory = job->run, .thread_count = 1, .on_progress = on_step, .user = job};
    return cdg_run(&def, &summary, error);
}

static void remove_run(const cdg_render_job *job) {
    static const char *const files[] = {"run.h5", "probes.csv", "summary.json"};
    char path[sizeof job->run + 16];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", job->run, files[i]);
        unlink(path);
    }
    rmdir(job->run);
}

static void *run(void *user) {
    cdg_render_job *job = user;
    cdg_render_report report;
    cdg_error error;
    cdg_result result = job->scene != NULL ? simulate(job, &error) : CDG_OK;
    if (result == CDG_OK) result = cdg_render_run(job->def, &report, &error);
    if (job->is_passing) remove_run(job);
    job->is_running = false; // before it is told: who hears of it may ask for the next one
    if (result == CDG_OK)
        tell(job, "saved", "path", job->output);
    else if (result != CDG_ERROR_INTERRUPTED)
        tell(job, "error", "message", error.message);
    return NULL;
}

static void join(cdg_render_job *job) {
    if (job->is_started) pthread_join(job->thread, NULL);
    job->is_started = false;
    free(job->def);
    cdg_scene_destroy(job->scene);
    job->def = NULL;
    job->scene = NULL;
}

// The next name that is free: nothing of the user's is overwritten.
static void choose_name(cdg_render_job *job, const char *name) {
    do {
        job->count++;
        snprintf(job->output, sizeof job->output, "%s-%zu.%s", name, job->count, job->is_film ? "mp4" : "png");
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

static bool refuse(const cdg_render_source *source, cdg_error *error, cdg_result result, const char *text) {
    cdg_scene_destroy(source->scene);
    (void)cdg_fail(error, result, "%s", text);
    return false;
}

bool cdg_render_job_start(cdg_render_job *job, const cdg_render_source *source, const cdg_request *request,
                          cdg_error *error) {
    if (job->is_running)
        return refuse(source, error, CDG_ERROR_ARGUMENT, "a picture or a film is being drawn; wait for it");
    join(job);
    job->def = malloc(sizeof *job->def);
    job->is_film = request->kind == CDG_REQUEST_FILM;
    if (job->def == NULL) return refuse(source, error, CDG_ERROR_MEMORY, "no memory for a picture");
    job->scene = source->scene;
    job->is_passing = source->is_passing;
    snprintf(job->run, sizeof job->run, "%s", source->run);
    choose_name(job, source->output);
    *job->def = cdg_render_def_default();
    job->def->run = job->run;
    job->def->output = job->output;
    job->def->has_time = !job->is_film;
    job->def->time = source->time;
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
