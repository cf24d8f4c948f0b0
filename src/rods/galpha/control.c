// Step-size control of galpha: how wrong a step was, how long the next should be, and rates that fit another length.
//
// For x' = u the scheme (eq. 17 and 19 of Sobottka et al. 2008) has rates y that stand for u at the time t + theta h,
// theta = alpha - beta. Expanding both equations about t, with y = u(t + theta h) + kappa h^2 u'',
//     kappa = (1 - beta)/2 - ((1 - alpha)(1 + theta)^2 + alpha theta^2)/2,
// a step is wrong by
//     h^2 u' (gamma + theta - 1/2) + h^3 u'' ((gamma (1 + theta)^2 + (1 - gamma) theta^2)/2 + kappa - 1/6).
// The first term vanishes for schemes of second order. u' and u'' are differences of mean velocities over this step and
// the two before: differences of positions, in which a fast mode that no step resolves counts with its amplitude only,
// while its velocities would rule the step for ever.
//
// Because rates belong to a length of the step, they are shifted in time when it changes, or each change would cost
// an order (a step after one of implicit Euler, which has theta = 0, is not worth that).
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

static const double two_pi = 6.283185307179586;

double galpha_rate_offset(galpha_scheme s) { return s.alpha - s.beta; }

galpha_error_terms galpha_scheme_error(galpha_scheme s) {
    double theta = galpha_rate_offset(s), next = 1 + theta;
    double kappa = (1 - s.beta) / 2 - ((1 - s.alpha) * next * next + s.alpha * theta * theta) / 2;
    return (galpha_error_terms){
        .first = s.gamma + theta - 0.5,
        .second = (s.gamma * next * next + (1 - s.gamma) * theta * theta) / 2 + kappa - 1.0 / 6,
    };
}

static bool is_second_order(galpha_error_terms terms) { return fabs(terms.first) < 1e-9; }

// One node's error in a quantity that changed at these mean rates; `now` is its rate at the step's start.
static cdg_vec3 error_of(galpha_error_terms terms, double step, const galpha_memory *memory, cdg_vec3 mean,
                         cdg_vec3 now, cdg_vec3 before, cdg_vec3 earlier) {
    cdg_vec3 slope = vec3_scale(2 / step, vec3_sub(mean, now));
    if (memory->step > 0) slope = vec3_scale(2 / (step + memory->step), vec3_sub(mean, before));
    cdg_vec3 error = vec3_scale(terms.first * step * step, slope);
    if (!(memory->step_before > 0)) return error;
    cdg_vec3 slope_before = vec3_scale(2 / (memory->step + memory->step_before), vec3_sub(before, earlier));
    double apart = step / 2 + memory->step + memory->step_before / 2;
    cdg_vec3 bend = vec3_scale(2 / apart, vec3_sub(slope, slope_before));
    return vec3_mad(error, terms.second * step * step * step, bend);
}

static galpha_mean_rates mean_rates(const galpha_step *step, const galpha_trial *trial, size_t node) {
    return (galpha_mean_rates){
        vec3_scale(step->step_rate, vec3_sub(trial[node].position, step->old[node].position)),
        vec3_scale(step->step_rate, trial[node].frame_turn),
    };
}

double galpha_step_error(const galpha_step *step, const galpha_trial *trial, const galpha_memory *memory,
                         const galpha_mean_rates *rates) {
    galpha_error_terms terms = galpha_scheme_error(step->scheme);
    double h = 1 / step->step_rate, sum = 0;
    for (size_t i = 0; i < step->rod->node_count; i++) {
        const galpha_node *now = &step->old[i];
        const galpha_mean_rates *last = &rates[2 * i], *earlier = &rates[2 * i + 1];
        galpha_mean_rates mean = mean_rates(step, trial, i);
        cdg_vec3 velocity = quat_rotate(now->frame, now->velocity);
        cdg_vec3 move = error_of(terms, h, memory, mean.move, velocity, last->move, earlier->move);
        cdg_vec3 turn = error_of(terms, h, memory, mean.turn, now->spin, last->turn, earlier->turn);
        double lengths = vec3_norm(move) / step->rod->length, turns = vec3_norm(turn) / two_pi;
        sum += lengths * lengths + turns * turns;
    }
    return sqrt(sum / (double)step->rod->node_count);
}

void galpha_remember(const galpha_step *step, const galpha_trial *trial, galpha_memory *memory,
                     galpha_mean_rates *rates) {
    for (size_t i = 0; i < step->rod->node_count; i++) {
        rates[2 * i + 1] = rates[2 * i];
        rates[2 * i] = mean_rates(step, trial, i);
    }
    memory->step_before = memory->step;
    memory->step = 1 / step->step_rate;
    memory->rate_offset = galpha_rate_offset(step->scheme) * memory->step;
}

double galpha_next_step(const galpha_step *step, const galpha_memory *memory, double error) {
    double h = 1 / step->step_rate;
    if (!(memory->step_before > 0) && is_second_order(galpha_scheme_error(step->scheme))) return h; // nothing known yet
    double power = is_second_order(galpha_scheme_error(step->scheme)) ? 1.0 / 3 : 0.5;
    double factor = error > 0 ? 0.9 * pow(galpha_options(step->rod)->step_error / error, power) : 4;
    return h * fmin(4, fmax(0.1, factor));
}

void galpha_shift_rates(const galpha_node *old, const galpha_node *before, size_t count, double share,
                        galpha_node *out) {
    for (size_t i = 0; i < count; i++) {
        const galpha_node *a = &before[i], *b = &old[i];
        out[i] = *b;
        out[i].position_rate = vec3_mad(b->position_rate, share, vec3_sub(b->position_rate, a->position_rate));
        out[i].frame_rate = vec3_mad(b->frame_rate, share, vec3_sub(b->frame_rate, a->frame_rate));
        out[i].acceleration = vec3_mad(b->acceleration, share, vec3_sub(b->acceleration, a->acceleration));
        out[i].momentum_rate = vec3_mad(b->momentum_rate, share, vec3_sub(b->momentum_rate, a->momentum_rate));
        out[i].stretch_rate = vec3_mad(b->stretch_rate, share, vec3_sub(b->stretch_rate, a->stretch_rate));
        out[i].bend_rate = vec3_mad(b->bend_rate, share, vec3_sub(b->bend_rate, a->bend_rate));
    }
}
