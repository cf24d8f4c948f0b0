// Peaks of forces: each step looks at the probes concerned, which costs as much as an output's line of them.
#include "output/run_peaks.h"

#include "base/error.h"
#include "math/vec3.h"
#include "world/cuts.h"

#include <stdlib.h>

_Static_assert(sizeof(cdg_run_peak) == CDG_PEAK_NUMBERS * sizeof(double), "peaks are stored as plain numbers");

bool cdg_probe_has_peak(cdg_probe_kind kind) { return kind == CDG_PROBE_REACTION || kind == CDG_PROBE_CONTACT_FORCE; }

size_t cdg_run_peaks_count(const cdg_scene *scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene->probe_count; i++) count += cdg_probe_has_peak(scene->probes[i].probe.kind);
    return count;
}

cdg_result cdg_run_peaks_make(const cdg_scene *scene, const cdg_world *world, cdg_run_peaks *out, cdg_error *error) {
    size_t count = cdg_run_peaks_count(scene);
    *out = (cdg_run_peaks){.probes = calloc(count + 1, sizeof *out->probes),
                           .names = calloc(count + 1, sizeof *out->names),
                           .values = calloc(count + 1, sizeof *out->values)};
    if (out->probes == NULL || out->names == NULL || out->values == NULL) {
        cdg_run_peaks_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the peaks of %zu probes", count);
    }
    for (size_t i = 0; i < scene->probe_count; i++) {
        cdg_probe probe = scene->probes[i].probe;
        if (!cdg_probe_has_peak(probe.kind)) continue;
        // A scene names rods by index + 1, a world by handle.
        if (probe.place.rod.index1 != 0) probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
        out->probes[out->count] = probe;
        out->names[out->count++] = scene->probes[i].name;
    }
    return CDG_OK;
}

void cdg_run_peaks_free(cdg_run_peaks *peaks) {
    free(peaks->probes);
    free(peaks->names);
    free(peaks->values);
    *peaks = (cdg_run_peaks){0};
}

void cdg_run_peaks_look(cdg_run_peaks *peaks, const cdg_world *world) {
    for (size_t i = 0; i < peaks->count; i++) {
        double out[CDG_PROBE_COLUMNS_MAX];
        cdg_probe probe = cdg_probe_now(world, &peaks->probes[i]);
        if (cdg_world_measure(world, &probe, out) != CDG_OK) continue; // the output's line tells
        double size = vec3_norm(vec3(out[0], out[1], out[2]));
        cdg_run_peak *peak = &peaks->values[i];
        if (size > peak->since_output) peak->since_output = size;
        if (!(size > peak->largest)) continue;
        peak->largest = size;
        peak->time = cdg_world_time(world);
    }
}

void cdg_run_peaks_begin_interval(cdg_run_peaks *peaks) {
    for (size_t i = 0; i < peaks->count; i++) peaks->values[i].since_output = 0;
}
