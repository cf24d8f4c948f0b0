// A sweep as a whole, and its cases one by one.
#include "sweep/sweep.h"

#include "base/error.h"
#include "output/algorithm.h"
#include "sweep/case_time.h"
#include "sweep/lanes.h"
#include "sweep/sweep_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_sweep_vary(cdg_sweep *sweep, const char *text, cdg_error *error) {
    cdg_vary *grown = realloc(sweep->varies, (sweep->vary_count + 1) * sizeof *grown);
    if (grown == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    sweep->varies = grown;
    cdg_result result = cdg_vary_parse(text, &sweep->varies[sweep->vary_count], error);
    sweep->vary_count++; // also what is half read is freed
    return result;
}

void cdg_sweep_free(cdg_sweep *sweep) {
    for (size_t i = 0; i < sweep->vary_count; i++) cdg_vary_free(&sweep->varies[i]);
    free(sweep->varies);
    free(sweep->runs);
    cdg_design_free(&sweep->design);
    cdg_readout_free(&sweep->readout);
    *sweep = (cdg_sweep){0};
}

// ---- preparing ------------------------------------------------------------------------------------------------------

static cdg_result check_labels(const cdg_sweep *sweep, cdg_error *error) {
    if (sweep->vary_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "nothing varies; say what does with --vary \"PATH=VALUES\", such as "
                        "--vary \"rods.cable.elements=10, 20, 50\"");
    return cdg_varies_check(sweep->varies, sweep->vary_count, error);
}

// A table has each name once: with or without its unit, and beside the columns that every table has.
static cdg_result check_columns(const cdg_sweep *sweep, cdg_error *error) {
    static const char *const own[] = {"case", "outcome", "reason"};
    size_t own_count = sizeof own / sizeof *own, first = own_count + sweep->vary_count;
    size_t count = first + sweep->readout.column_count;
    const char **names = malloc(count * sizeof *names);
    if (names == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        names[i] = i < own_count ? own[i]
                   : i < first   ? sweep->varies[i - own_count].label
                                 : sweep->readout.titles[i - first];
    cdg_result result = CDG_OK;
    for (size_t i = own_count; i < count && result == CDG_OK; i++) {
        int length = (int)(i < first ? strlen(names[i]) : strcspn(names[i], " "));
        for (size_t k = 0; k < i && result == CDG_OK; k++) {
            bool is_same = strncmp(names[i], names[k], (size_t)length) == 0 &&
                           (names[k][length] == '\0' || (k >= first && names[k][length] == ' '));
            if (!is_same) continue;
            result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                              i < first ? "a variable cannot be called '%.*s', which every table has; name it otherwise"
                              : k < first ? "there are a variable and a probe's column '%.*s'; name the variable "
                                            "otherwise (NAME: PATH=VALUES)"
                                          : "the column '%.*s' would be in the table twice; ask for it once (--probe)",
                              length, names[i]);
        }
    }
    free(names);
    return result;
}

// Reads the scene as case `index` has it.
static cdg_result try_case(const cdg_sweep *sweep, size_t index, cdg_scene **out, cdg_error *error) {
    size_t count;
    char **overrides = cdg_design_overrides(&sweep->design, index, &count);
    if (overrides == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    cdg_case_def def = {.source = &sweep->source, .overrides = (const char *const *)overrides, .override_count = count};
    cdg_result result = cdg_case_read(&def, out, error);
    cdg_design_overrides_free(overrides, count);
    return result;
}

// rods.0.elements and rods.beam.elements may be one place: paths of the same parts, but for numbers in place of names.
static bool may_be_one(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        size_t la = strcspn(a, "."), lb = strcspn(b, ".");
        bool is_number = (strspn(a, "0123456789") == la) != (strspn(b, "0123456789") == lb);
        if (!is_number && (la != lb || strncmp(a, b, la) != 0)) return false;
        a += la + (a[la] == '.');
        b += lb + (b[lb] == '.');
    }
    return *a == *b;
}

