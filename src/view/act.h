// What a stage shows: a live world or a replay. One table of operations, all called from the stage's thread.
#ifndef CDG_VIEW_ACT_H
#define CDG_VIEW_ACT_H

#include "view/board.h"
#include "view/picture_message.h"
#include "view/request.h"

// What the status line tells about it.
typedef struct cdg_act_facts {
    double energy; // J; NaN: unknown
    size_t contacts;
} cdg_act_facts;

typedef struct cdg_act {
    void *self;
    void (*destroy)(void *self);
    // Puts hello, world, text, controls and probes on the board.
    void (*announce)(void *self, cdg_board *board);
    double (*time)(const void *self);
    double (*end)(const void *self);  // s; infinite: none
    double (*step)(const void *self); // s: how far `advance` goes at a time; 0: anywhere
    // One step, or to `wanted` where there are no steps. A failure leaves the last good state.
    cdg_result (*advance)(void *self, double wanted, cdg_error *error);
    void (*draw)(void *self, cdg_picture_draft *draft, uint32_t index); // begins the draft, too
    // Requests that are not about the clock; false: refused, `error` says why.
    bool (*answer)(void *self, const cdg_request *request, cdg_board *board, cdg_error *error);
    void (*mark)(void *self); // undo comes back to this moment
    cdg_act_facts (*facts)(const void *self);
    cdg_message *(*sample)(const void *self); // probes; NULL: none
} cdg_act;

#endif
