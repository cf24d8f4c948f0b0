// cordage run: simulates a scene with a progress bar, ends cleanly on Ctrl-C, and sums up what happened.
#include "commands.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "mix_up.h"
#include "mode_table.h"
#include "output/run_advice.h"
#include "output/run_info.h"
#include "output/run_longer.h"
#include "output/run_settings.h"
#include "output/run_times.h"
#include "picture_options.h"
#include "progress.h"
#include "scene/scene.h"
#include "scene_source.h"
#include "terminal.h"

#include <cordage/run.h>

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, NOTES_MAX = 4 };

typedef struct run_request {
    const command_line *line;
    loaded_scene loaded;
    char directory[PATH_SIZE];
    bool is_resume, as_json, quiet;
    char step_reason[512];
    char notes[NOTES_MAX][CDG_MESSAGE_SIZE]; // what the runner found worth telling
    size_t note_count;
    // progress
    progress_bar bar;
    bool has_begun;
    double first_time, last_time; // s, simulated
    uint64_t first_step;
    // outcome
    cdg_result result;
    cdg_error error;
    cdg_run_summary summary;
} run_request;

// ---- before ---------------------------------------------------------------------------------------------------------

// What --until adds to the overrides.
typedef struct more_overrides {
    cdg_run_longer longer;
    const char *list[CDG_LONGER_COUNT];
    size_t count;
} more_overrides;

// "a=b\nc=d\n" into strings, and `more`; `text` is cut up. The caller frees the array.
static const char **split_overrides(char *text, const more_overrides *more, size_t *count) {
    size_t room = 1 + more->count;
    for (const char *at = text; *at; at++) room += *at == '\n';
    const char **overrides = calloc(room, sizeof *overrides);
    *count = 0;
    for (char *rest = NULL, *item = strtok_r(text, "\n", &rest); overrides && item; item = strtok_r(NULL, "\n", &rest))
        overrides[(*count)++] = item;
    for (size_t i = 0; overrides && i < more->count; i++) overrides[(*count)++] = more->list[i];
    return overrides;
}

// The scene as it stands in the run's own file. Files it refers to are looked for where they were when the run
// began, seen from the current directory; a change in them is noticed by the runner.
static void load_stored_scene(run_request *request, const more_overrides *more) {
    cdg_run_info info;
    size_t count = 0;
    loaded_scene *loaded = &request->loaded;
    loaded->result = cdg_run_info_read(request->directory, &info, &loaded->error);
    if (loaded->result != CDG_OK) {
        complain("%s", loaded->error.message);
        return;
    }
    const char **overrides = split_overrides(info.overrides, more, &count);
    char *directory = strdup(info.scene_name);
    loaded->result = CDG_ERROR_MEMORY;
    if (overrides && directory)
        loaded->result = cdg_scene_parse(info.scene_text, strlen(info.scene_text), info.scene_name, dirname(directory),
                                         overrides, count, &loaded->scene, &loaded->error);
    if (loaded->scene) print_diagnostics(stderr, loaded->scene, true);
    if (loaded->result != CDG_OK && !loaded->scene) complain("%s", loaded->error.message);
    free(overrides);
    free(directory);
    cdg_run_info_free(&info);
}

// --until, if it is given: what the run's scene needs so that the run ends later.
static bool find_longer(run_request *request, const char *directory, more_overrides *out) {
    const char *text = option_text(request->line, "until");
    double until = 0;
    if (!text) return true;
    if (!request->is_resume) {
        complain("--until goes with --resume DIR, the run to go on with; how long a new one is says its scene: "
                 "--set \"simulation.duration=%s\"",
                 text);
        return false;
    }
    if (!parse_quantity("until", text, CDG_TIME, &until)) return false;
    cdg_run_info info;
    cdg_error *error = &request->loaded.error;
    cdg_result result = cdg_run_info_read(directory, &info, error);
    if (result == CDG_OK) {
        result = cdg_run_longer_make(directory, &info, until, &out->longer, error);
        if (result == CDG_OK && fabs(out->longer.end - until) > 1e-6 * until)
            fprintf(stderr, "cordage: %s: goes on to %g s, for outputs are every %g s\n", directory, out->longer.end,
                    info.output_every);
        cdg_run_info_free(&info);
    }
    if (result != CDG_OK) {
        complain("%s", error->message);
        return false;
    }
    for (size_t i = 0; i < CDG_LONGER_COUNT; i++) out->list[i] = out->longer.overrides[i];
    out->count = CDG_LONGER_COUNT;
    return true;
}

