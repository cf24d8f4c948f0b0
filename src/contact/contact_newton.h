// Forces of contacts by a semismooth Newton's method (Alart and Curnier 1991), for contacts that implicit rods couple
// so strongly that Gauss-Seidel crawls.
//
// With the slip u_t and gap u_n linear in the forces, u = u_0 + A f, and any rho > 0, the laws of contact are
//   f_n = max(0, f_n - rho_n u_n),    f_t = the point nearest to f_t - rho_t u_t in the disk of radius friction f_n,
// whose derivative is known on either side of each kink. A few dense systems replace thousands of sweeps.
#ifndef CDG_CONTACT_CONTACT_NEWTON_H
#define CDG_CONTACT_CONTACT_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_NEWTON_CONTACTS_MAX = 400 };

// One contact, with the force it starts from and gap and slips by that force.
typedef struct cdg_newton_contact {
    double force[3], offset[3];
    double friction;
    double tolerance; // m
} cdg_newton_contact;

// Doubles of scratch for `count` contacts.
size_t cdg_newton_scratch(size_t count);

// Changes forces until all laws hold to their tolerances. `answer`, (3 count)^2 by rows, is A; its diagonal is raised a
// little, since contacts may be redundant. Returns the number of iterations; `is_good` tells whether it converged. The
// forces are the best that were found.
int cdg_newton_solve(cdg_newton_contact *contacts, size_t count, const double *answer, double *scratch, bool *is_good);

#endif
