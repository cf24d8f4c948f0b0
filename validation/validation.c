// Rows, factors and the small tools that validation cases share.
#include "validation/cases.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

validation_context validation_context_default(void) {
    validation_context context = {.model = VALIDATION_MODEL_COUNT};
#define VALIDATION_ONE(name, text) context.factor.name = 1;
    VALIDATION_PARAMETER_LIST(VALIDATION_ONE)
#undef VALIDATION_ONE
    return context;
}

void validation_context_free(validation_context *context) {
    for (size_t i = 0; i < context->curve_count; i++) {
        free(context->curves[i].x);
        free(context->curves[i].y);
    }
    for (size_t i = 0; i < context->picture_count; i++) free(context->pictures[i].scene);
    free(context->rows);
    free(context->charts);
    free(context->curves);
    free(context->pictures);
    context->rows = NULL;
    context->charts = NULL;
    context->curves = NULL;
    context->pictures = NULL;
    context->row_count = context->row_capacity = 0;
    context->chart_count = context->curve_count = context->picture_count = 0;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void add_row(validation_context *context, const char *label, const char *unit, validation_row row) {
    if (context->row_count == context->row_capacity) {
        size_t capacity = context->row_capacity > 0 ? 2 * context->row_capacity : 16;
        validation_row *rows = realloc(context->rows, capacity * sizeof *rows);
        if (!rows) {
            context->out_of_memory = true;
            return;
        }
        context->rows = rows;
        context->row_capacity = capacity;
    }
    snprintf(row.label, sizeof row.label, "%s", label);
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    row.pass = row.kind == VALIDATION_INFORMATION ? isfinite(row.value) : row.error <= row.tolerance; // false for NaN
    row.model = context->model;
    row.reason = context->reason;
    if (row.model != VALIDATION_MODEL_COUNT) context->has_run[row.model] = true;
    context->rows[context->row_count++] = row;
}

void validation_add_relative(validation_context *context, const char *label, const char *unit, double value,
                             double reference, double tolerance) {
    double error = fabs(value - reference) / fabs(reference);
    add_row(context, label, unit,
            (validation_row){
                .value = value, .reference = reference, .error = error, .tolerance = tolerance, .is_relative = true});
}

void validation_add_absolute(validation_context *context, const char *label, const char *unit, double value,
                             double reference, double tolerance) {
    add_row(context, label, unit,
            (validation_row){
                .value = value, .reference = reference, .error = fabs(value - reference), .tolerance = tolerance});
}

void validation_add_limit(validation_context *context, const char *label, const char *unit, double value,
                          double limit) {
    add_row(context, label, unit,
            (validation_row){.value = value, .reference = (double)NAN, .error = value, .tolerance = limit});
}

void validation_add_order(validation_context *context, const char *label, double value, double expected,
                          double tolerance) {
    add_row(context, label, "",
            (validation_row){.value = value,
                             .reference = expected,
                             .error = fabs(value - expected),
                             .tolerance = tolerance,
                             .kind = VALIDATION_ORDER});
}

void validation_add_information(validation_context *context, const char *label, const char *unit, double value) {
    add_row(context, label, unit,
            (validation_row){.value = value,
                             .reference = (double)NAN,
                             .error = (double)NAN,
                             .tolerance = (double)NAN,
                             .kind = VALIDATION_INFORMATION});
}

void validation_cite(validation_context *context, validation_seed seed, const char *theirs, ...) {
    if (context->row_count == 0 || context->out_of_memory) return;
    validation_row *row = &context->rows[context->row_count - 1];
    row->seed = seed;
    va_list arguments;
    va_start(arguments, theirs);
    vsnprintf(row->theirs, sizeof row->theirs, theirs, arguments);
    va_end(arguments);
}

// ---- models ---------------------------------------------------------------------------------------------------------

void validation_under(validation_context *context, validation_model model) { context->model = model; }

void validation_because(validation_context *context, const char *reason) { context->reason = reason; }

void validation_unsupported(validation_context *context, validation_model model, const char *why, ...) {
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(context->unsupported[model], sizeof context->unsupported[model], why, arguments);
    va_end(arguments);
}

double validation_by_level(const validation_context *context, double quick, double full, double exhaustive) {
    return context->is_quick ? quick : context->is_exhaustive ? exhaustive : full;
}

bool validation_is_decided(const validation_context *context) {
    return context->stops_at_failure && context->row_count > 0 && !validation_all_passed(context);
}

const char *validation_model_name(validation_model model) {
    static const char *const names[] = {
#define VALIDATION_MODEL_TEXT(name, text) text,
        VALIDATION_MODEL_LIST(VALIDATION_MODEL_TEXT)
#undef VALIDATION_MODEL_TEXT
    };
    return model < VALIDATION_MODEL_COUNT ? names[model] : "";
}

const char *validation_seed_name(validation_seed seed) {
    static const char *const names[] = {"",
#define VALIDATION_SEED_TEXT(name, text) text,
                                        VALIDATION_SEED_LIST(VALIDATION_SEED_TEXT)
#undef VALIDATION_SEED_TEXT
    };
    return seed < VALIDATION_SEED_END ? names[seed] : "";
}

const char *validation_model_status(const validation_case *item, const validation_context *context,
                                    validation_model model) {
    if (context->has_run[model]) return "ran";
    if (context->unsupported[model][0] != '\0') return context->unsupported[model];
    if (item->others != NULL) return item->others;
    bool tells = false; // any model at all
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++)
        tells = tells || context->has_run[m] || context->unsupported[m][0] != '\0';
    return tells ? NULL : "its rows do not tell their model";
}

