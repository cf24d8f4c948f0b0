// The galpha model: the dynamic Cosserat equations as a boundary value problem (Sobottka, Lay and Weber 2008).
#ifndef CDG_RODS_GALPHA_H
#define CDG_RODS_GALPHA_H

#include "rods/rod_model.h"

extern const cdg_rod_model cdg_galpha_model;

#endif
