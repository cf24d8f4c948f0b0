// Running a scene to its end. Each output goes to probes.csv first, then to run.h5, then the checkpoint follows:
// whatever moment the process dies at, the newest checkpoint finds everything before it in both files.
#define _POSIX_C_SOURCE 200809L
#include <cordage/run.h>

#include "base/error.h"
#include "output/disk.h"
#include "output/old_run.h"
#include "output/probes_csv.h"
#include "output/run_advice.h"
#include "output/run_file.h"
#include "output/run_origin.h"
#include "output/run_plan.h"
#include "output/run_static.h"
#include "output/run_times.h"
#include "output/summary.h"
#include "world/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
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
    cdg_run_peaks peaks;
    size_t frame_count;  // outputs written
    uint64_t first_step; // step index at which this process began
    double began;        // s, cdg_disk_clock
    double output_time;  // s, that outputs took
    bool is_resumed, is_finished;
    cdg_old_run old;      // what stands in the directory
    bool is_installed;    // this run has taken its place
    cdg_path_report path; // of a static run
} runner;

static bool is_static(const runner *run) { return run->def->scene->mode == SCENE_STATIC; }

static cdg_run_tally current_tally(const runner *run) {
    cdg_run_tally tally = run->tally;
    tally.wall_seconds += cdg_disk_clock() - run->began;
    return tally;
}

// ---- beginning ------------------------------------------------------------------------------------------------------

static void note(const runner *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(const runner *run, const char *format, ...) {
    if (run->def->on_note == NULL) return;
    char sentence[CDG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    run->def->on_note(run->def->user, sentence);
}

static void keep_peaks(const runner *run) {
    cdg_run_file_keep(run->file, (double *)(void *)run->peaks.values, CDG_PEAK_NUMBERS * run->peaks.count);
}

static cdg_result keep_old(runner *run, cdg_error *error) {
    char *where = NULL;
    cdg_result result = cdg_old_run_keep(run->def->directory, &where, error);
    if (result == CDG_OK)
        note(run, "%s held a run of an earlier version of this scene; it is kept as %s", run->def->directory, where);
    free(where);
    return result;
}

// The new run takes its place, in the order that cdg_old_run_settle can finish (old_run.c).
static cdg_result install(runner *run, cdg_error *error) {
    if (run->is_installed) return CDG_OK;
    cdg_result result = CDG_OK;
    if (run->old != CDG_OLD_RUN_NONE) { // names must not be on the device before what they stand for
        result = cdg_run_file_sync(run->file, error);
        if (result == CDG_OK) result = cdg_probes_csv_sync(run->probes, error);
    }
    if (result == CDG_OK && run->old == CDG_OLD_RUN_EDITED && !run->def->force) result = keep_old(run, error);
    if (result == CDG_OK) result = cdg_run_file_install(run->file, error);
    if (result != CDG_OK) return result;
    run->is_installed = true; // from here on the old run is gone
    if (unlink(run->summary_path) != 0 && errno != ENOENT) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot remove the old summary: %s", run->summary_path,
                        strerror(errno));
    }
    return cdg_probes_csv_install(run->probes, error);
}

static void discard(runner *run) {
    cdg_probes_csv_discard(run->probes); // in this order: see cdg_old_run_settle
    cdg_run_file_discard(run->file);
    run->probes = NULL;
    run->file = NULL;
}

static cdg_result begin_anew(runner *run, cdg_error *error) {
    char described[300];
    cdg_result result = cdg_old_run_check_own(run->def->directory, error);
    if (result == CDG_OK) result = cdg_old_run_settle(run->def->directory, error);
    if (result != CDG_OK) return result;
    run->old = cdg_old_run_find(run->def->directory, run->def->scene, described, sizeof described);
    if (run->old == CDG_OLD_RUN_OTHER && !run->def->force)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: this directory holds %s, which is another scene; choose another directory (--output), or "
                        "replace it (--force)",
                        run->def->directory, described);
    result = cdg_run_file_stage(run->run_path, run->def->scene, run->world, &run->plan, &run->file, error);
    if (result == CDG_OK) keep_peaks(run);
    if (result == CDG_OK)
        result = cdg_probes_csv_stage(run->probes_path, run->def->scene, run->world, &run->probes, error);
    // Without a run to lose, even a first step that fails leaves its start to look at.
    if (result == CDG_OK && run->old == CDG_OLD_RUN_NONE) result = install(run, error);
    return result;
}

