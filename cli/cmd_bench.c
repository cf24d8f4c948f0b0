// cordage bench: runs workloads and prints median, least and spread beside the bar, and on which machine.
#include "bench/cases.h"
#include "bench_baseline.h"
#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The build may say which flags it used; without that only what the compiler itself tells is known.
#ifndef CDG_BUILD_FLAGS
#ifdef __OPTIMIZE__
#define CDG_BUILD_FLAGS "optimised; exact flags not recorded by the build"
#else
#define CDG_BUILD_FLAGS "NOT optimised: these figures say nothing about a release build"
#endif
#endif
#ifdef __clang__
#define COMPILER __VERSION__ // names itself
#else
#define COMPILER "gcc " __VERSION__
#endif

typedef struct machine {
    char processor[128];
    char load[32]; // load average of the last minute: other work disturbs the figures
} machine;

static machine describe_machine(void) {
    machine found = {.processor = "unknown", .load = "unknown"};
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(found.processor, sizeof found.processor, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file) fclose(file);
    file = fopen("/proc/loadavg", "r");
    if (file && fgets(line, sizeof line, file))
        snprintf(found.load, sizeof found.load, "%.*s", (int)strcspn(line, " \n"), line);
    if (file) fclose(file);
    return found;
}

static const bench_case *find_workload(const char *name) {
    for (size_t i = 0; i < bench_case_count; i++)
        if (strcmp(bench_cases[i].name, name) == 0) return &bench_cases[i];
    return NULL;
}

static bool refuse_workload(const char *name) {
    const char **names = calloc(bench_case_count + 1, sizeof *names);
    for (size_t i = 0; names && i < bench_case_count; i++) names[i] = bench_cases[i].name;
    const char *nearest = names ? nearest_word(name, names, bench_case_count) : NULL;
    if (nearest)
        complain("there is no workload '%s'; did you mean '%s'?", name, nearest);
    else
        complain("there is no workload '%s'; 'cordage bench --list' lists them", name);
    free(names);
    return false;
}

static void list_workloads(const command_line *line) {
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_begin_array(&json, "workloads");
        for (size_t i = 0; i < bench_case_count; i++) {
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", bench_cases[i].name);
            cdg_json_text(&json, "what", bench_cases[i].what);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        json_print(&json);
        return;
    }
    size_t column = 0;
    for (size_t i = 0; i < bench_case_count; i++)
        if (strlen(bench_cases[i].name) > column) column = strlen(bench_cases[i].name);
    for (size_t i = 0; i < bench_case_count; i++) {
        if (has_option(line, "quiet"))
            printf("%s\n", bench_cases[i].name);
        else
            printf("  %-*s  %s\n", (int)column, bench_cases[i].name, bench_cases[i].what);
    }
}

typedef struct bench_run {
    progress_bar bar;
    double began;
    size_t index, count;
    const char *name;
    bool as_json, quiet;
    cdg_json json;
    const bench_baseline *baseline; // NULL: none
    size_t compared, regressed;     // rows
    bool failed;
} bench_run;

static void on_progress(void *user, double fraction) {
    bench_run *run = user;
    double elapsed = bench_clock() - run->began;
    if (!progress_is_due(&run->bar, elapsed)) return;
    const char *const parts[] = {run->name};
    progress_draw(&run->bar, elapsed, ((double)run->index + fraction) / (double)run->count, parts, 1);
}

// Ratio to the baseline's median; 0: it has none.
static double ratio_to_baseline(const bench_run *run, const bench_case *item, const bench_row *row) {
    double before;
    bool is_there = run->baseline != NULL && row->sample_count > 0 && row->median > 0 &&
                    bench_baseline_find(run->baseline, item->name, row->label, row->unit, &before);
    return is_there ? row->median / before : 0;
}

// Counts are not speeds: rows without a unit are not judged.
static bool is_regressed(const bench_run *run, const bench_case *item, const bench_row *row) {
    return row->unit[0] != '\0' && bench_is_regression(ratio_to_baseline(run, item, row), 1);
}