const char *validation_row_reason(const validation_case *item, const validation_row *row) {
    if (row->kind == VALIDATION_INFORMATION) return "for information: no tolerance";
    if (row->reason != NULL) return row->reason;
    return item->reason != NULL ? item->reason : "told where the row is added, in the case's file";
}

cdg_result validation_run_case(const validation_case *item, validation_context *context, cdg_error *error) {
    if (item->only > 0) validation_under(context, (validation_model)(item->only - 1));
    cdg_result result = item->run(context, error);
    for (int m = 0; m < VALIDATION_MODEL_COUNT && result == CDG_OK && !validation_is_decided(context); m++)
        if (validation_model_status(item, context, (validation_model)m) == NULL)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "the case has no row under %s and does not say why: add validation_unsupported, or "
                            "`others` to its entry in cases.c",
                            validation_model_name((validation_model)m));
    return result;
}

// ---- wrong parameters -----------------------------------------------------------------------------------------------

cdg_result validation_spoil_rod(const validation_context *context, cdg_rod_def *def, cdg_error *error) {
    const validation_factors *factor = &context->factor;
    bool is_section_spoiled =
        factor->mass != 1 || factor->stretch != 1 || factor->bend != 1 || factor->twist != 1 || factor->radius != 1;
    def->rest.curvature[0] *= factor->rest;
    def->rest.curvature[1] *= factor->rest;
    def->rest.twist *= factor->rest;
    if (!is_section_spoiled) return CDG_OK; // so that a normal run takes the normal way through material and section
    if (def->is_tapered)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED, "a tapered rod's stiffness cannot be made wrong by a factor");
    if (!def->has_stiffness) {
        cdg_result result = cdg_stiffness_compute(&def->material, &def->section, &def->stiffness, error);
        if (result != CDG_OK) return result;
        def->has_stiffness = true;
    }
    for (int k = 0; k < 2; k++) {
        def->stiffness.shear[k] *= factor->stretch;
        def->stiffness.bend[k] *= factor->bend;
    }
    for (int k = 0; k < 3; k++) def->stiffness.inertia[k] *= factor->mass;
    def->stiffness.stretch *= factor->stretch;
    def->stiffness.twist *= factor->twist;
    def->stiffness.mass *= factor->mass;
    def->stiffness.radius *= factor->radius;
    return CDG_OK;
}

cdg_vec3 validation_spoil_gravity(const validation_context *context, cdg_vec3 gravity) {
    double factor = context->factor.gravity;
    return (cdg_vec3){factor * gravity.x, factor * gravity.y, factor * gravity.z};
}

cdg_result validation_fail(const cdg_world *world, cdg_result result, cdg_error *error) {
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    return result;
}

void validation_progress(const validation_context *context, double fraction) {
    if (context->on_progress) context->on_progress(context->user, fraction);
}

cdg_result validation_set_factor(validation_context *context, const char *text, cdg_error *error) {
    static const char *const names[] = {
#define VALIDATION_NAME(name, description) #name,
        VALIDATION_PARAMETER_LIST(VALIDATION_NAME)
#undef VALIDATION_NAME
    };
    double *const factors[] = {
#define VALIDATION_FACTOR(name, description) &context->factor.name,
        VALIDATION_PARAMETER_LIST(VALIDATION_FACTOR)
#undef VALIDATION_FACTOR
    };
    const char *equals = strchr(text, '=');
    char *end = NULL;
    double factor = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || end == equals + 1 || *end != '\0' || !isfinite(factor))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%s' should be NAME=FACTOR, such as bend=1.1", text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == (size_t)(equals - text) && strncmp(names[i], text, strlen(names[i])) == 0) {
            *factors[i] = factor;
            return CDG_OK;
        }
    }
#define VALIDATION_WORD(name, description) " " #name
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "unknown parameter in '%s'; there are:%s", text,
                    VALIDATION_PARAMETER_LIST(VALIDATION_WORD));
#undef VALIDATION_WORD
}

bool validation_all_passed(const validation_context *context) {
    bool pass = context->row_count > 0 && !context->out_of_memory;
    for (size_t i = 0; i < context->row_count; i++) pass = pass && context->rows[i].pass;
    return pass;
}
