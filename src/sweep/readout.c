// Columns of probes and their summaries over time.
#include "sweep/readout.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const summary_names[] = {
#define SUMMARY_NAME(name, key, text) key,
    CDG_SUMMARY_LIST(SUMMARY_NAME)
#undef SUMMARY_NAME
};

static cdg_result no_memory(cdg_error *error) { return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory"); }

static cdg_result find_summary(const char *name, cdg_summary_kind *out, cdg_error *error) {
    for (int i = 0; i < CDG_SUMMARY_COUNT; i++) {
        *out = (cdg_summary_kind)i;
        if (strcmp(summary_names[i], name) == 0) return CDG_OK;
    }
    return cdg_fail(
        error, CDG_ERROR_ARGUMENT,
        "'%.60s' is no summary of a probe; there are end, start, max, min, mean, rms and range, as in tip_z:max", name);
}

static cdg_result add_wish(cdg_readout *out, const char *text, size_t length, cdg_error *error) {
    cdg_readout_wish *grown = realloc(out->wishes, (out->wish_count + 1) * sizeof *grown);
    if (grown != NULL) out->wishes = grown;
    char **names = realloc(out->names, (out->wish_count + 1) * sizeof *names);
    if (names != NULL) out->names = names;
    char *probe = malloc(length + 1);
    if (grown == NULL || names == NULL || probe == NULL) {
        free(probe);
        return no_memory(error);
    }
    memcpy(probe, text, length);
    probe[length] = '\0';
    out->wishes[out->wish_count] = (cdg_readout_wish){.probe = probe};
    out->names[out->wish_count] = probe;
    cdg_readout_wish *wish = &out->wishes[out->wish_count++];
    char *colon = strchr(probe, ':');
    if (colon == NULL) return CDG_OK;
    *colon = '\0';
    return find_summary(colon + 1, &wish->summary, error);
}

cdg_result cdg_readout_add(cdg_readout *out, const char *text, cdg_error *error) {
    cdg_result result = CDG_OK;
    while (*text != '\0' && result == CDG_OK) {
        size_t length = strcspn(text, ", ");
        if (length > 0) result = add_wish(out, text, length, error);
        text += length + (text[length] != '\0');
    }
    return result;
}

// "tip_z [m]" with a summary is "tip_z:max [m]".
static char *make_title(const char *title, cdg_summary_kind summary) {
    size_t name = strcspn(title, " "), size = strlen(title) + 16;
    char *out = malloc(size);
    if (out == NULL) return NULL;
    if (summary == CDG_SUMMARY_END)
        snprintf(out, size, "%s", title);
    else
        snprintf(out, size, "%.*s:%s%s", (int)name, title, summary_names[summary], title + name);
    return out;
}

// The columns of one wish, or of all probes.
static cdg_result find_columns(cdg_readout *readout, const cdg_case_def *def, size_t wish, cdg_error *error) {
    char **titles = NULL;
    size_t count = 0;
    cdg_result result = cdg_case_columns(def, &titles, &count, error);
    if (result != CDG_OK) return result;
    char **grown = realloc(readout->titles, (readout->column_count + count + 1) * sizeof *grown);
    if (grown != NULL) readout->titles = grown;
    size_t *wishes = realloc(readout->wish_of, (readout->column_count + count + 1) * sizeof *wishes);
    if (wishes != NULL) readout->wish_of = wishes;
    if (grown == NULL || wishes == NULL) result = no_memory(error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_summary_kind summary = readout->wish_count > 0 ? readout->wishes[wish].summary : CDG_SUMMARY_END;
        char *title = make_title(titles[i], summary);
        if (title == NULL) {
            result = no_memory(error);
        } else {
            readout->wish_of[readout->column_count] = wish;
            readout->titles[readout->column_count++] = title;
        }
    }
    cdg_case_titles_free(titles, count);
    return result;
}

cdg_result cdg_readout_find(cdg_readout *readout, const cdg_case_def *def, cdg_error *error) {
    cdg_case_source source = *def->source;
    cdg_case_def one = *def;
    cdg_result result = CDG_OK;
    one.source = &source;
    if (readout->wish_count == 0) {
        source.probe_count = 0;
        result = find_columns(readout, &one, 0, error);
    }
    for (size_t i = 0; i < readout->wish_count && result == CDG_OK; i++) {
        source.probes = (const char *const *)&readout->names[i];
        source.probe_count = 1;
        result = find_columns(readout, &one, i, error);
    }
    if (result == CDG_OK && readout->column_count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: the scene has no probes, so a case would have nothing to tell; add some under 'probes:'",
                        source.name);
    return result;
}

cdg_result cdg_readout_append(cdg_readout *readout, const char *title, cdg_error *error) {
    char **titles = realloc(readout->titles, (readout->column_count + 2) * sizeof *titles);
    if (titles != NULL) readout->titles = titles;
    size_t *wishes = realloc(readout->wish_of, (readout->column_count + 2) * sizeof *wishes);
    if (wishes != NULL) readout->wish_of = wishes;
    if (titles == NULL || wishes == NULL) return no_memory(error);
    char *copy = malloc(strlen(title) + 1);
    if (copy == NULL) return no_memory(error);
    memcpy(copy, title, strlen(title) + 1);
    readout->wish_of[readout->column_count] = 0;
    readout->titles[readout->column_count++] = copy;
    return CDG_OK;
}

void cdg_readout_free(cdg_readout *readout) {
    for (size_t i = 0; i < readout->wish_count; i++) free(readout->wishes[i].probe);
    for (size_t i = 0; i < readout->column_count; i++) free(readout->titles[i]);
    free(readout->wishes);
    free(readout->names);
    free(readout->titles);
    free(readout->wish_of);
    *readout = (cdg_readout){0};
}

// ---- summaries ------------------------------------------------------------------------------------------------------

// By the trapezoidal rule; of a case without duration the mean of its outputs.
static double mean_of(const cdg_case_result *result, size_t column, bool is_squared) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < result->row_count; r++) {
        double before = r > 0 ? result->times[r] - result->times[r - 1] : 0;
        double after = r + 1 < result->row_count ? result->times[r + 1] - result->times[r] : 0;
        double value = result->series[r * result->column_count + column];
        sum += (before + after) * (is_squared ? value * value : value);
        weight += before + after;
    }
    double last = result->series[(result->row_count - 1) * result->column_count + column];
    return weight > 0 ? sum / weight : is_squared ? last * last : last;
}

