// The table of a sweep.
#include "sweep/sweep_table.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_part(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool cdg_title_split(const char *title, char **name, char **unit) {
    size_t length = strlen(title);
    const char *open = strstr(title, " [");
    bool has_unit = open != NULL && length > 0 && title[length - 1] == ']';
    size_t cut = has_unit ? (size_t)(open - title) : length;
    *name = copy_part(title, cut);
    *unit = has_unit ? copy_part(open + 2, length - cut - 3) : copy_part("", 0);
    return *name != NULL && *unit != NULL;
}

typedef struct builder {
    const cdg_sweep *sweep;
    const cdg_outcome *outcomes;
    cdg_sweep_table *table;
    size_t rows, column, number_columns, text_columns;
    bool has_failed;
} builder;

static char *keep(builder *b, char *text) {
    if (text == NULL) {
        b->has_failed = true;
        return "";
    }
    b->table->own[b->table->own_count++] = text;
    return text;
}

static cdg_table_file_column *add_column(builder *b, const char *title) {
    char *name = NULL, *unit = NULL;
    b->has_failed = !cdg_title_split(title, &name, &unit) || b->has_failed;
    cdg_table_file_column *column = &b->table->columns[b->column++];
    *column = (cdg_table_file_column){.name = keep(b, name), .unit = keep(b, unit)};
    return column;
}

static double *add_numbers(builder *b, const char *title) {
    double *numbers = b->table->numbers + b->rows * b->number_columns++;
    add_column(b, title)->numbers = numbers;
    return numbers;
}

static const char **add_texts(builder *b, const char *title) {
    const char **texts = b->table->texts + b->rows * b->text_columns++;
    add_column(b, title)->texts = texts;
    return texts;
}

static void add_variable(builder *b, size_t index) {
    const cdg_vary *vary = &b->sweep->varies[index];
    const cdg_design *design = &b->sweep->design;
    char title[CDG_VARY_TEXT_SIZE];
    cdg_vary_title(vary, title, sizeof title);
    if (cdg_vary_is_number(vary)) {
        double *numbers = add_numbers(b, title);
        for (size_t r = 0; r < b->rows; r++)
            numbers[r] = cdg_vary_number(vary, design->values[r * design->vary_count + index]);
    } else {
        const char **texts = add_texts(b, title);
        for (size_t r = 0; r < b->rows; r++)
            texts[r] = vary->items[(size_t)design->values[r * design->vary_count + index]];
    }
}

static void add_results(builder *b, size_t index) {
    double *numbers = add_numbers(b, b->sweep->readout.titles[index]);
    for (size_t r = 0; r < b->rows; r++) {
        const cdg_outcome *outcome = &b->outcomes[r];
        numbers[r] = outcome->is_known && !outcome->has_failed ? outcome->values[index] : NAN;
    }
}

static void add_outcomes(builder *b) {
    const char **words = add_texts(b, "outcome"), **reasons = add_texts(b, "reason");
    for (size_t r = 0; r < b->rows; r++) {
        const cdg_outcome *outcome = &b->outcomes[r];
        words[r] = !outcome->is_known     ? "missing"
                   : outcome->has_failed  ? "failed"
                   : outcome->is_doubtful ? "doubtful"
                                          : "done";
        reasons[r] = outcome->is_known && outcome->sentence != NULL ? outcome->sentence : "";
    }
}

cdg_result cdg_sweep_table_make(const cdg_sweep *sweep, const cdg_outcome *outcomes, cdg_sweep_table *out,
                                cdg_error *error) {
    size_t rows = sweep->design.case_count, count = sweep->vary_count + sweep->readout.column_count + 3;
    *out = (cdg_sweep_table){.columns = calloc(count, sizeof *out->columns),
                             .numbers = malloc((rows * count + 1) * sizeof *out->numbers),
                             .texts = malloc((rows * (sweep->vary_count + 2) + 1) * sizeof *out->texts),
                             .own = calloc(2 * count, sizeof *out->own)};
    builder b = {.sweep = sweep, .outcomes = outcomes, .table = out, .rows = rows};
    b.has_failed = out->columns == NULL || out->numbers == NULL || out->texts == NULL || out->own == NULL;
    if (!b.has_failed) {
        double *numbers = add_numbers(&b, "case");
        for (size_t r = 0; r < rows; r++) numbers[r] = (double)r;
        for (size_t i = 0; i < sweep->vary_count; i++) add_variable(&b, i);
        for (size_t i = 0; i < sweep->readout.column_count; i++) add_results(&b, i);
        add_outcomes(&b);
    }
    out->file = (cdg_table_file){
        .columns = out->columns, .column_count = b.column, .row_count = rows, .title = sweep->source.name};
    if (!b.has_failed) return CDG_OK;
    cdg_sweep_table_free(out);
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a table of %zu cases", rows);
}

void cdg_sweep_table_free(cdg_sweep_table *table) {
    for (size_t i = 0; i < table->own_count; i++) free(table->own[i]);
    free(table->own);
    free(table->columns);
    free(table->numbers);
    free((void *)table->texts);
    *table = (cdg_sweep_table){0};
}
