// One case of a scene, in memory (the loop of output/run.c without files) or in a folder of its own.
#include "sweep/case_parts.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/probe_row.h"
#include "output/probe_table.h"
#include "output/run_advice.h"
#include "output/run_plan.h"
#include "output/run_static.h"
#include "scene/suggest.h"
#include "sweep/case_modes.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the scene ------------------------------------------------------------------------------------------------------

static cdg_result first_fault(const cdg_scene *scene, cdg_result result, cdg_error *error) {
    for (size_t i = 0; scene != NULL && i < cdg_scene_diagnostic_count(scene); i++) {
        if (cdg_scene_diagnostic(scene, i).severity != CDG_FAULT) continue;
        char text[CDG_MESSAGE_SIZE];
        cdg_scene_format_diagnostic(scene, i, text, sizeof text);
        return cdg_fail(error, result, "%s", text);
    }
    return result;
}

cdg_result cdg_case_read(const cdg_case_def *def, cdg_scene **out, cdg_error *error) {
    const cdg_case_source *source = def->source;
    size_t count = source->override_count + def->override_count;
    const char **overrides = malloc((count + 1) * sizeof *overrides);
    *out = NULL;
    if (overrides == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", source->name);
    for (size_t i = 0; i < source->override_count; i++) overrides[i] = source->overrides[i];
    for (size_t i = 0; i < def->override_count; i++) overrides[source->override_count + i] = def->overrides[i];
    cdg_result result =
        cdg_scene_parse(source->text, source->size, source->name, source->directory, overrides, count, out, error);
    free(overrides);
    if (result == CDG_OK) return CDG_OK;
    result = first_fault(*out, result, error);
    cdg_scene_destroy(*out);
    *out = NULL;
    return result;
}

// ---- columns --------------------------------------------------------------------------------------------------------

// "tip_z" of "tip_z [m]" is named by "tip_z" and by its probe, "tip".
static bool is_named(const char *title, const char *probe, const char *name) {
    size_t length = strlen(name), column = strcspn(title, " ");
    if (column == length && memcmp(title, name, length) == 0) return true;
    return strcmp(probe, name) == 0;
}

static const char *probe_of(const cdg_scene *scene, size_t column) {
    for (size_t i = 0; i < scene->probe_count; i++) {
        cdg_probe_kind kind = scene->probes[i].probe.kind;
        size_t count = cdg_probe_column_count(kind) + cdg_probe_has_peak(kind);
        if (column < count) return scene->probes[i].name;
        column -= count;
    }
    return "";
}

// Columns of probes, then of natural frequencies.
static size_t mode_columns(const cdg_case_source *source, const cdg_probe_row *row) {
    return source->takes_modes ? cdg_case_modes_count(row->scene) : 0;
}

static bool is_column_named(const cdg_probe_row *row, size_t column, const char *name) {
    if (column >= row->column_count) return cdg_case_modes_is_named(row->scene, column - row->column_count, name);
    return is_named(row->titles[column], probe_of(row->scene, column), name);
}

static cdg_result refuse_name(const cdg_probe_row *row, const char *name, cdg_error *error) {
    word_search search = cdg_suggest_begin(name, strlen(name));
    for (size_t i = 0; i < row->scene->probe_count; i++) cdg_suggest_offer(&search, row->scene->probes[i].name);
    if (row->scene->mode_count > 0) cdg_suggest_offer(&search, "modes");
    if (row->scene->probe_count == 0 && search.best == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: the scene has no probes; add some under 'probes:'",
                        row->scene->name);
    if (search.best != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: there is no probe '%s'; did you mean '%s'?", row->scene->name,
                        name, search.best);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: there is no probe '%s'; the first of them is '%s'",
                    row->scene->name, name, row->scene->probes[0].name);
}

