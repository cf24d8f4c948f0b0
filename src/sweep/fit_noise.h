// Whose noise is whose, where the data do not say how large it is.
#ifndef CDG_SWEEP_FIT_NOISE_H
#define CDG_SWEEP_FIT_NOISE_H

#include "sweep/fit_model.h"

// Gives columns of few measurements one noise for all of the same kind of quantity. A column that has no more
// measurements than values are sought can be met exactly, whatever its noise: estimated by itself, the noise would go
// to nothing, the column would outweigh all others, and the limits would be those of no noise. Residuals come numbered
// by a noise for each column; noises are numbered again from 0. False: no memory.
bool cdg_fit_share_noises(const cdg_fit_setup *setup, cdg_fit_residual *residuals, size_t count, size_t *noise_count);

// A noise that has to be estimated beside others and is still of no more measurements than values are sought.
cdg_result cdg_fit_check_noises(const cdg_fit_setup *setup, const cdg_fit_residual *residuals, size_t count,
                                size_t noise_count, cdg_error *error);

// Of one column, or of one shape, whose columns are points.
bool cdg_fit_is_same_series(const cdg_fit_setup *setup, const cdg_fit_residual *a, const cdg_fit_residual *b);

#endif
