// Rates of a sweep's columns, case by case.
#include "sweep/sweep_gradient.h"

#include "base/error.h"
#include "output/probe_row.h"
#include "sweep/case_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_SIZE = 600 };

// The probe and the component of a column's title.
static bool find_column(const cdg_scene *scene, const char *title, size_t *probe, size_t *component) {
    char text[TITLE_SIZE];
    for (*probe = 0; *probe < scene->probe_count; ++*probe) {
        const scene_probe *p = &scene->probes[*probe];
        for (*component = 0; *component < cdg_probe_column_count(p->probe.kind); ++*component) {
            cdg_probe_column_title(p->probe.kind, p->name, *component, text, sizeof text);
            if (strcmp(text, title) == 0) return true;
        }
    }
    return false;
}

// Which of the readout's own columns have rates: values of probes at the end, neither peaks nor natural frequencies.
static bool has_rate(const cdg_readout *readout, const cdg_scene *scene, size_t column) {
    size_t probe, component;
    bool is_end = readout->wish_count == 0 || readout->wishes[readout->wish_of[column]].summary == CDG_SUMMARY_END;
    return is_end && find_column(scene, readout->titles[column], &probe, &component);
}

// "tip_z_per_E [m/MPa]" of "tip_z [m]" and "E" in MPa.
static void make_title(const char *column, const cdg_vary *vary, char out[TITLE_SIZE]) {
    int name = (int)strcspn(column, " ");
    const char *open = strchr(column, '[');
    const char *unit = open != NULL ? open + 1 : "1";
    bool has_more = strpbrk(vary->unit, " */") != NULL; // of several units
    snprintf(out, TITLE_SIZE, "%.*s_per_%.200s [%.*s%s%s%.60s%s]", name, column, vary->label, (int)strcspn(unit, "]"),
             unit, vary->unit[0] ? "/" : "", has_more ? "(" : "", vary->unit, has_more ? ")" : "");
}

cdg_result cdg_sweep_gradient_prepare(cdg_sweep *sweep, const cdg_scene *scene, cdg_error *error) {
    if (scene->mode != SCENE_STATIC)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: --gradient gives rates of equilibria; say --set simulation.mode=static, or leave it out",
                        scene->name);
    if (sweep->runs != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--gradient and --keep-runs do not go together; leave one out");
    size_t own = sweep->readout.column_count;
    for (size_t c = 0; c < own; c++)
        for (size_t v = 0; v < sweep->vary_count && has_rate(&sweep->readout, scene, c); v++) {
            char title[TITLE_SIZE];
            if (!cdg_vary_is_number(&sweep->varies[v]) || sweep->varies[v].is_whole) continue;
            make_title(sweep->readout.titles[c], &sweep->varies[v], title);
            cdg_result result = cdg_readout_append(&sweep->readout, title, error);
            if (result != CDG_OK) return result;
            sweep->gradient_count++;
        }
    if (sweep->gradient_count > 0) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--gradient: nothing has a rate; let a number vary, and keep probes at the end of the case");
}

// In the order of the titles.
static void spread(const cdg_sweep_rates *r, const cdg_scene *scene, size_t numbers, const double *block) {
    const cdg_sweep *sweep = r->sweep;
    size_t own = sweep->readout.column_count - sweep->gradient_count, at = 0;
    for (size_t c = 0; c < own; c++) {
        size_t probe, component;
        if (!has_rate(&sweep->readout, scene, c)) continue;
        bool is_found = find_column(scene, sweep->readout.titles[c], &probe, &component);
        for (size_t v = 0; v < numbers; v++)
            r->rates[at++] =
                is_found ? block[(v * scene->probe_count + probe) * CDG_PROBE_COLUMNS_MAX + component] : NAN;
    }
}

static cdg_result find(const cdg_sweep_rates *r, const cdg_scene *scene, cdg_world *world, cdg_vary *varies,
                       double *values, cdg_error *error) {
    const cdg_sweep *sweep = r->sweep;
    size_t numbers = 0;
    for (size_t v = 0; v < sweep->vary_count; v++) {
        const cdg_vary *vary = &sweep->varies[v];
        if (!cdg_vary_is_number(vary) || vary->is_whole) continue;
        varies[numbers] = *vary;
        values[numbers++] = cdg_vary_number(vary, sweep->design.values[r->index * sweep->vary_count + v]);
    }
    cdg_case_gradient def = {.source = &sweep->source,
                             .overrides = r->overrides,
                             .override_count = r->override_count,
                             .varies = varies,
                             .vary_count = numbers,
                             .values = values};
    cdg_probe_row row;
    cdg_result result = cdg_probe_row_make(scene, world, &row, error);
    if (result != CDG_OK) return result;
    double *block = calloc(numbers * scene->probe_count * CDG_PROBE_COLUMNS_MAX + 1, sizeof *block);
    result = block != NULL ? cdg_case_gradient_find(&def, world, row.probes, scene->probe_count, block, NULL, error)
                           : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) spread(r, scene, numbers, block);
    free(block);
    cdg_probe_row_free(&row);
    return result;
}

// The last row counts; where the scene says its end, earlier ones are left out.
cdg_result cdg_sweep_gradient_on_row(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    const cdg_sweep_rates *r = user;
    if (cdg_world_time(world) < scene->duration * (1 - 1e-9)) return CDG_OK;
    cdg_vary *varies = malloc((r->sweep->vary_count + 1) * sizeof *varies);
    double *values = malloc((r->sweep->vary_count + 1) * sizeof *values);
    cdg_result result = varies != NULL && values != NULL ? find(r, scene, world, varies, values, error)
                                                         : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    free(varies);
    free(values);
    return result;
}

bool cdg_sweep_gradient_go_on(void *user) {
    const cdg_sweep_rates *r = user;
    return r->go_on == NULL || r->go_on(r->user);
}