static exit_status prepare(run_request *request) {
    const command_line *line = request->line;
    const char *resume = option_text(line, "resume"), *output = option_text(line, "output");
    request->is_resume = resume != NULL;
    if (resume && output) {
        complain("--resume continues in the run's own directory; leave out --output");
        return EXIT_STATUS_REFUSED;
    }
    if (!resume && line->word_count == 0) {
        complain("'cordage run' needs a scene: cordage run SCENE; 'cordage examples' lists built-in ones");
        return EXIT_STATUS_REFUSED;
    }
    if (resume && line->word_count == 0 && (has_option(line, "set") || has_option(line, "model"))) {
        complain("--resume continues with the settings of the run; leave out --set and --model");
        return EXIT_STATUS_REFUSED;
    }
    const char *directory = resume ? resume : output;
    if (directory && strlen(directory) >= sizeof request->directory) {
        complain("the directory's name is longer than %d bytes", PATH_SIZE - 1);
        return EXIT_STATUS_REFUSED;
    }
    cdg_error *error = &request->loaded.error;
    bool is_wrong = resume ? is_no_run(resume, "run --resume", error) : output && !can_hold_run(output, error);
    if (is_wrong) {
        request->loaded.result = CDG_ERROR_ARGUMENT;
        complain("%s", error->message);
        return EXIT_STATUS_REFUSED;
    }
    more_overrides more = {.count = 0};
    if (!find_longer(request, directory, &more)) {
        request->loaded.result = CDG_ERROR_ARGUMENT;
        return EXIT_STATUS_REFUSED;
    }
    if (directory) snprintf(request->directory, sizeof request->directory, "%s", directory);
    if (line->word_count > 0)
        request->loaded = load_scene_with(line->words[0], line, more.list, more.count);
    else
        load_stored_scene(request, &more);
    if (!directory) snprintf(request->directory, sizeof request->directory, "%s-run", request->loaded.base_name);
    if (request->loaded.result == CDG_OK) return EXIT_STATUS_DONE;
    return request->loaded.result == CDG_ERROR_MEMORY ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
}

static void on_note(void *user, const char *sentence) {
    run_request *request = user;
    progress_clear(&request->bar);
    fprintf(stderr, "cordage: %s\n", sentence);
    if (request->note_count < NOTES_MAX)
        snprintf(request->notes[request->note_count++], sizeof request->notes[0], "%s", sentence);
}

// ---- during ---------------------------------------------------------------------------------------------------------

// Why the step is what it is, and what is odd about the times.
static void on_start(void *user, const cdg_run_start *start) {
    run_request *request = user;
    snprintf(request->step_reason, sizeof request->step_reason, "%s", start->step_reason);
    if (start->warning[0]) warn("%s", start->warning);
}

static bool on_progress(void *user, const cdg_run_progress *progress) {
    run_request *request = user;
    if (!request->has_begun) {
        request->has_begun = true;
        request->first_step = progress->step > 0 ? progress->step - 1 : 0;
        request->first_time = progress->time - (progress->report ? progress->report->step : 0);
    }
    request->last_time = progress->time;
    if (progress_is_due(&request->bar, progress->elapsed)) {
        double simulated = progress->time - request->first_time, left = progress->duration - progress->time;
        double elapsed = progress->elapsed > 1e-6 ? progress->elapsed : 1e-6;
        double steps = (double)(progress->step - request->first_step) / elapsed;
        char time[64], rate[64], speed[64], eta[96];
        snprintf(time, sizeof time, "%.*f/%g s", progress->duration >= 10 ? 1 : 3, progress->time, progress->duration);
        snprintf(eta, sizeof eta, "ETA %s",
                 simulated > 0 ? format_seconds(ceil(left * elapsed / simulated)).text : "?");
        snprintf(rate, sizeof rate, "%s steps/s", format_count((uint64_t)steps).text);
        snprintf(speed, sizeof speed, "%.3gx real time", simulated / elapsed);
        const char *const parts[] = {time, eta, rate, speed};
        bool is_static = request->loaded.scene->mode == SCENE_STATIC; // time is no time then, and may turn back
        double share = progress->duration > 0 ? fmax(0, progress->time / progress->duration) : 0;
        progress_draw(&request->bar, progress->elapsed, share, parts, is_static ? 1 : 4);
    }
    return !interrupt_was_asked();
}

// ---- after ----------------------------------------------------------------------------------------------------------

static exit_status status_of(cdg_result result) {
    switch (result) {
    case CDG_OK: return EXIT_STATUS_DONE;
    case CDG_ERROR_ARGUMENT:
    case CDG_ERROR_UNSUPPORTED:
    case CDG_ERROR_SCENE:
    case CDG_ERROR_STALE:
    case CDG_ERROR_FORMAT: return EXIT_STATUS_REFUSED;
    default: return EXIT_STATUS_FAILED;
    }
}

