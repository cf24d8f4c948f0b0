// Running a scene to its end. Each output goes to probes.csv first, then to run.h5, then the checkpoint follows:
// whatever moment the process dies at, the newest checkpoint finds everything before it in both files.
#define _POSIX_C_SOURCE 200809L
#include <cordage/run.h>

#include "base/error.h"
#include "output/disk.h"
#include "output/probes_csv.h"
#include "output/run_file.h"
#include "output/run_plan.h"
#include "output/run_static.h"
#include "output/summary.h"
#include "world/world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct runner {
    const cdg_run_def *def;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_tally tally; // wall_seconds: before this process
    char *run_path, *probes_path, *summary_path;
    int lock; // descriptor of the directory
    cdg_run_file *file;
    cdg_probes_csv *probes;
    size_t frame_count;  // outputs written
    uint64_t first_step; // step index at which this process began
    double began;        // s, cdg_disk_clock
    bool is_resumed, is_finished;
    cdg_path_report path; // of a static run
} runner;

static bool is_static(const runner *run) { return run->def->scene->mode == SCENE_STATIC; }

static cdg_run_tally current_tally(const runner *run) {
    cdg_run_tally tally = run->tally;
    tally.wall_seconds += cdg_disk_clock() - run->began;
    return tally;
}

// ---- beginning ------------------------------------------------------------------------------------------------------

// Only files that a run made are replaced. An empty one is what a power cut may leave of a run.
static cdg_result check_foreign(const char *path, const char *signature, cdg_error *error) {
    char begin[32] = {0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return CDG_OK; // absent; anything else shows when it is replaced
    ssize_t size = read(descriptor, begin, sizeof begin);
    close(descriptor);
    if (size == 0 || (size >= (ssize_t)strlen(signature) && memcmp(begin, signature, strlen(signature)) == 0)) {
        return CDG_OK;
    }
    return cdg_fail(
        error, CDG_ERROR_ARGUMENT,
        "%s: this file was not made by cordage and is not replaced; move it away or choose another directory", path);
}

static cdg_result begin_anew(runner *run, cdg_error *error) {
    cdg_result result = check_foreign(run->run_path, "\x89HDF\r\n\x1a\n", error);
    if (result == CDG_OK) result = check_foreign(run->probes_path, "time [s]", error);
    if (result == CDG_OK) result = check_foreign(run->summary_path, CDG_SUMMARY_SIGNATURE, error);
    if (result == CDG_OK) {
        result = cdg_run_file_create(run->run_path, run->def->scene, run->world, &run->plan, &run->file, error);
    }
    if (result != CDG_OK) return result;
    // From here on the old run is gone; its summary must not stand beside the new one's outputs.
    if (unlink(run->summary_path) != 0 && errno != ENOENT) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot remove the old summary: %s", run->summary_path,
                        strerror(errno));
    }
    return cdg_probes_csv_create(run->probes_path, run->def->scene, run->world, &run->probes, error);
}

static cdg_result begin_again(runner *run, cdg_error *error) {
    cdg_result result = cdg_run_file_reopen(run->run_path, run->def->scene, run->world, &run->plan, &run->file, error);
    if (result != CDG_OK) return result;
    if (!cdg_run_file_has_checkpoint(run->file)) { // killed before its first output was complete
        return cdg_probes_csv_create(run->probes_path, run->def->scene, run->world, &run->probes, error);
    }
    size_t frame = 0;
    result = cdg_run_file_read_checkpoint(run->file, run->world, &frame, &run->tally, error);
    if (result != CDG_OK) return result;
    run->is_resumed = true;
    run->frame_count = frame + 1;
    run->first_step = cdg_world_step_index(run->world);
    run->is_finished = run->frame_count == run->plan.frame_count;
    if (run->is_finished) return CDG_OK;
    double time = 0;
    result = cdg_run_file_read_time(run->file, frame, &time, error);
    if (result != CDG_OK) return result;
    result = cdg_probes_csv_reopen(run->probes_path, run->def->scene, run->world, run->frame_count, time, &run->probes,
                                   error);
    if (result == CDG_OK) unlink(run->summary_path); // it told how the run was interrupted; that is past
    return result;
}

