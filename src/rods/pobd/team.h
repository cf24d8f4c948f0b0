// Teams of alike pobd rods: which rods may be in one, and a team's step.
#ifndef CDG_RODS_POBD_TEAM_H
#define CDG_RODS_POBD_TEAM_H

#include "rods/rod_model.h"

size_t pobd_team_size(void);
bool pobd_is_alike(const cdg_rod *a, const cdg_rod *b);
size_t pobd_team_scratch_size(const cdg_rod *rod);
bool pobd_predict_team(cdg_rod *const *rods, size_t count, double step, const cdg_rod_loads *loads,
                       const cdg_soon *soon, void *scratch, cdg_rod_step_result *results);
bool pobd_advance_team(cdg_rod *const *rods, size_t count, double step, uint64_t steps, bool is_final,
                       const cdg_rod_loads *loads, const cdg_soon *soon, void *scratch, uint64_t *taken,
                       cdg_rod_step_result *results);

#endif
