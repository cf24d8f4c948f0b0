// Joined der rods (net.h): implicit steps of a whole net at once.
#ifndef CDG_RODS_DER_NET_H
#define CDG_RODS_DER_NET_H

#include "rods/der/der.h"
#include "rods/der/net_system.h"
#include "rods/rod_model.h"

bool der_supports_joints(const cdg_rod *rod);
cdg_result der_prepare_net(cdg_net *net, cdg_error *error);
void der_settle_net(const cdg_net *net); // after the resolution of rods has changed
size_t der_net_scratch_size(const cdg_net *net);
cdg_result der_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                           cdg_rod_step_result *results, size_t *failed, cdg_error *error);

// The parts of a step: its scheme, what all rods pose in it (scratch as for der_predict_net), and points that are held
// at one copy, held at all.
der_scheme der_net_scheme(const cdg_net *net, double step);
der_net_system der_net_pose(const cdg_net *net, der_scheme s, const cdg_rod_loads *loads, void *scratch);
void der_net_hold_points(const cdg_net *net, const der_chain *chains);

// der/net_response.c (rod_model.h: net_response_size, ...) ------------------------------------------------------------
size_t der_net_response_size(const cdg_net *net);
cdg_result der_keep_net_response(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                                 void *response, cdg_error *error);
void der_respond_net(const cdg_net *net, void *response, double *const force[3], const double *torque,
                     double *const move[3], double *turn);

#endif
