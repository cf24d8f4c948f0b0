// Forces of contacts that implicit rods couple so strongly that Gauss-Seidel crawls: alternating directions.
//
// With gap and slip u linear in the forces, u = u_0 + A f, and any r > 0, the laws of contact are
//   f_n = max(0, f_n - u_n / r),    f_t = the point nearest to f_t - u_t / r in the disk of radius friction f_n
// (Alart and Curnier 1991), in short f = P(f - u / r). The method of multipliers with alternating directions (Boyd et
// al. 2011) splits them: f from (A + r) f = r (z - w) - u_0, then z = P(f + w), and w grows by f - z. Where it stays,
// f = z and u = -r w, so the laws hold. One factor of A + r, in single precision, serves all iterations; what they find
// is judged in double precision. Turns are mixed (math/anderson.h), which halves their number. Newton's method on the
// same equations goes round in circles among contacts that stick and slide, even from where iterations have nearly
// ended: A is nearly singular where contacts lie side by side.
#ifndef CDG_CONTACT_CONTACT_COUPLED_H
#define CDG_CONTACT_CONTACT_COUPLED_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_COUPLED_CONTACTS_MAX = 120 };

// One contact, with the force it starts from and gap and slips by that force.
typedef struct cdg_coupled_contact {
    double force[3], offset[3];
    double friction;
    double tolerance; // m
} cdg_coupled_contact;

// Doubles of scratch memory that `count` contacts need.
size_t cdg_coupled_scratch(size_t count);

// `answer`: A, 3 count x 3 count by rows, m/N, of which what is above the diagonal is not read.
// Replaces the forces and returns the number of iterations; forces are the best that were found when `is_good` becomes
// false.
int cdg_coupled_solve(cdg_coupled_contact *contacts, size_t count, const double *answer, double *scratch,
                      bool *is_good);

#endif
