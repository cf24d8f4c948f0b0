// Whether nothing can come near anything in a step: then contact is over before it begins. What is told this way is
// what looking at all elements would find, so results do not depend on it.
#ifndef CDG_CONTACT_CONTACT_IDLE_H
#define CDG_CONTACT_CONTACT_IDLE_H

#include "contact/box_pairs.h"
#include "contact/contact_rooms.h"

typedef struct cdg_idle {
    bool is_known; // `rooms` are those of what follows, and of the shapes where they stood (contacts.h)
    cdg_rooms rooms;
    double *at[3];  // m, by the chains' nodes: where they were at the last look
    double *length; // m, by element
    double *share;  // by object (cdg_rooms_along)
    cdg_box *boxes; // by object; those of moves, by block
    cdg_box *moves;
    cdg_room_element *elements;
    cdg_room_block *blocks;
    uint32_t *block_of;    // by element
    uint32_t *first_block; // by chain, one more than there are
    int wait, waiting;     // steps: between looks that found something near, and left until the next
    bool is_quiet;         // the last step was idle: there are no forces, and nobody wants a response
    void *memory;
} cdg_idle;

bool cdg_idle_build(cdg_idle *idle, const cdg_pieces *pieces);
void cdg_idle_free(cdg_idle *idle);
// After elements were numbered anew, shapes were removed, or anything else that is not seen from where things are.
void cdg_idle_renumber(cdg_idle *idle, const cdg_pieces *pieces);
void cdg_idle_forget(cdg_idle *idle);

struct cdg_contacts;
struct cdg_contact_input;
// Between predict and the rest of contact.
bool cdg_contacts_are_idle(struct cdg_contacts *contacts, const struct cdg_contact_input *input);

#endif