// ---- going ----------------------------------------------------------------------------------------------------------

static cdg_result write_output(runner *run, cdg_error *error) {
    size_t frame = run->frame_count;
    cdg_result result = cdg_probes_csv_write(run->probes, run->world, error);
    if (result == CDG_OK) result = cdg_run_file_write_frame(run->file, frame, run->world, error);
    if (result != CDG_OK) return result;
    run->frame_count = frame + 1;
    bool is_last = run->frame_count == run->plan.frame_count;
    if (!is_last && !cdg_run_file_wants_checkpoint(run->file)) return CDG_OK;
    cdg_run_tally tally = current_tally(run);
    return cdg_run_file_write_checkpoint(run->file, frame, &tally, run->world, error);
}

static void count_step(runner *run, const cdg_step_report *report) {
    cdg_run_tally *tally = &run->tally;
    if (report->residual > CDG_POOR_RESIDUAL) tally->poor_step_count += 1;
    if (report->halvings > 0) tally->halved_step_count += 1;
    tally->part_count += report->parts;
    if (!(report->residual > tally->worst_residual)) return;
    tally->worst_residual = report->residual;
    tally->worst_residual_time = report->time;
    for (size_t i = 0; i < cdg_world_rod_count(run->world); i++) {
        cdg_rod_id id = cdg_world_rod_at(run->world, i);
        if (id.index1 != report->worst_rod.index1 || id.generation != report->worst_rod.generation) continue;
        tally->worst_rod = (double)i;
        break;
    }
}

static bool should_go_on(const runner *run, const cdg_step_report *report) {
    if (run->def->on_progress == NULL) return true;
    cdg_run_progress progress = {
        .time = cdg_world_time(run->world),
        .duration = run->plan.end,
        .step = cdg_world_step_index(run->world),
        .step_count = run->plan.step_count,
        .frame = run->frame_count,
        .frame_count = run->plan.frame_count,
        .elapsed = cdg_disk_clock() - run->began,
        .report = report,
    };
    return run->def->on_progress(run->def->user, &progress);
}

static cdg_result interrupt(runner *run, cdg_error *error) {
    cdg_run_tally tally = current_tally(run);
    cdg_result result = cdg_run_file_write_checkpoint(run->file, run->frame_count - 1, &tally, run->world, error);
    if (result != CDG_OK) return result;
    return cdg_fail(error, CDG_ERROR_INTERRUPTED, "stopped on request at %g s of %g s; the run can be resumed",
                    cdg_world_time(run->world), run->plan.end);
}

// ---- going, static --------------------------------------------------------------------------------------------------

static cdg_result write_equilibrium(void *user, const cdg_equilibrium_report *equilibrium, cdg_error *error) {
    runner *run = user;
    cdg_result result =
        cdg_run_file_write_static(run->file, run->frame_count, equilibrium->lowest, equilibrium->residual, error);
    if (result == CDG_OK) result = write_output(run, error);
    // What a rod held still weighs is not motion: energy is told from the first equilibrium on.
    if (run->frame_count == 1) run->tally.energy_start = cdg_world_energy(run->world).total;
    return result;
}

static bool may_go_on(void *user, const cdg_path_report *report) {
    const runner *run = user;
    cdg_step_report step = {.time = report->time, .iterations = report->equilibrium.iterations};
    return should_go_on(run, &step);
}

