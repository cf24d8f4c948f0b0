// Options of the pobd model.
#ifndef CDG_RODS_POBD_OPTIONS_H
#define CDG_RODS_POBD_OPTIONS_H

#include "rods/rod.h"

extern const struct cdg_model_options pobd_model_options;

static inline const cdg_pobd_options *pobd_options(const cdg_rod *rod) { return rod->options; }

#endif