static double extreme_of(const cdg_case_result *result, size_t column, double sign) {
    double best = -INFINITY;
    for (size_t r = 0; r < result->row_count; r++)
        best = fmax(best, sign * result->series[r * result->column_count + column]);
    return sign * best;
}

static double summarise(const cdg_case_result *result, size_t column, cdg_summary_kind summary) {
    switch (summary) {
    case CDG_SUMMARY_START: return result->series[column];
    case CDG_SUMMARY_MAX: return extreme_of(result, column, 1);
    case CDG_SUMMARY_MIN: return extreme_of(result, column, -1);
    case CDG_SUMMARY_MEAN: return mean_of(result, column, false);
    case CDG_SUMMARY_RMS: return sqrt(mean_of(result, column, true));
    case CDG_SUMMARY_RANGE: return extreme_of(result, column, 1) - extreme_of(result, column, -1);
    default: return result->values[column];
    }
}

void cdg_readout_take(const cdg_readout *readout, const cdg_case_result *result, double *out) {
    for (size_t i = 0; i < readout->column_count; i++) {
        cdg_summary_kind summary =
            readout->wish_count > 0 ? readout->wishes[readout->wish_of[i]].summary : CDG_SUMMARY_END;
        out[i] = i < result->column_count ? summarise(result, i, summary) : NAN;
    }
}
