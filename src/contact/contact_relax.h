// Forces of many contacts by block Gauss-Seidel on their matrix (contact_condensed.h): one contact after the other is
// given the force that its own laws ask for, those of contact_coupled.h, with the others as they are. Sweeps are
// mixed (math/anderson.h): where contacts lie side by side force passes from one to the other ever so slowly. A sweep is
// linear in contacts.
#ifndef CDG_CONTACT_CONTACT_RELAX_H
#define CDG_CONTACT_CONTACT_RELAX_H

#include "contact/contact_condensed.h"
#include "contact/contact_coupled.h"

// Doubles of scratch memory that `count` contacts need.
size_t cdg_relax_scratch(size_t count);

// Replaces the forces and returns the number of sweeps, at most `most`. `force_share` of the largest force is what a
// force may be off by, where that is less than its tolerance. Forces are those of the last sweep when `is_good` becomes
// false.
int cdg_relax_solve(const cdg_condensed *matrix, cdg_coupled_contact *contacts, double force_share, int most,
                    double *scratch, bool *is_good);

#endif