// Whether the run goes on in the world that it began in.
static cdg_result check_origin(const runner *run, cdg_error *error) {
    char changes[CDG_MESSAGE_SIZE];
    bool is_known = true;
    cdg_result result = cdg_run_origin_compare(run->run_path, run->def->scene, changes, &is_known, error);
    if (result != CDG_OK) return result;
    if (!is_known) {
        note(run,
             "%s: the run does not say which files, instruction set and methods it began with, so whether they are "
             "still the same is not checked",
             run->def->directory);
    } else if (changes[0] != '\0' && run->def->force) {
        note(run, "%s: since the run began, %.800s; it goes on all the same", run->def->directory, changes);
    } else if (changes[0] != '\0') {
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: since the run began, %.800s; make it as it was, run the scene anew, or go on all the same "
                        "with --force",
                        run->def->directory, changes);
    }
    return CDG_OK;
}

static cdg_result begin_again(runner *run, cdg_error *error) {
    cdg_result result = cdg_old_run_check(run->def->directory, error);
    if (result == CDG_OK) result = cdg_old_run_settle(run->def->directory, error);
    if (result == CDG_OK) result = check_origin(run, error);
    if (result == CDG_OK)
        result = cdg_run_file_reopen(run->run_path, run->def->scene, run->world, &run->plan, &run->file, error);
    if (result != CDG_OK) return result;
    run->is_installed = true;
    keep_peaks(run);
    if (!cdg_run_file_has_checkpoint(run->file)) { // killed before its first output was complete
        result = cdg_probes_csv_stage(run->probes_path, run->def->scene, run->world, &run->probes, error);
        return result == CDG_OK ? cdg_probes_csv_install(run->probes, error) : result;
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

static cdg_result write_frame(runner *run, cdg_error *error) {
    size_t frame = run->frame_count;
    cdg_run_advice_look(run->world, &run->tally);
    cdg_energy energy;
    cdg_result result = cdg_world_check_energy(run->world, &energy);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(run->world));
    cdg_probes_csv_set_peaks(run->probes, &run->peaks);
    result = cdg_probes_csv_write(run->probes, run->world, error);
    if (result == CDG_OK) result = cdg_run_file_write_frame(run->file, frame, run->world, &energy, error);
    if (result != CDG_OK) return result;
    cdg_run_peaks_begin_interval(&run->peaks);
    run->frame_count = frame + 1;
    bool is_last = run->frame_count == run->plan.frame_count;
    if (!is_last && !cdg_run_file_wants_checkpoint(run->file)) return CDG_OK;
    cdg_run_tally tally = current_tally(run);
    return cdg_run_file_write_checkpoint(run->file, frame, &tally, run->world, error);
}

static cdg_result write_output(runner *run, cdg_error *error) {
    double began = cdg_disk_clock();
    cdg_result result = write_frame(run, error);
    run->output_time += cdg_disk_clock() - began;
    return result;
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
    cdg_run_peaks_look(&run->peaks, run->world);
    cdg_result result =
        cdg_run_file_write_static(run->file, run->frame_count, equilibrium->lowest, equilibrium->residual, error);
    if (result == CDG_OK) result = write_output(run, error);
    if (result == CDG_OK) result = install(run, error);
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

// ---- the start alone ------------------------------------------------------------------------------------------------

static cdg_result write_start(runner *run, cdg_error *error) {
    cdg_result result = run->frame_count == 0 ? write_output(run, error) : CDG_OK;
    return result == CDG_OK ? install(run, error) : result;
}

// ---- going, dynamic -------------------------------------------------------------------------------------------------

static bool is_written(const runner *run, uint64_t step) {
    return step == (uint64_t)run->frame_count * run->plan.steps_per_output;
}

static cdg_result go(runner *run, cdg_error *error) {
    if (run->def->start_only) return write_start(run, error);
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
        cdg_run_advice_count(run->world, &report, &run->tally);
        cdg_run_peaks_look(&run->peaks, run->world);
        result = install(run, error);
        if (result != CDG_OK) return result;
        if (is_written(run, cdg_world_step_index(run->world))) {
            result = write_output(run, error);
            if (result != CDG_OK) return result;
        }
        bool is_at_end = run->frame_count == run->plan.frame_count;
        if (!should_go_on(run, &report) && !is_at_end) return interrupt(run, error);
    }
    cdg_result result = install(run, error); // a scene without steps
    run->is_finished = result == CDG_OK;
    return result;
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
    cdg_run_advice_residual(run->world, &run->tally, out->residual_advice);
    cdg_run_advice_turn(run->world, &run->tally, out->turn_advice);
    cdg_run_advice_tilt(run->world, &run->tally, out->tilt_advice);
    cdg_run_advice_solid(run->world, &run->tally, out->solid_advice);
    cdg_run_advice_energy(run->world, &run->tally, out->energy_advice);
    cdg_adapt_counts changes = cdg_run_count_changes(run->world);
    out->split_count = changes.splits, out->merge_count = changes.merges;
    out->refused_split_count = changes.refused_splits;
    cdg_run_advice_adapt(run->world, out->adapt_advice);
    out->times = cdg_run_times_of(run->world, run->output_time);
    cdg_run_times_advice(out, out->time_advice);
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
        .times = &numbers->times,
        .steps_here = numbers->step_count - run->first_step,
        .frame_count = run->frame_count,
        .thread_count = run->def->thread_count,
        .is_finished = run->is_finished,
        .is_resumed = run->is_resumed,
        .failure = failure,
        .path = is_static(run) ? &run->path : NULL,
        .peaks = &run->peaks,
    };
    return cdg_summary_write(run->summary_path, &summary, error);
}

