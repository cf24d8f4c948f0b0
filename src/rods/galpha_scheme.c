// Coefficients of the generalised-alpha scheme in time (Sobottka et al. 2008, section 4.2; Chung and Hulbert 1993; for
// first-order systems Jansen, Whiting and Hulbert 2000), and when they are stable.
//
// For x' = -k x the scheme reads, with z = k h and growth factor mu of both x and x',
//     (mu - 1)((1 - alpha) mu + alpha) + z ((1 - beta) mu + beta)(gamma mu + 1 - gamma) = 0.
// On the unit circle mu = e^(i t), with A = 1 - 2 alpha, B = 1 - 2 beta, G = 2 gamma - 1, c = cos(t/2), s = sin(t/2):
//     Re(-z) is proportional to -s^2 ((B + G - A) c^2 + A B G s^2),
// so every decaying mode decays at every step if and only if A, B, G >= 0 and B + G >= A, that is
//     alpha <= 1/2, beta <= 1/2, gamma >= 1/2 and alpha - beta + gamma >= 1/2.
// The paper states the first three; equality in the fourth is second order.
#include "rods/galpha_parts.h"

#include <complex.h>

galpha_scheme galpha_scheme_from_lambda(double lambda) {
    return (galpha_scheme){
        .alpha = (3 * lambda + 1) / (2 * lambda - 2),
        .beta = lambda / (lambda - 1),
        .gamma = 1 / (1 - lambda),
    };
}

galpha_scheme galpha_scheme_choose(const cdg_galpha_options *options) {
    if (options->has_coefficients) return (galpha_scheme){options->alpha, options->beta, options->gamma};
    return galpha_scheme_from_lambda(options->lambda_infinity);
}

galpha_scheme galpha_scheme_euler(void) { return (galpha_scheme){0, 0, 1}; }

bool galpha_scheme_is_stable(galpha_scheme s) {
    const double rounding = 1e-12; // coefficients that meet a bound exactly were computed or typed in decimals
    return s.alpha <= 0.5 + rounding && s.beta <= 0.5 + rounding && s.gamma >= 0.5 - rounding &&
           s.alpha - s.beta + s.gamma >= 0.5 - rounding;
}

double galpha_scheme_spectral_radius(galpha_scheme s, double omega_step) {
    double complex z = -I * omega_step;
    double complex a = 1 - s.alpha + z * (1 - s.beta) * s.gamma;
    double complex b = 2 * s.alpha - 1 + z * (s.beta * s.gamma + (1 - s.beta) * (1 - s.gamma));
    double complex c = -s.alpha + z * s.beta * (1 - s.gamma);
    double complex root = csqrt(b * b - 4 * a * c);
    return fmax(cabs((-b + root) / (2 * a)), cabs((-b - root) / (2 * a)));
}
