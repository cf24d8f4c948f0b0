// Columns that share their noise.
#include "sweep/fit_noise.h"

#include "base/error.h"

#include <stdlib.h>

enum { FEW = 4 }; // more measurements than values: fewer leave no estimate of a column's own

typedef struct noise_kind {
    size_t count;            // of measurements
    size_t most;             // of one column
    bool is_said, is_series; // some sigma is known; a column of a series
    cdg_dimension dimension;
    size_t merged; // with this one; itself: with none
} noise_kind;

static bool is_alike(cdg_dimension a, cdg_dimension b) { return a.m == b.m && a.kg == b.kg && a.s == b.s; }

bool cdg_fit_is_same_series(const cdg_fit_setup *setup, const cdg_fit_residual *a, const cdg_fit_residual *b) {
    return a->data == b->data && (a->column == b->column || setup->data[a->data].kind == CDG_FIT_SHAPE);
}

static void count_kinds(const cdg_fit_setup *setup, const cdg_fit_residual *residuals, size_t count,
                        noise_kind *kinds) {
    for (size_t i = 0; i < count; i++) {
        const cdg_fit_data *data = &setup->data[residuals[i].data];
        noise_kind *kind = &kinds[residuals[i].noise];
        kind->most = ++kind->count;
        kind->is_said = kind->is_said || residuals[i].sigma > 0;
        kind->is_series = data->kind != CDG_FIT_SHAPE;
        kind->dimension = data->columns[residuals[i].column].dimension;
        kind->merged = residuals[i].noise;
    }
}

static bool may_share(const noise_kind *a, const noise_kind *b) {
    return a->is_series && b->is_series && !a->is_said && !b->is_said && is_alike(a->dimension, b->dimension);
}

// Into the first other one, of those before `end`, whose columns had fewer measurements than `few`.
static void merge(noise_kind *kinds, size_t k, size_t end, size_t few) {
    for (size_t j = 0; j < end; j++) {
        if (j == k || kinds[j].merged != j || kinds[j].most >= few || !may_share(&kinds[j], &kinds[k])) continue;
        kinds[j].count += kinds[k].count;
        kinds[k].merged = j;
        return;
    }
}

bool cdg_fit_share_noises(const cdg_fit_setup *setup, cdg_fit_residual *residuals, size_t count, size_t *noise_count) {
    size_t few = setup->vary_count + FEW, kept = 0;
    noise_kind *kinds = calloc(*noise_count + 1, sizeof *kinds);
    size_t *numbers = calloc(*noise_count + 1, sizeof *numbers);
    bool has_room = kinds != NULL && numbers != NULL;
    if (has_room) {
        count_kinds(setup, residuals, count, kinds);
        // Few with few; what is still too few with any other.
        for (size_t k = 1; k < *noise_count; k++)
            if (kinds[k].most < few) merge(kinds, k, k, few);
        for (size_t k = 0; k < *noise_count; k++)
            if (kinds[k].merged == k && kinds[k].count <= setup->vary_count) merge(kinds, k, *noise_count, SIZE_MAX);
        for (size_t k = 0; k < *noise_count; k++)
            if (kinds[k].merged == k) numbers[k] = kept++;
        for (size_t i = 0; i < count; i++) {
            size_t k = residuals[i].noise;
            while (kinds[k].merged != k) k = kinds[k].merged;
            residuals[i].noise = numbers[k];
        }
        *noise_count = kept;
    }
    free(kinds);
    free(numbers);
    return has_room;
}

cdg_result cdg_fit_check_noises(const cdg_fit_setup *setup, const cdg_fit_residual *residuals, size_t count,
                                size_t noise_count, cdg_error *error) {
    for (size_t k = 0; k < noise_count && noise_count > 1; k++) {
        size_t own = 0, first = 0;
        bool is_said = false;
        for (size_t i = 0; i < count; i++) {
            if (residuals[i].noise != k) continue;
            if (own++ == 0) first = i;
            is_said = is_said || residuals[i].sigma > 0;
        }
        const cdg_fit_data *data = &setup->data[residuals[first].data];
        const cdg_fit_column *column = &data->columns[residuals[first].column];
        if (is_said || data->kind == CDG_FIT_SHAPE || own > setup->vary_count) continue;
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: %zu number%s under '%s' %s too few to tell %s noise from, beside other measurements; say "
                        "it in a column '%s_sigma [%s]', or measure more",
                        data->path, own, own == 1 ? "" : "s", column->name, own == 1 ? "is" : "are",
                        own == 1 ? "its" : "their", column->name, column->unit);
    }
    return CDG_OK;
}
