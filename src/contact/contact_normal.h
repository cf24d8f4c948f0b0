// Forces of a few contacts without friction, exactly: an active-set method on a dense matrix.
//
// With gaps u = u_0 + A f linear in the normal forces, the laws are f >= 0, u >= 0 and f u = 0: the least of
// f A f / 2 + u_0 f over f >= 0. Contacts that push are the active set; their forces follow from one Cholesky
// factorisation, and the set changes by one contact at a time (Lawson and Hanson 1974). It ends after finitely many
// changes, however nearly singular A is, where gradients and alternating directions crawl: contacts side by side
// share a force.
#ifndef CDG_CONTACT_CONTACT_NORMAL_H
#define CDG_CONTACT_CONTACT_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

// Doubles of scratch memory that `count` contacts need.
size_t cdg_normal_scratch(size_t count);

// `answer`: A, count x count by rows, symmetric, m/N. `gap`: u_0, m. `force` is the start (those above zero are the
// first active set) and the result. `tolerance`: gaps, m, each. False: no solution within the bound on changes; `force`
// is then the best so far, and not negative.
bool cdg_normal_solve(const double *answer, const double *gap, const double *tolerance, size_t count, double *force,
                      double *scratch);

#endif
