// Worlds of a case with one value changed, for the gradient.
#include "sweep/case_gradient.h"

#include "base/error.h"
#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "path=value" for every path of every variable, after the case's own. One block of texts.
typedef struct override_list {
    const char **items;
    char (*texts)[CDG_VARY_TEXT_SIZE];
    size_t count;
} override_list;

static void free_list(override_list *list) {
    free(list->items);
    free(list->texts);
}

static bool write_value(const cdg_vary *vary, size_t path, double value, char out[CDG_VARY_TEXT_SIZE]) {
    char number[CDG_NUMBER_SIZE];
    cdg_number_shortest(value, number);
    int length =
        snprintf(out, CDG_VARY_TEXT_SIZE, "%s=%s%s%s", vary->paths[path], number, vary->unit[0] ? " " : "", vary->unit);
    return length > 0 && length < CDG_VARY_TEXT_SIZE;
}

static cdg_result make_list(const cdg_case_gradient *def, size_t parameter, double change, override_list *out,
                            cdg_error *error) {
    size_t paths = 0;
    for (size_t v = 0; v < def->vary_count; v++) paths += def->varies[v].path_count;
    *out = (override_list){0};
    out->items = malloc((def->override_count + paths + 1) * sizeof *out->items);
    out->texts = malloc((paths + 1) * sizeof *out->texts);
    if (out->items == NULL || out->texts == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < def->override_count; i++) out->items[out->count++] = def->overrides[i];
    size_t text = 0;
    for (size_t v = 0; v < def->vary_count; v++)
        for (size_t path = 0; path < def->varies[v].path_count; path++) {
            double value = def->values[v] + (v == parameter ? change : 0);
            if (!write_value(&def->varies[v], path, value, out->texts[text]))
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.200s' is too long", def->varies[v].paths[path]);
            out->items[out->count++] = out->texts[text++];
        }
    return CDG_OK;
}

static cdg_result build(void *user, size_t parameter, double change, cdg_world **out, cdg_error *error) {
    const cdg_case_gradient *def = user;
    override_list list;
    cdg_scene *scene = NULL;
    cdg_result result = make_list(def, parameter, change, &list, error);
    if (result == CDG_OK) {
        cdg_case_def one = {.source = def->source, .overrides = list.items, .override_count = list.count};
        result = cdg_case_read(&one, &scene, error);
    }
    if (result == CDG_OK) result = cdg_scene_build(scene, 1, out, error);
    cdg_scene_destroy(scene);
    free_list(&list);
    return result;
}

// A thousandth of it is a small change; of a value that is zero, of its range.
static double scale_of(const cdg_vary *vary, double value) {
    double range = vary->kind == CDG_VARY_RANGE ? vary->high - vary->low : 0;
    return fmax(fabs(value), 1e-3 * (range > 0 ? range : value == 0 ? 1 : 0));
}

cdg_result cdg_case_gradient_find(const cdg_case_gradient *def, cdg_world *world, const cdg_probe *probes,
                                  size_t probe_count, double *out, cdg_gradient_report *report, cdg_error *error) {
    double *scales = malloc((def->vary_count + 1) * sizeof *scales);
    if (scales == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t v = 0; v < def->vary_count; v++) {
        scales[v] = scale_of(&def->varies[v], def->values[v]);
        if (isfinite(def->values[v])) continue;
        free(scales);
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%s' is no number, so there is no rate in it; write one with its unit, as 2 MPa",
                        def->varies[v].label);
    }
    cdg_gradient_def gradient = {.build = build,
                                 .user = (void *)(uintptr_t)def,
                                 .parameter_count = def->vary_count,
                                 .scales = scales,
                                 .probes = probes,
                                 .probe_count = probe_count};
    cdg_result result = cdg_world_gradient(world, &gradient, out, report);
    if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(world));
    free(scales);
    return result;
}
