// Time integration of pobd (pobd_motion.h), as loops over arrays that the compiler turns into vector code.
//
// Inserting the scheme into  m acceleration = f_ext - drag m rate - dU/dx  gives the stationarity of
//   1/2 m (1 + drag h)/h^2 |x - x_target|^2 + U,   x_target = x_hat + (h rate_hat + h^2 f_ext/m)/(1 + drag h).
#include "rods/pobd_motion.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

// The arrays of a rod and of the scratch do not overlap. clang finds out by itself, at run time.
#if defined(__clang__)
#define INDEPENDENT_LOOP
#else
#define INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

// Without history `before` is not read as such: now stands in for it, and the difference is zero.
static const double *before_or_now(pobd_scheme s, const double *before, const double *now) {
    return s.history != 0 ? before : now;
}

// Divisions are what these loops wait for: each node's mass is inverted once.
static void predict_nodes(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_targets *out) {
    double slow = 1 + rod->drag_rate * s.h, velocity_share = s.h / slow, force_share = s.h * s.h / slow;
    size_t count = rod->node_count;
    const double *restrict mass = rod->node_mass;
    double *restrict weight = out->node_weight; // holds force_share / mass until the last loop
    for (size_t i = 0; i < count && !loads->is_weight_only; i++) weight[i] = force_share / mass[i];
    const double gravity[3] = {loads->gravity.x, loads->gravity.y, loads->gravity.z};
    for (int k = 0; k < 3; k++) {
        const double *restrict x = rod->x[k], *restrict v = rod->v[k], *restrict f = loads->force[k];
        const double *x_before = before_or_now(s, rod->x_before[k], x),
                     *v_before = before_or_now(s, rod->v_before[k], v);
        double *restrict target = out->x[k];
        for (size_t i = 0; i < count && loads->is_weight_only; i++) {
            double x_hat = x[i] + s.history * (x[i] - x_before[i]), v_hat = v[i] + s.history * (v[i] - v_before[i]);
            target[i] = x_hat + velocity_share * v_hat + force_share * gravity[k];
        }
        for (size_t i = 0; i < count && !loads->is_weight_only; i++) {
            double x_hat = x[i] + s.history * (x[i] - x_before[i]), v_hat = v[i] + s.history * (v[i] - v_before[i]);
            target[i] = x_hat + velocity_share * v_hat + weight[i] * f[i];
        }
    }
    double scale = slow / (s.h * s.h);
    for (size_t i = 0; i < count; i++) weight[i] = mass[i] * scale;
}

typedef struct spin {
    double x, y, z;
} spin;

// The unit q with  2 Im(conj(q) (q - q_hat))/h = spin  (paper eq. 19 solved for q): from conj(q) q_hat = (c, -h spin/2)
// it is q = q_hat (c, h spin/2)/|q_hat|^2, with c making the norm right. A frame that spins freely then keeps its spin
// exactly. Turns of more than about 2 rad in one step have no such q. They are rare: then this returns true, and where
// `is_limited` the half-turn's sine is shortened (which costs a root and a division that the common case does without).
static inline __attribute__((always_inline)) int64_t frame_after(const double q_hat[4], spin wanted, double h,
                                                                 bool is_limited, double out[4]) {
    double norm2 = q_hat[0] * q_hat[0] + q_hat[1] * q_hat[1] + q_hat[2] * q_hat[2] + q_hat[3] * q_hat[3];
    double x = 0.5 * h * wanted.x, y = 0.5 * h * wanted.y, z = 0.5 * h * wanted.z;
    double sine2 = x * x + y * y + z * z, limit = 0.8 * norm2;
    int64_t is_fast = !(sine2 <= limit);
    if (is_limited) {
        double shrink = sine2 > limit ? sqrt(limit / sine2) : 1;
        x *= shrink, y *= shrink, z *= shrink;
        sine2 = x * x + y * y + z * z;
    }
    double c = sqrt(norm2 - sine2), scale = 1 / norm2;
    out[0] = scale * (q_hat[0] * c - q_hat[1] * x - q_hat[2] * y - q_hat[3] * z);
    out[1] = scale * (q_hat[0] * x + q_hat[1] * c + q_hat[2] * z - q_hat[3] * y);
    out[2] = scale * (q_hat[0] * y - q_hat[1] * z + q_hat[2] * c + q_hat[3] * x);
    out[3] = scale * (q_hat[0] * z + q_hat[1] * y - q_hat[2] * x + q_hat[3] * c);
    return is_fast;
}

