// Least squares of functions that are not linear, within bounds: Levenberg (1944) and Marquardt (1963), with steps that
// are cut at the bounds. Functions are evaluated in batches, so that the caller can run them side by side; what is
// asked for does not depend on how many threads there are.
#ifndef CDG_MATH_LEAST_SQUARES_H
#define CDG_MATH_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

enum { LEAST_SQUARES_TRIALS = 3 }; // points tried at once

typedef struct least_squares {
    size_t unknowns, residuals;
    const double *low, *high; // bounds of the unknowns
    // Residuals at `count` points; is_good[i] becomes false where there are none.
    void (*evaluate)(void *user, size_t count, const double *points, double *residuals, bool *is_good);
    // Rates of the residuals at a point whose residuals are known, column u at jacobian + u * residuals. False: none.
    bool (*differentiate)(void *user, const double *point, const double *residuals, double *jacobian);
    // Called after each step; false stops. NULL: nobody is told.
    bool (*progress)(void *user, int iteration, const double *point, double sum_of_squares);
    void *user;
    int iteration_limit;
} least_squares;

typedef enum least_squares_end {
    LEAST_SQUARES_FOUND,     // a further step would change less than a hundredth of the noise could
    LEAST_SQUARES_NO_MEMORY, // nothing was done
    LEAST_SQUARES_NO_START,  // the first point has no residuals or no rates
    LEAST_SQUARES_STUCK,     // no step, however short, is better, though the rates promise it
    LEAST_SQUARES_LIMIT,     // the iterations are used up
    LEAST_SQUARES_STOPPED
} least_squares_end;

// Moves `point`, which must be within the bounds, to a minimum; `residuals` and `jacobian` (residuals * unknowns) are
// those there. *iterations counts steps.
least_squares_end least_squares_solve(const least_squares *problem, double *point, double *residuals, double *jacobian,
                                      int *iterations);

#endif
