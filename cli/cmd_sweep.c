// cordage sweep: many cases of one scene, on threads, processes or ranks of MPI; a table, charts and a page.
#include "base/error.h"
#include "commands.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "mix_up.h"
#include "output/disk.h"
#include "picture_options.h"
#include "progress.h"
#include "scene_source.h"
#include "sweep/child.h"
#include "sweep/sweep_file.h"
#include "sweep/sweep_report.h"
#include "sweep/sweep_run.h"
#include "sweep/sweep_table.h"
#include "terminal.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { PATH_SIZE = 4096, RUNS_SIZE = 8, PROBLEMS_SHOWN = 5 };
static const char worker_variable[] = "CORDAGE_SWEEP_WORKER"; // set for processes that this command starts

typedef struct sweep_request {
    const command_line *line;
    cdg_sweep_file file; // when the argument is one
    bool has_file;
    char scene_path[PATH_SIZE];
    loaded_scene loaded;
    const char **overrides;
    char *model;
    cdg_sweep sweep;
    char directory[PATH_SIZE - RUNS_SIZE];
    bool as_json, quiet, is_worker;
    cdg_ranks ranks;
    bool has_ranks;
    progress_bar bar;
    cdg_outcome *outcomes;
    cdg_sweep_progress progress;
    cdg_sweep_files files;
} sweep_request;

static exit_status status_of(cdg_result result) {
    switch (result) {
    case CDG_OK: return EXIT_STATUS_DONE;
    case CDG_ERROR_ARGUMENT:
    case CDG_ERROR_UNSUPPORTED:
    case CDG_ERROR_SCENE:
    case CDG_ERROR_FORMAT: return EXIT_STATUS_REFUSED;
    default: return EXIT_STATUS_FAILED;
    }
}

static exit_status refuse(cdg_result result, const cdg_error *error) {
    if (result != CDG_OK) complain("%s", error->message);
    return status_of(result);
}

// ---- the request ----------------------------------------------------------------------------------------------------

// The scene that a sweep's file names, seen from where the file is.
static void find_scene_of_file(sweep_request *request, const char *path) {
    char copy[PATH_SIZE];
    const char *scene = request->file.scene;
    snprintf(copy, sizeof copy, "%s", path);
    const char *folder = dirname(copy);
    if (scene[0] == '/' || strcmp(folder, ".") == 0)
        snprintf(request->scene_path, sizeof request->scene_path, "%s", scene);
    else
        snprintf(request->scene_path, sizeof request->scene_path, "%.2000s/%.2000s", folder, scene);
    if (access(request->scene_path, F_OK) != 0 && find_example(scene))
        snprintf(request->scene_path, sizeof request->scene_path, "%s", scene);
}

static exit_status read_file(sweep_request *request) {
    const char *argument = request->line->words[0];
    char *text = NULL;
    size_t size = 0;
    cdg_error error = {0};
    cdg_result result = CDG_OK;
    snprintf(request->scene_path, sizeof request->scene_path, "%s", argument);
    if (strcmp(argument, "-") == 0 || cdg_disk_read_file(argument, 1 << 26, &text, &size, &error) != CDG_OK)
        return EXIT_STATUS_DONE; // loading the scene tells what is wrong
    if (cdg_sweep_file_is_one(text, size)) {
        result = cdg_sweep_file_parse(text, size, argument, &request->file, &error);
        request->has_file = true;
        if (result == CDG_OK) find_scene_of_file(request, argument);
    }
    free(text);
    return refuse(result, &error);
}

static bool collect_overrides(sweep_request *request) {
    const command_line *line = request->line;
    const char *model = option_text(line, "model");
    size_t count = 0;
    request->overrides = calloc(line->value_count + request->file.override_count + 2, sizeof *request->overrides);
    if (!request->overrides) return false;
    for (size_t i = 0; i < request->file.override_count; i++) request->overrides[count++] = request->file.overrides[i];
    for (size_t i = 0; option_list_item(line, "set", i); i++)
        request->overrides[count++] = option_list_item(line, "set", i);
    if (model) {
        size_t size = strlen(model) + sizeof "simulation.model=";
        request->model = malloc(size);
        if (!request->model) return false;
        snprintf(request->model, size, "simulation.model=%s", model);
        request->overrides[count++] = request->model;
    }
    request->sweep.source.overrides = request->overrides;
    request->sweep.source.override_count = count;
    return true;
}

