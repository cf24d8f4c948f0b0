// Options of the galpha model. docs/models/galpha.md explains each.
#ifndef CORDAGE_GALPHA_H
#define CORDAGE_GALPHA_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_galpha_options {
    double lambda_infinity;    // -1 (no numerical damping) to 0 (most): coefficients of second order
    bool has_coefficients;     // alpha, beta, gamma are given outright instead
    double alpha, beta, gamma; // at most 1/2, at most 1/2, at least 1/2, alpha - beta + gamma at least 1/2
    bool is_extensible;        // stretches and shears by the material law; else the contact force keeps lengths exactly
    double relaxation;         // (0, 1]: largest share of a Newton correction that is taken; a line search goes below
    double tolerance;          // largest correction, in element lengths and radians, after which a step is done
    int iterations;            // of Newton's method, at most, before the step is halved
    double step_error;         // error that a step may have, in rod lengths; others are divided. 0: no control
} cdg_galpha_options;

cdg_galpha_options cdg_galpha_options_default(void); // second order, gently damped, extensible

#ifdef __cplusplus
}
#endif
#endif