// Which columns of the row are wanted, in which order. `picked` has room for all columns times all names.
static cdg_result pick(const cdg_case_source *source, const cdg_probe_row *row, size_t *picked, size_t *count,
                       cdg_error *error) {
    size_t columns = row->column_count + mode_columns(source, row);
    *count = 0;
    for (size_t n = 0; n < source->probe_count; n++) {
        size_t before = *count;
        for (size_t c = 0; c < columns; c++)
            if (is_column_named(row, c, source->probes[n])) picked[(*count)++] = c;
        if (*count == before) return refuse_name(row, source->probes[n], error);
    }
    for (size_t c = 0; c < columns && source->probe_count == 0; c++) picked[(*count)++] = c;
    return CDG_OK;
}

static char *copy_text(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static size_t *room_for_picks(const cdg_case_source *source, const cdg_probe_row *row) {
    size_t columns = row->column_count + mode_columns(source, row);
    return malloc((columns * (source->probe_count + 1) + 1) * sizeof(size_t));
}

static cdg_result copy_titles(const cdg_probe_row *row, const size_t *picked, size_t count, char ***out,
                              cdg_error *error) {
    char **titles = calloc(count + 1, sizeof *titles);
    bool is_whole = titles != NULL;
    for (size_t i = 0; i < count && is_whole; i++) {
        char mode[600];
        bool is_mode = picked[i] >= row->column_count;
        if (is_mode) cdg_case_modes_title(row->scene, picked[i] - row->column_count, mode, sizeof mode);
        is_whole = (titles[i] = copy_text(is_mode ? mode : row->titles[picked[i]])) != NULL;
    }
    *out = titles;
    if (is_whole) return CDG_OK;
    cdg_case_titles_free(titles, count);
    *out = NULL;
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu columns", count);
}

void cdg_case_titles_free(char **titles, size_t count) {
    for (size_t i = 0; titles != NULL && i < count; i++) free(titles[i]);
    free(titles);
}

cdg_result cdg_case_columns(const cdg_case_def *def, char ***titles, size_t *count, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_probe_row row = {0};
    size_t *picked = NULL;
    *titles = NULL;
    *count = 0;
    cdg_result result = cdg_case_read(def, &scene, error);
    if (result == CDG_OK) result = cdg_probe_row_make(scene, NULL, &row, error);
    if (result == CDG_OK && (picked = room_for_picks(def->source, &row)) == NULL)
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu columns", row.column_count);
    if (result == CDG_OK) result = pick(def->source, &row, picked, count, error);
    if (result == CDG_OK) result = copy_titles(&row, picked, *count, titles, error);
    if (result != CDG_OK) *count = 0;
    free(picked);
    cdg_probe_row_free(&row);
    cdg_scene_destroy(scene);
    return result;
}

// ---- running in memory ----------------------------------------------------------------------------------------------

struct cdg_case_runner {
    const cdg_case_def *def;
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_run_peaks peaks;
    cdg_run_tally tally;
    cdg_probe_row row;
    size_t *picked;
    double *measured; // one row, all columns
    double *modes;    // natural frequencies, of which a case has one set; NULL: no column shows them
    size_t capacity;  // rows
    cdg_case_result *out;
};
typedef cdg_case_runner runner;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool may_go_on(const runner *run) { return run->def->go_on == NULL || run->def->go_on(run->def->user); }

static cdg_result reserve_row(runner *run, cdg_error *error) {
    cdg_case_result *out = run->out;
    if (out->row_count < run->capacity) return CDG_OK;
    size_t capacity = run->capacity > 0 ? 2 * run->capacity : 64;
    double *times = realloc(out->times, capacity * sizeof *times);
    if (times != NULL) out->times = times;
    double *series = realloc(out->series, (capacity * out->column_count + 1) * sizeof *series);
    if (series != NULL) out->series = series;
    if (times == NULL || series == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu outputs", capacity);
    run->capacity = capacity;
    return CDG_OK;
}

cdg_result cdg_case_keep(cdg_case_runner *run, cdg_error *error) {
    cdg_case_result *out = run->out;
    cdg_run_advice_look(run->world, &run->tally);
    cdg_energy energy;
    cdg_result result = cdg_world_check_energy(run->world, &energy);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(run->world));
    result = reserve_row(run, error);
    if (result == CDG_OK) result = cdg_probe_row_measure(&run->row, run->world, &run->peaks, run->measured, error);
    if (result != CDG_OK) return result;
    cdg_run_peaks_begin_interval(&run->peaks);
    double *row = out->series + out->row_count * out->column_count;
    for (size_t i = 0; i < out->column_count; i++)
        row[i] = run->picked[i] < run->row.column_count ? run->measured[run->picked[i]] : NAN; // modes: fill_modes
    out->times[out->row_count++] = cdg_world_time(run->world);
    return run->def->on_row == NULL ? CDG_OK : run->def->on_row(run->def->user, run->scene, run->world, error);
}

static cdg_result stop(const runner *run, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_INTERRUPTED, "stopped on request at %g s of %g s", cdg_world_time(run->world),
                    run->plan.end);
}

