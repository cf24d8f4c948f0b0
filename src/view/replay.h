// A run, or two laid over each other, shown again. Outputs are read when they are shown, never all at once.
#ifndef CDG_VIEW_REPLAY_H
#define CDG_VIEW_REPLAY_H

#include "view/act.h"

enum { CDG_REPLAY_RUNS_MAX = 2 };

// `directories` are runs, or their run.h5.
cdg_result cdg_replay_create(const char *const *directories, size_t count, cdg_act *out, cdg_error *error);

#endif