// Is what no scene accepts at `first` overwritten by `second` with what case `index` has there?
static bool is_overwritten(const cdg_sweep *sweep, size_t index, const char *first, const char *second) {
    size_t count, length = strlen(second);
    char **overrides = cdg_design_overrides(&sweep->design, index, &count), nonsense[CDG_MESSAGE_SIZE];
    const char *pair[2] = {nonsense, NULL};
    snprintf(nonsense, sizeof nonsense, "%.900s={nonsense: [nonsense]}", first);
    for (size_t i = 0; overrides != NULL && i < count; i++)
        if (strncmp(overrides[i], second, length) == 0 && overrides[i][length] == '=') pair[1] = overrides[i];
    cdg_case_def def = {.source = &sweep->source, .overrides = pair, .override_count = 2};
    cdg_scene *scene = NULL;
    cdg_error ignored;
    bool is_good = pair[1] != NULL && cdg_case_read(&def, &scene, &ignored) == CDG_OK;
    cdg_scene_destroy(scene);
    cdg_design_overrides_free(overrides, count);
    return is_good;
}

// What cdg_varies_check cannot know without the scene.
static cdg_result check_places(const cdg_sweep *sweep, size_t index, cdg_error *error) {
    for (size_t i = 0; i < sweep->vary_count; i++)
        for (size_t k = 0; k < i; k++) {
            const cdg_vary *later = &sweep->varies[i], *earlier = &sweep->varies[k];
            for (size_t p = 0; p < later->path_count * earlier->path_count; p++) {
                const char *one = earlier->paths[p % earlier->path_count], *two = later->paths[p / earlier->path_count];
                if (may_be_one(one, two) && is_overwritten(sweep, index, one, two))
                    return cdg_fail(
                        error, CDG_ERROR_ARGUMENT,
                        "'%.200s' and '%.200s' are the same place of the scene, so the second would undo the "
                        "first; leave one of them out",
                        one, two);
            }
        }
    return CDG_OK;
}

static cdg_result find_readable(cdg_sweep *sweep, size_t *index, cdg_error *error) {
    const size_t tried[] = {0, sweep->design.case_count / 2, sweep->design.case_count - 1};
    cdg_error first = {0};
    for (size_t i = 0; i < 3; i++) {
        cdg_scene *scene = NULL;
        cdg_result result = try_case(sweep, tried[i], &scene, i == 0 ? &first : error);
        cdg_scene_destroy(scene);
        *index = tried[i];
        if (result == CDG_OK) return CDG_OK;
    }
    return cdg_fail(error, first.code, "%s", first.message);
}

static cdg_result find_columns(cdg_sweep *sweep, size_t index, cdg_error *error) {
    size_t count;
    char **overrides = cdg_design_overrides(&sweep->design, index, &count);
    if (overrides == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    cdg_case_def def = {.source = &sweep->source, .overrides = (const char *const *)overrides, .override_count = count};
    cdg_result result = cdg_readout_find(&sweep->readout, &def, error);
    cdg_design_overrides_free(overrides, count);
    sweep->source.probes = (const char *const *)sweep->readout.names;
    sweep->source.probe_count = sweep->readout.wish_count;
    return result;
}

// A variable that the scene has no use for makes a table of equal rows.
static void find_warning(cdg_sweep *sweep, const cdg_scene *scene) {
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene) && sweep->warning[0] == '\0'; i++) {
        char line[CDG_MESSAGE_SIZE];
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(scene, i);
        cdg_scene_format_diagnostic(scene, i, line, sizeof line);
        for (size_t v = 0; v < sweep->vary_count && diagnostic.severity == CDG_WARNING; v++)
            for (size_t p = 0; p < sweep->varies[v].path_count; p++) {
                const char *path = sweep->varies[v].paths[p];
                size_t length = strlen(path);
                if (strncmp(line, "--set ", 6) == 0 && strncmp(line + 6, path, length) == 0 && line[6 + length] == ':')
                    snprintf(sweep->warning, sizeof sweep->warning, "%.200s: %.800s", path, diagnostic.text);
            }
    }
}