void cdg_case_stepped(cdg_case_runner *run, const cdg_step_report *report) {
    cdg_run_advice_count(run->world, report, &run->tally);
    cdg_run_peaks_look(&run->peaks, run->world);
}

static cdg_result step_to_output(runner *run, cdg_error *error) {
    for (uint64_t step = 1; step <= run->plan.steps_per_output; step++) {
        if (step == run->plan.steps_per_output) cdg_guard_look_next(run->world); // what is kept has been looked at
        cdg_step_report report = {0};
        cdg_result result = cdg_world_step(run->world, &report);
        if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(run->world));
        cdg_case_stepped(run, &report);
        if (!may_go_on(run)) return stop(run, error);
    }
    return CDG_OK;
}

// As a run does: of a dynamic case about its start, of a static one about its last equilibrium.
static cdg_result find_modes(runner *run, cdg_error *error) {
    return run->modes != NULL ? cdg_case_modes_find(run->scene, run->world, run->modes, error) : CDG_OK;
}

static cdg_result start_dynamic(runner *run, cdg_error *error) {
    cdg_result result = cdg_world_set_step_size(run->world, run->plan.step);
    if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(run->world));
    result = find_modes(run, error);
    return result == CDG_OK ? cdg_case_keep(run, error) : result;
}

static cdg_result go_dynamic(runner *run, cdg_error *error) {
    cdg_result result = start_dynamic(run, error);
    for (size_t frame = 1; frame < run->plan.frame_count && result == CDG_OK; frame++) {
        result = step_to_output(run, error);
        if (result == CDG_OK) result = cdg_case_keep(run, error);
    }
    return result;
}

static void add_doubt(cdg_case_result *out, const char *sentence) {
    size_t used = strlen(out->doubt);
    if (sentence[0] == '\0') return;
    snprintf(out->doubt + used, sizeof out->doubt - used, "%s%s", used > 0 ? "; " : "", sentence);
}

static cdg_result keep_equilibrium(void *user, const cdg_equilibrium_report *equilibrium, cdg_error *error) {
    runner *run = user;
    (void)equilibrium;
    cdg_run_peaks_look(&run->peaks, run->world);
    return cdg_case_keep(run, error);
}

static bool goes_on(void *user, const cdg_path_report *report) {
    (void)report;
    return may_go_on(user);
}

static cdg_result go_static(runner *run, cdg_error *error) {
    cdg_run_static statics = {.world = run->world,
                              .scene = run->scene,
                              .plan = &run->plan,
                              .write = keep_equilibrium,
                              .go_on = goes_on,
                              .user = run};
    cdg_path_report report = {0};
    cdg_result result = cdg_run_static_follow(&statics, &report, error);
    bool is_unstable = !isnan(report.equilibrium.lowest) && !report.equilibrium.is_stable;
    if (result == CDG_OK && is_unstable) add_doubt(run->out, "the last equilibrium is unstable");
    return result == CDG_OK ? find_modes(run, error) : result;
}

