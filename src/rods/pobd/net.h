// Joined pobd rods (net.h), with the Gauss-Seidel solver.
#ifndef CDG_RODS_POBD_NET_H
#define CDG_RODS_POBD_NET_H

#include "rods/rod_model.h"

// The operations of the model's table.
bool pobd_supports_joints(const cdg_rod *rod);
size_t pobd_net_scratch_size(const cdg_net *net);
cdg_result pobd_predict_net(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                            cdg_rod_step_result *results, size_t *failed, cdg_error *error);

#endif
