// How the candidate of a reference step answers additional forces (rod_model.h: response).
#ifndef CDG_RODS_REFERENCE_RESPONSE_H
#define CDG_RODS_REFERENCE_RESPONSE_H

#include "rods/reference/step.h"

// reference/reference.c: the equations of a step that was predicted, undivided, about its candidate; memory in scratch.
reference_step reference_pose_candidate(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch);

size_t reference_response_size(const cdg_rod *rod);
cdg_result reference_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                                   cdg_error *error);
cdg_rod_range reference_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                                const double *torque, double cutoff, double *const move[3], double *turn);

#endif