static uint64_t hash_text(uint64_t hash, const char *text) { return cdg_hash_bytes(hash, text, strlen(text) + 1); }

static uint64_t hash_number(uint64_t hash, uint64_t number) { return cdg_hash_bytes(hash, &number, sizeof number); }

static uint64_t hash_files(uint64_t hash, const cdg_scene *scene) {
    for (size_t i = 0; i < scene->file_count; i++) hash = hash_number(hash, scene->files[i].hash);
    return hash;
}

// Files that a list of words names are in no scene but those of their cases: the first case of each word is looked at.
static uint64_t hash_named_files(uint64_t hash, const cdg_sweep *sweep) {
    const cdg_design *design = &sweep->design;
    for (size_t v = 0; v < sweep->vary_count; v++) {
        size_t items = cdg_vary_is_number(&sweep->varies[v]) ? 0 : sweep->varies[v].item_count;
        for (size_t item = 0; item < items; item++) {
            size_t c = 0;
            while (c < design->case_count && design->values[c * design->vary_count + v] != (double)item) c++;
            cdg_scene *scene = NULL;
            cdg_error ignored;
            if (c < design->case_count && try_case(sweep, c, &scene, &ignored) == CDG_OK)
                hash = hash_files(hash, scene);
            cdg_scene_destroy(scene);
        }
    }
    return hash;
}

// Text of the scene and files that it names; overrides; paths and values of all cases; columns; methods.
static cdg_result make_fingerprint(cdg_sweep *sweep, size_t readable, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_result result = try_case(sweep, readable, &scene, error);
    if (result != CDG_OK) return result;
    uint64_t hash = cdg_hash_bytes(CDG_HASH_START, sweep->source.text, sweep->source.size);
    hash = hash_named_files(hash_files(hash, scene), sweep);
    find_warning(sweep, scene);
    cdg_scene_destroy(scene);
    for (size_t i = 0; i < sweep->source.override_count; i++) hash = hash_text(hash, sweep->source.overrides[i]);
    for (size_t i = 0; i < sweep->vary_count; i++) {
        hash = hash_text(hash_text(hash, sweep->varies[i].label), sweep->varies[i].unit);
        for (size_t k = 0; k < sweep->varies[i].path_count; k++) hash = hash_text(hash, sweep->varies[i].paths[k]);
        for (size_t k = 0; k < sweep->varies[i].item_count; k++) hash = hash_text(hash, sweep->varies[i].items[k]);
    }
    for (size_t i = 0; i < sweep->readout.column_count; i++) hash = hash_text(hash, sweep->readout.titles[i]);
    const cdg_design *design = &sweep->design;
    hash = cdg_hash_bytes(hash, design->values, design->case_count * design->vary_count * sizeof *design->values);
    hash = hash_number(hash, sweep->job_size);
    sweep->fingerprint = hash_number(hash, cdg_algorithm_version());
    return CDG_OK;
}

static cdg_result add_gradient(cdg_sweep *sweep, size_t readable, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_result result = try_case(sweep, readable, &scene, error);
    if (result == CDG_OK) result = cdg_sweep_gradient_prepare(sweep, scene, error);
    cdg_scene_destroy(scene);
    return result;
}

static cdg_result choose_lanes(cdg_sweep *sweep, size_t readable, cdg_error *error) {
    cdg_scene *scene = NULL;
    sweep->job_size = 1;
    if (sweep->wants_lanes) {
        cdg_result result = try_case(sweep, readable, &scene, error);
        if (result != CDG_OK) return result;
        if (sweep->runs != NULL)
            snprintf(sweep->note, sizeof sweep->note, "cases whose runs are kept go one by one");
        else if (cdg_lanes_may_take(scene, sweep->note, sizeof sweep->note))
            sweep->job_size = CDG_LANES_JOB_SIZE;
        cdg_scene_destroy(scene);
    }
    sweep->job_count = (sweep->design.case_count + sweep->job_size - 1) / sweep->job_size;
    return CDG_OK;
}

