// Hands: what a page holds. Rods and bodies are gripped by springs (<cordage/grip.h>); supports and obstacles, which
// are where they are told to be, are led after the hand without haste.
#ifndef CDG_VIEW_HANDS_H
#define CDG_VIEW_HANDS_H

#include "view/picture_message.h"
#include "view/request.h"

#include <cordage/cordage.h>

typedef struct cdg_hand {
    bool is_holding, is_pinned;
    cdg_grab_object object;
    uint32_t index;
    cdg_vec3 target; // m
    cdg_grip_id grip;
    bool is_twisting;
    double twist;      // rad
    cdg_vec3 local;    // of an obstacle: the held point, own axes; of a solid: where it was when the solid was made
    cdg_vec3 offset;   // of a solid: from the middle of what is held to the point
    cdg_vec3 position; // of a support or an obstacle that is led: where it is, m
    cdg_vec3 velocity; // m/s
} cdg_hand;

typedef struct cdg_hands {
    cdg_hand hands[CDG_HANDS_MAX];
} cdg_hands;

// False: refused, `error` says why. A hand that holds something lets go first.
bool cdg_hands_grab(cdg_hands *hands, cdg_world *world, const cdg_request *request, cdg_error *error);
bool cdg_hands_move(cdg_hands *hands, cdg_world *world, const cdg_request *request, cdg_error *error);
bool cdg_hands_pin(cdg_hands *hands, const cdg_request *request, cdg_error *error); // and the other way round
void cdg_hands_release(cdg_hands *hands, cdg_world *world, uint32_t hand);          // nothing held is fine
void cdg_hands_release_all(cdg_hands *hands, cdg_world *world);
// Where what is held is pulled to.
cdg_vec3 cdg_hand_aim(const cdg_hand *hand);
// Before each step: leads supports and obstacles.
void cdg_hands_drive(cdg_hands *hands, cdg_world *world);
// After a step that failed: nobody pulls any more, until the hands are moved again.
void cdg_hands_relax(cdg_hands *hands, cdg_world *world);
bool cdg_hands_are_empty(const cdg_hands *hands);

// The message `grabbed`.
cdg_message *cdg_hands_grabbed(const cdg_request *request, bool is_good, const char *text);
// The block of hands; none when nothing is held.
void cdg_hands_draw(const cdg_hands *hands, const cdg_world *world, cdg_picture_draft *draft);

#endif
