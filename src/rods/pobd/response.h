// How the candidate of a pobd step with solver 'direct' answers additional forces (rod_model.h: response).
//
// The step is a minimum, so the response is the inverse of its second derivatives (math/outward.h).
#ifndef CDG_RODS_POBD_RESPONSE_H
#define CDG_RODS_POBD_RESPONSE_H

#include "rods/rod_model.h"

size_t pobd_response_size(const cdg_rod *rod); // 0 for gauss_seidel
cdg_result pobd_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                              cdg_error *error);
cdg_rod_range pobd_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                           const double *torque, double cutoff, double *const move[3], double *turn);
bool pobd_lighten(const cdg_rod *rod, void *response, cdg_rod_range loaded); // false for closed rods
void pobd_respond_lightly(const cdg_rod *rod, void *response, cdg_rod_range loaded, double *const force[3],
                          const double *torque, double *const move[3], double *turn);
outward_chain pobd_outward(const cdg_rod *rod, const void *response); // none for closed rods

#endif
