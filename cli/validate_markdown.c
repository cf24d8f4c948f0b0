// The results of validation as Markdown tables, for docs/validation.md.
#include "validate_results.h"

#include <math.h>
#include <stdio.h>

static void print_cell(const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

static void print_value(double value, const char *unit) {
    if (!isnan(value)) printf("%.4g%s%s", value, unit[0] != '\0' ? " " : "", unit);
}

static void print_case(const case_result *result) {
    double order = observed_order(&result->context, VALIDATION_MODEL_COUNT);
    printf("| `%s` | ", result->item->name);
    print_cell(result->item->shows);
    printf(" | %s %.2g | %zu | ", result->pass ? "pass" : "FAIL", worst_share(&result->context),
           result->context.row_count);
    if (!isnan(order)) printf("%.2f", order);
    printf(" |");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) printf(" %s |", result->context.has_run[m] ? "x" : "");
    printf(" %.2f s |\n", result->cpu_seconds);
}

static void print_seed(const validation_row *row) {
    printf("| %s | ", validation_seed_name(row->seed));
    print_cell(row->label);
    printf(" | ");
    print_cell(row->theirs);
    printf(" | ");
    print_value(row->value, row->unit);
    printf(" | ");
    print_value(row->reference, row->unit);
    printf(" | %s |\n", !row->pass ? "FAIL" : row->kind == VALIDATION_INFORMATION ? "measured" : "pass");
}

void validate_results_markdown(const validate_results *results) {
    printf("%zu of %zu cases passed, %zu rows, %.0f s of processor time%s.\n\n", results->count - results->failed,
           results->count, results->rows, results->cpu_seconds,
           results->is_quick        ? " (`--quick`)"
           : results->is_exhaustive ? " (`--exhaustive`)"
                                    : "");
    printf("| case | it shows that | result | rows | order |");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) printf(" %s |", validation_model_name((validation_model)m));
    printf(" cost |\n|---|---|---|---|---|");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) printf("---|");
    printf("---|\n");
    for (size_t i = 0; i < results->count; i++) print_case(&results->cases[i]);
    printf("\n| place | what | theirs | ours | reference | result |\n|---|---|---|---|---|---|\n");
    for (int seed = 1; seed < VALIDATION_SEED_END; seed++)
        for (size_t c = 0; c < results->count; c++)
            for (size_t i = 0; i < results->cases[c].context.row_count; i++)
                if ((int)results->cases[c].context.rows[i].seed == seed) print_seed(&results->cases[c].context.rows[i]);
}
