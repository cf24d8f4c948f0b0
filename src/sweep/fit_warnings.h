// What a fit does not tell by itself: values at bounds, combinations that the data do not determine, a model that does
// not explain the data.
#ifndef CDG_SWEEP_FIT_WARNINGS_H
#define CDG_SWEEP_FIT_WARNINGS_H

#include "sweep/fit.h"

// Adds sentences to the result's warnings. False: no memory.
bool cdg_fit_add_warning(cdg_fit_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool cdg_fit_warn(const cdg_fit_def *def, const cdg_fit_model *model, cdg_fit_result *result);

#endif