static cdg_result go_static(runner *run, cdg_error *error) {
    cdg_run_static statics = {.world = run->world,
                              .scene = run->def->scene,
                              .plan = &run->plan,
                              .write = write_equilibrium,
                              .go_on = may_go_on,
                              .user = run};
    cdg_result result = cdg_run_static_follow(&statics, &run->path, error);
    if (result == CDG_OK) result = cdg_run_write_modes(run->world, run->file, run->def->scene->mode_count, error);
    if (result != CDG_OK) return result;
    run->is_finished = true;
    run->plan.frame_count = run->frame_count; // now it is known
    return CDG_OK;
}

// ---- going, dynamic -------------------------------------------------------------------------------------------------

static bool is_written(const runner *run, uint64_t step) {
    return step == (uint64_t)run->frame_count * run->plan.steps_per_output;
}

static cdg_result go(runner *run, cdg_error *error) {
    if (is_static(run)) return go_static(run, error);
    if (run->frame_count == 0) {
        cdg_result modes = cdg_run_write_modes(run->world, run->file, run->def->scene->mode_count, error);
        if (modes != CDG_OK) return modes;
        cdg_result result = write_output(run, error);
        if (result != CDG_OK) return result;
    }
    while (run->frame_count < run->plan.frame_count) {
        cdg_step_report report = {0};
        // What is written has been looked at.
        if (is_written(run, cdg_world_step_index(run->world) + 1)) cdg_guard_look_next(run->world);
        cdg_result result = cdg_world_step(run->world, &report);
        if (result != CDG_OK) {
            return cdg_fail(error, result, "%s", cdg_world_message(run->world));
        }
        count_step(run, &report);
        if (is_written(run, cdg_world_step_index(run->world))) {
            result = write_output(run, error);
            if (result != CDG_OK) return result;
        }
        bool is_at_end = run->frame_count == run->plan.frame_count;
        if (!should_go_on(run, &report) && !is_at_end) return interrupt(run, error);
    }
    run->is_finished = true;
    return CDG_OK;
}

// ---- ending ---------------------------------------------------------------------------------------------------------

static void fill_summary(const runner *run, cdg_run_summary *out) {
    *out = (cdg_run_summary){
        .time = cdg_world_time(run->world),
        .step = run->plan.step,
        .wall_seconds = cdg_disk_clock() - run->began,
        .step_count = cdg_world_step_index(run->world),
        .frame_count = run->frame_count,
        .energy_start = run->tally.energy_start,
        .energy_end = cdg_world_energy(run->world).total,
        .worst_residual = run->tally.worst_residual,
        .halved_step_count = (uint64_t)run->tally.halved_step_count,
        .part_count = (uint64_t)run->tally.part_count,
        .largest_turn = cdg_world_largest_turn(run->world),
        .finished = run->is_finished,
        .resumed = run->is_resumed,
        .is_static = is_static(run),
        .path = run->path,
    };
}

static cdg_result write_summary(const runner *run, const cdg_run_summary *numbers, const cdg_error *failure,
                                cdg_error *error) {
    cdg_run_tally tally = current_tally(run);
    cdg_summary summary = {
        .scene = run->def->scene,
        .world = run->world,
        .plan = &run->plan,
        .tally = &tally,
        .wall_seconds = numbers->wall_seconds,
        .steps_here = numbers->step_count - run->first_step,
        .frame_count = run->frame_count,
        .thread_count = run->def->thread_count,
        .is_finished = run->is_finished,
        .is_resumed = run->is_resumed,
        .failure = failure,
        .path = is_static(run) ? &run->path : NULL,
    };
    return cdg_summary_write(run->summary_path, &summary, error);
}