static const char *outcome_of(const run_request *request) {
    switch (status_of(request->result)) {
    case EXIT_STATUS_DONE: return "finished";
    case EXIT_STATUS_REFUSED: return "refused";
    default: return request->result == CDG_ERROR_INTERRUPTED ? "interrupted" : "failed";
    }
}

static bool has_poor_residual(const run_request *request) {
    return request->summary.worst_residual > CDG_POOR_RESIDUAL;
}

static size_t count_elements(const cdg_scene *scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene->rod_count; i++) count += scene->rods[i].element_count;
    return count;
}

static double real_time_factor(const run_request *request) {
    return (request->last_time - request->first_time) / request->summary.wall_seconds;
}

// A path by arc length may turn back beyond its beginning.
static void warn_of_reversal(const run_request *request) {
    const cdg_run_summary *summary = &request->summary;
    if (summary->is_static && summary->path.earliest < request->first_time)
        warn("the path ran back to %.4g s, before its beginning, where loads and motions go on mirrored: a load that "
             "grows "
             "from zero is reversed there; 'static: {limits: N}' ends a path after N limits of the load",
             summary->path.earliest);
}

// What the summary would say, where it is not printed: --quiet is not for doubts.
static void warn_of_result(const run_request *request) {
    const cdg_run_summary *summary = &request->summary;
    if (summary->residual_advice[0]) warn("%s", summary->residual_advice);
    if (summary->turn_advice[0]) warn("%s", summary->turn_advice);
    if (summary->tilt_advice[0]) warn("%s", summary->tilt_advice);
    if (summary->solid_advice[0]) warn("%s", summary->solid_advice);
    if (summary->energy_advice[0]) warn("%s", summary->energy_advice);
    if (summary->adapt_advice[0]) warn("%s", summary->adapt_advice);
    if (summary->is_static && request->result == CDG_OK && !isnan(summary->path.equilibrium.lowest) &&
        !summary->path.equilibrium.is_stable)
        warn("the last equilibrium is unstable");
    warn_of_reversal(request);
}

static void print_rest(const run_request *request) {
    const cdg_run_summary *summary = &request->summary;
    if (summary->residual_advice[0]) printf("  warning   %s\n", summary->residual_advice);
    if (summary->turn_advice[0]) printf("  warning   %s\n", summary->turn_advice);
    if (summary->tilt_advice[0]) printf("  warning   %s\n", summary->tilt_advice);
    if (summary->solid_advice[0]) printf("  warning   %s\n", summary->solid_advice);
    if (summary->energy_advice[0]) printf("  warning   %s\n", summary->energy_advice);
    if (summary->adapt_advice[0]) printf("  warning   %s\n", summary->adapt_advice);
    warn_of_reversal(request);
    if (request->loaded.scene->mode_count > 0 && request->result == CDG_OK) print_modes(request->directory);
    printf("  files     %s/run.h5, %s/probes.csv, %s/summary.json\n", request->directory, request->directory,
           request->directory);
    printf("\nNext:  cordage info %s\n", request->directory);
}

// What a static run found.
static void print_path(const run_request *request) {
    const cdg_path_report *path = &request->summary.path;
    const cdg_equilibrium_report *found = &path->equilibrium;
    printf("  steps     %d, %zu outputs, %d Newton iterations%s", path->step_count, request->summary.frame_count,
           path->iterations, path->halvings > 0 ? "" : "\n");
    if (path->halvings > 0) printf(", %s divided\n", format_plural((size_t)path->halvings, "step").text);
    if (path->snap_count > 0)
        printf("  jumps     %d to another equilibrium, the last at %s\n", path->snap_count,
               format_seconds(path->snap_time).text);
    if (path->turn_count > 0)
        printf("  limits    %d of the load passed, the last at %.4g s\n", path->turn_count, path->snap_time);
    if (path->branch_count > 0)
        printf("  branches  %s passed, where another path leads off; static.imperfection takes it\n",
               format_plural((size_t)path->branch_count, "branch point").text);
    if (request->result != CDG_OK) return;
    if (isnan(found->lowest))
        printf("  stability unknown: the lowest eigenvalue was not found\n");
    else
        printf("  stability %s: the lowest eigenvalue is %.4g rad^2/s^2\n",
               found->is_stable ? "the last equilibrium is stable" : "THE LAST EQUILIBRIUM IS UNSTABLE", found->lowest);
    printf("  residual  %s unbalanced, of forces up to %s\n", format_unit(found->residual, "N").text,
           format_unit(found->force, "N").text);
}

