// A new search for the pairs of primitives of couples of objects (surface_pairs.h), several couples at once. It finds
// the primitives that can come near each other before the two objects have used up their room to move (surface_near.h).
#ifndef CDG_CONTACT_SURFACE_RENEW_H
#define CDG_CONTACT_SURFACE_RENEW_H

#include "contact/contacts.h"

// The pairs that one thread finds, couple by couple. Keeps its memory from call to call.
typedef struct cdg_surface_renewal {
    cdg_surface_pairs search; // corners and shapes are those of all
    cdg_surface_pair *named;
    cdg_kept_pair *pairs;
    size_t count, capacity;
    cdg_kept_pair *measured; // of the couple at hand
    size_t measured_capacity;
    cdg_result result;
    cdg_error error;
} cdg_surface_renewal;

void cdg_surface_renewals_free(struct cdg_contacts *contacts);
// Finds the pairs of the couples with these numbers, which are in order. Same pairs for any number of threads.
cdg_result cdg_surface_renew(struct cdg_contacts *contacts, const cdg_contact_input *input, const uint32_t *couples,
                             size_t count, bool is_first, cdg_error *error);
// m: by how much the distance of a pair at the start of the step exceeds what counts as near, as far as `range`. Pairs
// of surfaces are measured.
double cdg_surface_room(const struct cdg_contacts *contacts, const cdg_contact_input *input,
                        const cdg_surface_pair *pair, const cdg_kept_pair *kept, double range);

#endif
