// The results of validation as JSON.
#include "validate_results.h"

static void add_row(cdg_json *json, const validation_case *item, const validation_row *row) {
    static const char *const kinds[] = {"check", "order", "information"};
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "label", row->label);
    cdg_json_text(json, "model", row->model == VALIDATION_MODEL_COUNT ? NULL : validation_model_name(row->model));
    cdg_json_text(json, "kind", kinds[row->kind]);
    cdg_json_text(json, "unit", row->unit);
    cdg_json_number(json, "value", row->value);
    cdg_json_number(json, "reference", row->reference);
    cdg_json_number(json, "error", row->error);
    cdg_json_number(json, "tolerance", row->tolerance);
    cdg_json_text(json, "reason", validation_row_reason(item, row));
    cdg_json_text(json, "measure", row->is_relative ? "relative" : "absolute");
    cdg_json_boolean(json, "pass", row->pass);
    if (row->seed != VALIDATION_NO_SEED) {
        cdg_json_text(json, "seed", validation_seed_name(row->seed));
        cdg_json_text(json, "theirs", row->theirs);
    }
    cdg_json_end(json);
}

static void add_curves(cdg_json *json, const validation_context *context) {
    cdg_json_begin_array(json, "charts");
    for (size_t c = 0; c < context->chart_count; c++) {
        const validation_chart *chart = &context->charts[c];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "title", chart->title);
        cdg_json_text(json, "x", chart->x_label);
        cdg_json_text(json, "x_unit", chart->x_unit);
        cdg_json_text(json, "y", chart->y_label);
        cdg_json_text(json, "y_unit", chart->y_unit);
        cdg_json_begin_array(json, "curves");
        for (size_t k = 0; k < context->curve_count; k++) {
            const validation_curve *curve = &context->curves[k];
            if (curve->chart != c) continue;
            cdg_json_begin_object(json, NULL);
            cdg_json_text(json, "label", curve->label);
            cdg_json_boolean(json, "is_reference", curve->is_reference);
            cdg_json_begin_array(json, "x");
            for (size_t i = 0; i < curve->count; i++) cdg_json_number(json, NULL, curve->x[i]);
            cdg_json_end(json);
            cdg_json_begin_array(json, "y");
            for (size_t i = 0; i < curve->count; i++) cdg_json_number(json, NULL, curve->y[i]);
            cdg_json_end(json);
            cdg_json_end(json);
        }
        cdg_json_end(json);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static void add_case(cdg_json *json, const case_result *result) {
    const validation_case *item = result->item;
    const validation_context *context = &result->context;
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "name", item->name);
    cdg_json_text(json, "shows", item->shows);
    cdg_json_text(json, "source", item->source);
    cdg_json_text(json, "spoiler", item->spoiler);
    cdg_json_text(json, "reason", item->reason);
    cdg_json_boolean(json, "pass", result->pass);
    cdg_json_text(json, "message", result->error.code == CDG_OK ? NULL : result->error.message);
    cdg_json_number(json, "seconds", result->seconds);
    cdg_json_number(json, "cpu_seconds", result->cpu_seconds);
    cdg_json_number(json, "order", observed_order(context, VALIDATION_MODEL_COUNT));
    cdg_json_begin_array(json, "models");
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", validation_model_name((validation_model)m));
        cdg_json_boolean(json, "ran", context->has_run[m]);
        cdg_json_text(json, "why_not",
                      context->has_run[m] ? NULL : validation_model_status(item, context, (validation_model)m));
        cdg_json_number(json, "order", observed_order(context, (validation_model)m));
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_begin_array(json, "rows");
    for (size_t i = 0; i < context->row_count; i++) add_row(json, item, &context->rows[i]);
    cdg_json_end(json);
    add_curves(json, context);
    cdg_json_end(json);
}

void validate_results_json(const validate_results *results, cdg_json *json) {
    cdg_json_text(json, "level", results->is_quick ? "quick" : results->is_exhaustive ? "exhaustive" : "full");
    cdg_json_begin_array(json, "cases");
    for (size_t i = 0; i < results->count; i++) add_case(json, &results->cases[i]);
    cdg_json_end(json);
    cdg_json_integer(json, "row_count", results->rows);
    cdg_json_number(json, "seconds", results->seconds);
    cdg_json_number(json, "cpu_seconds", results->cpu_seconds);
    cdg_json_boolean(json, "pass", results->failed == 0);
}