// Where time went, from the largest share on; what is below a hundredth is not told.
static void print_times(const cdg_run_summary *summary) {
    char text[CDG_TIMES_SIZE];
    if (cdg_run_times_text(summary, text)) printf("            %s\n", text);
    if (summary->time_advice[0]) printf("            %s\n", summary->time_advice);
}

static void print_summary(const run_request *request) {
    const cdg_scene *scene = request->loaded.scene;
    const cdg_run_summary *summary = &request->summary;
    bool finished = request->result == CDG_OK;
    if (summary->is_static) {
        printf("%s%s%s: %s\n", scene->title && scene->title[0] ? scene->title : scene->name, finished ? "" : " - ",
               finished ? "" : outcome_of(request),
               finished                           ? "equilibrium found"
               : summary->time >= scene->duration ? "equilibrium found, but not what was asked of it"
                                                  : "no equilibrium");
        printf("  rods      %zu, %s elements, model %s\n", scene->rod_count, format_count(count_elements(scene)).text,
               cdg_run_model_name(scene->model));
        if (scene->duration > 0)
            printf("  path      loads and supports followed to %.4g s of %.4g s\n", summary->time, scene->duration);
        print_path(request);
        printf("  speed     %s of wall time\n", format_seconds(summary->wall_seconds).text);
        printf("  energy    %s\n", format_unit(summary->energy_end, "J").text);
        print_rest(request);
        return;
    }
    printf("%s%s%s: %s of %s simulated%s\n", scene->title && scene->title[0] ? scene->title : scene->name,
           finished ? "" : " - ", finished ? "" : outcome_of(request), format_seconds(summary->time).text,
           format_seconds(scene->duration).text, summary->resumed ? " (resumed)" : "");
    printf("  rods      %zu, %s elements, model %s\n", scene->rod_count, format_count(count_elements(scene)).text,
           cdg_run_model_name(scene->model));
    printf("  step      %s: %s\n", format_seconds(summary->step).text, request->step_reason);
    printf("  steps     %s, %zu outputs\n", format_count(summary->step_count).text, summary->frame_count);
    if (summary->halved_step_count > 0)
        printf("            %s of them had no solution at once and were halved\n",
               format_count(summary->halved_step_count).text);
    if (summary->part_count > summary->step_count)
        printf("            in %s parts\n", format_count(summary->part_count).text);
    if (summary->split_count + summary->merge_count + summary->refused_split_count > 0)
        printf("  adapted   %s, %s; %s refused\n", format_plural(summary->split_count, "split").text,
               format_plural(summary->merge_count, "merge").text,
               format_plural(summary->refused_split_count, "split").text);
    printf("  speed     %s of wall time, %.3gx real time\n", format_seconds(summary->wall_seconds).text,
           real_time_factor(request));
    print_times(summary);
    double scale = fmax(fabs(summary->energy_start), fabs(summary->energy_end));
    printf("  energy    %s at the start, %s at the end\n", format_beside(summary->energy_start, scale, "J").text,
           format_beside(summary->energy_end, scale, "J").text);
    printf("  residual  %.2g of an element's length at worst%s\n", summary->worst_residual,
           has_poor_residual(request) ? ": too large" : "");
    print_rest(request);
}

