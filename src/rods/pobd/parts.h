// What pobd/pobd.c and its parts share: measures of strain, held sections as springs over half cells, and what supports
// exert.
#ifndef CDG_RODS_POBD_PARTS_H
#define CDG_RODS_POBD_PARTS_H

#include "math/quat.h"
#include "rods/frame_angle.h"
#include "rods/pobd/gauss_seidel.h"
#include "rods/pobd/motion.h"
#include "rods/pobd/options.h"
#include "rods/pobd/problem.h"

static inline bool is_gauss_seidel(const cdg_rod *rod) { return pobd_options(rod)->solver == CDG_POBD_GAUSS_SEIDEL; }

static inline bool is_damped(const cdg_rod *rod) {
    return rod->damping_time[0] > 0 || rod->damping_time[1] > 0 || rod->damping_time[2] > 0 || rod->damping_time[3] > 0;
}

static inline bool has_uniform_inertia(const cdg_rod *rod) {
    return rod->section_stride == 0 && rod->has_equal_elements;
}

static inline pobd_scheme pobd_choose_scheme(const cdg_rod *rod, double step) {
    // After a start, a new state or a change of step there is no usable history: one Euler step costs no order.
    bool is_bdf2 = rod->has_history && rod->history_step == step && pobd_options(rod)->integrator == CDG_POBD_BDF2;
    return is_bdf2 ? (pobd_scheme){2 * step / 3, 1.0 / 3} : (pobd_scheme){step, 0};
}

// Rotary inertia of one frame as Gauss-Seidel sees it, kg m^2: one for all axes (paper, section 6).
double pobd_gauss_seidel_inertia(const cdg_rod *rod, size_t element);

// ---- a step in parts (pobd/pobd.c) ----------------------------------------------------------------------------------

typedef struct pobd_step {
    pobd_scheme scheme;
    pobd_problem problem;
    double *node_weight, *bend_stiffness[3]; // the problem's, which may still be changed
    void *solver_scratch;
} pobd_step;

size_t pobd_scratch_size(const cdg_rod *rod);
// Poses the step's problem, with its arrays in scratch; held nodes are where they are held.
void pobd_pose(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, pobd_step *out);
// Once the sweeps have ended: reactions are by the multipliers, which stay in the scratch.
void pobd_keep_multipliers(const pobd_gauss_seidel_parts *parts, pobd_step *posed);
// From the solution to velocities, reactions and the report. Fails when something is not finite.
cdg_result pobd_conclude(cdg_rod *rod, double step, const cdg_rod_loads *loads, const pobd_step *posed,
                         const pobd_outcome *outcome, cdg_rod_step_result *result, cdg_error *error);

// ---- strains --------------------------------------------------------------------------------------------------------

static inline cdg_vec3 pobd_strain(double *const x[3], double *const q[4], const cdg_rod *rod, size_t element) {
    cdg_vec3 edge = vec3_sub(rod_vec3(x, rod_next_node(rod, element)), rod_vec3(x, element));
    cdg_vec3 strain = quat_rotate_inverse(rod_quat(q, element), vec3_scale(1 / rod->rest_length[element], edge));
    strain.z -= 1;
    return strain;
}

// Paper stiffness goes with the paper's measure, or that of its appendix.
static inline cdg_pobd_darboux pobd_measure_of(const cdg_rod *rod) {
    bool is_paper = pobd_options(rod)->paper_stiffness && pobd_options(rod)->darboux == CDG_POBD_ANGLE;
    return is_paper ? CDG_POBD_SINE : pobd_options(rod)->darboux;
}

// What the imaginary part of a turn with real part w is multiplied by.
static inline double pobd_scale(const cdg_rod *rod, double w) {
    cdg_pobd_darboux measure = pobd_measure_of(rod);
    return measure == CDG_POBD_SINE ? 1 : measure == CDG_POBD_TANGENT ? 1 / w : pobd_angle_scale(w);
}

// Half the turn from one frame to the next, with the sign nearest to the rest turn.
static inline cdg_vec3 pobd_half_turn(const cdg_rod *rod, cdg_quat from, cdg_quat to, cdg_quat rest) {
    cdg_quat turn = quat_relative(from, to);
    if (quat_dot(turn, rest) < 0) turn = quat_negate(turn);
    cdg_vec3 v = quat_imaginary(turn);
    return vec3_scale(pobd_scale(rod, turn.w), v);
}

// Rest turn that stands for rest shape and damping together. Solvers scale its imaginary part by what belongs to its
// real part, so it is divided by that here.
cdg_quat pobd_damped_rest_turn(const cdg_rod *rod, cdg_quat rest, cdg_vec3 now, double bend_share, double twist_share);

// ---- supports (pobd/supports.c) -------------------------------------------------------------------------------------

// Each half cell beside a held section is an anchor of its own, with its own length, rest turn and damping. Returns how
// many; `anchors` has room for two a hold. Where an inner section is held its own bending stiffness becomes zero, which
// takes bend_stride 1.
size_t pobd_set_anchors(const cdg_rod *rod, double step, size_t bend_stride, double *const bend_stiffness[3],
                        pobd_anchor *anchors);

// What is missing at a node for the balance of inertia, loads and inner forces of the candidate, N.
cdg_vec3 pobd_missing_force(const cdg_rod *rod, const pobd_problem *problem, pobd_scheme scheme,
                            const cdg_rod_loads *loads, size_t node);
// Force and moment of every hold, from the candidate. Of the problem only stiffness, rest strain, anchors and
// the measure are read.
void pobd_set_reactions(cdg_rod *rod, const pobd_problem *problem, pobd_scheme scheme, const cdg_rod_loads *loads);

#endif
