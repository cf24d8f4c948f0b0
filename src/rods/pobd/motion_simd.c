// Time integration of pobd (pobd/motion.h), a vector of nodes or frames at a time.
//
// Inserting the scheme into  m acceleration = f_ext - drag m rate - dU/dx  gives the stationarity of
//   1/2 m (1 + drag h)/h^2 |x - x_target|^2 + U,   x_target = x_hat + (h rate_hat + h^2 f_ext/m)/(1 + drag h).
#include "math/simd.h"
#include "rods/pobd/motion.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

// Lanes beyond the end of an array are zero, and nothing of what becomes of them is kept.
SIMD_INLINE simd_double load(const double *array, size_t at, simd_part part) {
    return simd_load_part(array + at, part, simd_broadcast(0));
}

// y_hat; without history `before` is not read.
SIMD_INLINE simd_double load_hat(pobd_scheme s, const double *now, const double *before, size_t at, simd_part part) {
    simd_double y = load(now, at, part);
    return s.history != 0 ? y + s.history * (y - load(before, at, part)) : y;
}

SIMD_INLINE simd_quat load_quat(double *const array[4], size_t at, simd_part part) {
    return (simd_quat){load(array[0], at, part), load(array[1], at, part), load(array[2], at, part),
                       load(array[3], at, part)};
}

SIMD_INLINE simd_quat load_quat_hat(pobd_scheme s, double *const now[4], double *const before[4], size_t at,
                                    simd_part part) {
    return (simd_quat){load_hat(s, now[0], before[0], at, part), load_hat(s, now[1], before[1], at, part),
                       load_hat(s, now[2], before[2], at, part), load_hat(s, now[3], before[3], at, part)};
}

SIMD_INLINE simd_vec3 load_vec3_hat(pobd_scheme s, double *const now[3], double *const before[3], size_t at,
                                    simd_part part) {
    return (simd_vec3){load_hat(s, now[0], before[0], at, part), load_hat(s, now[1], before[1], at, part),
                       load_hat(s, now[2], before[2], at, part)};
}

// Copies of a rod's or the targets' pointers: what is stored in a vector might, for all the compiler knows, change the
// originals, which it would read again and again.
typedef struct arrays {
    double *at[4];
} arrays;
#define ARRAYS_3(from) ((arrays){{(from)[0], (from)[1], (from)[2], NULL}})
#define ARRAYS_4(from) ((arrays){{(from)[0], (from)[1], (from)[2], (from)[3]}})

SIMD_INLINE void store_quat(double *const array[4], size_t at, simd_part part, simd_quat q) {
    simd_store_part(array[0] + at, part, q.w), simd_store_part(array[1] + at, part, q.x);
    simd_store_part(array[2] + at, part, q.y), simd_store_part(array[3] + at, part, q.z);
}

SIMD_INLINE void predict_nodes(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_targets *out) {
    double slow = 1 + rod->drag_rate * s.h, velocity_share = s.h / slow, force_share = s.h * s.h / slow;
    double scale = slow / (s.h * s.h);
    const double fall[3] = {force_share * loads->gravity.x, force_share * loads->gravity.y,
                            force_share * loads->gravity.z};
    bool is_weight_only = loads->is_weight_only;
    const arrays x_now = ARRAYS_3(rod->x), x_before = ARRAYS_3(rod->x_before), v_now = ARRAYS_3(rod->v),
                 v_before = ARRAYS_3(rod->v_before), force = ARRAYS_3(loads->force), goal = ARRAYS_3(out->x);
    const double *masses = rod->node_mass;
    double *weights = out->node_weight;
    size_t count = rod->node_count;
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_part part = simd_part_of(count - at);
        simd_double mass = load(masses, at, part), share = {0};
        if (!is_weight_only) share = force_share / mass; // one division for all components
        for (int k = 0; k < 3; k++) {
            simd_double x = load_hat(s, x_now.at[k], x_before.at[k], at, part);
            simd_double target = x + velocity_share * load_hat(s, v_now.at[k], v_before.at[k], at, part);
            target += is_weight_only ? simd_broadcast(fall[k]) : share * load(force.at[k], at, part);
            simd_store_part(goal.at[k] + at, part, target);
        }
        simd_store_part(weights + at, part, mass * scale);
    }
}

