// cordage compare: one scene under several models or settings; a table of differences, charts and the runs themselves.
#include "commands.h"
#include "compare_report.h"
#include "compare_sheet.h"
#include "compare_variants.h"
#include "interrupt.h"
#include "output/disk.h"
#include "progress.h"
#include "scene/scene.h"
#include "scene_source.h"
#include "serve_page.h"
#include "terminal.h"
#include "view/replay.h"

#include <cordage/run.h>

#include <stdlib.h>
#include <string.h>

typedef struct compare_request {
    const command_line *line;
    variant_list variants;
    loaded_scene base; // the scene without any variant's settings: text and name
    char directory[COMPARE_PATH_SIZE];
    bool as_json, quiet;
    variant_result *results; // one for each variant
    size_t current;          // the variant that is running
    progress_bar bar;
} compare_request;

// ---- scenes

// --set of the command line, then what the variant sets, then its model for all rods. The caller frees the array; its
// last `*made` strings are the caller's, too.
static const char **collect_overrides(const compare_request *request, const scene_variant *variant,
                                      const cdg_scene *seen, size_t *count, size_t *made) {
    size_t rods = seen ? seen->rod_count : 0, set_count = 0;
    while (option_list_item(request->line, "set", set_count)) set_count++;
    const char **list = calloc(set_count + variant->override_count + rods + 1, sizeof *list);
    *count = *made = 0;
    if (!list) return NULL;
    for (size_t i = 0; i < set_count; i++) list[(*count)++] = option_list_item(request->line, "set", i);
    for (size_t i = 0; i < variant->override_count; i++) list[(*count)++] = variant->overrides[i];
    if (!variant->model) return list;
    for (size_t i = 0; i <= rods; i++) { // a rod that names its own model is given the variant's
        if (i > 0 && strcmp(cdg_run_model_name(seen->rods[i - 1].model), variant->model) == 0) continue;
        size_t size = strlen(variant->model) + (i > 0 ? strlen(seen->rods[i - 1].name) : 0) + 32;
        char *text = malloc(size);
        if (!text) break;
        if (i == 0)
            snprintf(text, size, "simulation.model=%s", variant->model);
        else
            snprintf(text, size, "rods.%s.model=%s", seen->rods[i - 1].name, variant->model);
        list[(*count)++] = text;
        ++*made;
    }
    return list;
}

static void parse_variant(const compare_request *request, const scene_variant *variant, const cdg_scene *seen,
                          variant_result *out) {
    size_t count, made;
    const cdg_scene *base = request->base.scene;
    const char **overrides = collect_overrides(request, variant, seen, &count, &made);
    cdg_scene *scene = NULL;
    out->result = CDG_ERROR_MEMORY;
    if (overrides)
        out->result = cdg_scene_parse(base->text, base->text_size, base->name, base->directory, overrides, count,
                                      &scene, &out->error);
    for (size_t i = 0; overrides && i < made; i++) free((char *)overrides[count - 1 - i]);
    free(overrides);
    cdg_scene_destroy(out->scene);
    out->scene = scene;
}

// The first error in the scene, as the reason why a variant cannot run.
static void take_reason(variant_result *result) {
    for (size_t i = 0; result->scene && i < cdg_scene_diagnostic_count(result->scene); i++) {
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(result->scene, i);
        if (diagnostic.severity != CDG_FAULT) continue;
        snprintf(result->error.message, sizeof result->error.message, "%s", diagnostic.text);
        return;
    }
}

static bool has_other_model(const variant_result *result, const scene_variant *variant) {
    for (size_t i = 0; variant->model && i < result->scene->rod_count; i++)
        if (strcmp(cdg_run_model_name(result->scene->rods[i].model), variant->model) != 0) return true;
    return false;
}

// Loads every variant; those that cannot run say why. False when none can.
static bool load_variants(compare_request *request) {
    bool can_any = false;
    for (size_t i = 0; i < request->variants.count; i++) {
        const scene_variant *variant = &request->variants.items[i];
        variant_result *result = &request->results[i];
        result->name = variant->name;
        result->model = variant->model;
        result->outcome = VARIANT_REFUSED;
        parse_variant(request, variant, NULL, result);
        if (result->result == CDG_OK && has_other_model(result, variant)) {
            cdg_scene *seen = result->scene; // its rods' names are needed while the scene is read again
            result->scene = NULL;
            parse_variant(request, variant, seen, result);
            cdg_scene_destroy(seen);
        }
        if (result->result == CDG_OK)
            can_any = true;
        else
            take_reason(result);
    }
    return can_any;
}

