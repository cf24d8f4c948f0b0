// Grids, random samples and Latin hypercubes (McKay, Beckman and Conover 1979).
#include "sweep/design.h"

#include "base/error.h"
#include "math/random.h"

#include <stdlib.h>

static cdg_result count_grid(const cdg_vary *varies, size_t vary_count, size_t *out, cdg_error *error) {
    *out = 1;
    for (size_t i = 0; i < vary_count; i++) {
        size_t count = cdg_vary_count(&varies[i]);
        if (count == 0)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "'%s' says no number of values; write %g:%g:COUNT, or ask for samples with --samples N",
                            varies[i].label, varies[i].low, varies[i].high);
        if (count > CDG_DESIGN_CASES_MAX / *out)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "the grid has more than %d cases; give fewer values, or take --samples N of them",
                            CDG_DESIGN_CASES_MAX);
        *out *= count;
    }
    return CDG_OK;
}

static cdg_result count_samples(const cdg_vary *varies, size_t vary_count, size_t samples, cdg_error *error) {
    for (size_t i = 0; i < vary_count; i++)
        if (varies[i].kind == CDG_VARY_RANGE && varies[i].count > 0)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "'%s' says a number of values, and so does --samples; write the range alone, %g:%g",
                            varies[i].label, varies[i].low, varies[i].high);
    if (samples < 1 || samples > CDG_DESIGN_CASES_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the number of samples is from 1 to %d", CDG_DESIGN_CASES_MAX);
    return CDG_OK;
}

static void fill_grid(cdg_design *d) {
    for (size_t c = 0; c < d->case_count; c++) {
        size_t rest = c;
        for (size_t i = d->vary_count; i-- > 0;) {
            size_t count = cdg_vary_count(&d->varies[i]);
            d->values[c * d->vary_count + i] = cdg_vary_grid(&d->varies[i], rest % count);
            rest /= count;
        }
    }
}

static void fill_random(cdg_design *d, cdg_random *random) {
    for (size_t c = 0; c < d->case_count; c++)
        for (size_t i = 0; i < d->vary_count; i++)
            d->values[c * d->vary_count + i] = cdg_vary_at(&d->varies[i], random_unit(random));
}

// Parts in random order (Fisher and Yates), one to each case; a random point inside the part.
static void fill_latin(cdg_design *d, size_t *parts, cdg_random *random) {
    for (size_t i = 0; i < d->vary_count; i++) {
        for (size_t c = 0; c < d->case_count; c++) parts[c] = c;
        for (size_t c = d->case_count; c > 1; c--) {
            size_t other = (size_t)(random_bits(random) % c), kept = parts[c - 1];
            parts[c - 1] = parts[other];
            parts[other] = kept;
        }
        for (size_t c = 0; c < d->case_count; c++) {
            double share = ((double)parts[c] + random_unit(random)) / (double)d->case_count;
            d->values[c * d->vary_count + i] = cdg_vary_at(&d->varies[i], share);
        }
    }
}

static cdg_result no_memory(cdg_design *design, cdg_error *error) {
    cdg_result result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu cases", design->case_count);
    cdg_design_free(design);
    return result;
}

cdg_result cdg_design_make(const cdg_vary *varies, size_t vary_count, cdg_design_kind kind, size_t samples,
                           uint64_t seed, cdg_design *out, cdg_error *error) {
    *out = (cdg_design){.varies = varies, .vary_count = vary_count, .case_count = samples};
    cdg_result result = kind == CDG_DESIGN_GRID ? count_grid(varies, vary_count, &out->case_count, error)
                                                : count_samples(varies, vary_count, samples, error);
    if (result != CDG_OK) return result;
    out->values = malloc((out->case_count * vary_count + 1) * sizeof *out->values);
    if (out->values == NULL) return no_memory(out, error);
    cdg_random random = {seed};
    if (kind == CDG_DESIGN_GRID) {
        fill_grid(out);
    } else if (kind == CDG_DESIGN_RANDOM) {
        fill_random(out, &random);
    } else {
        size_t *parts = malloc(out->case_count * sizeof *parts);
        if (parts == NULL) return no_memory(out, error);
        fill_latin(out, parts, &random);
        free(parts);
    }
    return CDG_OK;
}

void cdg_design_free(cdg_design *design) {
    free(design->values);
    design->values = NULL;
}

void cdg_design_overrides_free(char **overrides, size_t count) {
    for (size_t i = 0; overrides != NULL && i < count; i++) free(overrides[i]);
    free(overrides);
}

static char *make_override(const cdg_vary *vary, size_t path, double value) {
    size_t size = CDG_VARY_TEXT_SIZE;
    char *text = malloc(size);
    while (text != NULL && !cdg_vary_override(vary, path, value, text, size)) {
        size *= 2;
        free(text);
        text = malloc(size);
    }
    return text;
}

char **cdg_design_overrides(const cdg_design *design, size_t index, size_t *count) {
    size_t room = 1;
    *count = 0;
    for (size_t i = 0; i < design->vary_count; i++) room += design->varies[i].path_count;
    char **list = calloc(room, sizeof *list);
    for (size_t i = 0; list != NULL && i < design->vary_count; i++) {
        double value = design->values[index * design->vary_count + i];
        for (size_t p = 0; p < design->varies[i].path_count; p++) {
            list[*count] = make_override(&design->varies[i], p, value);
            if (list[*count] == NULL) {
                cdg_design_overrides_free(list, *count);
                return NULL;
            }
            ++*count;
        }
    }
    return list;
}