// Closes the files. The first failure is the one that is told; the disk being full, there is no room for packing
// either.
static cdg_result end(runner *run, cdg_result result, cdg_run_summary *summary, cdg_error *error) {
    cdg_error later;
    cdg_error *sink = result == CDG_OK ? error : &later;
    cdg_result closed = cdg_probes_csv_close(run->probes, sink);
    if (result == CDG_OK) result = closed;
    sink = result == CDG_OK ? error : &later;
    closed = cdg_run_file_close(run->file, result != CDG_ERROR_IO, sink);
    if (result == CDG_OK) result = closed;
    run->probes = NULL;
    run->file = NULL;
    if (result != CDG_OK) run->is_finished = false;

    fill_summary(run, summary);
    cdg_error failure = {.code = result};
    if (result != CDG_OK) memcpy(failure.message, error->message, sizeof failure.message);
    sink = result == CDG_OK ? error : &later;
    cdg_result written = write_summary(run, summary, result == CDG_OK ? NULL : &failure, sink);
    (void)fsync(
        run->lock); // the new names; directories that cannot be synced (some network file systems) do it themselves
    return result == CDG_OK ? written : result;
}

static cdg_result prepare(runner *run, cdg_error *error) {
    cdg_result result = cdg_scene_build(run->def->scene, run->def->thread_count, &run->world, error);
    if (result == CDG_OK) result = cdg_run_plan_make(run->def->scene, run->world, &run->plan, error);
    if (result != CDG_OK) return result;
    if (is_static(run) && run->def->resume)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: a static run is not resumed; run the scene anew, with shorter ways or fewer steps",
                        run->def->directory);
    if (!is_static(run)) result = cdg_world_set_step_size(run->world, run->plan.step);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(run->world));

    run->run_path = cdg_disk_join(run->def->directory, "run.h5", "");
    run->probes_path = cdg_disk_join(run->def->directory, "probes.csv", "");
    run->summary_path = cdg_disk_join(run->def->directory, "summary.json", "");
    if (run->run_path == NULL || run->probes_path == NULL || run->summary_path == NULL) {
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", run->def->directory);
    }
    if (run->def->resume) {
        if (access(run->run_path, F_OK) != 0) {
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: there is no run to resume: %s", run->run_path,
                            strerror(errno));
        }
    } else {
        result = cdg_disk_make_directory(run->def->directory, error);
    }
    if (result == CDG_OK) result = cdg_disk_lock_directory(run->def->directory, &run->lock, error);
    if (result != CDG_OK) return result;
    run->tally = (cdg_run_tally){.energy_start = cdg_world_energy(run->world).total, .worst_rod = -1};
    return run->def->resume ? begin_again(run, error) : begin_anew(run, error);
}

static cdg_result finished_already(runner *run, cdg_run_summary *summary, cdg_error *error) {
    run->is_resumed = false; // nothing is continued
    cdg_result result = cdg_run_file_close(run->file, false, error);
    run->file = NULL;
    fill_summary(run, summary);
    if (result != CDG_OK) return result;
    // The run may have been killed after its last output and before its summary.
    if (access(run->summary_path, F_OK) != 0) {
        result = write_summary(run, summary, NULL, error);
        if (result != CDG_OK) return result;
    }
    return cdg_fail(error, CDG_OK, "%s: the run is already finished", run->def->directory);
}

cdg_result cdg_run(const cdg_run_def *def, cdg_run_summary *summary, cdg_error *error) {
    cdg_error own_error;
    cdg_run_summary own_summary;
    if (error == NULL) error = &own_error;
    if (summary == NULL) summary = &own_summary;
    *summary = (cdg_run_summary){0};
    cdg_error_clear(error);
    if (def == NULL || def->scene == NULL || def->directory == NULL) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a run needs a scene and a directory");
    }
    runner run = {.def = def, .lock = -1, .began = cdg_disk_clock()};
    cdg_result result = prepare(&run, error);
    if (result != CDG_OK) {
        cdg_probes_csv_close(run.probes, NULL);
        cdg_run_file_close(run.file, false, NULL);
    } else if (run.is_finished) {
        result = finished_already(&run, summary, error);
    } else {
        result = end(&run, go(&run, error), summary, error);
    }
    if (run.lock >= 0) close(run.lock);
    free(run.run_path);
    free(run.probes_path);
    free(run.summary_path);
    cdg_world_destroy(run.world);
    return result;
}
