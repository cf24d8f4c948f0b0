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
//
// That is of linear equations. A mode much faster than the step, whose direction turns by phi in each step (the rod
// swings, and stretching turns with it), is a mass on a circle: with H = (z - 1)((1 - alpha) z + alpha) /
// ((gamma z + 1 - gamma)((1 - beta) z + beta), which takes positions to velocities, growth factors mu obey
//     H(mu e^(i phi))^2 + H(mu e^(-i phi))^2 = 2 Re H(e^(i phi))^2.
// For lambda_infinity both factors of the denominator vanish at lambda, so that H^2 has a pole of order four, and near
// it ((mu e^(i phi) - lambda)/(mu e^(-i phi) - lambda))^4 = -1: the largest root is
//     |mu| = |lambda| (cos phi + cot(pi/8) sin phi),     cot(pi/8) = 1 + sqrt(2).
// So second order with |lambda| above sin(pi/8) = 0.38 is stable for turns up to a limit only: 0.11 rad a step for
// -0.8, 0.5 rad for -0.5, none for -1. Beyond, such a mode alternates from step to step, grows, and stirs up the
// others.
#include "rods/galpha/parts.h"

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

// The largest factor of modes much faster than the step: where the denominator of H vanishes and its numerator does
// not.
static double fast_factor(galpha_scheme s) {
    double first = (1 - s.gamma) / s.gamma, second = s.beta / (1 - s.beta), cancels = s.alpha / (1 - s.alpha);
    const double rounding = 1e-12;
    if (fabs(first - cancels) < rounding)
        first = 0;
    else if (fabs(second - cancels) < rounding)
        second = 0;
    return fmax(fabs(first), fabs(second));
}

galpha_scheme galpha_scheme_for_turn(galpha_scheme s, double turn) {
    const double worst = 3 * 0.39269908169872414, grows = 1 + sqrt(2); // 3 pi/8, where cos + cot(pi/8) sin is largest
    double phi = fmin(fabs(turn), worst), limit = 1 / (cos(phi) + grows * sin(phi));
    return fast_factor(s) > limit ? galpha_scheme_from_lambda(-limit) : s;
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