static exit_status load(sweep_request *request) {
    // Without the cases' values: a scene may leave out what varies, so its errors are told with those of a case.
    request->loaded = read_scene(request->scene_path, NULL, 0);
    if (!request->loaded.scene) {
        loaded_scene again = load_scene(request->scene_path, request->line);
        loaded_scene_free(&again);
        return EXIT_STATUS_REFUSED;
    }
    const cdg_scene *scene = request->loaded.scene;
    request->sweep.source.text = scene->text;
    request->sweep.source.size = scene->text_size;
    request->sweep.source.name = scene->name;
    request->sweep.source.directory = scene->directory;
    if (collect_overrides(request)) return EXIT_STATUS_DONE;
    complain("out of memory");
    return EXIT_STATUS_FAILED;
}

static cdg_result read_method(sweep_request *request, cdg_error *error) {
    const command_line *line = request->line;
    const char *method = option_text(line, "method");
    cdg_sweep *sweep = &request->sweep;
    bool has_samples = request->file.has_samples || has_option(line, "samples");
    sweep->samples = (size_t)option_integer(line, "samples", (long)request->file.samples);
    sweep->seed = (uint64_t)option_integer(line, "seed", request->file.has_seed ? (long)request->file.seed : 1);
    sweep->kind = request->file.has_kind ? request->file.kind : has_samples ? CDG_DESIGN_LATIN : CDG_DESIGN_GRID;
    if (method && !cdg_design_kind_find(method, &sweep->kind))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--method is grid, latin or random, not '%s'", method);
    if (sweep->kind != CDG_DESIGN_GRID && !has_samples)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "how many samples? say --samples N");
    if (sweep->kind == CDG_DESIGN_GRID && has_samples)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a grid has no samples; leave out --samples, or take --method latin");
    return CDG_OK;
}

static cdg_result read_wishes(sweep_request *request, cdg_error *error) {
    const command_line *line = request->line;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < request->file.vary_count && result == CDG_OK; i++)
        result = cdg_sweep_vary(&request->sweep, request->file.varies[i], error);
    for (size_t i = 0; option_list_item(line, "vary", i) && result == CDG_OK; i++)
        result = cdg_sweep_vary(&request->sweep, option_list_item(line, "vary", i), error);
    for (size_t i = 0; i < request->file.probe_count && !has_option(line, "probe") && result == CDG_OK; i++)
        result = cdg_readout_add(&request->sweep.readout, request->file.probes[i], error);
    for (size_t i = 0; option_list_item(line, "probe", i) && result == CDG_OK; i++)
        result = cdg_readout_add(&request->sweep.readout, option_list_item(line, "probe", i), error);
    return result == CDG_OK ? read_method(request, error) : result;
}

static bool is_launched(const sweep_request *request) {
    return !request->is_worker && (has_option(request->line, "mpi") || cdg_ranks_are_launched());
}

static bool choose_directory(sweep_request *request) {
    const char *output = option_text(request->line, "output");
    if (!output) output = request->file.output;
    int length = output
                     ? snprintf(request->directory, sizeof request->directory, "%s", output)
                     : snprintf(request->directory, sizeof request->directory, "%s-sweep", request->loaded.base_name);
    if (length <= 0 || (size_t)length >= sizeof request->directory) {
        complain("the directory's name is too long");
        return false;
    }
    // Ranks would make and remove it all at once; workers write nothing there.
    cdg_error error = {0};
    if (request->is_worker || is_launched(request) || can_hold_run(request->directory, &error)) return true;
    complain("%s", error.message);
    return false;
}

static bool read_case_time(sweep_request *request) {
    const char *text = option_text(request->line, "case-time");
    if (!text) text = request->file.case_time;
    if (!text) return true;
    double *limit = &request->sweep.case_time;
    if (!parse_quantity("case-time", text, CDG_TIME, limit)) return false;
    if (*limit > 0 && isfinite(*limit)) return true;
    complain("--case-time must be above 0, such as 10 s or 5 min, not '%s'", text);
    return false;
}

