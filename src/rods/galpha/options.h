// Options of the galpha model.
#ifndef CDG_RODS_GALPHA_OPTIONS_H
#define CDG_RODS_GALPHA_OPTIONS_H

#include "rods/rod.h"

extern const struct cdg_model_options galpha_model_options;

static inline const cdg_galpha_options *galpha_options(const cdg_rod *rod) { return rod->options; }

#endif
