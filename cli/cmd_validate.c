// cordage validate: runs validation cases and prints value, reference, error and tolerance of each row.
#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "output/disk.h"
#include "progress.h"
#include "terminal.h"
#include "validate_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void list_cases(const command_line *line) {
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_begin_array(&json, "cases");
        for (size_t i = 0; i < validation_case_count; i++) {
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", validation_cases[i].name);
            cdg_json_text(&json, "shows", validation_cases[i].shows);
            cdg_json_text(&json, "source", validation_cases[i].source);
            cdg_json_text(&json, "spoiler", validation_cases[i].spoiler);
            cdg_json_text(&json, "reason", validation_cases[i].reason);
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

static void print_row(const terminal *target, const validation_row *row, int column) {
    char value[64], reference[64] = "", error[32] = "", tolerance[32] = "";
    snprintf(value, sizeof value, "%.8g %s", row->value, row->unit);
    if (!isnan(row->reference)) snprintf(reference, sizeof reference, "%.8g %s", row->reference, row->unit);
    if (row->kind != VALIDATION_INFORMATION) {
        double scale = row->is_relative ? 100 : 1;
        snprintf(error, sizeof error, "%9.3g%c", scale * row->error, row->is_relative ? '%' : ' ');
        snprintf(tolerance, sizeof tolerance, "%9.3g%c", scale * row->tolerance, row->is_relative ? '%' : ' ');
    }
    printf("  %s%*s  %16s  %16s  %10s  %10s  %s%s%s\n", row->label, column - (int)text_columns(row->label), "", value,
           reference, error, tolerance, terminal_style_code(target, row->pass ? STYLE_GREEN : STYLE_RED),
           !row->pass                            ? "FAIL"
           : row->kind == VALIDATION_INFORMATION ? "measured"
                                                 : "pass",
           terminal_style_code(target, STYLE_PLAIN));
    if (row->seed != VALIDATION_NO_SEED) printf("      %s: %s\n", validation_seed_name(row->seed), row->theirs);
}

// Which models ran, and why others did not: models with one reason stand together.
static void print_models(const case_result *result) {
    bool is_told[VALIDATION_MODEL_COUNT] = {false};
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        if (is_told[m]) continue;
        const char *status = validation_model_status(result->item, &result->context, (validation_model)m);
        printf("  %s ", result->context.has_run[m] ? "ran under:" : "not under:");
        for (int k = m; k < VALIDATION_MODEL_COUNT; k++) {
            const char *other = validation_model_status(result->item, &result->context, (validation_model)k);
            if (is_told[k] || (status == NULL) != (other == NULL) || (status && strcmp(status, other) != 0)) continue;
            printf("%s%s", k > m ? ", " : "", validation_model_name((validation_model)k));
            is_told[k] = true;
        }
        if (result->context.has_run[m])
            printf("\n");
        else
            printf(" (%s)\n", status != NULL ? status : "nobody says why");
    }
}

static void print_result(const terminal *target, const case_result *result) {
    const validation_case *item = result->item;
    const validation_context *context = &result->context;
    size_t column = 0;
    for (size_t i = 0; i < context->row_count; i++) {
        size_t length = text_columns(context->rows[i].label);
        if (length > column) column = length;
    }
    printf("%s%s%s: %s (%s, %s of processor time)\n", terminal_style_code(target, STYLE_BOLD), item->name,
           terminal_style_code(target, STYLE_PLAIN), item->shows, format_seconds(result->seconds).text,
           format_seconds(result->cpu_seconds).text);
    printf("  %-*s  %16s  %16s  %10s  %10s\n", (int)column, "", "value", "reference", "error", "tolerance");
    for (size_t i = 0; i < context->row_count; i++) print_row(target, &context->rows[i], (int)column);
    double order = observed_order(context, VALIDATION_MODEL_COUNT);
    if (!isnan(order)) printf("  observed order of convergence: %.2f\n", order);
    printf("  tolerance: %s\n", item->reason != NULL ? item->reason : "");
    print_models(result);
    printf("  source: %s\n", item->source);
    if (!result->pass && context->row_count == 0) printf("  FAIL: the case gave no rows\n");
    printf("\n");
    fflush(stdout);
}

