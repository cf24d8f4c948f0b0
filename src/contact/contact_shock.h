// Approximate shock propagation (Macklin et al. 2014, "Unified particle physics for real-time applications", section
// 5.2): while contacts are solved for, what lies higher weighs less, by a factor of e for each `shock_height`.
//
// A force then lifts what lies above it almost without pressing down what lies below, so that sweeps carry the load
// of a high stack to the floor in a few rounds instead of passing it on by halves. What rests is as without it: all of
// a stack is lifted by as much as it would sink. Of a blow between two that lie on each other, their thickness over
// the height is the share by which momentum is not kept.
#ifndef CDG_CONTACT_CONTACT_SHOCK_H
#define CDG_CONTACT_CONTACT_SHOCK_H

#include "contact/contacts.h"

// After the pieces are loaded and contacts of the step before listed: answers to forces, and these contacts' forces,
// become those of the lighter masses. Nothing to do where the treatment has no such height, or there is no gravity.
void cdg_shock_begin(cdg_contacts *contacts, const cdg_contact_input *input);
// Before the pieces are stored: they are those of the masses again. Moves stay as they are.
void cdg_shock_end(cdg_contacts *contacts, const cdg_contact_input *input);

#endif
