// Time integration of pobd: where nodes and frames would fly freely in a step, and how fast they are at its end. The
// loops are compiled once for each instruction set (pobd/motion_simd.c).
//
// Let y be x or q. Both integrators have the form  rate = (y_next - y_hat)/h,  acceleration = (rate_next - rate_hat)/h:
//   implicit Euler  h = step,      y_hat = y_now,                     rate_hat = rate_now
//   BDF2            h = 2/3 step,  y_hat = (4 y_now - y_before)/3,    rate_hat = (4 rate_now - rate_before)/3
// Euler is the paper's (eq. 18, 19); it eats a share (rate h)^2 of a rotation's momentum a step, BDF2 only its square.
#ifndef CDG_RODS_POBD_MOTION_H
#define CDG_RODS_POBD_MOTION_H

#include "rods/rod_model.h"

// y_hat = now + history * (now - before): history is 0 for Euler, 1/3 for BDF2.
typedef struct pobd_scheme {
    double h; // s, effective step
    double history;
} pobd_scheme;

static inline cdg_vec3 pobd_hat_vec3(pobd_scheme s, double *const now[3], double *const before[3], size_t i) {
    cdg_vec3 a = rod_vec3(now, i);
    if (s.history == 0) return a;
    cdg_vec3 b = rod_vec3(before, i);
    return (cdg_vec3){a.x + s.history * (a.x - b.x), a.y + s.history * (a.y - b.y), a.z + s.history * (a.z - b.z)};
}

// What the prediction fills: arrays in scratch memory.
typedef struct pobd_targets {
    double *x[3];            // m, node_count
    double *q[4];            // element_count
    double *node_weight;     // N/m, node_count
    double *frame_weight[3]; // N m, element_count (1 with one inertia for all); Gauss-Seidel: all three the same array
} pobd_targets;

// Rotary inertia of the frames as the solver sees it, kg m^2: entry j at [j * stride].
typedef struct pobd_inertia {
    const double *about[3];
    size_t stride;
} pobd_inertia;

// Targets and weights from state and loads. The targets may be the rod's candidate arrays.
void pobd_predict(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_inertia *inertia,
                  const pobd_targets *out);

// v_next, w_next from the candidate; brings the signs of q_next next to those of q. False when something is not finite.
bool pobd_finish(const cdg_rod *rod, pobd_scheme s);

// pobd/motion_simd.c
#define POBD_MOTION_DECLARE(suffix)                                                                                    \
    void pobd_predict_##suffix(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads,                          \
                               const pobd_inertia *inertia, const pobd_targets *out);                                  \
    bool pobd_finish_##suffix(const cdg_rod *rod, pobd_scheme s);
POBD_MOTION_DECLARE(base)
POBD_MOTION_DECLARE(avx2)
POBD_MOTION_DECLARE(avx512)
#undef POBD_MOTION_DECLARE

#endif