// The unit q with  2 Im(conj(q) (q - q_hat))/h = spin  (paper eq. 19 solved for q): from conj(q) q_hat = (c, -h spin/2)
// it is q = q_hat (c, h spin/2)/|q_hat|^2, with c making the norm right. A frame that spins freely then keeps its spin
// exactly. Turns of more than about 2 rad in one step have no such q. They are rare: then a lane of the result is set,
// and where `is_limited` the half-turn's sine is shortened (which costs a root and a division that the common case does
// without).
SIMD_INLINE simd_mask frame_after(simd_quat q_hat, simd_vec3 wanted, double h, bool is_limited, simd_quat *out) {
    simd_double norm2 = q_hat.w * q_hat.w + q_hat.x * q_hat.x + q_hat.y * q_hat.y + q_hat.z * q_hat.z;
    simd_double x = 0.5 * h * wanted.x, y = 0.5 * h * wanted.y, z = 0.5 * h * wanted.z;
    simd_double sine2 = x * x + y * y + z * z, limit = 0.8 * norm2;
    simd_mask is_fast = ~(sine2 <= limit);
    if (is_limited) {
        simd_double shrink = simd_select(sine2 > limit, simd_sqrt(limit / sine2), simd_broadcast(1));
        x *= shrink, y *= shrink, z *= shrink;
        sine2 = x * x + y * y + z * z;
    }
    simd_double c = simd_root(norm2 - sine2), scale = simd_inverse(norm2);
    out->w = scale * (q_hat.w * c - q_hat.x * x - q_hat.y * y - q_hat.z * z);
    out->x = scale * (q_hat.w * x + q_hat.x * c + q_hat.y * z - q_hat.z * y);
    out->y = scale * (q_hat.w * y - q_hat.x * z + q_hat.y * c + q_hat.z * x);
    out->z = scale * (q_hat.w * z + q_hat.x * y - q_hat.y * x + q_hat.z * c);
    return is_fast;
}

// It is divided by, and a lane that is not a number would count as fast.
SIMD_INLINE simd_double load_inertia(const double *array, size_t at, simd_part part) {
    return simd_load_part(array + at, part, simd_broadcast(1));
}

// is_equal: one inertia about all axes (Gauss-Seidel), hence no gyroscopic torque and one weight. The flags are
// constants where speed counts. has_torque: the loads hold torques.
// Returns true when a frame turned too fast for the unlimited form.
SIMD_INLINE bool predict_frames(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads,
                                const pobd_inertia *inertia, const pobd_targets *out, bool is_equal, bool is_uniform,
                                bool is_limited, bool has_torque) {
    simd_mask fast = {0};
    double inverse_slow = 1 / (1 + rod->drag_rate * s.h), scale = (1 + rod->drag_rate * s.h) / (s.h * s.h);
    const double *i[3] = {inertia->about[0], inertia->about[1], inertia->about[2]};
    const arrays w_now = ARRAYS_3(rod->w), w_before = ARRAYS_3(rod->w_before), torque = ARRAYS_3(loads->torque),
                 q_now = ARRAYS_4(rod->q), q_before = ARRAYS_4(rod->q_before), q_goal = ARRAYS_4(out->q),
                 weight = ARRAYS_3(out->frame_weight);
    size_t count = rod->element_count;
    simd_vec3 about = {simd_broadcast(i[0][0]), simd_broadcast(i[is_equal ? 0 : 1][0]),
                       simd_broadcast(i[is_equal ? 0 : 2][0])};
    simd_vec3 inverse = {s.h / about.x, is_equal ? s.h / about.x : s.h / about.y,
                         is_equal ? s.h / about.x : s.h / about.z};
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_part part = simd_part_of(count - at);
        if (!is_uniform) {
            about.x = load_inertia(i[0], at, part), inverse.x = s.h / about.x;
            about.y = about.z = about.x, inverse.y = inverse.z = inverse.x;
            if (!is_equal) {
                about.y = load_inertia(i[1], at, part), inverse.y = s.h / about.y;
                about.z = load_inertia(i[2], at, part), inverse.z = s.h / about.z;
            }
        }
        simd_vec3 wanted = load_vec3_hat(s, w_now.at, w_before.at, at, part);
        if (!is_equal) { // paper, algorithm 1 line 9
            // the gyroscopic torque at the end of the step, to the scheme's order
            pobd_scheme ahead = {s.h, s.history != 0 ? 1 : 0};
            simd_vec3 w = load_vec3_hat(ahead, w_now.at, w_before.at, at, part);
            wanted.x -= (about.z - about.y) * w.y * w.z * inverse.x;
            wanted.y -= (about.x - about.z) * w.z * w.x * inverse.y;
            wanted.z -= (about.y - about.x) * w.x * w.y * inverse.z;
        } else if (has_torque) { // with three inertias the solver is Newton's, which takes the torque itself
            wanted.x += load(torque.at[0], at, part) * inverse.x;
            wanted.y += load(torque.at[1], at, part) * inverse.y;
            wanted.z += load(torque.at[2], at, part) * inverse.z;
        }
        wanted = (simd_vec3){inverse_slow * wanted.x, inverse_slow * wanted.y, inverse_slow * wanted.z};
        simd_quat goal;
        fast |= frame_after(load_quat_hat(s, q_now.at, q_before.at, at, part), wanted, s.h, is_limited, &goal);
        store_quat(q_goal.at, at, part, goal);
        if (is_uniform) continue;
        simd_store_part(weight.at[0] + at, part, about.x * scale);
        if (is_equal) continue;
        simd_store_part(weight.at[1] + at, part, about.y * scale);
        simd_store_part(weight.at[2] + at, part, about.z * scale);
    }
    if (is_uniform) {
        for (int k = 0; k < (is_equal ? 1 : 3); k++) out->frame_weight[k][0] = i[k][0] * scale;
    }
    return simd_any(fast);
}

