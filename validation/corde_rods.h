// What the validation cases of corde share: the rod of Spillmann and Teschner's comparisons, and settling.
#ifndef VALIDATION_CORDE_RODS_H
#define VALIDATION_CORDE_RODS_H

#include "validation/cases.h"

// "Comparison" in the thesis's table 3.2: 10 m long, 1 cm radius, E = 1 MPa, G = 4 MPa, E_s = 1 GPa, 1300 kg/m^3. The
// second moments of area are those printed in the paper (eq. 11), pi r^2/4 and pi r^2/2 instead of pi r^4/4 and
// pi r^4/2, for its experiments show the behaviour of that stiffness; likewise the rotary inertia. Hangs down from the
// origin, 50 elements.
cdg_rod_def corde_comparison_rod(cdg_corde_coupling coupling);

// A world with this rod alone; the caller destroys it.
cdg_result corde_world(const validation_context *context, const cdg_rod_def *rod, cdg_vec3 gravity, cdg_world **world,
                       cdg_rod_id *id, cdg_error *error);
// Steps for `seconds`.
cdg_result corde_run(cdg_world *world, double step, double seconds, cdg_error *error);

#endif
