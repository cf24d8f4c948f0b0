// A world that is simulated while it is shown.
#ifndef CDG_VIEW_LIVE_H
#define CDG_VIEW_LIVE_H

#include "view/act.h"

#include <cordage/scene.h>

typedef struct cdg_live_def {
    cdg_scene *scene; // usable; taken over, also on failure
    int thread_count; // 0: all cores
} cdg_live_def;

cdg_result cdg_live_create(const cdg_live_def *def, cdg_act *out, cdg_error *error);

#endif