// is_equal: one inertia about all axes (Gauss-Seidel), hence no gyroscopic torque and one weight. The flags are
// constants where speed counts. has_torque: the loads hold torques.
// Returns true when a frame turned too fast for the unlimited form.
static inline __attribute__((always_inline)) bool
predict_frames(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_inertia *inertia,
               const pobd_targets *out, bool is_equal, bool is_uniform, bool is_limited, bool has_torque) {
    size_t count = rod->element_count;
    int64_t fast = 0;
    double inverse_slow = 1 / (1 + rod->drag_rate * s.h), scale = (1 + rod->drag_rate * s.h) / (s.h * s.h);
    double extrapolate = s.history != 0 ? 1 : 0; // the gyroscopic torque at the end of the step, to the scheme's order
    const double *restrict w0 = rod->w[0], *restrict w1 = rod->w[1], *restrict w2 = rod->w[2];
    const double *b0 = before_or_now(s, rod->w_before[0], w0), *b1 = before_or_now(s, rod->w_before[1], w1),
                 *b2 = before_or_now(s, rod->w_before[2], w2);
    const double *restrict t0 = loads->torque[0], *restrict t1 = loads->torque[1], *restrict t2 = loads->torque[2];
    const double *restrict q0 = rod->q[0], *restrict q1 = rod->q[1], *restrict q2 = rod->q[2], *restrict q3 = rod->q[3];
    const double *p0 = before_or_now(s, rod->q_before[0], q0), *p1 = before_or_now(s, rod->q_before[1], q1),
                 *p2 = before_or_now(s, rod->q_before[2], q2), *p3 = before_or_now(s, rod->q_before[3], q3);
    double *restrict o0 = out->q[0], *restrict o1 = out->q[1], *restrict o2 = out->q[2], *restrict o3 = out->q[3];
    const double *i0 = inertia->about[0], *i1 = inertia->about[1], *i2 = inertia->about[2];
    double inverse0 = s.h / i0[0], inverse1 = s.h / i1[0], inverse2 = s.h / i2[0]; // of a uniform rod
    double *weight0 = out->frame_weight[0], *weight1 = out->frame_weight[1], *weight2 = out->frame_weight[2];
    INDEPENDENT_LOOP
    for (size_t j = 0; j < count; j++) {
        size_t at = is_uniform ? 0 : j;
        double inertia0 = i0[at], inertia1 = is_equal ? inertia0 : i1[at], inertia2 = is_equal ? inertia0 : i2[at];
        // with three inertias the solver is Newton's, which takes the torque itself (pobd_problem.h)
        bool is_turned = is_equal && has_torque;
        double net0 = is_turned ? t0[j] : 0, net1 = is_turned ? t1[j] : 0, net2 = is_turned ? t2[j] : 0;
        if (!is_equal) { // paper, algorithm 1 line 9
            double a = w0[j] + extrapolate * (w0[j] - b0[j]), b = w1[j] + extrapolate * (w1[j] - b1[j]),
                   c = w2[j] + extrapolate * (w2[j] - b2[j]);
            net0 -= (inertia2 - inertia1) * b * c;
            net1 -= (inertia0 - inertia2) * c * a;
            net2 -= (inertia1 - inertia0) * a * b;
        }
        spin wanted = {
            inverse_slow * (w0[j] + s.history * (w0[j] - b0[j]) + net0 * (is_uniform ? inverse0 : s.h / inertia0)),
            inverse_slow * (w1[j] + s.history * (w1[j] - b1[j]) + net1 * (is_uniform ? inverse1 : s.h / inertia1)),
            inverse_slow * (w2[j] + s.history * (w2[j] - b2[j]) + net2 * (is_uniform ? inverse2 : s.h / inertia2)),
        };
        double q_hat[4] = {q0[j] + s.history * (q0[j] - p0[j]), q1[j] + s.history * (q1[j] - p1[j]),
                           q2[j] + s.history * (q2[j] - p2[j]), q3[j] + s.history * (q3[j] - p3[j])};
        double goal[4];
        fast |= frame_after(q_hat, wanted, s.h, is_limited, goal);
        o0[j] = goal[0], o1[j] = goal[1], o2[j] = goal[2], o3[j] = goal[3];
        if (!is_uniform) weight0[j] = inertia0 * scale;
        if (!is_uniform && !is_equal) weight1[j] = inertia1 * scale, weight2[j] = inertia2 * scale;
    }
    if (is_uniform) {
        weight0[0] = i0[0] * scale;
        if (!is_equal) weight1[0] = i1[0] * scale, weight2[0] = i2[0] * scale;
    }
    return fast != 0;
}

