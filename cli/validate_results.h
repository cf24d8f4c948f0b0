// What `cordage validate` found, kept until the last case is done, and how it is written.
#ifndef CLI_VALIDATE_RESULTS_H
#define CLI_VALIDATE_RESULTS_H

#include "output/json.h"
#include "validation/cases.h"

typedef struct case_result {
    const validation_case *item;
    validation_context context;
    bool pass;
    cdg_error error;             // code CDG_OK: the case ran to its end
    double seconds, cpu_seconds; // the latter of all threads together
} case_result;

typedef struct validate_results {
    case_result *cases;
    size_t count;
    size_t failed, rows;
    double seconds, cpu_seconds;
    bool is_quick, is_exhaustive;
    bool is_complete; // every case there is was run
} validate_results;

// The observed order of convergence: mean over a model's order rows (all rows for VALIDATION_MODEL_COUNT); NaN: none.
double observed_order(const validation_context *context, validation_model model);
// Largest error of a case's rows in units of their tolerance: at most 1 passes.
double worst_share(const validation_context *context);

void validate_results_json(const validate_results *results, cdg_json *json);
// One page that needs nothing from outside.
cdg_result validate_results_html(const validate_results *results, const char *path, cdg_error *error);
// The tables of docs/validation.md, as Markdown on standard output.
void validate_results_markdown(const validate_results *results);

#endif
