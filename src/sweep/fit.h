// Values of a scene from measurements, by least squares, with how sure they are.
#ifndef CDG_SWEEP_FIT_H
#define CDG_SWEEP_FIT_H

#include "math/least_squares.h"
#include "sweep/fit_model.h"

typedef struct cdg_fit_progress {
    int round, iteration; // rounds: noise that was not said is estimated anew after each
    size_t case_count;
    double misfit;        // root of the mean square of residuals in their standard deviations
    const double *values; // of what varies, in units
} cdg_fit_progress;

typedef struct cdg_fit_def {
    cdg_fit_setup setup;
    double confidence;   // 0.95
    int iteration_limit; // of each round
    // Points looked at to begin from where a variable says no start; 0: eight for each variable, 64 at most.
    size_t start_count;
    uint64_t seed;
    bool (*progress)(void *user, const cdg_fit_progress *progress); // false stops; or NULL
    void *user;
} cdg_fit_def;

typedef struct cdg_fit_parameter { // in the variable's units
    double value;
    double error;     // standard error; of a variable above zero relative to it
    double low, high; // within which the truth lies with the stated confidence
    bool is_at_bound; // held there: errors know nothing of it
} cdg_fit_parameter;

typedef struct cdg_fit_result {
    size_t parameter_count, residual_count, noise_count;
    cdg_fit_parameter *parameters;
    double *point;           // shares of the ranges
    double *start;           // where it began
    double *residuals;       // simulated less measured, SI
    double *noises;          // of each kind of measurement, SI: as said, or estimated
    double *correlations;    // parameter_count squared
    double *singular_values; // of the weighted rates by relative change (or by range), falling
    double *directions;      // that belong to them, one after the other
    double freedom;          // degrees of
    double misfit;           // as in the progress; 1: noise explains everything
    double limit;            // Student's t for the confidence
    int iterations, rounds;
    size_t case_count;
    bool has_exact, has_differences; // which rates it took
    least_squares_end end;
    char **warnings; // sentences
    size_t warning_count;
} cdg_fit_result;

// Checks a variable for a fit and makes it one of ratios where it is above zero.
cdg_result cdg_fit_check_vary(cdg_vary *vary, cdg_error *error);
// Free *out in any case. `model` outlives nothing; it was made from def->setup.
cdg_result cdg_fit_run(const cdg_fit_def *def, cdg_fit_model *model, cdg_fit_result *out, cdg_error *error);
void cdg_fit_result_free(cdg_fit_result *result);

#endif
