// One step of a rigid body's motion under impulses.
//
// Momentum and spin (angular momentum, world axes) change by the impulses and by nothing else. The pose follows the
// velocities by a rate rule. With the trapezoidal one the turn in own axes is along the mean of the angular velocities
// before and after, so that it does not change the spin's component along that mean; as the energy's change is the
// product of both (the inertia being symmetric), a free body keeps its energy exactly (cf. Simo and Wong 1991).
#include "bodies/body.h"

void cdg_body_advance(const cdg_body *body, double step, cdg_vec3 impulse, cdg_vec3 turn_impulse,
                      const cdg_rate_rule *rule, cdg_quat end, cdg_body_now *out) {
    const cdg_body_now *now = &body->now;
    out->v = vec3_mad(now->v, 1 / body->mass.mass, impulse);
    out->spin = vec3_add(now->spin, turn_impulse);
    out->move_rate = cdg_rate_next(rule, now->move_rate, now->v, out->v);
    out->x = vec3_mad(now->x, step, cdg_rate_mean(rule, now->move_rate, out->move_rate));
    cdg_vec3 turning = symmetric3_times(body->inverse_inertia, quat_rotate_inverse(now->q, now->spin));
    cdg_vec3 turning_next = symmetric3_times(body->inverse_inertia, quat_rotate_inverse(end, out->spin));
    out->turn_rate = cdg_rate_next(rule, now->turn_rate, turning, turning_next);
    cdg_vec3 turn = vec3_scale(step, cdg_rate_mean(rule, now->turn_rate, out->turn_rate));
    out->q = quat_normalize(quat_multiply(now->q, quat_exp(turn)));
}

void cdg_body_fly(const cdg_body *body, double step, cdg_vec3 impulse, cdg_vec3 turn_impulse, const cdg_rate_rule *rule,
                  cdg_body_now *out) {
    // The iteration gains a factor of the turn in a step; a body that turns by more than a radian is not resolved.
    enum { ITERATIONS_MAX = 60 };
    cdg_quat end = body->now.q;
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        cdg_body_advance(body, step, impulse, turn_impulse, rule, end, out);
        double change = vec3_norm(quat_log(quat_relative(end, out->q)));
        end = out->q;
        if (change < 1e-15) break;
    }
}
