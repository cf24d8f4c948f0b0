// Whether the contacts of a round, as they are found, may be what the step ends with.
#ifndef CDG_CONTACT_CONTACT_JUDGE_H
#define CDG_CONTACT_CONTACT_JUDGE_H

#include "contact/contacts.h"

// Of the radius: penetration that is promised.
static const double contact_promised_share = 1e-3;

// By how much a contact is off in the candidate, in radii.
cdg_contact_shortfall cdg_contact_shortfall_of(const cdg_contacts *contacts, const cdg_contact *contact);
// Whether on the ways from the start of the step its sides would pass through each other.
bool cdg_contact_passes(const cdg_contact *contact);
// Goes through all contacts of the list; sets what `out` says of them. Returns the worst of all.
cdg_contact_shortfall cdg_contacts_judge(const cdg_contacts *contacts, const cdg_contact_input *input,
                                         cdg_contact_outcome *out);

#endif
