// Options of the reference model.
#ifndef CDG_RODS_REFERENCE_OPTIONS_H
#define CDG_RODS_REFERENCE_OPTIONS_H

#include "rods/rod.h"

extern const struct cdg_model_options reference_model_options;

static inline const cdg_reference_options *reference_options(const cdg_rod *rod) { return rod->options; }

#endif