static exit_status prepare(sweep_request *request) {
    const command_line *line = request->line;
    cdg_error error = {0};
    exit_status status = read_file(request);
    if (status == EXIT_STATUS_DONE) status = load(request);
    if (status != EXIT_STATUS_DONE) return status;
    cdg_result result = read_wishes(request, &error);
    if (result != CDG_OK) return refuse(result, &error);
    if (!choose_directory(request) || !read_case_time(request)) return EXIT_STATUS_REFUSED;
    request->sweep.wants_lanes = request->file.wants_lanes || has_option(line, "lanes");
    request->sweep.wants_gradient = has_option(line, "gradient");
    if (has_option(line, "keep-runs")) {
        request->sweep.runs = cdg_disk_join(request->directory, "runs", "");
        if (!request->sweep.runs) return EXIT_STATUS_FAILED;
    }
    result = cdg_sweep_prepare(&request->sweep, &error);
    return refuse(result, &error);
}

// ---- running --------------------------------------------------------------------------------------------------------

static bool go_on(void *user) {
    (void)user;
    return !interrupt_was_asked();
}

static bool on_progress(void *user, const cdg_sweep_progress *progress) {
    sweep_request *request = user;
    if (progress_is_due(&request->bar, progress->elapsed)) {
        size_t here = progress->done - progress->done_before, left = progress->case_count - progress->done;
        double share = (double)progress->done / (double)progress->case_count;
        char count[96], eta[96], failed[96], rate[96];
        snprintf(count, sizeof count, "%zu/%zu cases", progress->done, progress->case_count);
        snprintf(eta, sizeof eta, "%s left",
                 here > 0 ? format_seconds(ceil((double)left * progress->elapsed / (double)here)).text : "?");
        snprintf(failed, sizeof failed, "%zu failed", progress->failed);
        snprintf(rate, sizeof rate, "%.3g cases/s", (double)here / fmax(progress->elapsed, 1e-6));
        const char *const parts[] = {count, eta, progress->failed > 0 ? failed : rate, rate};
        progress_draw(&request->bar, progress->elapsed, share, parts, progress->failed > 0 ? 4 : 3);
    }
    return !interrupt_was_asked();
}

static void on_note(void *user, const char *sentence) {
    sweep_request *request = user;
    progress_clear(&request->bar);
    fprintf(stderr, "cordage: %s\n", sentence);
}

// This command line again, for a worker. The strings are the line's; the caller frees the list.
static char **worker_arguments(const command_line *line) {
    static const char *const left_out[] = {"processes", "resume", "force", "json", "quiet"};
    char **list = calloc(3 + line->word_count + 2 * line->value_count, sizeof *list);
    size_t count = 0;
    if (!list) return NULL;
    list[count++] = "cordage";
    list[count++] = (char *)line->command->name;
    for (size_t i = 0; i < line->word_count; i++) list[count++] = (char *)line->words[i];
    for (size_t i = 0; i < line->value_count; i++) {
        const option_spec *spec = line->values[i].spec;
        bool is_left_out = false;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            is_left_out = is_left_out || strcmp(spec->name, left_out[k]) == 0;
        if (is_left_out) continue;
        size_t size = strlen(spec->name) + (line->values[i].text ? strlen(line->values[i].text) : 0) + 4;
        char *text = malloc(size); // lives as long as the process
        if (!text) break;
        snprintf(text, size, "--%s%s%s", spec->name, line->values[i].text ? "=" : "",
                 line->values[i].text ? line->values[i].text : "");
        list[count++] = text;
    }
    return list;
}

// The environment with the worker's mark, and without that of MPI, in which a worker has no part.
static char **worker_environment(void) {
    static const char *const left_out[] = {"OMPI_", "PMI", "MPI_LOCALN"};
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        bool is_left_out = false;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            is_left_out = is_left_out || strncmp(environ[i], left_out[k], strlen(left_out[k])) == 0;
        if (!is_left_out) list[kept++] = environ[i];
    }
    static char mark[sizeof worker_variable + 2];
    snprintf(mark, sizeof mark, "%s=1", worker_variable);
    if (list) list[kept] = mark;
    return list;
}

