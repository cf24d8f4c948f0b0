// What the probes of a scene say at one moment, as a row of numbers.
#include "output/probe_row.h"

#include "base/error.h"
#include "math/vec3.h"
#include "world/cuts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char peak_title[] = "_peak [N]";

static size_t columns_of(cdg_probe_kind kind) { return cdg_probe_column_count(kind) + cdg_probe_has_peak(kind); }

static char *make_title(const scene_probe *probe, size_t column) {
    cdg_probe_kind kind = probe->probe.kind;
    bool is_peak = column == cdg_probe_column_count(kind);
    size_t size = is_peak ? strlen(probe->name) + sizeof peak_title
                          : cdg_probe_column_title(kind, probe->name, column, NULL, 0) + 1;
    char *title = malloc(size);
    if (title == NULL) return NULL;
    if (is_peak)
        snprintf(title, size, "%s%s", probe->name, peak_title);
    else
        cdg_probe_column_title(kind, probe->name, column, title, size);
    return title;
}

static bool make_titles(cdg_probe_row *row) {
    size_t at = 0;
    for (size_t i = 0; i < row->scene->probe_count; i++)
        for (size_t k = 0; k < columns_of(row->scene->probes[i].probe.kind); k++, at++)
            if ((row->titles[at] = make_title(&row->scene->probes[i], k)) == NULL) return false;
    return true;
}

// A scene names rods by index + 1, a world by handle.
static void find_handles(cdg_probe_row *row, const cdg_world *world) {
    for (size_t i = 0; i < row->scene->probe_count; i++) {
        cdg_probe probe = row->scene->probes[i].probe;
        if (probe.place.rod.index1 != 0) probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
        if (probe.other.index1 != 0) probe.other = cdg_world_rod_at(world, probe.other.index1 - 1);
        row->probes[i] = probe;
    }
}

cdg_result cdg_probe_row_make(const cdg_scene *scene, const cdg_world *world, cdg_probe_row *out, cdg_error *error) {
    *out = (cdg_probe_row){.scene = scene};
    for (size_t i = 0; i < scene->probe_count; i++) out->column_count += columns_of(scene->probes[i].probe.kind);
    out->probes = calloc(scene->probe_count + 1, sizeof *out->probes);
    out->titles = calloc(out->column_count + 1, sizeof *out->titles);
    if (out->probes == NULL || out->titles == NULL || !make_titles(out)) {
        cdg_probe_row_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu probes", scene->probe_count);
    }
    if (world != NULL) find_handles(out, world);
    return CDG_OK;
}

void cdg_probe_row_free(cdg_probe_row *row) {
    for (size_t i = 0; row->titles != NULL && i < row->column_count; i++) free(row->titles[i]);
    free(row->titles);
    free(row->probes);
    *row = (cdg_probe_row){0};
}

cdg_result cdg_probe_row_measure(const cdg_probe_row *row, const cdg_world *world, const cdg_run_peaks *peaks,
                                 double *out, cdg_error *error) {
    size_t at = 0, peak = 0;
    for (size_t i = 0; i < row->scene->probe_count; i++) {
        double values[CDG_PROBE_COLUMNS_MAX];
        cdg_probe_kind kind = row->probes[i].kind;
        cdg_probe probe = cdg_probe_now(world, &row->probes[i]);
        cdg_result result = cdg_world_measure(world, &probe, values);
        if (result != CDG_OK && cdg_world_cut_count(world) > 0) { // a ring that was cut is linked with nothing
            for (size_t k = 0; k < CDG_PROBE_COLUMNS_MAX; k++) values[k] = NAN;
            result = CDG_OK;
        }
        if (result != CDG_OK)
            return cdg_fail(error, result, "probe '%s' cannot be measured: %s", row->scene->probes[i].name,
                            cdg_result_text(result));
        for (size_t k = 0; k < cdg_probe_column_count(kind); k++) out[at++] = values[k];
        if (!cdg_probe_has_peak(kind)) continue;
        double size = vec3_norm(vec3(values[0], values[1], values[2]));
        if (peaks != NULL) size = fmax(size, peaks->values[peak++].since_output);
        out[at++] = size;
    }
    return CDG_OK;
}
