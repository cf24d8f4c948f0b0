// Rows of contacts between surfaces, of up to six points, in the batches of the sweeps (contact_sweep.h). A batch has
// room for two points of each side; the third of each goes into the batch's further columns.
#ifndef CDG_CONTACT_WIDE_H
#define CDG_CONTACT_WIDE_H

#include "contact/contacts.h"

// Turns both tangents about the normal so that friction along one does not move the contact along the other.
void cdg_contact_turn_tangents(cdg_contact_row *row);

// Fills a batch whose `row` is set; `contacts` is a cdg_contacts. Columns are zero before.
void cdg_contact_fill_wide(const void *contacts, cdg_sweep_batch *batch, cdg_sweep_more *more);

// What the row shares with others: its points, by their local numbers (contact_local.h), and elements; and whether the
// contact pushes, or would without a force.
void cdg_contact_link_row(cdg_contacts *c, const cdg_contact_row *row, const cdg_contact *contact, cdg_sweep_link *out);

#endif
