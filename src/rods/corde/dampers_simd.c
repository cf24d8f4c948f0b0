// The chain of dampers (corde/dampers.h) in two lanes, one from either end, or in more where they serve.
#define LANES 2
#include "rods/corde/dampers_lanes.h"

static corde_dampers_outcome solve_in_more(const corde_dampers *d) {
#if CDG_SIMD_DOUBLES > 2
    int lanes = corde_dampers_choose_lanes(d, CDG_SIMD_DOUBLES);
#if CDG_SIMD_DOUBLES > 4
    if (lanes == 8) return VARIANT(corde_dampers_solve_in_eight)(d);
#endif
    if (lanes == 4) return VARIANT(corde_dampers_solve_in_four)(d);
#endif
    return solve_in_lanes(d);
}

// In two lanes a closed rod would not notice that they are cold.
bool VARIANT(corde_dampers_solve)(const corde_dampers *d) {
    corde_dampers_outcome found = solve_in_more(d);
    if (found == CORDE_DAMPERS_COLD && !d->is_closed) found = solve_in_lanes(d);
    return found == CORDE_DAMPERS_SOLVED;
}