// Nothing was replaced: the run that was there stays, and of this one nothing.
static cdg_result end_before_start(runner *run, cdg_result result, cdg_run_summary *summary) {
    fill_summary(run, summary);
    discard(run);
    note(run, "%s: the run that was here before is untouched", run->def->directory);
    return result;
}

// Closes the files. The first failure is the one that is told; the disk being full, there is no room for packing
// either.
static cdg_result end(runner *run, cdg_result result, cdg_run_summary *summary, cdg_error *error) {
    if (!run->is_installed) return end_before_start(run, result, summary);
    cdg_error later;
    cdg_error *sink = result == CDG_OK ? error : &later;
    cdg_result closed = cdg_probes_csv_close(run->probes, sink);
    if (result == CDG_OK) result = closed;
    size_t frames = cdg_run_file_frames(run->file);
    if (frames < run->frame_count) run->frame_count = frames;
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
    if (run->def->on_start != NULL) {
        const cdg_run_start start = {
            .step = run->plan.step, .step_reason = run->plan.reason, .warning = run->plan.warning};
        run->def->on_start(run->def->user, &start);
    }
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
    result = cdg_run_peaks_make(run->def->scene, run->world, &run->peaks, error);
    if (result != CDG_OK) return result;
    run->tally = (cdg_run_tally){.energy_start = cdg_world_energy(run->world).total, .worst_rod = -1, .turn_rod = -1};
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

cdg_run_def cdg_run_def_default(void) { return (cdg_run_def){0}; }

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
    if (result != CDG_OK && !run.is_installed) {
        discard(&run);
    } else if (result != CDG_OK) {
        cdg_probes_csv_close(run.probes, NULL);
        cdg_run_file_close(run.file, false, NULL);
    } else if (run.is_finished) {
        result = finished_already(&run, summary, error);
    } else {
        result = end(&run, go(&run, error), summary, error);
    }
    if (run.lock >= 0) close(run.lock);
    cdg_run_peaks_free(&run.peaks);
    free(run.run_path);
    free(run.probes_path);
    free(run.summary_path);
    cdg_world_destroy(run.world);
    return result;
}