void VARIANT(pobd_predict)(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_inertia *inertia,
                           const pobd_targets *out) {
    const pobd_scheme euler = {s.h, 0}; // known to the compiler
    bool is_equal = out->frame_weight[1] == out->frame_weight[0], is_uniform = inertia->stride == 0;
    bool has_fast = false, has_torque = !loads->is_weight_only, is_euler = s.history == 0;
    if (is_euler)
        predict_nodes(rod, euler, loads, out);
    else
        predict_nodes(rod, s, loads, out);
    if (is_equal && is_uniform && !has_torque && is_euler)
        has_fast = predict_frames(rod, euler, loads, inertia, out, true, true, false, false);
    else if (is_equal)
        has_fast = predict_frames(rod, s, loads, inertia, out, true, is_uniform, false, has_torque);
    else
        has_fast = predict_frames(rod, s, loads, inertia, out, false, is_uniform, false, false);
    if (has_fast && is_equal)
        predict_frames(rod, s, loads, inertia, out, true, is_uniform, true, has_torque);
    else if (has_fast)
        predict_frames(rod, s, loads, inertia, out, false, is_uniform, true, false);
}

SIMD_INLINE simd_mask is_too_large(simd_double a) { return ~(simd_abs(a) <= 1e300); } // or not a number

SIMD_INLINE bool finish_nodes(const cdg_rod *rod, pobd_scheme s) {
    double inverse = 1 / s.h;
    simd_mask bad = {0};
    const arrays x_now = ARRAYS_3(rod->x), x_before = ARRAYS_3(rod->x_before), x_next = ARRAYS_3(rod->x_next),
                 v_next = ARRAYS_3(rod->v_next);
    size_t count = rod->node_count;
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_part part = simd_part_of(count - at);
        for (int k = 0; k < 3; k++) {
            simd_double hat = load_hat(s, x_now.at[k], x_before.at[k], at, part);
            simd_double v = inverse * (load(x_next.at[k], at, part) - hat);
            simd_store_part(v_next.at[k] + at, part, v);
            bad |= is_too_large(v);
        }
    }
    return !simd_any(bad);
}

SIMD_INLINE bool finish_frames(const cdg_rod *rod, pobd_scheme s) {
    double scale = -2 / s.h;
    simd_mask bad = {0};
    const arrays q_now = ARRAYS_4(rod->q), q_before = ARRAYS_4(rod->q_before), q_next = ARRAYS_4(rod->q_next),
                 w_next = ARRAYS_3(rod->w_next);
    size_t count = rod->element_count;
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_part part = simd_part_of(count - at);
        simd_quat q = load_quat(q_now.at, at, part), next = load_quat(q_next.at, at, part);
        // q and -q are the same frame; the differences in time need neighbouring signs.
        simd_double dot = q.w * next.w + q.x * next.x + q.y * next.y + q.z * next.z;
        simd_double sign = simd_select(dot < 0, simd_broadcast(-1), simd_broadcast(1));
        next = (simd_quat){sign * next.w, sign * next.x, sign * next.y, sign * next.z};
        store_quat(q_next.at, at, part, next);
        simd_quat hat = load_quat_hat(s, q_now.at, q_before.at, at, part);
        // -2 Im(conj(q_next) q_hat)/h
        simd_double x = scale * (next.w * hat.x - next.x * hat.w - next.y * hat.z + next.z * hat.y);
        simd_double y = scale * (next.w * hat.y - next.y * hat.w - next.z * hat.x + next.x * hat.z);
        simd_double z = scale * (next.w * hat.z - next.z * hat.w - next.x * hat.y + next.y * hat.x);
        simd_store_part(w_next.at[0] + at, part, x), simd_store_part(w_next.at[1] + at, part, y);
        simd_store_part(w_next.at[2] + at, part, z);
        bad |= is_too_large(simd_abs(x) + simd_abs(y) + simd_abs(z));
    }
    return !simd_any(bad);
}

bool VARIANT(pobd_finish)(const cdg_rod *rod, pobd_scheme s) {
    bool nodes, frames;
    if (s.history != 0) {
        nodes = finish_nodes(rod, s), frames = finish_frames(rod, s);
    } else {
        pobd_scheme euler = {s.h, 0}; // known to the compiler
        nodes = finish_nodes(rod, euler), frames = finish_frames(rod, euler);
    }
    return nodes && frames;
}
