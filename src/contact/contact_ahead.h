// Rounds without predictions. Implicit solids answer forces so nearly linearly, to a few hundredths of the move, that
// what forces bring to lie in each other is found as well where objects are by their answers as where they are by a new
// prediction. So forces are solved for a few times, and contacts looked for in between, before objects are predicted.
#ifndef CDG_CONTACT_CONTACT_AHEAD_H
#define CDG_CONTACT_CONTACT_AHEAD_H

#include "contact/contacts.h"

// Of the listed objects (`again`), on which the last solve has changed forces, candidates go where these move them.
// False: they have to be predicted.
bool cdg_contacts_go_ahead(cdg_contacts *contacts, size_t count);
// Whether candidates are good enough, as far as answers go, to be predicted.
bool cdg_contacts_are_ahead_enough(const cdg_contacts *contacts);
// Into `again`: objects whose candidates are not what they were predicted to be, and those that are listed. Returns how
// many; none of them is ahead any more.
size_t cdg_contacts_list_ahead(cdg_contacts *contacts, size_t listed);

#endif
