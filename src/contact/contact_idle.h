// Whether nothing can come near anything in a step: then contact is over before it begins. What is told this way is
// what looking at all elements would find, so results do not depend on it.
#ifndef CDG_CONTACT_CONTACT_IDLE_H
#define CDG_CONTACT_CONTACT_IDLE_H

#include "contact/pieces.h"

typedef struct cdg_idle_object {
    double reach; // m: what boxes are larger by
    double share; // of an edge's rest length: how far it must go along the axis
} cdg_idle_object;

typedef struct cdg_idle {
    cdg_idle_object *objects; // by index
    int wait, waiting;        // steps: between looks, and left until the next
    bool is_quiet;            // the last step was idle: there are no forces, and nobody wants a response
} cdg_idle;

bool cdg_idle_build(cdg_idle *idle, const cdg_pieces *pieces);
void cdg_idle_free(cdg_idle *idle);

struct cdg_contacts;
struct cdg_contact_input;
// Between predict and the rest of contact.
bool cdg_contacts_are_idle(struct cdg_contacts *contacts, const struct cdg_contact_input *input);

#endif