static void compare_rows(bench_run *run, const bench_case *item, const bench_context *context) {
    for (size_t i = 0; i < context->row_count; i++) {
        const bench_row *row = &context->rows[i];
        double ratio = ratio_to_baseline(run, item, row);
        run->compared += ratio > 0;
        if (!is_regressed(run, item, row)) continue;
        run->regressed++;
        complain("%s%s%s: slower than the baseline by %.0f %%", item->name, row->label[0] ? ", " : "", row->label,
                 100 * (ratio - 1));
    }
}

static const char *limit_name(const bench_row *row) {
    return row->limit_arithmetic > row->limit_memory ? "arithmetic" : "memory";
}

static void print_rows(const bench_run *run, const bench_case *item, const bench_context *context) {
    size_t column = 24;
    for (size_t i = 0; i < context->row_count; i++)
        if (text_columns(context->rows[i].label) > column) column = text_columns(context->rows[i].label);
    printf("%s: %s\n", item->name, item->what);
    bool has_limit = false;
    for (size_t i = 0; i < context->row_count; i++) has_limit = has_limit || bench_row_limit(&context->rows[i]) > 0;
    printf("  %-*s  %10s  %10s  %7s  %10s", (int)column, "", "median", "least", "spread", "bar");
    if (has_limit) printf("  %9s  %-10s", "of limit", "set by");
    if (run->baseline) printf("  %8s", "before");
    printf("  unit\n");
    for (size_t i = 0; i < context->row_count; i++) {
        const bench_row *row = &context->rows[i];
        char bar[32] = "-", spread[32] = "-";
        if (row->bar > 0) snprintf(bar, sizeof bar, "%g", row->bar);
        if (row->sample_count > 1) snprintf(spread, sizeof spread, "%.0f %%", 100 * row->spread);
        if (row->sample_count == 0) continue;
        printf("  %-*s  %10.4g  %10.4g  %7s  %10s", (int)column, row->label, row->median, row->least, spread, bar);
        double limit = bench_row_limit(row);
        if (has_limit && limit > 0) printf("  %7.2g %%  %-10s", 100 * limit / row->median, limit_name(row));
        if (has_limit && !(limit > 0)) printf("  %9s  %-10s", "-", "");
        double ratio = ratio_to_baseline(run, item, row);
        if (run->baseline && ratio > 0) printf("  %+6.1f %%", 100 * (ratio - 1));
        if (run->baseline && !(ratio > 0)) printf("  %8s", "-");
        printf("  %s%s%s\n", row->unit,
               row->bar > 0 ? row->median <= row->bar ? "  (within the bar)" : "  (above the bar)" : "",
               is_regressed(run, item, row) ? "  REGRESSION" : "");
    }
    printf("\n");
    fflush(stdout);
}

static void add_rows_json(bench_run *run, const bench_case *item, const bench_context *context, const char *message) {
    cdg_json *json = &run->json;
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "name", item->name);
    cdg_json_text(json, "what", item->what);
    cdg_json_text(json, "failed_check", context->failed_check[0] ? context->failed_check : NULL);
    cdg_json_text(json, "message", message);
    cdg_json_begin_array(json, "rows");
    for (size_t i = 0; i < context->row_count; i++) {
        const bench_row *row = &context->rows[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "label", row->label);
        cdg_json_text(json, "unit", row->unit);
        cdg_json_number(json, "median", row->median);
        cdg_json_number(json, "least", row->least);
        cdg_json_number(json, "spread", row->spread);
        if (row->bar > 0)
            cdg_json_number(json, "bar", row->bar);
        else
            cdg_json_null(json, "bar");
        double limit = bench_row_limit(row);
        cdg_json_number(json, "limit_memory", row->limit_memory > 0 ? row->limit_memory : NAN);
        cdg_json_number(json, "limit_arithmetic", row->limit_arithmetic > 0 ? row->limit_arithmetic : NAN);
        cdg_json_number(json, "fraction_of_limit", limit > 0 && row->median > 0 ? limit / row->median : NAN);
        if (run->baseline) {
            double ratio = ratio_to_baseline(run, item, row);
            cdg_json_number(json, "ratio_to_baseline", ratio > 0 ? ratio : NAN);
            cdg_json_boolean(json, "regressed", is_regressed(run, item, row));
        }
        cdg_json_begin_array(json, "samples");
        for (size_t k = 0; k < row->sample_count; k++) cdg_json_number(json, NULL, row->samples[k]);
        cdg_json_end(json);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_end(json);
}