cdg_result cdg_sweep_prepare(cdg_sweep *sweep, cdg_error *error) {
    size_t readable = 0;
    sweep->source.takes_modes = true;
    cdg_result result = check_labels(sweep, error);
    if (result == CDG_OK)
        result = cdg_design_make(sweep->varies, sweep->vary_count, sweep->kind, sweep->samples, sweep->seed,
                                 &sweep->design, error);
    if (result == CDG_OK) result = find_readable(sweep, &readable, error);
    if (result == CDG_OK) result = check_places(sweep, readable, error);
    if (result == CDG_OK) result = find_columns(sweep, readable, error);
    if (result == CDG_OK && sweep->wants_gradient) result = add_gradient(sweep, readable, error);
    if (result == CDG_OK) result = check_columns(sweep, error);
    if (result == CDG_OK) result = choose_lanes(sweep, readable, error);
    if (result == CDG_OK) result = make_fingerprint(sweep, readable, error);
    return result;
}

// ---- doing ----------------------------------------------------------------------------------------------------------

static char *directory_of(const cdg_sweep *sweep, size_t index) {
    size_t size = strlen(sweep->runs) + 32;
    char *directory = malloc(size);
    if (directory != NULL) snprintf(directory, size, "%s/%06zu", sweep->runs, index);
    return directory;
}

// "tip_z [m]" of a case and "tip_z:max [m]" of the table.
static bool is_same_column(const char *own, const char *kept) {
    size_t length = strcspn(own, " ");
    return strncmp(own, kept, length) == 0 && (kept[length] == ' ' || kept[length] == ':') &&
           strcmp(own + length, kept + strcspn(kept, " ")) == 0;
}

// A case may have other rods, modes or probes than the one that the table was made for: which column differs, in words;
// "" when none does.
static void compare_columns(const cdg_sweep *sweep, const cdg_case_result *result, char *out, size_t size) {
    size_t count = sweep->readout.column_count - sweep->gradient_count;
    out[0] = '\0';
    if (result->column_count != count) {
        snprintf(out, size, "the case has %zu columns and the table %zu: rods and 'modes' must be as many in all cases",
                 result->column_count, count);
        return;
    }
    for (size_t i = 0; i < count && result->titles != NULL && out[0] == '\0'; i++)
        if (!is_same_column(result->titles[i], sweep->readout.titles[i]))
            snprintf(out, size,
                     "the case has the column '%.200s' and the table '%.200s': probes must be the same in all cases",
                     result->titles[i], sweep->readout.titles[i]);
}

// Numbers that are not finite are no result.
static const char *find_nonsense(const cdg_sweep *sweep, const double *values) {
    for (size_t i = 0; i < sweep->readout.column_count; i++)
        if (!isfinite(values[i])) return sweep->readout.titles[i];
    return NULL;
}