static cdg_result take_columns(runner *run, cdg_error *error) {
    cdg_result result = cdg_probe_row_make(run->scene, run->world, &run->row, error);
    if (result != CDG_OK) return result;
    run->picked = room_for_picks(run->def->source, &run->row);
    run->measured = malloc((run->row.column_count + 1) * sizeof *run->measured);
    if (run->picked == NULL || run->measured == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu columns", run->row.column_count);
    size_t count = 0;
    result = pick(run->def->source, &run->row, run->picked, &count, error);
    if (result == CDG_OK) result = copy_titles(&run->row, run->picked, count, &run->out->titles, error);
    if (result != CDG_OK) return result;
    run->out->column_count = count;
    for (size_t i = 0; i < count && run->modes == NULL; i++) {
        if (run->picked[i] < run->row.column_count) continue;
        run->modes = malloc(cdg_case_modes_count(run->scene) * sizeof *run->modes);
        if (run->modes == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for natural frequencies");
    }
    return CDG_OK;
}

// Every row shows them.
static void fill_modes(runner *run) {
    cdg_case_result *out = run->out;
    for (size_t i = 0; i < out->column_count; i++)
        for (size_t r = 0; r < out->row_count && run->picked[i] >= run->row.column_count; r++)
            out->series[r * out->column_count + i] = run->modes[run->picked[i] - run->row.column_count];
}

static cdg_result build(runner *run, cdg_error *error) {
    cdg_result result = cdg_scene_build(run->scene, run->def->thread_count, &run->world, error);
    if (result == CDG_OK) result = cdg_run_plan_make(run->scene, run->world, &run->plan, error);
    if (result == CDG_OK) result = cdg_run_peaks_make(run->scene, run->world, &run->peaks, error);
    if (result == CDG_OK) result = take_columns(run, error);
    run->tally = (cdg_run_tally){.worst_rod = -1, .turn_rod = -1};
    return result;
}

static void take_doubts(runner *run) {
    char advice[CDG_ADVICE_SIZE];
    if (cdg_run_advice_residual(run->world, &run->tally, advice)) add_doubt(run->out, advice);
    if (cdg_run_advice_turn(run->world, &run->tally, advice)) add_doubt(run->out, advice);
}

static cdg_result run_in_memory(runner *run, cdg_error *error) {
    cdg_result result = build(run, error);
    if (result != CDG_OK) return result;
    double began = processor_seconds();
    result = run->scene->mode == SCENE_STATIC ? go_static(run, error) : go_dynamic(run, error);
    run->out->solve_seconds = processor_seconds() - began;
    take_doubts(run);
    return result;
}

// ---- running in a folder --------------------------------------------------------------------------------------------

static bool run_may_go_on(void *user, const cdg_run_progress *progress) {
    (void)progress;
    return may_go_on(user);
}

// The rows that the run has written.
static cdg_result read_rows(runner *run, cdg_error *error) {
    cdg_probe_table table = {0};
    cdg_case_result *out = run->out;
    char *path = cdg_disk_join(run->def->directory, "probes.csv", "");
    if (path == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", run->def->directory);
    cdg_result result = cdg_probe_table_read(path, &table, error);
    for (size_t r = 0; result == CDG_OK && r < table.row_count; r++) {
        result = reserve_row(run, error);
        if (result != CDG_OK) break;
        for (size_t i = 0; i < out->column_count; i++)
            if (run->picked[i] < run->row.column_count)
                out->series[r * out->column_count + i] = table.columns[run->picked[i] + 1].values[r];
        out->times[out->row_count++] = table.columns[0].values[r];
    }
    cdg_probe_table_free(&table);
    free(path);
    return result;
}

static cdg_result run_in_folder(runner *run, cdg_error *error) {
    cdg_run_def def = {.scene = run->scene,
                       .directory = run->def->directory,
                       .force = true,
                       .thread_count = run->def->thread_count,
                       .on_progress = run_may_go_on,
                       .user = run};
    cdg_result result = take_columns(run, error);
    if (result != CDG_OK) return result;
    double began = processor_seconds();
    cdg_run_summary summary;
    result = cdg_run(&def, &summary, error);
    const cdg_equilibrium_report *last = &summary.path.equilibrium;
    bool is_unstable = summary.is_static && !isnan(last->lowest) && !last->is_stable;
    if (result == CDG_OK && is_unstable) add_doubt(run->out, "the last equilibrium is unstable");
    add_doubt(run->out, summary.residual_advice);
    add_doubt(run->out, summary.turn_advice);
    add_doubt(run->out, summary.tilt_advice);
    add_doubt(run->out, summary.solid_advice);
    add_doubt(run->out, summary.energy_advice);
    add_doubt(run->out, summary.adapt_advice);
    run->out->solve_seconds = processor_seconds() - began;
    cdg_error ignored;
    cdg_result read = read_rows(run, result == CDG_OK ? error : &ignored);
    if (result == CDG_OK) result = read;
    if (result != CDG_OK || run->modes == NULL) return result;
    return cdg_case_modes_read(run->scene, run->def->directory, run->modes, error);
}

// ---- both -----------------------------------------------------------------------------------------------------------

static bool is_peak(const char *title) {
    const char *end = strstr(title, "_peak [N]");
    return end != NULL && end[sizeof "_peak [N]" - 1] == '\0';
}

static cdg_result take_values(runner *run, cdg_error *error) {
    cdg_case_result *out = run->out;
    if (out->row_count == 0) return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "the case came to no output");
    fill_modes(run);
    out->values = malloc((out->column_count + 1) * sizeof *out->values);
    if (out->values == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < out->column_count; i++) {
        out->values[i] = out->series[(out->row_count - 1) * out->column_count + i];
        for (size_t r = 0; r < out->row_count && is_peak(out->titles[i]); r++)
            out->values[i] = fmax(out->values[i], out->series[r * out->column_count + i]);
    }
    return CDG_OK;
}

// The last word on a case: what it comes to, or why it failed.
static cdg_result conclude(runner *run, cdg_result result, cdg_error *error) {
    if (result == CDG_OK) result = take_values(run, error);
    run->out->code = result;
    if (result != CDG_OK) snprintf(run->out->sentence, sizeof run->out->sentence, "%s", error->message);
    free(run->picked);
    free(run->measured);
    free(run->modes);
    cdg_probe_row_free(&run->row);
    cdg_run_peaks_free(&run->peaks);
    cdg_world_destroy(run->world);
    cdg_scene_destroy(run->scene);
    return result;
}

cdg_result cdg_case_run(const cdg_case_def *def, cdg_case_result *out) {
    cdg_error error = {0};
    *out = (cdg_case_result){0};
    runner run = {.def = def, .out = out};
    cdg_result result = cdg_case_read(def, &run.scene, &error);
    if (result == CDG_OK) result = def->directory == NULL ? run_in_memory(&run, &error) : run_in_folder(&run, &error);
    return conclude(&run, result, &error);
}

// ---- in parts -------------------------------------------------------------------------------------------------------

cdg_result cdg_case_open(const cdg_case_def *def, cdg_case_result *out, cdg_case_runner **runner_out) {
    cdg_error error = {0};
    *out = (cdg_case_result){0};
    runner *run = calloc(1, sizeof *run);
    *runner_out = NULL;
    if (run == NULL) return out->code = CDG_ERROR_MEMORY;
    *run = (runner){.def = def, .out = out};
    cdg_result result = cdg_case_read(def, &run->scene, &error);
    if (result == CDG_OK) result = build(run, &error);
    if (result == CDG_OK && run->scene->mode == SCENE_STATIC)
        result = cdg_fail(&error, CDG_ERROR_UNSUPPORTED, "a static case has no steps");
    if (result == CDG_OK) result = start_dynamic(run, &error);
    if (result == CDG_OK) {
        *runner_out = run;
        return CDG_OK;
    }
    conclude(run, result, &error);
    free(run);
    return result;
}

cdg_world *cdg_case_world(cdg_case_runner *run) { return run->world; }

const cdg_run_plan *cdg_case_plan(const cdg_case_runner *run) { return &run->plan; }

cdg_result cdg_case_close(cdg_case_runner *run, cdg_result result, cdg_error *error) {
    if (run == NULL) return CDG_OK;
    take_doubts(run);
    result = conclude(run, result, error);
    free(run);
    return result;
}

void cdg_case_result_free(cdg_case_result *result) {
    cdg_case_titles_free(result->titles, result->column_count);
    free(result->times);
    free(result->series);
    free(result->values);
    free(result->rates);
    *result = (cdg_case_result){0};
}
