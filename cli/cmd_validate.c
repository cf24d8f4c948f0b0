// cordage validate: runs validation cases and prints value, reference, error and tolerance of each row.
#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "output/disk.h"
#include "progress.h"
#include "terminal.h"
#include "validation/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const validation_case *find_case(const char *name) {
    for (size_t i = 0; i < validation_case_count; i++)
        if (strcmp(validation_cases[i].name, name) == 0) return &validation_cases[i];
    return NULL;
}

static bool refuse_case(const char *name) {
    const char **names = calloc(validation_case_count + 1, sizeof *names);
    for (size_t i = 0; names && i < validation_case_count; i++) names[i] = validation_cases[i].name;
    const char *nearest = names ? nearest_word(name, names, validation_case_count) : NULL;
    if (nearest)
        complain("there is no validation case '%s'; did you mean '%s'?", name, nearest);
    else
        complain("there is no validation case '%s'; 'cordage validate --list' lists them", name);
    free(names);
    return false;
}

static void add_case_json(cdg_json *json, const validation_case *item) {
    cdg_json_text(json, "name", item->name);
    cdg_json_text(json, "shows", item->shows);
    cdg_json_text(json, "source", item->source);
    cdg_json_text(json, "spoiler", item->spoiler);
}

static void list_cases(const command_line *line) {
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_begin_array(&json, "cases");
        for (size_t i = 0; i < validation_case_count; i++) {
            cdg_json_begin_object(&json, NULL);
            add_case_json(&json, &validation_cases[i]);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        json_print(&json);
        return;
    }
    for (size_t i = 0; i < validation_case_count; i++) {
        const validation_case *item = &validation_cases[i];
        if (has_option(line, "quiet"))
            printf("%s\n", item->name);
        else
            printf("%s\n    %s\n    source: %s\n    fails with: --wrong %s\n", item->name, item->shows, item->source,
                   item->spoiler);
    }
}

typedef struct case_progress {
    progress_bar bar;
    double began; // s
    size_t index, count;
    const char *name;
} case_progress;

static void on_progress(void *user, double fraction) {
    case_progress *progress = user;
    double elapsed = cdg_disk_clock() - progress->began;
    if (!progress_is_due(&progress->bar, elapsed)) return;
    const char *const parts[] = {progress->name};
    progress_draw(&progress->bar, elapsed, ((double)progress->index + fraction) / (double)progress->count, parts, 1);
}

static void print_rows(const terminal *target, const validation_case *item, const validation_context *context,
                       double seconds) {
    bool pass = validation_all_passed(context);
    size_t column = 0;
    for (size_t i = 0; i < context->row_count; i++) {
        size_t length = text_columns(context->rows[i].label);
        if (length > column) column = length;
    }
    printf("%s%s%s: %s (%s)\n", terminal_style_code(target, STYLE_BOLD), item->name,
           terminal_style_code(target, STYLE_PLAIN), item->shows, format_seconds(seconds).text);
    printf("  %-*s  %16s  %16s  %10s  %10s\n", (int)column, "", "value", "reference", "error", "tolerance");
    for (size_t i = 0; i < context->row_count; i++) {
        const validation_row *row = &context->rows[i];
        char value[64], reference[64] = "";
        snprintf(value, sizeof value, "%.8g %s", row->value, row->unit);
        if (!isnan(row->reference)) snprintf(reference, sizeof reference, "%.8g %s", row->reference, row->unit);
        printf("  %s%*s  %16s  %16s  %9.3g%c  %9.3g%c  %s%s%s\n", row->label, (int)(column - text_columns(row->label)),
               "", value, reference, row->is_relative ? 100 * row->error : row->error, row->is_relative ? '%' : ' ',
               row->is_relative ? 100 * row->tolerance : row->tolerance, row->is_relative ? '%' : ' ',
               terminal_style_code(target, row->pass ? STYLE_GREEN : STYLE_RED), row->pass ? "pass" : "FAIL",
               terminal_style_code(target, STYLE_PLAIN));
    }
    printf("  source: %s\n", item->source);
    if (!pass && context->row_count == 0) printf("  FAIL: the case gave no rows\n");
    printf("\n");
    fflush(stdout);
}

