// Forces that last: explicit objects whose step spreads forces along them (sweeps, damping) are predicted with the
// contact forces of the step before, and contact adds what is new. Else contact would move the nodes that it holds by
// their own masses alone, after every step, and the object would be strained by as much.
//
// Damped objects take over whatever acted in two steps. Others would swing: what contact adds restores like a spring of
// mass/step^2, and a load that follows it in the next step is the sum of all that was added, which comes too late.
// Where a node of mass m carries M, a load that goes alpha of the way to the force in each step is stable for
// alpha < m/M. (Of a mass M on a node: u^3 + (1 - alpha) r u + alpha r = 0 with r = m/M has |1 - u| > 1.)
#ifndef CDG_CONTACT_LASTING_H
#define CDG_CONTACT_LASTING_H

#include "contact/contacts.h"

// After the contacts are solved for: how far loads will be from forces, of points of objects that take them slowly.
void cdg_lasting_update(const cdg_contacts *contacts, const cdg_contact_input *input);
// What of the force on a side of a contact of the list acts from the start of the next step, where it comes slowly, N.
cdg_vec3 cdg_lasting_force(const cdg_contacts *contacts, const cdg_contact *contact, int side);

#endif