void VARIANT(pobd_predict)(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_inertia *inertia,
                           const pobd_targets *out) {
    predict_nodes(rod, s, loads, out);
    bool is_equal = out->frame_weight[1] == out->frame_weight[0], is_uniform = inertia->stride == 0;
    bool has_fast = false, has_torque = !loads->is_weight_only;
    if (is_equal && is_uniform && !has_torque)
        has_fast = predict_frames(rod, s, loads, inertia, out, true, true, false, false);
    else if (is_equal && is_uniform)
        has_fast = predict_frames(rod, s, loads, inertia, out, true, true, false, true);
    else if (is_equal)
        has_fast = predict_frames(rod, s, loads, inertia, out, true, false, false, has_torque);
    else if (is_uniform)
        has_fast = predict_frames(rod, s, loads, inertia, out, false, true, false, false);
    else
        has_fast = predict_frames(rod, s, loads, inertia, out, false, false, false, false);
    if (has_fast && is_equal)
        predict_frames(rod, s, loads, inertia, out, true, is_uniform, true, has_torque);
    else if (has_fast)
        predict_frames(rod, s, loads, inertia, out, false, is_uniform, true, false);
}

static bool finish_nodes(const cdg_rod *rod, pobd_scheme s) {
    double inverse = 1 / s.h;
    int64_t bad = 0;
    for (int k = 0; k < 3; k++) {
        const double *restrict x = rod->x[k], *restrict next = rod->x_next[k];
        const double *before = before_or_now(s, rod->x_before[k], x);
        double *restrict v = rod->v_next[k];
        for (size_t i = 0; i < rod->node_count; i++) {
            v[i] = inverse * (next[i] - (x[i] + s.history * (x[i] - before[i])));
            bad |= !(fabs(v[i]) <= 1e300);
        }
    }
    return bad == 0;
}

static bool finish_frames(const cdg_rod *rod, pobd_scheme s) {
    double scale = -2 / s.h;
    int64_t bad = 0;
    const double *restrict q0 = rod->q[0], *restrict q1 = rod->q[1], *restrict q2 = rod->q[2], *restrict q3 = rod->q[3];
    const double *p0 = before_or_now(s, rod->q_before[0], q0), *p1 = before_or_now(s, rod->q_before[1], q1),
                 *p2 = before_or_now(s, rod->q_before[2], q2), *p3 = before_or_now(s, rod->q_before[3], q3);
    double *restrict n0 = rod->q_next[0], *restrict n1 = rod->q_next[1], *restrict n2 = rod->q_next[2],
                     *restrict n3 = rod->q_next[3];
    double *restrict w0 = rod->w_next[0], *restrict w1 = rod->w_next[1], *restrict w2 = rod->w_next[2];
    INDEPENDENT_LOOP
    for (size_t j = 0; j < rod->element_count; j++) {
        // q and -q are the same frame; the differences in time need neighbouring signs.
        double dot = q0[j] * n0[j] + q1[j] * n1[j] + q2[j] * n2[j] + q3[j] * n3[j], sign = dot < 0 ? -1 : 1;
        double w = sign * n0[j], x = sign * n1[j], y = sign * n2[j], z = sign * n3[j];
        double hw = q0[j] + s.history * (q0[j] - p0[j]), hx = q1[j] + s.history * (q1[j] - p1[j]),
               hy = q2[j] + s.history * (q2[j] - p2[j]), hz = q3[j] + s.history * (q3[j] - p3[j]);
        n0[j] = w, n1[j] = x, n2[j] = y, n3[j] = z;
        // -2 Im(conj(q_next) q_hat)/h
        w0[j] = scale * (w * hx - x * hw - y * hz + z * hy);
        w1[j] = scale * (w * hy - y * hw - z * hx + x * hz);
        w2[j] = scale * (w * hz - z * hw - x * hy + y * hx);
        bad |= !(fabs(w0[j]) + fabs(w1[j]) + fabs(w2[j]) <= 1e300);
    }
    return bad == 0;
}

bool VARIANT(pobd_finish)(const cdg_rod *rod, pobd_scheme s) {
    bool nodes = finish_nodes(rod, s), frames = finish_frames(rod, s);
    return nodes && frames;
}