static exit_status prepare(compare_request *request) {
    const char *output = option_text(request->line, "output");
    if (!variant_list_parse(request->line, &request->variants)) return EXIT_STATUS_REFUSED;
    request->base = read_scene(request->line->words[0], NULL, 0);
    if (!request->base.scene) { // let the usual messages be printed
        loaded_scene again = load_scene(request->line->words[0], request->line);
        loaded_scene_free(&again);
        return EXIT_STATUS_REFUSED;
    }
    int length = output
                     ? snprintf(request->directory, sizeof request->directory, "%s", output)
                     : snprintf(request->directory, sizeof request->directory, "%s-compare", request->base.base_name);
    if (length < 0 || (size_t)length >= sizeof request->directory - 2 * COMPARE_NAME_SIZE) {
        complain("the directory's name is too long");
        return EXIT_STATUS_REFUSED;
    }
    request->results = calloc(request->variants.count, sizeof *request->results);
    if (!request->results) {
        complain("out of memory");
        return EXIT_STATUS_FAILED;
    }
    if (load_variants(request)) return EXIT_STATUS_DONE;
    const variant_result *first = &request->results[0];
    if (first->scene) print_diagnostics(stderr, first->scene, false);
    complain("no variant can simulate this scene; '%s': %s", first->name, first->error.message);
    return EXIT_STATUS_REFUSED;
}

// ---- running

static bool on_progress(void *user, const cdg_run_progress *progress) {
    compare_request *request = user;
    variant_result *result = &request->results[request->current];
    result->has_begun = true;
    result->time = progress->time;
    if (progress_is_due(&request->bar, progress->elapsed)) {
        char which[160], time[64];
        snprintf(which, sizeof which, "%zu of %zu: %.64s", request->current + 1, request->variants.count, result->name);
        snprintf(time, sizeof time, "%.3f/%g s", progress->time, progress->duration);
        const char *const parts[] = {which, time};
        progress_draw(&request->bar, progress->elapsed, progress->time / progress->duration, parts, 2);
    }
    return !interrupt_was_asked();
}

static void run_variant(compare_request *request, size_t index) {
    variant_result *result = &request->results[index];
    request->current = index;
    result->result = CDG_ERROR_MEMORY;
    result->directory = cdg_disk_join(request->directory, result->name, "");
    if (!result->directory) return;
    request->bar = progress_begin(stderr, !request->quiet);
    const cdg_run_def def = {.scene = result->scene,
                             .directory = result->directory,
                             .force = true, // variants are compare's own, made anew each time
                             .thread_count = (int)option_integer(request->line, "threads", 0),
                             .on_progress = on_progress,
                             .user = request};
    result->result = cdg_run(&def, &result->summary, &result->error);
    progress_clear(&request->bar);
    result->outcome = result->result == CDG_OK                  ? VARIANT_FINISHED
                      : result->result == CDG_ERROR_INTERRUPTED ? VARIANT_INTERRUPTED
                      : result->has_begun                       ? VARIANT_FAILED
                      : result->result == CDG_ERROR_NOT_FINITE || result->result == CDG_ERROR_NO_CONVERGENCE ||
                              result->result == CDG_ERROR_IO || result->result == CDG_ERROR_MEMORY ||
                              result->result == CDG_ERROR_ENERGY
                          ? VARIANT_FAILED
                          : VARIANT_REFUSED;
}

static void run_all(compare_request *request) {
    interrupt_watch();
    for (size_t i = 0; i < request->variants.count; i++) {
        if (request->results[i].result != CDG_OK) continue;
        if (interrupt_was_asked()) {
            request->results[i].outcome = VARIANT_INTERRUPTED;
            request->results[i].result = CDG_ERROR_INTERRUPTED;
            continue;
        }
        run_variant(request, i);
    }
}

