// The simulation's own thread: it keeps time, acts on requests, and puts pictures on the board. Late, it first draws
// fewer pictures and then lets simulated time go slower than asked, and says so; it never shortens the physics.
#ifndef CDG_VIEW_STAGE_H
#define CDG_VIEW_STAGE_H

#include "view/act.h"

typedef struct cdg_stage cdg_stage;

typedef struct cdg_stage_def {
    cdg_board *board;
    cdg_act act;  // taken over
    double speed; // simulated seconds a second
    bool is_paused;
} cdg_stage_def;

cdg_result cdg_stage_start(const cdg_stage_def *def, cdg_stage **out, cdg_error *error);
// Takes the request over, its text too. False: too many are waiting; it was dropped.
bool cdg_stage_request(cdg_stage *stage, const cdg_request *request);
void cdg_stage_stop(cdg_stage *stage); // waits for its end; NULL is fine

#endif
