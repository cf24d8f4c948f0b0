// The pobd rod model: position and orientation based rods (Kugelstadt and Schömer 2016) with physical stiffness.
#ifndef CDG_RODS_POBD_H
#define CDG_RODS_POBD_H

#include "rods/rod_model.h"

extern const cdg_rod_model cdg_pobd_model;

#endif
