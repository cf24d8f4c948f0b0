// The chain of dampers (corde/dampers.h) in four lanes, where vectors have as many.
#if CDG_SIMD_DOUBLES >= 4
#define LANES 4
#include "rods/corde/dampers_lanes.h"

corde_dampers_outcome VARIANT(corde_dampers_solve_in_four)(const corde_dampers *d) { return solve_in_lanes(d); }
#else
#include "rods/corde/dampers.h"
#endif