static void add_rows_json(cdg_json *json, const validation_case *item, const validation_context *context, bool pass,
                          const char *message, double seconds) {
    cdg_json_begin_object(json, NULL);
    add_case_json(json, item);
    cdg_json_boolean(json, "pass", pass);
    cdg_json_text(json, "message", message);
    cdg_json_number(json, "seconds", seconds);
    cdg_json_begin_array(json, "rows");
    for (size_t i = 0; i < context->row_count; i++) {
        const validation_row *row = &context->rows[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "label", row->label);
        cdg_json_text(json, "unit", row->unit);
        cdg_json_number(json, "value", row->value);
        cdg_json_number(json, "reference", row->reference);
        cdg_json_number(json, "error", row->error);
        cdg_json_number(json, "tolerance", row->tolerance);
        cdg_json_text(json, "measure", row->is_relative ? "relative" : "absolute");
        cdg_json_boolean(json, "pass", row->pass);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_end(json);
}

typedef struct validation_run {
    const command_line *line;
    case_progress progress;
    cdg_json json;
    bool as_json, quiet;
    size_t failed, rows;
} validation_run;

static void run_case(validation_run *run, const validation_case *item, const validation_factors *factor) {
    terminal target = terminal_for(stdout);
    validation_context context = validation_context_default();
    cdg_error error = {.code = CDG_OK};
    context.factor = *factor;
    context.is_quick = has_option(run->line, "quick");
    context.on_progress = on_progress;
    context.user = &run->progress;
    run->progress.name = item->name;
    run->progress.bar.next = 0; // so that each case's name is seen
    double began = cdg_disk_clock();
    on_progress(&run->progress, 0);
    cdg_result result = item->run(&context, &error);
    double seconds = cdg_disk_clock() - began;
    bool pass = result == CDG_OK && validation_all_passed(&context);
    run->failed += !pass;
    run->rows += context.row_count;
    progress_clear(&run->progress.bar);
    if (run->as_json)
        add_rows_json(&run->json, item, &context, pass, result == CDG_OK ? NULL : error.message, seconds);
    else if (!run->quiet || !pass)
        print_rows(&target, item, &context, seconds);
    if (result != CDG_OK) complain("%s: %s", item->name, error.message);
    validation_context_free(&context);
}

exit_status cmd_validate(const command_line *line) {
    if (has_option(line, "list")) {
        list_cases(line);
        return EXIT_STATUS_DONE;
    }
    validation_context wrong = validation_context_default();
    const char *item;
    for (size_t i = 0; (item = option_list_item(line, "wrong", i)); i++) {
        cdg_error error;
        if (validation_set_factor(&wrong, item, &error) != CDG_OK) {
            complain("--wrong: %s", error.message);
            return EXIT_STATUS_REFUSED;
        }
    }
    for (size_t i = 0; i < line->word_count; i++)
        if (!find_case(line->words[i]) && !refuse_case(line->words[i])) return EXIT_STATUS_REFUSED;

    validation_run run = {.line = line, .as_json = has_option(line, "json"), .quiet = has_option(line, "quiet")};
    size_t count = line->word_count > 0 ? line->word_count : validation_case_count;
    run.progress =
        (case_progress){.bar = progress_begin(stderr, !run.quiet), .began = cdg_disk_clock(), .count = count};
    if (run.as_json) {
        run.json = json_begin(line->command->name);
        cdg_json_begin_array(&run.json, "cases");
    }
    for (size_t i = 0; i < count; i++) {
        run.progress.index = i;
        run_case(&run, line->word_count > 0 ? find_case(line->words[i]) : &validation_cases[i], &wrong.factor);
    }
    if (run.as_json) {
        cdg_json_end(&run.json);
        cdg_json_boolean(&run.json, "pass", run.failed == 0);
        json_print(&run.json);
    } else if (!run.quiet) {
        printf("%zu of %zu cases passed (%zu rows, %s)\n", count - run.failed, count, run.rows,
               format_seconds(cdg_disk_clock() - run.progress.began).text);
    }
    return run.failed == 0 ? EXIT_STATUS_DONE : EXIT_STATUS_FAILED;
}