static void run_case(const command_line *line, const validation_factors *factor, case_progress *progress,
                     case_result *result) {
    validation_context *context = &result->context;
    *context = validation_context_default();
    context->factor = *factor;
    context->is_quick = has_option(line, "quick");
    context->is_exhaustive = has_option(line, "exhaustive");
    context->wants_pictures = option_text(line, "html") != NULL;
    context->stops_at_failure = context->is_quick && has_option(line, "wrong");
    context->on_progress = on_progress;
    context->user = progress;
    progress->name = result->item->name;
    progress->bar.next = 0; // so that each case's name is seen
    double began = cdg_disk_clock();
    clock_t ticks = clock();
    on_progress(progress, 0);
    result->error.code = CDG_OK;
    cdg_result code = validation_run_case(result->item, context, &result->error);
    result->error.code = code;
    result->seconds = cdg_disk_clock() - began;
    result->cpu_seconds = (double)(clock() - ticks) / CLOCKS_PER_SEC;
    result->pass = code == CDG_OK && validation_all_passed(context);
    progress_clear(&progress->bar);
    bool is_text = !has_option(line, "json") && !has_option(line, "markdown");
    if (is_text && (!has_option(line, "quiet") || !result->pass)) {
        terminal target = terminal_for(stdout);
        print_result(&target, result);
    }
    if (code != CDG_OK) complain("%s: %s", result->item->name, result->error.message);
}

static void free_results(validate_results *results) {
    for (size_t i = 0; i < results->count; i++) validation_context_free(&results->cases[i].context);
    free(results->cases);
}

static exit_status report(const command_line *line, const validate_results *results) {
    const char *page = option_text(line, "html");
    cdg_error error;
    if (page != NULL && validate_results_html(results, page, &error) != CDG_OK) {
        complain("--html: %s", error.message);
        return EXIT_STATUS_FAILED;
    }
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        validate_results_json(results, &json);
        json_print(&json);
    } else if (has_option(line, "markdown")) {
        validate_results_markdown(results);
    } else if (!has_option(line, "quiet")) {
        printf("%zu of %zu cases passed (%zu rows, %s, %s of processor time)\n", results->count - results->failed,
               results->count, results->rows, format_seconds(results->seconds).text,
               format_seconds(results->cpu_seconds).text);
    }
    return results->failed == 0 ? EXIT_STATUS_DONE : EXIT_STATUS_FAILED;
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

    if (has_option(line, "quick") && has_option(line, "exhaustive")) {
        complain(
            "--quick and --exhaustive say how much is done; give one of them, or none for all cases in less than 40 "
            "minutes");
        return EXIT_STATUS_REFUSED;
    }
    size_t count = line->word_count > 0 ? line->word_count : validation_case_count;
    validate_results results = {.cases = calloc(count, sizeof *results.cases),
                                .is_quick = has_option(line, "quick"),
                                .is_exhaustive = has_option(line, "exhaustive")};
    if (results.cases == NULL) {
        complain("out of memory");
        return EXIT_STATUS_FAILED;
    }
    case_progress progress = {
        .bar = progress_begin(stderr, !has_option(line, "quiet")), .began = cdg_disk_clock(), .count = count};
    for (size_t i = 0; i < count; i++) {
        case_result *result = &results.cases[results.count++];
        result->item = line->word_count > 0 ? find_case(line->words[i]) : &validation_cases[i];
        progress.index = i;
        run_case(line, &wrong.factor, &progress, result);
        results.failed += !result->pass;
        results.rows += result->context.row_count;
        results.seconds += result->seconds;
        results.cpu_seconds += result->cpu_seconds;
    }
    results.is_complete = line->word_count == 0;
    exit_status status = report(line, &results);
    free_results(&results);
    return status;
}
