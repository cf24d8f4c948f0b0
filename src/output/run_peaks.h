// Largest forces over all steps, not over outputs alone: what probes of reactions and contact forces would miss.
#ifndef CDG_OUTPUT_RUN_PEAKS_H
#define CDG_OUTPUT_RUN_PEAKS_H

#include "scene/scene.h"

// Whether a probe has a peak: the largest size of the force that it measures.
bool cdg_probe_has_peak(cdg_probe_kind kind);
// Probes of the scene that have one.
size_t cdg_run_peaks_count(const cdg_scene *scene);

enum { CDG_PEAK_NUMBERS = 3 };
typedef struct cdg_run_peak {
    double since_output; // N: since the output before, the step of that not counted
    double largest;      // N: in all steps
    double time;         // s: when
} cdg_run_peak;

typedef struct cdg_run_peaks {
    size_t count;
    cdg_probe *probes;    // with handles of the world
    const char **names;   // the scene's
    cdg_run_peak *values; // checkpoints keep them as CDG_PEAK_NUMBERS numbers each
} cdg_run_peaks;

cdg_result cdg_run_peaks_make(const cdg_scene *scene, const cdg_world *world, cdg_run_peaks *out, cdg_error *error);
void cdg_run_peaks_free(cdg_run_peaks *peaks);

// After every step.
void cdg_run_peaks_look(cdg_run_peaks *peaks, const cdg_world *world);
// After every output: the next interval begins.
void cdg_run_peaks_begin_interval(cdg_run_peaks *peaks);

#endif
