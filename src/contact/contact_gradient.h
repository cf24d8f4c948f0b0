// Forces of many contacts that implicit rods couple, without any matrix: accelerated projected gradients.
//
// The laws of contact are those of contact_coupled.h, f = P(f - u / r) with u = u_0 + A f. With r = L d, d being the
// contacts' own compliances and L no less than the largest eigenvalue of A relative to them, one projection is one step
// of gradients. Steps are taken from where the last two lead to (Nesterov 1983), L grows when a step shows that it must
// (Beck and Teboulle 2009), and the lead is given up when it points the wrong way (O'Donoghue and Candes 2015). An
// iteration costs one product with A, which is one response of each rod: linear in elements and contacts.
#ifndef CDG_CONTACT_CONTACT_GRADIENT_H
#define CDG_CONTACT_CONTACT_GRADIENT_H

#include "contact/contact_coupled.h"

typedef struct cdg_gradient_problem {
    cdg_coupled_contact *contacts; // with the forces to start from, which are replaced
    size_t count;
    double (*compliance)[2]; // m/N, above 0: how a contact's own force moves it, along the normal and across
    // Changes of gaps and slips by changes of forces, three a contact: A
    void (*respond)(void *user, const double *change, double *out);
    void *user;
    double force_share; // of the largest force: what a force may be off by, where that is less than its tolerance
    int most;           // iterations
    int probation;      // iterations after which it gives up if it is far off: what follows is faster then; 0: never
} cdg_gradient_problem;

// Doubles of scratch memory that `count` contacts need.
size_t cdg_gradient_scratch(size_t count);

// Replaces the forces and returns the number of iterations. Where `is_good` becomes false they are those that a further
// call goes on from best.
int cdg_gradient_solve(const cdg_gradient_problem *problem, double *scratch, bool *is_good);

#endif