char *cdg_sweep_write_line(const cdg_sweep *sweep, size_t index, const cdg_case_result *result, double seconds,
                           size_t *size) {
    char sentence[CDG_MESSAGE_SIZE];
    double *values = malloc((sweep->readout.column_count + 1) * sizeof *values);
    if (values == NULL) return NULL;
    cdg_outcome outcome = {.index = index,
                           .has_failed = result->code != CDG_OK,
                           .seconds = seconds,
                           .solve = result->solve_seconds,
                           .values = values,
                           .sentence = (char *)result->sentence};
    if (!outcome.has_failed) {
        outcome.is_doubtful = result->doubt[0] != '\0';
        outcome.sentence = (char *)result->doubt;
        cdg_readout_take(&sweep->readout, result, values);
        size_t own = sweep->readout.column_count - sweep->gradient_count;
        for (size_t i = 0; i < sweep->gradient_count && result->rates != NULL; i++) values[own + i] = result->rates[i];
        const char *nonsense = find_nonsense(sweep, values);
        outcome.has_failed = nonsense != NULL;
        snprintf(sentence, sizeof sentence, "%.200s is not a finite number at the end", nonsense ? nonsense : "");
        char other[CDG_MESSAGE_SIZE];
        compare_columns(sweep, result, other, sizeof other);
        if (other[0] != '\0') {
            outcome.has_failed = true;
            memcpy(sentence, other, sizeof sentence);
        }
        if (outcome.has_failed) outcome.sentence = sentence;
    }
    char *line = cdg_outcome_write(&outcome, sweep->readout.column_count, size);
    free(values);
    return line;
}

char *cdg_sweep_do_case(const cdg_sweep *sweep, size_t index, cdg_sweep_go_on *go_on, void *user, size_t *size) {
    double began = cdg_case_clock();
    size_t count;
    char **overrides = cdg_design_overrides(&sweep->design, index, &count), *line = NULL;
    char *directory = sweep->runs != NULL ? directory_of(sweep, index) : NULL;
    if (overrides != NULL && (directory != NULL || sweep->runs == NULL)) {
        cdg_case_timer timer = {.limit = sweep->case_time, .began = began, .go_on = go_on, .user = user};
        cdg_case_def def = {.source = &sweep->source,
                            .overrides = (const char *const *)overrides,
                            .override_count = count,
                            .directory = directory,
                            .thread_count = 1,
                            .go_on = cdg_case_timer_go_on,
                            .user = &timer};
        cdg_sweep_rates rates = {.sweep = sweep,
                                 .index = index,
                                 .overrides = def.overrides,
                                 .override_count = count,
                                 .go_on = cdg_case_timer_go_on,
                                 .user = &timer};
        if (sweep->gradient_count > 0) {
            rates.rates = calloc(sweep->gradient_count, sizeof *rates.rates);
            def.on_row = cdg_sweep_gradient_on_row;
            def.go_on = cdg_sweep_gradient_go_on;
            def.user = &rates;
        }
        cdg_case_result result = {.code = CDG_ERROR_MEMORY};
        bool has_room = sweep->gradient_count == 0 || rates.rates != NULL;
        cdg_result code = has_room ? cdg_case_run(&def, &result) : CDG_ERROR_MEMORY;
        result.rates = rates.rates;
        bool is_late = code == CDG_ERROR_INTERRUPTED && timer.is_late;
        if (is_late) cdg_case_time_tell(sweep->case_time, &result);
        if (is_late || (code != CDG_ERROR_INTERRUPTED && code != CDG_ERROR_MEMORY))
            line = cdg_sweep_write_line(sweep, index, &result, cdg_case_clock() - began, size);
        cdg_case_result_free(&result);
    }
    free(directory);
    cdg_design_overrides_free(overrides, count);
    return line;
}

size_t cdg_sweep_cases_of(const cdg_sweep *sweep, size_t job, size_t *first) {
    *first = job * sweep->job_size;
    size_t left = sweep->design.case_count - *first;
    return left < sweep->job_size ? left : sweep->job_size;
}

bool cdg_sweep_do_job(const cdg_sweep *sweep, size_t job, cdg_sweep_go_on *go_on, void *user,
                      void (*give)(void *target, char *line, size_t size), void *target) {
    size_t first, count = cdg_sweep_cases_of(sweep, job, &first);
    if (sweep->job_size > 1) return cdg_lanes_run(sweep, first, count, go_on, user, give, target) == CDG_LANES_DONE;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        char *line = cdg_sweep_do_case(sweep, first + i, go_on, user, &size);
        if (line == NULL) return false;
        give(target, line, size);
    }
    return true;
}