static cdg_result run(sweep_request *request, cdg_error *error) {
    const command_line *line = request->line;
    int processes = (int)option_integer(line, "processes", 0);
    // HDF5 is not for threads: cases that keep their runs go in processes of their own, or one by one.
    int threads = (int)option_integer(line, "threads", 0);
    if (request->sweep.runs && processes == 0 && threads == 0) threads = 1;
    if (request->sweep.runs && processes == 0 && threads > 1)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--keep-runs needs --processes N in place of --threads N");
    if (processes > 0 && strcmp(line->words[0], "-") == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a scene from standard input cannot be read again by processes; save it to a file first");
    char **arguments = processes > 0 ? worker_arguments(line) : NULL;
    char **environment = processes > 0 ? worker_environment() : NULL;
    cdg_sweep_command command = {.path = "/proc/self/exe", .arguments = arguments, .environment = environment};
    cdg_sweep_run_def def = {.sweep = &request->sweep,
                             .directory = request->directory,
                             .resume = has_option(line, "resume"),
                             .force = has_option(line, "force"),
                             .thread_count = threads,
                             .process_count = processes,
                             .command = &command,
                             .ranks = request->has_ranks ? &request->ranks : NULL,
                             .on_progress = on_progress,
                             .on_note = on_note,
                             .go_on = go_on,
                             .user = request};
    cdg_result result = CDG_ERROR_MEMORY;
    request->outcomes = calloc(request->sweep.design.case_count + 1, sizeof *request->outcomes);
    if (!request->outcomes || (processes > 0 && (!arguments || !environment)))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    else
        result = cdg_sweep_run(&def, request->outcomes, &request->progress, error);
    progress_clear(&request->bar);
    free(arguments);
    free(environment);
    return result;
}

// ---- after ----------------------------------------------------------------------------------------------------------

static void print_summary(const sweep_request *request) {
    const cdg_sweep_progress *progress = &request->progress;
    size_t good = progress->done - progress->failed;
    printf("%s done in %s", format_plural(good, "case").text, format_seconds(progress->elapsed).text);
    if (progress->done_before > 0) printf(", %zu of them before", progress->done_before);
    if (progress->failed > 0) printf("; %zu failed", progress->failed);
    if (progress->doubtful > 0) printf("; %zu are doubtful", progress->doubtful);
    printf("\n");
    cdg_sweep_problem problems[PROBLEMS_SHOWN];
    size_t found = cdg_sweep_problems(request->outcomes, progress->case_count, problems, PROBLEMS_SHOWN);
    for (size_t i = 0; i < found; i++) {
        const char *what = problems[i].has_failed ? "failed" : "doubtful";
        if (problems[i].count > 1)
            printf("  %zu cases %s, from case %zu on: %s\n", problems[i].count, what, problems[i].first,
                   problems[i].sentence);
        else
            printf("  case %zu %s: %s\n", problems[i].first, what, problems[i].sentence);
    }
    for (size_t i = 0; i < request->files.count; i++) printf("  %s\n", request->files.paths[i]);
}

static void print_json(const sweep_request *request, exit_status status) {
    const cdg_sweep_progress *progress = &request->progress;
    cdg_json json = json_begin("sweep");
    cdg_json_text(&json, "directory", request->directory);
    cdg_json_boolean(&json, "complete", status == EXIT_STATUS_DONE);
    cdg_json_integer(&json, "cases", (uint64_t)progress->case_count);
    cdg_json_integer(&json, "done", (uint64_t)(progress->done - progress->failed));
    cdg_json_integer(&json, "failed", (uint64_t)progress->failed);
    cdg_json_integer(&json, "doubtful", (uint64_t)progress->doubtful);
    cdg_json_integer(&json, "done_before", (uint64_t)progress->done_before);
    cdg_json_number(&json, "seconds", progress->elapsed);
    cdg_json_begin_array(&json, "files");
    for (size_t i = 0; i < request->files.count; i++) cdg_json_text(&json, NULL, request->files.paths[i]);
    cdg_json_end(&json);
    json_print(&json);
}

static exit_status finish(sweep_request *request, cdg_result result, cdg_error *error) {
    exit_status status = status_of(result);
    if (result != CDG_OK) complain("%s", error->message);
    bool has_results = request->progress.done > 0 && (result == CDG_OK || result == CDG_ERROR_INTERRUPTED);
    if (has_results) {
        cdg_error later = {0};
        cdg_result written = cdg_sweep_report_write(&request->sweep, request->outcomes, &request->progress,
                                                    request->directory, &request->files, &later);
        if (written != CDG_OK) complain("%s", later.message);
        if (written != CDG_OK && status == EXIT_STATUS_DONE) status = EXIT_STATUS_FAILED;
        if (request->progress.failed == request->progress.done && status == EXIT_STATUS_DONE) {
            complain("all cases failed; the first: %s", request->outcomes[0].sentence);
            status = EXIT_STATUS_FAILED;
        }
    }
    if (request->as_json)
        print_json(request, status);
    else if (has_results && !request->quiet)
        print_summary(request);
    return status;
}

static exit_status begin_ranks(sweep_request *request) {
    cdg_error error = {0};
    if (!is_launched(request)) return EXIT_STATUS_DONE;
    cdg_result result = cdg_ranks_begin(&request->ranks, &error);
    request->has_ranks = result == CDG_OK;
    if (result != CDG_OK) complain("%s", error.message);
    return result == CDG_OK ? EXIT_STATUS_DONE : EXIT_STATUS_FAILED;
}

// What is wrong with the request is wrong on every rank: rank 0 says it, and none waits for the others for ever.
static exit_status prepare_ranks(sweep_request *request) {
    bool is_follower = request->has_ranks && request->ranks.rank > 0;
    int kept = is_follower ? dup(STDERR_FILENO) : -1;
    if (kept >= 0 && !freopen("/dev/null", "w", stderr)) return EXIT_STATUS_FAILED;
    exit_status status = prepare(request);
    if (kept >= 0) {
        fflush(stderr);
        dup2(kept, STDERR_FILENO);
        close(kept);
    }
    if (status == EXIT_STATUS_DONE || !request->has_ranks) return status;
    if (is_follower)
        cdg_ranks_leave(&request->ranks, false);
    else
        cdg_sweep_dismiss(&request->ranks);
    return status;
}

static exit_status lead(sweep_request *request) {
    cdg_error error = {0};
    bool is_leader = !request->has_ranks || request->ranks.rank == 0;
    if (is_leader && request->sweep.note[0] && !request->quiet) warn("lanes are not used: %s", request->sweep.note);
    if (is_leader && request->sweep.warning[0]) warn("%s", request->sweep.warning);
    if (is_leader && request->ranks.size > 1 && !request->quiet) // it may not live to say so
        fprintf(stderr, "%d ranks; should one die, MPI ends them all, and the same command with --resume goes on\n",
                request->ranks.size);
    request->bar = progress_begin(stderr, is_leader && !request->quiet && !request->as_json);
    interrupt_watch();
    cdg_result result = run(request, &error);
    if (is_leader && request->ranks.lost > 0)
        warn("%d ranks could not begin and took no part; do all of them see the scene and its files?",
             request->ranks.lost);
    if (is_leader) return finish(request, result, &error);
    if (result != CDG_OK && result != CDG_ERROR_INTERRUPTED)
        complain("rank %d: %s", request->ranks.rank, error.message);
    return status_of(result);
}

static void free_request(sweep_request *request) {
    for (size_t i = 0; request->outcomes && i < request->sweep.design.case_count; i++)
        cdg_outcome_free(&request->outcomes[i]);
    free(request->outcomes);
    cdg_sweep_free(&request->sweep);
    cdg_sweep_files_free(&request->files);
    cdg_sweep_file_free(&request->file);
    loaded_scene_free(&request->loaded);
    free(request->overrides);
    free(request->model);
}

exit_status cmd_sweep(const command_line *line) {
    sweep_request request = {.line = line,
                             .as_json = has_option(line, "json"),
                             .quiet = has_option(line, "quiet"),
                             .is_worker = getenv(worker_variable) != NULL};
    exit_status status = begin_ranks(&request);
    if (status == EXIT_STATUS_DONE) status = prepare_ranks(&request);
    if (status == EXIT_STATUS_DONE && request.is_worker) {
        interrupt_watch();
        cdg_sweep_serve(&request.sweep, go_on, &request);
    } else if (status == EXIT_STATUS_DONE) {
        status = lead(&request);
    }
    if (request.has_ranks) cdg_ranks_end(&request.ranks);
    free_request(&request);
    return status;
}