static void print_result_json(const run_request *request, exit_status status) {
    const cdg_scene *scene = request->loaded.scene;
    const cdg_run_summary *summary = &request->summary;
    bool was_run = request->has_begun || request->result == CDG_OK;
    cdg_json json = json_begin(request->line->command->name);
    cdg_json_text(&json, "outcome", request->loaded.result == CDG_OK ? outcome_of(request) : "refused");
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    const char *message = request->loaded.result != CDG_OK ? request->loaded.error.message : request->error.message;
    cdg_json_text(&json, "message", message[0] ? message : NULL);
    cdg_json_begin_array(&json, "notes");
    for (size_t i = 0; i < request->note_count; i++) cdg_json_text(&json, NULL, request->notes[i]);
    cdg_json_end(&json);
    print_diagnostics_json(&json, "diagnostics", &request->loaded);
    if (scene && request->loaded.result == CDG_OK) {
        cdg_json_text(&json, "scene", scene->name);
        cdg_json_text(&json, "title", scene->title);
        cdg_json_text(&json, "model", cdg_run_model_name(scene->model));
        cdg_json_integer(&json, "rods", scene->rod_count);
        cdg_json_integer(&json, "elements", count_elements(scene));
        cdg_json_number(&json, "duration", scene->duration);
        cdg_json_text(&json, "directory", request->directory);
    }
    if (was_run) {
        cdg_json_boolean(&json, "resumed", summary->resumed);
        cdg_json_number(&json, "time", summary->time);
        cdg_json_number(&json, "step", summary->step);
        cdg_json_text(&json, "step_reason", request->step_reason);
        cdg_json_integer(&json, "steps", summary->step_count);
        cdg_json_integer(&json, "halved_steps", summary->halved_step_count);
        cdg_json_integer(&json, "parts_of_steps", summary->part_count);
        cdg_json_integer(&json, "outputs", summary->frame_count);
        cdg_json_number(&json, "wall_seconds", summary->wall_seconds);
        cdg_json_number(&json, "real_time_factor", real_time_factor(request));
        if (!summary->is_static) cdg_run_times_write(&json, &summary->times);
        cdg_json_number(&json, "energy_start", summary->energy_start);
        cdg_json_number(&json, "energy_end", summary->energy_end);
        cdg_json_number(&json, "worst_residual", summary->worst_residual);
        cdg_json_number(&json, "largest_turn", summary->largest_turn);
        cdg_json_boolean(&json, "residual_is_large", has_poor_residual(request));
        if (summary->is_static) {
            const cdg_equilibrium_report *found = &summary->path.equilibrium;
            cdg_json_begin_object(&json, "equilibrium");
            if (isnan(found->lowest))
                cdg_json_null(&json, "stable");
            else
                cdg_json_boolean(&json, "stable", found->is_stable);
            cdg_json_number(&json, "lowest_eigenvalue", found->lowest);
            cdg_json_number(&json, "residual", found->residual);
            cdg_json_number(&json, "force", found->force);
            cdg_json_integer(&json, "jumps", (uint64_t)summary->path.snap_count);
            cdg_json_integer(&json, "limit_points", (uint64_t)summary->path.turn_count);
            cdg_json_end(&json);
        }
        cdg_json_begin_object(&json, "files");
        static const char *const names[] = {"run.h5", "probes.csv", "summary.json"};
        for (size_t i = 0; i < 3; i++) {
            char path[PATH_SIZE + 16];
            snprintf(path, sizeof path, "%s/%s", request->directory, names[i]);
            cdg_json_text(&json, names[i], path);
        }
        cdg_json_end(&json);
    }
    json_print(&json);
}

// What to do next, by cause, on standard error.
static void explain_failure(const run_request *request) {
    if (request->result == CDG_ERROR_INTERRUPTED && request->summary.is_static) {
        fprintf(stderr, "cordage: %s; the equilibria found until then are kept.\n", request->error.message);
        return;
    }
    if (request->result == CDG_ERROR_INTERRUPTED) {
        fprintf(
            stderr,
            "cordage: interrupted at %s of %s; what was computed is kept.\nContinue with:  cordage run --resume %s\n",
            format_seconds(request->summary.time).text, format_seconds(request->loaded.scene->duration).text,
            request->directory);
        return;
    }
    complain_of_scene(request->loaded.scene, request->error.message);
    if (request->has_begun && status_of(request->result) == EXIT_STATUS_FAILED)
        fprintf(stderr, "What was computed until then is kept in %s.\n", request->directory);
}

exit_status cmd_run(const command_line *line) {
    run_request request = {
        .line = line, .as_json = has_option(line, "json"), .quiet = has_option(line, "quiet"), .result = CDG_OK};
    exit_status status = prepare(&request);
    if (status == EXIT_STATUS_DONE) {
        interrupt_watch();
        request.bar = progress_begin(stderr, !request.quiet);
        const cdg_run_def def = {.scene = request.loaded.scene,
                                 .directory = request.directory,
                                 .resume = request.is_resume,
                                 .force = has_option(line, "force"),
                                 .thread_count = (int)option_integer(line, "threads", 0),
                                 .on_progress = on_progress,
                                 .on_note = on_note,
                                 .on_start = on_start,
                                 .user = &request};
        request.result = cdg_run(&def, &request.summary, &request.error);
        progress_clear(&request.bar);
        status = status_of(request.result);
        if (request.result != CDG_OK) explain_failure(&request);
        if (request.quiet && request.has_begun) warn_of_result(&request);
        if (!request.as_json && !request.quiet) {
            if (request.has_begun)
                print_summary(&request);
            else if (status == EXIT_STATUS_DONE) // nothing was left to do
                printf("%s\n  To go on with it: cordage run --resume %s --until \"%g s\"\n", request.error.message,
                       request.directory, 2 * request.loaded.scene->duration);
        }
    }
    if (request.as_json) print_result_json(&request, status);
    loaded_scene_free(&request.loaded);
    return status;
}
