// How a quantity follows its rate over a step: the family of rules that the integrators here are made of.
#ifndef CDG_MATH_RATE_RULE_H
#define CDG_MATH_RATE_RULE_H

#include "math/vec3.h"

// How a quantity follows its rate f over a step h, with a rate y of its own (generalised-alpha for first order):
//     (1 - alpha) y1 + alpha y0 = (1 - beta) f1 + beta f0,   x1 = x0 + h (gamma y1 + (1 - gamma) y0).
// alpha = beta = 0, gamma = 1: implicit Euler; beta = 1/2: trapezoidal rule; alpha = -1/2: BDF2.
typedef struct cdg_rate_rule {
    double alpha, beta, gamma;
} cdg_rate_rule;

static inline cdg_rate_rule cdg_rate_rule_euler(void) { return (cdg_rate_rule){0, 0, 1}; }
static inline cdg_rate_rule cdg_rate_rule_bdf2(void) { return (cdg_rate_rule){-0.5, 0, 1}; }
// f1 counts with `share`: 1/2 is the trapezoidal rule
static inline cdg_rate_rule cdg_rate_rule_mean(double share) { return (cdg_rate_rule){0, 1 - share, 1}; }

static inline cdg_vec3 cdg_rate_next(const cdg_rate_rule *rule, cdg_vec3 y0, cdg_vec3 f0, cdg_vec3 f1) { // y1
    double scale = 1 / (1 - rule->alpha);
    cdg_vec3 f = vec3_mad(vec3_scale(scale * (1 - rule->beta), f1), scale * rule->beta, f0);
    return vec3_mad(f, -scale * rule->alpha, y0);
}
static inline cdg_vec3 cdg_rate_mean(const cdg_rate_rule *rule, cdg_vec3 y0, cdg_vec3 y1) { // (x1 - x0)/h
    return vec3_mad(vec3_scale(rule->gamma, y1), 1 - rule->gamma, y0);
}
// f1 that goes with a mean rate (x1 - x0)/h
static inline cdg_vec3 cdg_rate_inverse(const cdg_rate_rule *rule, cdg_vec3 y0, cdg_vec3 f0, cdg_vec3 mean) {
    cdg_vec3 y1 = vec3_scale(1 / rule->gamma, vec3_mad(mean, rule->gamma - 1, y0));
    cdg_vec3 f = vec3_mad(vec3_mad(vec3_scale(1 - rule->alpha, y1), rule->alpha, y0), -rule->beta, f0);
    return vec3_scale(1 / (1 - rule->beta), f);
}
// d((x1 - x0)/h)/d f1
static inline double cdg_rate_gain(const cdg_rate_rule *rule) {
    return rule->gamma * (1 - rule->beta) / (1 - rule->alpha);
}

#endif