// Two that ran to the end are a comparison; what happened to others is a result of it. With fewer there is none.
static exit_status status_of(const compare_request *request) {
    size_t finished = 0;
    bool has_failed = false, was_interrupted = false;
    for (size_t i = 0; i < request->variants.count; i++) {
        finished += request->results[i].outcome == VARIANT_FINISHED;
        has_failed = has_failed || request->results[i].outcome == VARIANT_FAILED;
        was_interrupted = was_interrupted || request->results[i].outcome == VARIANT_INTERRUPTED;
    }
    if (was_interrupted) return EXIT_STATUS_FAILED;
    if (finished >= 2) return EXIT_STATUS_DONE;
    return has_failed ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
}

static void print_problems(const compare_request *request) {
    static const char *const words[] = {"", "refuses the scene", "failed", "was interrupted"};
    for (size_t i = 0; i < request->variants.count; i++) {
        const variant_result *result = &request->results[i];
        if (result->outcome != VARIANT_FINISHED)
            warn("'%s' %s: %s", result->name, words[result->outcome], result->error.message);
    }
}

// The contact sheet goes last: it takes longest, and everything else is there when Ctrl-C ends it.
static cdg_result write_sheet(const compare_request *request, comparison *compared, cdg_error *error) {
    if (!compared->has_runs || has_option(request->line, "no-pictures") || interrupt_was_asked()) return CDG_OK;
    char *path = compared->files[compared->file_count];
    snprintf(path, COMPARE_PATH_SIZE, "%.*s/compare_pictures.png", COMPARE_PATH_SIZE - 32, request->directory);
    cdg_result code =
        comparison_write_sheet(compared, path, (int)option_integer(request->line, "threads", 0), request->quiet, error);
    if (code == CDG_OK) compared->file_count++;
    return code;
}

// Shows the reference and the first other variant that ran, one over the other.
static exit_status show(const compare_request *request) {
    const char *directories[CDG_REPLAY_RUNS_MAX];
    size_t count = 0, reference = request->variants.reference;
    cdg_act act;
    cdg_error error;
    for (size_t k = 0; k < request->variants.count && count < CDG_REPLAY_RUNS_MAX; k++) {
        size_t i = k == 0 ? reference : k <= reference ? k - 1 : k; // the reference first
        if (request->results[i].outcome == VARIANT_FINISHED) directories[count++] = request->results[i].directory;
    }
    if (interrupt_was_asked()) return EXIT_STATUS_FAILED;
    cdg_result result = cdg_replay_create(directories, count, &act, &error);
    if (result == CDG_OK) return serve_act(request->line, act, 1);
    complain("%s", error.message);
    return serve_status(result);
}

exit_status cmd_compare(const command_line *line) {
    compare_request request = {.line = line, .as_json = has_option(line, "json"), .quiet = has_option(line, "quiet")};
    exit_status status = prepare(&request);
    comparison compared = {.command = line->command->name};
    if (status == EXIT_STATUS_DONE) {
        run_all(&request);
        status = status_of(&request);
        if (request.as_json || request.quiet) print_problems(&request); // else they stand below the table
    }
    if (request.results) {
        cdg_error error = {0};
        compared.scene_name = request.base.scene->name;
        compared.directory = request.directory;
        compared.results = request.results;
        compared.count = request.variants.count;
        compared.reference = request.variants.reference;
        if (comparison_measure(&compared, &error) != CDG_OK || comparison_write_files(&compared, &error) != CDG_OK ||
            write_sheet(&request, &compared, &error) != CDG_OK) {
            complain("%s", error.message);
            if (status == EXIT_STATUS_DONE) status = EXIT_STATUS_FAILED;
        }
        if (compared.has_runs && status != EXIT_STATUS_DONE)
            complain("fewer than two variants ran to the end, so there is little to compare");
    }
    if (request.as_json)
        comparison_print_json(&compared, status);
    else if (compared.has_runs && !request.quiet)
        comparison_print(&compared);
    comparison_free(&compared);
    if (status == EXIT_STATUS_DONE && has_option(line, "view")) status = show(&request);
    for (size_t i = 0; request.results && i < request.variants.count; i++) {
        cdg_scene_destroy(request.results[i].scene);
        free(request.results[i].directory);
    }
    free(request.results);
    loaded_scene_free(&request.base);
    variant_list_free(&request.variants);
    return status;
}
