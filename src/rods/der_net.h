// Joined der rods (net.h): implicit steps of a whole net at once.
#ifndef CDG_RODS_DER_NET_H
#define CDG_RODS_DER_NET_H

#include "rods/rod_model.h"

bool der_supports_joints(const cdg_rod *rod);
cdg_result der_prepare_net(cdg_net *net, cdg_error *error);
size_t der_net_scratch_size(const cdg_net *net);
cdg_result der_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                           cdg_rod_step_result *results, size_t *failed, cdg_error *error);

#endif