static void run_workload(bench_run *run, const bench_case *item, int repeat) {
    bench_context context = bench_context_default();
    cdg_error error = {.code = CDG_OK};
    context.repeat = repeat;
    context.on_progress = on_progress;
    context.user = run;
    run->name = item->name;
    run->bar.next = 0; // so that each workload's name is seen
    on_progress(run, 0);
    cdg_result result = item->run(&context, &error);
    if (result == CDG_OK && context.out_of_memory) {
        result = CDG_ERROR_MEMORY;
        snprintf(error.message, sizeof error.message, "%s", cdg_result_text(result));
    }
    bench_finish_rows(&context);
    progress_clear(&run->bar);
    if (run->as_json)
        add_rows_json(run, item, &context, result == CDG_OK ? NULL : error.message);
    else if (!run->quiet)
        print_rows(run, item, &context);
    compare_rows(run, item, &context);
    if (result != CDG_OK) complain("%s: %s", item->name, error.message);
    if (context.failed_check[0]) complain("%s: this does not hold: %s", item->name, context.failed_check);
    if (result != CDG_OK || context.failed_check[0]) run->failed = true;
    bench_context_free(&context);
}

exit_status cmd_bench(const command_line *line) {
    if (has_option(line, "list")) {
        list_workloads(line);
        return EXIT_STATUS_DONE;
    }
    for (size_t i = 0; i < line->word_count; i++)
        if (!find_workload(line->words[i]) && !refuse_workload(line->words[i])) return EXIT_STATUS_REFUSED;

    machine here = describe_machine();
    bench_baseline *baseline = NULL;
    const char *against = option_text(line, "against");
    cdg_error error;
    if (against != NULL && bench_baseline_read(against, &baseline, &error) != CDG_OK) {
        complain("%s", error.message);
        return EXIT_STATUS_REFUSED;
    }
    if (baseline && strcmp(bench_baseline_processor(baseline), here.processor) != 0)
        complain("%s was measured on another processor, '%s': ratios compare machines, not versions", against,
                 bench_baseline_processor(baseline));
    int repeat = (int)option_integer(line, "repeat", bench_context_default().repeat);
    bench_run run = {.as_json = has_option(line, "json"),
                     .quiet = has_option(line, "quiet"),
                     .began = bench_clock(),
                     .baseline = baseline};
    run.bar = progress_begin(stderr, !run.quiet);
    run.count = line->word_count > 0 ? line->word_count : bench_case_count;
    if (run.as_json) {
        run.json = json_begin(line->command->name);
        cdg_json_text(&run.json, "processor", here.processor);
        cdg_json_text(&run.json, "compiler", COMPILER);
        cdg_json_text(&run.json, "flags", CDG_BUILD_FLAGS);
        cdg_json_text(&run.json, "load_average", here.load);
        cdg_json_integer(&run.json, "repeat", (uint64_t)repeat);
        cdg_json_begin_array(&run.json, "workloads");
    } else if (!run.quiet) {
        printf(
            "processor: %s (load average before: %s)\ncompiler:  %s\nflags:     %s\nsamples:   %d of each; 'spread' is "
            "(largest - least)/median\n\n",
            here.processor, here.load, COMPILER, CDG_BUILD_FLAGS, repeat);
    }
    for (size_t i = 0; i < run.count; i++) {
        run.index = i;
        run_workload(&run, line->word_count > 0 ? find_workload(line->words[i]) : &bench_cases[i], repeat);
    }
    if (run.as_json) {
        cdg_json_end(&run.json);
        if (baseline) {
            cdg_json_integer(&run.json, "compared", run.compared);
            cdg_json_integer(&run.json, "regressed", run.regressed);
        }
        json_print(&run.json);
    } else if (baseline && !run.quiet) {
        printf("%s compared with %s, %zu slower by more than 10 %%\n", format_plural(run.compared, "figure").text,
               against, run.regressed);
    }
    if (run.regressed > 0) run.failed = true;
    bench_baseline_free(baseline);
    return run.failed ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}
