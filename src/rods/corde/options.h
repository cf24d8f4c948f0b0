// Options of the corde model.
#ifndef CDG_RODS_CORDE_OPTIONS_H
#define CDG_RODS_CORDE_OPTIONS_H

#include "rods/rod.h"

extern const struct cdg_model_options corde_model_options;

static inline const cdg_corde_options *corde_options(const cdg_rod *rod) { return rod->options; }

#endif
