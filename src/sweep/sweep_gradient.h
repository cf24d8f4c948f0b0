// Columns of a sweep with the rates of its other columns in what varies: tip_z_per_E [m/MPa], of static scenes.
#ifndef CDG_SWEEP_SWEEP_GRADIENT_H
#define CDG_SWEEP_SWEEP_GRADIENT_H

#include "sweep/sweep.h"

// Adds the columns to the readout, once its own are known. CDG_ERROR_ARGUMENT: the scene, as it was read, has no
// gradients, or nothing has a rate.
cdg_result cdg_sweep_gradient_prepare(cdg_sweep *sweep, const cdg_scene *scene, cdg_error *error);

// What one case needs to find its rates, and the rates.
typedef struct cdg_sweep_rates {
    const cdg_sweep *sweep;
    size_t index; // of the case
    const char *const *overrides;
    size_t override_count;
    cdg_sweep_go_on *go_on;
    void *user;
    double *rates; // gradient_count
} cdg_sweep_rates;

// As on_row and go_on of a case (case.h), with a cdg_sweep_rates.
cdg_result cdg_sweep_gradient_on_row(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error);
bool cdg_sweep_gradient_go_on(void *user);

#endif
