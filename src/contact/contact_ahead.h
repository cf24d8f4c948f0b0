// Rounds without predictions. Implicit solids respond to forces linearly, to within a few hundredths of the
// displacement, so a search at candidates moved by this response finds new penetrations as well as one at new
// predictions. Therefore forces are solved for a few times, with searches for contacts in between, before objects are
// predicted again.
#ifndef CDG_CONTACT_CONTACT_AHEAD_H
#define CDG_CONTACT_CONTACT_AHEAD_H

#include "contact/contacts.h"

// Moves the candidates of the listed objects (`again`), on which the last solve has changed forces, by their linear
// response to these. False: they have to be predicted.
bool cdg_contacts_go_ahead(cdg_contacts *contacts, size_t count);
// Whether candidates are as good as the linear response makes them, so that it is time to predict.
bool cdg_contacts_are_ahead_enough(const cdg_contacts *contacts);
// Lists in `again` the objects whose candidates were moved since their prediction, and those already listed. Returns
// how many; none of them counts as ahead any more.
size_t cdg_contacts_list_ahead(cdg_contacts *contacts, size_t listed);

#endif
