// Options of the der model.
#ifndef CDG_RODS_DER_OPTIONS_H
#define CDG_RODS_DER_OPTIONS_H

#include "rods/rod.h"

extern const struct cdg_model_options der_model_options;

static inline const cdg_der_options *der_options(const cdg_rod *rod) { return rod->options; }

#endif
