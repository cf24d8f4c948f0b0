// The reference model: constraint-free finite elements with exact kinetic energy (docs/models/reference.md).
#ifndef CDG_RODS_REFERENCE_H
#define CDG_RODS_REFERENCE_H

#include "rods/rod_model.h"

extern const cdg_rod_model cdg_reference_model;

#endif
