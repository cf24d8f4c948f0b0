// The lowest eigenvalues of a stiffness K against a diagonal mass M by subspace iteration with (K - shift M)^-1 M. The
// caller applies that; the shift lies below all of them. A small dense problem in each round. K need be symmetric only
// nearly: eigenvalues that are not real count by their real parts.
#ifndef CDG_MATH_SUBSPACE_H
#define CDG_MATH_SUBSPACE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct subspace_problem {
    size_t size;
    const double *mass; // size; 0: held, and the operator leaves 0 there
    double shift;
    void (*apply)(void *user, const double *x, double *out); // out = (K - shift M)^-1 M x
    void *user;
    int rounds;        // at most; 0: as many as any problem with a shift nearby takes
    bool is_symmetric; // else the small problem is solved as one that is not, which costs more (LAPACK)
} subspace_problem;

typedef enum subspace_result {
    SUBSPACE_DONE,
    SUBSPACE_NO_MEMORY,
    SUBSPACE_TOO_FEW,
    SUBSPACE_NOT_BELOW,    // the shift lies above an eigenvalue
    SUBSPACE_NOT_CONVERGED // eigenvalues are what was found until then: the shift may lie too far below them
} subspace_result;

// `count` eigenvalues in rising order and, unless NULL, their vectors, orthonormal by mass. TOO_FEW: there are not so
// many.
subspace_result subspace_find(const subspace_problem *problem, size_t count, double *eigenvalues, double *vectors);

// Unknowns that have a mass.
size_t subspace_free_count(const subspace_problem *problem);

#endif
