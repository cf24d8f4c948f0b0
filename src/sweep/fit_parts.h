// What the files of a fit's model share.
#ifndef CDG_SWEEP_FIT_PARTS_H
#define CDG_SWEEP_FIT_PARTS_H

#include "sweep/fit_model.h"

#include <stdatomic.h>

typedef struct experiment { // files with the same settings
    size_t first;           // of its files, whose settings count
    bool is_static;         // with gradients
    size_t *probe_indices;  // in the scene's list: the probes whose rates are needed
    size_t probe_count;
    size_t column_count; // of a row
} experiment;

typedef struct column_match { // of a column of a file
    size_t index;             // in a row
    size_t probe, component;  // of the experiment's probes; SIZE_MAX: a peak, which has no rate
} column_match;

struct cdg_fit_model {
    cdg_fit_setup setup;
    experiment *experiments;
    size_t experiment_count;
    size_t *experiment_of;  // of each file
    column_match **matches; // of each file's columns
    size_t *rods;           // of each shape, its index
    cdg_fit_residual *residuals;
    size_t *first_residual; // of each file
    size_t residual_count, noise_count, freedom;
    atomic_size_t case_count;
    atomic_bool has_differences;
    bool has_exact;
};

#endif
