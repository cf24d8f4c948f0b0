// A world with one der rod, 1 m long, of bending stiffness 1 N m^2 and 1 kg/m, and what the cases ask of it.
#ifndef VALIDATION_DER_RODS_H
#define VALIDATION_DER_RODS_H

#include "validation/cases.h"

typedef struct der_world {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_support_id start, end;
} der_world;

// Along x, L = 1; twisting stiffness `twist`; stretching as of a round section of `radius` (4 B/radius^2).
cdg_rod_def der_unit_rod(size_t elements, double radius, double twist);
// Spoils rod and gravity, builds the world; error filled on failure, when there is nothing to destroy.
cdg_result der_world_make(const validation_context *context, cdg_rod_def *def, cdg_vec3 gravity, double step,
                          der_world *out, cdg_error *error);
cdg_result der_world_support(der_world *d, cdg_support_kind kind, size_t node, const cdg_motion *motion,
                             cdg_support_id *out);
cdg_result der_world_force(der_world *d, size_t node, cdg_vec3 force);
// Copies the world's message and destroys it; returns the result.
cdg_result der_world_close(der_world *d, cdg_result result, cdg_error *error);

#endif
